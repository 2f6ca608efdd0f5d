//! Monotonicity: where an expression is least and greatest.

use std::cmp::Ordering;

use super::{Atom, BinaryOp, SymInt, Symbol};

/// `sym` with `symbol` at the value that makes it extreme: `rising` if it grows with the symbol, else `falling`. Where the
/// symbol moves a `min` or `max` one way and the rest of the sum the other, as in `8 * t + min(8, n - 8 * t)`, the rest
/// goes into it.
pub(crate) fn extreme(sym: &SymInt, symbol: &Symbol, rising: &SymInt, falling: &SymInt) -> Option<SymInt> {
    at_extreme(sym, symbol, rising, falling).or_else(|| at_extreme(&absorbed(sym)?, symbol, rising, falling))
}

fn at_extreme(sym: &SymInt, symbol: &Symbol, rising: &SymInt, falling: &SymInt) -> Option<SymInt> {
    let value = match direction(sym, symbol)? {
        Direction::None => return Some(sym.clone()),
        Direction::Rising => rising,
        Direction::Falling => falling,
    };
    sym.substitute(&|other| (other == symbol).then(|| value.clone())).ok()
}

/// `sym` with its least or greatest remainders of a division of the symbol: `c * n` is `c * k * floor(n / k)` and `c` times
/// a remainder of 0 to `k - 1`.
pub(crate) fn without_remainders(sym: &SymInt, symbol: &Symbol, greatest: bool) -> Option<SymInt> {
    let is_own = |(_, atoms): &(i64, &[Atom])| matches!(atoms, [Atom::Symbol(own)] if own == symbol);
    let (whole, _) = sym.terms().find(is_own)?;
    let (numerator, divisor, quotient) = sym.terms().find_map(|(_, atoms)| match atoms {
        [quotient @ Atom::FloorDiv(numerator, divisor)] if numerator.mentions(symbol) => {
            Some((numerator, *divisor, quotient))
        }
        _ => None,
    })?;
    let own = numerator.coefficient(symbol)?.as_constant().filter(|own| *own != 0 && whole % own == 0)?;
    let factor = whole / own;
    let remainder = if (factor > 0) == greatest { divisor - 1 } else { 0 };
    let multiple = SymInt::atom(quotient.clone()).ok()?.scale(divisor).ok()?;
    let apart = multiple.add(&SymInt::constant(remainder)).ok()?.sub(numerator).ok()?;
    sym.add(&apart.scale(factor).ok()?).ok()
}

/// `min(a + rest, b + rest)` of `min(a, b) + rest`.
fn absorbed(sym: &SymInt) -> Option<SymInt> {
    let (is_least, [a, b]) = sym.terms().find_map(|(factor, atoms)| match atoms {
        [Atom::Min(a, b)] if factor == 1 => Some((true, [a.clone(), b.clone()])),
        [Atom::Max(a, b)] if factor == 1 => Some((false, [a.clone(), b.clone()])),
        _ => None,
    })?;
    let join = |a: &SymInt, b: &SymInt| if is_least { SymInt::min(a, b) } else { SymInt::max(a, b) };
    let rest = sym.sub(&join(&a, &b).ok()?).ok()?;
    join(&a.add(&rest).ok()?, &b.add(&rest).ok()?).ok()
}

/// How an expression moves when a symbol grows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Direction {
    None,
    Rising,
    Falling,
}

impl Direction {
    fn flip(self) -> Self {
        match self {
            Direction::None => Direction::None,
            Direction::Rising => Direction::Falling,
            Direction::Falling => Direction::Rising,
        }
    }

    fn join(self, other: Self) -> Option<Self> {
        match (self, other) {
            (Direction::None, direction) | (direction, Direction::None) => Some(direction),
            (a, b) if a == b => Some(a),
            _ => None,
        }
    }
}

/// `None` when the expression is not known to be monotone in the symbol.
fn direction(sym: &SymInt, symbol: &Symbol) -> Option<Direction> {
    let mut whole = Direction::None;
    for (coefficient, monomial) in sym.terms() {
        if !monomial.iter().any(|atom| atom.mentions(symbol)) {
            continue;
        }
        // One factor moves; the others must keep their sign.
        let mut moving = None;
        let mut negative = coefficient < 0;
        for atom in monomial {
            if atom.mentions(symbol) {
                if moving.replace(atom).is_some() {
                    return None;
                }
                continue;
            }
            let range = atom.range();
            if range.lo.is_some_and(|lo| lo >= 0) {
            } else if range.hi.is_some_and(|hi| hi <= 0) {
                negative = !negative;
            } else {
                return None;
            }
        }
        let own = match moving? {
            Atom::Symbol(_) => Direction::Rising,
            Atom::FloorDiv(numerator, _) => direction(numerator, symbol)?,
            Atom::Min(a, b) | Atom::Max(a, b) => direction(a, symbol)?.join(direction(b, symbol)?)?,
            // Truncated, and a shift is a division as well.
            Atom::Op(BinaryOp::Div | BinaryOp::Shr, numerator, by)
                if by.as_constant().is_some_and(|by| by > 0) =>
            {
                direction(numerator, symbol)?
            }
            Atom::Mod(..) | Atom::Op(..) => return None,
        };
        whole = whole.join(if negative { own.flip() } else { own })?;
    }
    Some(whole)
}

/// Whether one value is never above the other.
pub(crate) fn at_most(less: &SymInt, more: &SymInt) -> bool {
    more.sub(less).is_ok_and(|room| room.range().is_nonnegative())
}

/// Keeps the extreme of each group of comparable values: the least or the greatest, as `wanted` says.
pub(crate) fn keep_extreme(values: &mut Vec<SymInt>, wanted: Ordering) {
    let decides = |winner: &SymInt, loser: &SymInt| match wanted {
        Ordering::Less => at_most(winner, loser),
        _ => at_most(loser, winner),
    };
    keep_strongest(values, decides);
}

/// Drops values that another one implies; of equal ones, the first stays.
pub(crate) fn keep_strongest<T>(values: &mut Vec<T>, implies: impl Fn(&T, &T) -> bool) {
    let mut kept: Vec<T> = Vec::new();
    for value in values.drain(..) {
        if !kept.iter().any(|known| implies(known, &value)) {
            kept.retain(|known| !implies(&value, known));
            kept.push(value);
        }
    }
    *values = kept;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::symbolic::Range;

    #[test]
    fn only_the_extremes_are_tested() {
        let r = SymInt::symbol(&Symbol::new(0, "r", Range { lo: None, hi: None }));
        let at = |offset: i64| r.add(&SymInt::constant(offset)).expect("small");
        let mut least = vec![at(-1), at(0), at(3)];
        keep_extreme(&mut least, Ordering::Less);
        assert_eq!(least, [at(-1)]);
        let mut greatest = vec![at(-1), at(0), at(3), SymInt::constant(7)];
        keep_extreme(&mut greatest, Ordering::Greater);
        assert_eq!(greatest, [at(3), SymInt::constant(7)]);
    }
}
