//! Indices that stand on a `let`.

use quote::quote;

use super::execute::bound;
use super::kernels::kernel;
use crate::check::let_defs::resolved;
use crate::ir::Candidate;
use crate::ir::{Access, Id, LetDef, LetOverflow};
use crate::symbolic::{Facts, Range, SymError, SymInt, Symbol};

/// The `let` that a coordinate stands on, a small number, two that can be anything, and one that is not negative.
struct Numbers {
    y: Symbol,
    x: SymInt,
    z: SymInt,
    m: SymInt,
    n: SymInt,
}

fn numbers() -> Numbers {
    let any = |id, name| SymInt::symbol(&Symbol::new(id, name, Range::UNKNOWN));
    Numbers {
        y: Symbol::new(0, "y", Range::UNKNOWN),
        x: SymInt::symbol(&Symbol::new(1, "x", Range::new(0, 3))),
        z: any(2, "z"),
        m: any(3, "m"),
        n: SymInt::symbol(&Symbol::new(4, "n", Range::NONNEGATIVE)),
    }
}

/// Some access, but for the `let`s that its index stands on.
fn access(lets: Vec<LetDef>) -> Access {
    let (program, _) = bound(&kernel(&quote!(let v = Block::external(v, [n]); s += v[[r]];)));
    Access { let_defs: lets, ..program.accesses[Id::new(0)].clone() }
}

/// Whether a `let` may be replaced by its value in a coordinate.
fn replaces(coordinate: &SymInt, value: &SymInt, overflow: LetOverflow) -> bool {
    let Numbers { y, .. } = numbers();
    let access = access(vec![LetDef { symbol: y.clone(), value: value.clone(), overflow }]);
    let candidate =
        Candidate { buffer: Id::new(0), coordinates: vec![coordinate.clone()], casts: Vec::new() };
    match resolved(&access, &candidate, &Facts::new()) {
        Some(replaced) => {
            let expected = coordinate.substitute(&|symbol| (*symbol == y).then(|| value.clone()));
            assert_eq!(Ok(&replaced.coordinates[0]), expected.as_ref());
            true
        }
        None => false,
    }
}

/// Coordinates with the `let`, and whether each bounds it: from above, and with a sign from both sides.
fn coordinates() -> Result<Vec<(SymInt, bool, bool)>, SymError> {
    let Numbers { y, x, z, n, .. } = numbers();
    let y = SymInt::symbol(&y);
    let int = SymInt::constant;
    let small = 1 << 31;
    Ok(vec![
        (y.clone(), true, true),
        (y.add(&x)?, true, true),
        (y.scale(3)?.sub(&x)?.add(&int(5))?, true, true),
        (y.add(&int(small))?, true, true),
        (y.sub(&int(small))?, true, true),
        (y.add(&int(small + 1))?, true, false),
        (y.sub(&int(small + 1))?, false, false),
        (y.add(&n)?, true, false),
        (y.sub(&n)?, false, false),
        (y.add(&z)?, false, false),
        (y.neg()?, false, false),
        (x.sub(&y)?, false, false),
        (y.mul(&z)?, false, false),
        (y.mul(&n)?, false, false),
        (y.mul(&y)?, false, false),
        (y.floor_div(4)?, true, true),
        (y.add(&x)?.floor_div(2)?.sub(&x)?, true, true),
        (y.add(&n)?.floor_div(2)?, true, false),
        (y.add(&z)?.floor_div(3)?, false, false),
        (x.sub(&y)?.floor_div(2)?, false, false),
        (y.floor_div(2)?.neg()?, false, false),
        (y.add(&y.floor_div(2)?)?, false, false),
        (SymInt::min(&y, &x)?, false, false),
        (SymInt::max(&y, &x)?, false, false),
    ])
}

#[test]
fn a_let_is_its_value_where_a_coordinate_bounds_it() -> Result<(), SymError> {
    let Numbers { m, n, .. } = numbers();
    for (coordinate, above, both) in coordinates()? {
        let signed = replaces(&coordinate, &m.mul(&m)?, LetOverflow::Wide { signed: true });
        assert_eq!(signed, both, "{coordinate}");
        assert_eq!(
            replaces(&coordinate, &n.mul(&n)?, LetOverflow::Wide { signed: false }),
            above,
            "{coordinate}"
        );
        assert!(replaces(&coordinate, &m, LetOverflow::Never), "{coordinate}");
        // A value that may be negative wraps around to the far end of a type without a sign.
        assert!(!replaces(&coordinate, &m, LetOverflow::Wide { signed: false }), "{coordinate}");
    }
    Ok(())
}

/// Whatever else a coordinate is made of, one inside of a block says that the `let` is far from the ends of its type.
#[test]
fn what_bounds_a_let_keeps_it_in_its_type() -> Result<(), SymError> {
    let Numbers { m, n, .. } = numbers();
    let far = [0, 1, 2, 1 << 20, 1 << 30, 1 << 33, 1 << 40, 1 << 50];
    let signed: Vec<i64> = far.iter().flat_map(|value| [*value, -value]).collect();
    for (coordinate, ..) in coordinates()? {
        let below = replaces(&coordinate, &m, LetOverflow::Wide { signed: true });
        let above = replaces(&coordinate, &n, LetOverflow::Wide { signed: false });
        for y in &signed {
            for x in [0, 3] {
                for z in &signed {
                    let value = |symbol: &Symbol| match symbol.id() {
                        0 => *y,
                        1 => x,
                        2 => *z,
                        _ => z.abs(),
                    };
                    let Some(at) = coordinate.eval(&value) else { continue };
                    let inside = (0..1 << 31).contains(&at);
                    assert!(!inside || !below || y.abs() < 1 << 36, "{coordinate} at {y}, {x}, {z}");
                    assert!(!inside || !above || *y < 1 << 36, "{coordinate} at {y}, {x}, {z}");
                }
            }
        }
    }
    Ok(())
}

/// A later `let` may stand on an earlier one; one that the coordinates do not mention does not matter.
#[test]
fn lets_are_replaced_from_the_last() -> Result<(), SymError> {
    let Numbers { y, x, z, .. } = numbers();
    let (first, second) = (y, Symbol::new(9, "second", Range::UNKNOWN));
    let unrelated = Symbol::new(10, "unrelated", Range::UNKNOWN);
    let lets = vec![
        LetDef { symbol: first.clone(), value: x.scale(2)?, overflow: LetOverflow::Never },
        LetDef {
            symbol: second.clone(),
            value: SymInt::symbol(&first).add(&z)?,
            overflow: LetOverflow::Never,
        },
        LetDef { symbol: unrelated, value: z.clone(), overflow: LetOverflow::Wide { signed: false } },
    ];
    let access = access(lets);
    let at = |coordinate: SymInt| Candidate {
        buffer: Id::new(0),
        coordinates: vec![coordinate],
        casts: Vec::new(),
    };
    let found = resolved(&access, &at(SymInt::symbol(&second)), &Facts::new()).expect("both are exact");
    assert_eq!(found.coordinates, [x.scale(2)?.add(&z)?]);
    assert!(resolved(&access, &at(z), &Facts::new()).is_none(), "nothing to replace");
    Ok(())
}
