//! Bounds of expressions by interval arithmetic.

use super::interval::Interval;
use super::normal::{Monomial, Term};
use super::{Atom, BinaryOp, Range, SymInt};

/// How many atoms one query may trade for what they are bounded by.
const BUDGET: u32 = 10;

impl SymInt {
    /// Bounds of its value over all values that its symbols may have.
    ///
    /// Terms are bounded one by one, except that an atom which stands beside the symbols it is made of is also
    /// traded for what bounds it: `x - 4 * floor(x / 4)` lies in `0..=3` whatever `x` is.
    pub fn range(&self) -> Range {
        *self.range_cell().get_or_init(|| self.interval(&mut BUDGET.clone()).to_range())
    }

    /// Whether its value fits `isize`, whatever its symbols are.
    pub fn fits(&self) -> bool {
        let alone = self.constant_part() == 0
            && self.terms().count() <= 1
            && self
                .terms()
                .all(|(coefficient, monomial)| coefficient == 1 && matches!(monomial, [Atom::Symbol(_)]));
        let range = self.range();
        alone || (range.lo.is_some() && range.hi.is_some())
    }

    /// The bounds, spending `budget` on atoms that are correlated with other terms.
    fn interval(&self, budget: &mut u32) -> Interval {
        let terms = self.term_slice();
        let mut bounds = Interval::exactly(self.constant_part());
        for term in terms {
            bounds = bounds.add(monomial_interval(&term.monomial).scale(i128::from(term.coefficient)));
        }
        if terms.len() < 2 {
            return bounds;
        }
        // Trading rounds to integers, so that it is sharper without a common divisor or factor.
        let common = self.content();
        if common > 1 {
            let constant = Self::constant(self.constant_part());
            let parts = self.add_scaled(&constant, -1).ok().and_then(|sum| sum.divided(common));
            return parts.map_or(bounds, |parts| {
                let multiple = parts.interval(budget).scale(i128::from(common));
                bounds.intersect(multiple.add(Interval::exactly(self.constant_part())))
            });
        }
        if let Some((atom, cofactor)) = self.common_atom() {
            let product = atom_interval(atom).mul(cofactor.interval(budget));
            return bounds.intersect(product.add(Interval::exactly(self.constant_part())));
        }
        for (i, term) in terms.iter().enumerate() {
            for (j, atom) in term.monomial.iter().enumerate() {
                if *budget == 0 {
                    return bounds;
                }
                let correlated = match atom {
                    Atom::FloorDiv(a, _) => self.shares(i, a, None),
                    Atom::Min(a, b) | Atom::Max(a, b) => self.shares(i, a, Some(b)),
                    _ => false,
                };
                if correlated {
                    *budget -= 1;
                    if let Some(traded) = self.traded(i, j, budget) {
                        bounds = bounds.intersect(traded);
                    }
                }
            }
        }
        bounds
    }

    /// A factor of every term but the constant, and the sum of the terms without it.
    fn common_atom(&self) -> Option<(&Atom, Self)> {
        let terms = self.term_slice();
        let everywhere = |atom: &&Atom| terms.iter().all(|term| term.monomial.contains(atom));
        let atom = terms.first()?.monomial.iter().find(everywhere)?;
        let (mut constant, mut parts) = (0, Vec::with_capacity(terms.len()));
        for Term { coefficient, monomial } in terms {
            let rest = super::strength::cofactor(monomial, std::slice::from_ref(atom))?;
            if rest.is_empty() {
                constant = *coefficient;
            } else {
                parts.push(Term { coefficient: *coefficient, monomial: rest.into() });
            }
        }
        Some((atom, Self::from_terms(constant, parts).ok()?))
    }

    /// Whether an atom of term `i`, made of `a` and `b`, varies together with another term.
    fn shares(&self, i: usize, a: &SymInt, b: Option<&SymInt>) -> bool {
        let parts = || a.term_slice().iter().chain(b.map_or(&[][..], |b| b.term_slice()));
        self.term_slice().iter().enumerate().any(|(j, other)| {
            i != j
                && parts().any(|part| {
                    contains(&other.monomial, &part.monomial)
                        || other.monomial.iter().any(|atom| atom_contains(atom, &part.monomial))
                })
        })
    }

