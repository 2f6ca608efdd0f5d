//! Assertions before a nest, and accesses that need none.

use proc_macro2::TokenStream;
use quote::quote;

use super::execute::{Staged, Values, bound, checked};
use super::kernels::{conditional, kernel, unconditional};
use crate::check::check;
use crate::diagnostics::Diagnostics;
use crate::ir::{AccessId, Element, Epoch, Id, ProgramPoint, RegionId};
use crate::symbolic::{Range, SymError, SymInt, Symbol};

const CHOICES: &[i64] = &[-2, 0, 1, 2, 3, 5];

/// The points at which an access that nothing tests is outside of its block.
fn outside(staged: &Staged, access: AccessId, values: &Values) -> Vec<Values> {
    if !matches!(staged.program.accesses[access].element, Element::Inside(_)) {
        return Vec::new();
    }
    let entries = staged.entries(staged.program.accesses[access].position.region, values);
    let truth = staged.truth(access);
    entries.into_iter().filter(|at| !staged.holds(&truth, at)).collect()
}

/// How many opaque operations run before a statement.
fn epoch(staged: &Staged, position: ProgramPoint) -> Epoch {
    staged.program.regions[position.region].epochs[position.statement]
}

/// A kernel stops before its first element exactly when it would reach an element that is not there.
#[test]
fn assertions_fire_exactly_when_an_element_is_outside() {
    for body in unconditional() {
        let staged = checked(&kernel(&body));
        let accesses = &staged.program.accesses;
        assert!(accesses.iter().all(|access| matches!(access.element, Element::Inside(_))), "{body}");
        for values in staged.assignments(CHOICES) {
            let reaches = accesses.ids().any(|id| !outside(&staged, id, &values).is_empty());
            assert_eq!(staged.stops(&values), reaches, "{values:?} in {body}");
        }
    }
}

/// Of the assertions on the way to an element that is not there, one stops the kernel.
#[test]
fn an_assertion_on_the_way_stops_what_would_reach_out() {
    let mut stopped = 0;
    for body in unconditional().into_iter().chain(conditional()) {
        let staged = checked(&kernel(&body));
        for values in staged.assignments(CHOICES) {
            for (id, access, _) in staged.accesses() {
                for at in outside(&staged, id, &values) {
                    let on_the_way = staged.program.assertions().any(|(position, assertion)| {
                        staged.program.visible(position, access.position) && staged.fires(assertion, &at)
                    });
                    assert!(on_the_way, "{at:?} in {body}");
                    stopped += 1;
                }
            }
        }
    }
    assert!(stopped > 10_000, "{stopped} points");
}

/// An assertion stops a kernel only if it would certainly have reached out: nothing that could have left it runs
/// between the assertion and the element.
#[test]
fn an_assertion_fires_only_for_what_would_have_run() {
    for body in unconditional().into_iter().chain(conditional()) {
        let staged = checked(&kernel(&body));
        for values in staged.assignments(CHOICES) {
            for (position, assertion) in staged.program.assertions() {
                for at in staged.entries(position.region, &values) {
                    if !staged.fires(assertion, &at) {
                        continue;
                    }
                    let reason = staged.accesses().any(|(id, access, _)| {
                        staged.program.visible(position, access.position)
                            && access.epoch == epoch(&staged, position)
                            && !outside(&staged, id, &at).is_empty()
                    });
                    assert!(reason, "{position:?} at {at:?} in {body}");
                }
            }
        }
    }
}

#[test]
fn what_an_assertion_compares_is_known_where_it_stands() {
    for body in unconditional().into_iter().chain(conditional()) {
        let staged = checked(&kernel(&body));
        for (position, assertion) in staged.program.assertions() {
            let slacks = assertion.checks.iter().map(|check| &check.slack);
            let all = assertion.syms().chain(slacks);
            assert!(staged.program.knows(all, position), "{assertion:?} in {body}");
            assert!(!assertion.checks.is_empty(), "{assertion:?} in {body}");
        }
    }
}

