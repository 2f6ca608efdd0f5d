//! Indices that stand on a `let`, by what the `let` is worth.

use crate::ir::{Access, Candidate, LetDef, LetOverflow};
use crate::symbolic::{Atom, Facts, SymInt, Symbol};

/// Beyond this nothing that stands beside a `let` in a coordinate is taken for small.
const SMALL: i64 = 1 << 31;

/// The same candidate with each `let` replaced by its value, if it is that wherever the element is inside.
///
/// Rust's arithmetic is exact modulo a power of two. A value that lies in the range of its type is therefore the one
/// that Rust computed: it does where it never leaves the type, and also where a coordinate that grows with it is inside
/// of a block, since the type is as wide as `isize` then.
pub(super) fn resolved(access: &Access, candidate: &Candidate, facts: &Facts) -> Option<Candidate> {
    let mut coordinates = candidate.coordinates.clone();
    let mut found = false;
    // A later one may stand on an earlier one.
    for definition in access.let_defs.iter().rev() {
        if !coordinates.iter().any(|coordinate| coordinate.mentions(&definition.symbol)) {
            continue;
        }
        if !is_exact(definition, &coordinates, facts) {
            return None;
        }
        let value = |symbol: &Symbol| (*symbol == definition.symbol).then(|| definition.value.clone());
        for coordinate in &mut coordinates {
            *coordinate = coordinate.substitute(&value).ok()?;
        }
        found = true;
    }
    found.then(|| Candidate { coordinates, ..candidate.clone() })
}

fn is_exact(definition: &LetDef, coordinates: &[SymInt], facts: &Facts) -> bool {
    match definition.overflow {
        LetOverflow::Never => true,
        LetOverflow::Wide { signed } => {
            (signed || facts.proves_nonneg(&definition.value))
                && coordinates.iter().any(|coordinate| grows(coordinate, &definition.symbol, signed))
        }
    }
}

/// Whether a symbol is bounded where the coordinate is: from above, and with a sign from both sides.
fn grows(coordinate: &SymInt, symbol: &Symbol, signed: bool) -> bool {
    let mut own =
        coordinate.terms().filter(|(_, monomial)| monomial.iter().any(|atom| atom.mentions(symbol)));
    let (Some((coefficient, [atom])), None) = (own.next(), own.next()) else { return false };
    let Ok(rest) = SymInt::atom(atom.clone()).and_then(|atom| atom.scale(-coefficient)?.add(coordinate))
    else {
        return false;
    };
    let range = rest.range();
    let small =
        range.lo.is_some_and(|lo| lo >= -SMALL) && (!signed || range.hi.is_some_and(|hi| hi <= SMALL));
    coefficient > 0
        && small
        && match atom {
            Atom::Symbol(_) => true,
            Atom::FloorDiv(numerator, _) => grows(numerator, symbol, signed),
            _ => false,
        }
}