    /// Bounds after the atom at place `j` of term `i` is traded for its own bounds.
    fn traded(&self, i: usize, j: usize, budget: &mut u32) -> Option<Interval> {
        let term = &self.term_slice()[i];
        let cofactor = without(&term.monomial, j);
        match &term.monomial[j] {
            Atom::FloorDiv(a, k) => {
                // k * floor(a / k) = a - e with 0 <= e < k, so that k times the sum is
                // k * rest + coefficient * cofactor * a  -  coefficient * cofactor * e.
                let factor = cofactor_sym(&cofactor, term.coefficient)?;
                let rest = self.without_term(i)?.scaled(*k).ok()?;
                let linear = rest.add_scaled(&factor.times(a).ok()?, 1).ok()?;
                let error = Interval::new(Some(0), Some(i128::from(*k) - 1))
                    .mul(monomial_interval(&cofactor))
                    .scale(-i128::from(term.coefficient));
                Some(linear.interval(budget).add(error).shrink(i128::from(*k)))
            }
            atom @ (Atom::Min(a, b) | Atom::Max(a, b)) if cofactor.is_empty() => {
                let rest = self.without_term(i)?;
                let with = |part: &SymInt, budget: &mut u32| {
                    Some(rest.add_scaled(part, term.coefficient).ok()?.interval(budget))
                };
                let (first, second) = (with(a, budget)?, with(b, budget)?);
                // The sum has the value it takes with one of the two operands: with the larger of both values when
                // the atom is the maximum and adds, or the minimum and subtracts.
                let larger = matches!(atom, Atom::Max(..)) == (term.coefficient > 0);
                Some(if larger { first.max(second) } else { first.min(second) })
            }
            _ => None,
        }
    }

    fn without_term(&self, i: usize) -> Option<Self> {
        let mut terms = self.term_slice().to_vec();
        terms.remove(i);
        Self::from_sorted(self.constant_part(), terms).ok()
    }
}

impl Atom {
    /// Bounds of its value.
    pub fn range(&self) -> Range {
        atom_interval(self).to_range()
    }
}

/// A coefficient times a product that may be empty.
fn cofactor_sym(cofactor: &[Atom], coefficient: i64) -> Option<SymInt> {
    if cofactor.is_empty() {
        return Some(SymInt::constant(coefficient));
    }
    SymInt::from_sorted(0, vec![Term { coefficient, monomial: Monomial::from(cofactor) }]).ok()
}

fn without(monomial: &[Atom], j: usize) -> Vec<Atom> {
    let mut rest = monomial.to_vec();
    rest.remove(j);
    rest
}

/// Whether every atom of `part` is a factor of `whole`.
pub(super) fn contains(whole: &[Atom], part: &[Atom]) -> bool {
    let mut whole = whole.iter();
    part.iter().all(|atom| whole.any(|other| other == atom))
}

fn atom_contains(atom: &Atom, part: &[Atom]) -> bool {
    let within = |sym: &SymInt| sym.term_slice().iter().any(|term| contains(&term.monomial, part));
    match atom {
        Atom::FloorDiv(..) | Atom::Min(..) | Atom::Max(..) => {
            atom.operands().into_iter().flatten().any(within)
        }
        Atom::Symbol(_) | Atom::Mod(..) | Atom::Op(..) => false,
    }
}

/// The bounds of a product; equal factors, which stand side by side, are bounded as a power.
pub(super) fn monomial_interval(monomial: &[Atom]) -> Interval {
    let mut bounds = Interval::exactly(1);
    for power in monomial.chunk_by(|a, b| a == b) {
        bounds = bounds.mul(atom_interval(&power[0]).power(power.len()));
    }
    bounds
}

pub(super) fn atom_interval(atom: &Atom) -> Interval {
    let of = |sym: &SymInt| Interval::from(sym.range());
    match atom {
        Atom::Symbol(symbol) => symbol.range().into(),
        Atom::FloorDiv(a, k) => of(a).floor_div(*k),
        Atom::Mod(a, k) => {
            let (whole, cell) = (of(a), i128::from(*k));
            let full = Interval::new(Some(0), Some(cell - 1));
            match (whole.lo, whole.hi) {
                (Some(lo), Some(hi)) if lo.div_euclid(cell) == hi.div_euclid(cell) => {
                    Interval::new(Some(lo.rem_euclid(cell)), Some(hi.rem_euclid(cell)))
                }
                _ => full,
            }
        }
        Atom::Min(a, b) => of(a).min(of(b)),
        Atom::Max(a, b) => of(a).max(of(b)),
        Atom::Op(op, a, b) => op_interval(*op, of(a), of(b)),
    }
}