/// An index that only grows or only falls in each loop is asserted once, before the nest.
#[test]
fn assertions_of_monotone_indices_stand_before_the_nest() {
    let v = quote!(let v = Block::external(v, [n]););
    let bodies = [
        quote!(for i in 0..4 {
            s += v[[i + (i >> 1) + r]];
        }),
        quote!(for i in 0..4 {
            s += v[[r - i - (i >> 1)]];
        }),
        quote!(for i in 0..4 {
            for j in 0..3 {
                s += v[[r + i - j]];
            }
        }),
        quote!(for a in -3..0i32 {
            for i in 0..3i32 {
                let k = i * a;
                s += v[[k + r]];
            }
        }),
        quote!(for a in 1..3i32 {
            for i in 0..3i32 {
                let k = i * a;
                s += v[[k + r]];
            }
        }),
    ];
    for body in bodies {
        let staged = checked(&kernel(&quote!(#v #body)));
        let regions: Vec<_> = staged.program.assertions().map(|(position, _)| position.region).collect();
        assert_eq!(regions, [RegionId::BODY], "{body}");
    }
}

/// Each claim is about the element that the access says.
#[test]
fn what_is_inside_is_the_element_that_was_written() {
    for body in unconditional() {
        let staged = checked(&kernel(&body));
        for values in staged.assignments(&[-1, 0, 2, 5]) {
            for (id, access, verdict) in staged.accesses() {
                let Element::Inside(candidate) = verdict else { continue };
                for at in staged.entries(access.position.region, &values) {
                    let truth = staged.coordinates(&staged.truth(id), &at);
                    assert_eq!(staged.coordinates(candidate, &at), truth, "{at:?} in {body}");
                }
            }
        }
    }
}

/// Two blocks are asserted each where it is reached; what one block needs is asserted once.
#[test]
fn assertions_of_one_block_are_joined() {
    let blocks = quote!(let t = Block::external(t, [h, w]); let v = Block::external(v, [n]););
    let joined = |body: TokenStream| {
        let staged = checked(&kernel(&quote!(#blocks #body)));
        let positions: Vec<ProgramPoint> =
            staged.program.assertions().map(|(position, _)| position).collect();
        positions.chunk_by(|a, b| a == b).map(<[ProgramPoint]>::len).collect::<Vec<_>>()
    };
    assert_eq!(joined(quote!(s += v[[r]]; s += v[[r + 1]]; s += v[[c]];)), [1]);
    assert_eq!(joined(quote!(s += v[[r]]; s += t[[r, c]];)), [1, 1]);
    assert_eq!(joined(quote!(s += v[[r]]; s += t[[r, c]]; s += v[[c]]; s += t[[c, r]];)), [1, 1]);
    assert_eq!(joined(quote!(for i in 0..c { s += v[[i]]; } s += v[[r]];)), [1, 1]);
    // What folds is asserted once as well, with the extent that has to hold something.
    let folded = quote!(let v = v.boundary(Clamp););
    assert_eq!(joined(quote!(#folded s += v[[2 * r]]; stop(); s += v[[2 * r]];)), [1]);
    assert_eq!(joined(quote!(#folded s += v[[2 * r]]; stop(); s += v[[2 * c]];)), [1]);
    assert_eq!(joined(quote!(#folded s += v[[2 * r]]; stop(); s += v[[3 * r]];)), [1, 1]);
}

/// Whether the kernel is rejected because of an element that is certainly not there.
fn rejected(body: &TokenStream) -> bool {
    let (mut program, _) = bound(&kernel(&quote!(let v = Block::external(v, [4]); #body)));
    let mut diagnostics = Diagnostics::default();
    check(&mut program, &mut diagnostics);
    let rejected = !diagnostics.is_empty();
    let said = diagnostics.finish().map(|error| error.to_string()).unwrap_or_default();
    assert_eq!(rejected, said.contains("outside of `v`"), "{said}");
    rejected
}

#[test]
fn an_error_is_what_certainly_runs_and_misses() {
    assert!(rejected(&quote!(s += v[[4]];)));
    assert!(rejected(&quote!(s += v[[-1]];)));
    assert!(rejected(&quote!({
        s += v[[4]];
    })));
    assert!(rejected(&quote!(for i in 0..3 {
        s += v[[i + 4]];
    })));
    assert!(rejected(&quote!(for i in 0..3 {
        for j in 0..2 {
            s += v[[i + j - 4]];
        }
    })));
    // It may not run, or something may leave the kernel before it.
    assert!(!rejected(&quote!(if flip {
        s += v[[4]];
    })));
    assert!(!rejected(&quote!(stop(); s += v[[4]];)));
    assert!(!rejected(&quote!(for i in 0..n {
        s += v[[4]];
    })));
    assert!(!rejected(&quote!(for i in 0..n {
        for j in 0..2 {
            s += v[[4]];
        }
    })));
    assert!(!rejected(&quote!(let f = || v[[4]];)));
    assert!(!rejected(&quote!(while flip {
        s += v[[4]];
    })));
    // It may be there.
    assert!(!rejected(&quote!(s += v[[3]] + v[[r]];)));
}

/// A block that certainly does not hold an element is not asked for it.
#[test]
fn a_read_outside_of_a_copy_is_one_of_what_was_copied() {
    let body = quote!(let v = Block::external(v, [8]); let p = v[[2..4]].to_block(); s += p[[-1]] + p[[1]];);
    let staged = checked(&kernel(&body));
    let read: Vec<_> = staged
        .accesses()
        .filter_map(|(_, access, verdict)| match verdict {
            Element::Inside(candidate) if access.view.name == "p" => {
                Some((candidate.buffer, candidate.coordinates[0].as_constant()))
            }
            _ => None,
        })
        .collect();
    assert!(read.contains(&(Id::new(0), Some(1))) && read.contains(&(Id::new(1), Some(1))), "{read:?}");
}

/// A coordinate that is taken to fit `isize` does so whatever its symbols are.
#[test]
fn what_fits_never_overflows() -> Result<(), SymError> {
    let symbols = [
        Symbol::new(0, "x", Range::UNKNOWN),
        Symbol::new(1, "n", Range::NONNEGATIVE),
        Symbol::new(2, "i", Range::new(-3, 9)),
        Symbol::new(3, "l", Range { lo: None, hi: Some(5) }),
    ];
    let [x, n, i, l] = [0, 1, 2, 3].map(|at| SymInt::symbol(&symbols[at]));
    let int = SymInt::constant;
    let fitting =
        [x.clone(), n.clone(), i.clone(), l.clone(), int(7), i.scale(-5)?.add(&int(3))?, i.mul(&i)?];
    let others = [
        x.add(&int(1))?,
        x.sub(&int(1))?,
        n.add(&int(1))?,
        l.sub(&int(1))?,
        x.scale(2)?,
        x.neg()?,
        n.scale(3)?,
        x.add(&i)?,
        x.add(&n)?,
        n.add(&l.neg()?)?,
        x.mul(&n)?,
        x.mul(&x)?,
    ];
    let overflows = |sym: &SymInt| {
        let ends = |symbol: &Symbol| {
            let Range { lo, hi } = symbol.range();
            [lo.unwrap_or(i64::MIN), hi.unwrap_or(i64::MAX)]
        };
        (0..16).any(|corner: usize| {
            sym.eval(&|symbol: &Symbol| ends(symbol)[corner >> symbol.id() & 1]).is_none()
        })
    };
    for sym in fitting {
        assert!(sym.fits() && !overflows(&sym), "{sym}");
    }
    for sym in others {
        assert!(!sym.fits() && overflows(&sym), "{sym}");
    }
    Ok(())
}