fn op_interval(op: BinaryOp, a: Interval, b: Interval) -> Interval {
    match op {
        // A division by zero has no value.
        BinaryOp::Div if b.lo == Some(0) => quotient(a, Interval::new(Some(1), b.hi.map(|hi| hi.max(1)))),
        BinaryOp::Div => quotient(a, b),
        BinaryOp::Rem => remainder(a, b),
        BinaryOp::Shl => shifted(a, b, |value, by| value.checked_mul(1_i128.checked_shl(by)?)),
        BinaryOp::Shr => shifted(a, b, i128::checked_shr),
        BinaryOp::And => conjunction(a, b),
        // Both set no bit above the highest of their operands.
        BinaryOp::Or => with_bits(a, b, a.lo.zip(b.lo).map(|(a, b)| a.max(b))),
        BinaryOp::Xor => with_bits(a, b, Some(0)),
        BinaryOp::Fold(_) => Interval::new(Some(0), b.hi.map(|extent| (extent - 1).max(0))),
        BinaryOp::Load => Interval::new(a.lo.map(|lo| lo.min(0)), a.hi.map(|hi| hi.max(0))),
        BinaryOp::Power => {
            let sign = if a.is_nonnegative() { Some(0) } else { None };
            Interval::new(sign, None)
        }
        BinaryOp::Entry(table) => {
            let (least, greatest) = table.bounds();
            Interval::new(Some(least.into()), Some(greatest.into()))
        }
    }
}

/// A truncated quotient is no larger than its numerator, and has its sign over a positive denominator.
fn quotient(a: Interval, b: Interval) -> Interval {
    if let (Some(least), true) = (b.lo.filter(|&lo| lo > 0), b.lo.is_some()) {
        // Divided by the least denominator it lies furthest from zero, by the greatest nearest to it.
        let near = |bound: i128| b.hi.map_or(0, |most| bound / most);
        return Interval::new(
            a.lo.map(|lo| if lo < 0 { lo / least } else { near(lo) }),
            a.hi.map(|hi| if hi > 0 { hi / least } else { near(hi) }),
        );
    }
    let most = a.magnitude();
    Interval::new(most.map(|m| -m), most)
}

/// A truncated remainder has the dividend's sign, and is smaller than the divisor.
fn remainder(a: Interval, b: Interval) -> Interval {
    let most = [a.magnitude(), b.magnitude().map(|m| (m - 1).max(0))].into_iter().flatten().min();
    let lo = if a.lo.is_some_and(|lo| lo >= 0) { Some(0) } else { most.map(|m| -m) };
    let hi = if a.hi.is_some_and(|hi| hi <= 0) { Some(0) } else { most };
    Interval::new(lo, hi)
}

/// A shift is monotone in its operand, and moves away from zero or towards it with its amount.
fn shifted(a: Interval, b: Interval, shift: impl Fn(i128, u32) -> Option<i128>) -> Interval {
    // A shift by anything else has no value.
    let least = b.lo.unwrap_or(0).clamp(0, 63) as u32;
    let most = b.hi.unwrap_or(63).clamp(0, 63) as u32;
    let ends = |bound: Option<i128>| {
        let bound = bound?;
        Some((shift(bound, least)?, shift(bound, most)?))
    };
    Interval::new(ends(a.lo).map(|(x, y)| x.min(y)), ends(a.hi).map(|(x, y)| x.max(y)))
}

fn conjunction(a: Interval, b: Interval) -> Interval {
    // A nonnegative operand clears the sign, and every bit that it lacks.
    match (a.is_nonnegative(), b.is_nonnegative()) {
        (true, true) => Interval::new(Some(0), [a.hi, b.hi].into_iter().flatten().min()),
        (true, false) => Interval::new(Some(0), a.hi),
        (false, true) => Interval::new(Some(0), b.hi),
        (false, false) => Interval::UNKNOWN,
    }
}

fn with_bits(a: Interval, b: Interval, lo: Option<i128>) -> Interval {
    if !(a.is_nonnegative() && b.is_nonnegative()) {
        return Interval::UNKNOWN;
    }
    let hi = a.hi.zip(b.hi).map(|(a, b)| {
        let bits = 128 - a.max(b).leading_zeros();
        1_i128.checked_shl(bits).map_or(i128::MAX, |power| power - 1)
    });
    Interval::new(lo, hi)
}
