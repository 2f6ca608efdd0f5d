//! Remainders and cheaper numerators, recovered from the normal form.
//!
//! The normal form keeps `a mod k` as `a - k * floor(a / k)`, and splits from a numerator whatever is a multiple of the
//! divisor. Both make expressions comparable, and neither is always the cheapest spelling.

use super::extract::Search;
use super::normal::{Monomial, Term};
use super::tree::SumTree;
use super::{Atom, SymError, SymInt};

/// Improvements of one sum, and spellings that are weighed for each.
const MAX_ROUNDS: usize = 6;
const MAX_CANDIDATES: usize = 16;
/// Divisions of one sum that are reduced in strength.
const MAX_DIVISIONS: usize = 8;

/// A division as it stands in a sum: `sign * floor(numerator / divisor)` is the atom.
struct Division<'a> {
    atom: &'a Atom,
    numerator: SymInt,
    divisor: i64,
    sign: i64,
}

impl Search {
    /// The cheapest plan found for a sum, its divisions reduced in strength where that is cheaper.
    pub(super) fn strength_reduced(&mut self, sum: &SymInt) -> SumTree {
        let divides = |term: &Term| term.monomial.iter().any(|atom| matches!(atom, Atom::FloorDiv(..)));
        if !sum.term_slice().iter().any(divides) {
            return self.tree(sum);
        }
        if let Some((_, tree)) = self.seen.iter().find(|(seen, _)| seen == sum) {
            return tree.clone();
        }
        let tree = self.reduce_strength(sum);
        self.seen.push((sum.clone(), tree.clone()));
        tree
    }

    fn reduce_strength(&mut self, sum: &SymInt) -> SumTree {
        let mut best = self.tree(sum);
        let mut current = sum.clone();
        for _ in 0..MAX_ROUNDS {
            if self.is_spent() {
                break;
            }
            let mut improved = None;
            for candidate in candidates(&current) {
                let tree = self.tree(&candidate);
                if tree.weight < best.weight {
                    best = tree;
                    improved = Some(candidate);
                }
            }
            match improved {
                Some(candidate) => current = candidate,
                None => break,
            }
        }
        best
    }
}

/// Sums of the same value, in which one division is spelled in another way.
fn candidates(sum: &SymInt) -> Vec<SymInt> {
    let mut result = Vec::new();
    let mut atoms: Vec<&Atom> = sum
        .term_slice()
        .iter()
        .flat_map(|term| &*term.monomial)
        .filter(|atom| matches!(atom, Atom::FloorDiv(..)))
        .collect();
    atoms.sort();
    atoms.dedup();
    // Pairs of divisions are looked at.
    atoms.truncate(MAX_DIVISIONS);
    for &atom in &atoms {
        let Atom::FloorDiv(a, k) = atom else { continue };
        // floor(a / k) = -floor((k - 1 - a) / k).
        let mirrored = || SymInt::constant(k - 1).add_scaled(a, -1);
        let spelled = |numerator: Result<SymInt, _>, divisor: i64, sign: i64| {
            Some(Division { atom, numerator: numerator.ok()?, divisor, sign })
        };
        let related = related(sum, a);
        let place = place_of(sum, atom);
        let mirror = related
            || place.is_some_and(|place| is_better_mirrored(sum, place, a, *k))
            || (place.is_some() && corrects_less(mirrored(), a, *k));
        let direct = related || (place.is_some() && sum.constant_part() != 0);
        let divisions = [
            direct.then(|| spelled(Ok(a.clone()), *k, 1)).flatten(),
            mirror.then(|| spelled(mirrored(), *k, -1)).flatten(),
        ];
        for division in divisions.into_iter().flatten() {
            if related {
                result.extend(remainders(sum, &division));
            }
            if place.is_some() {
                result.extend(numerators(sum, &division));
            }
        }
        // floor(a / (d * k)) = floor(floor(a / d) / k), where another division is by d.
        for other in &atoms {
            if let Atom::FloorDiv(_, d) = other
                && d < k
                && k % d == 0
            {
                let nested = a.floor(*d);
                let other = mirrored().and_then(|a| a.floor(*d));
                for division in [spelled(nested, k / d, 1), spelled(other, k / d, -1)].into_iter().flatten() {
                    result.extend(remainders(sum, &division));
                }
            }
        }
        if result.len() >= MAX_CANDIDATES {
            result.truncate(MAX_CANDIDATES);
            break;
        }
    }
    result
}

/// Whether a monomial of the numerator is a factor of one in the sum.
fn related(sum: &SymInt, numerator: &SymInt) -> bool {
    numerator.term_slice().iter().any(|part| {
        sum.term_slice().iter().any(|term| super::range::contains(&term.monomial, &part.monomial))
    })
}

/// Whether a division that is subtracted saves a negation or a constant when it is added.
fn is_better_mirrored(sum: &SymInt, place: usize, numerator: &SymInt, divisor: i64) -> bool {
    let subtracted = sum.term_slice()[place].coefficient < 0;
    subtracted && (sum.term_slice().len() == 1 || numerator.constant_part() == divisor - 1)
}

/// Whether the mirrored numerator is never negative, and that makes the division cheaper.
fn corrects_less(mirrored: Result<SymInt, SymError>, numerator: &SymInt, divisor: i64) -> bool {
    let cost = |sym: &SymInt| super::cost::division(divisor, sym.range().is_nonnegative());
    mirrored.is_ok_and(|mirrored| cost(&mirrored) < cost(numerator))
}

/// The term that is a multiple of an atom.
fn place_of(sum: &SymInt, atom: &Atom) -> Option<usize> {
    sum.term_slice().iter().position(|term| *term.monomial == [atom.clone()])
}

/// The sum with `m` replaced by what `numerator = a * m + rest = divisor * quotient + remainder` gives for it, for
/// every term `a * m` of the numerator.
fn remainders(sum: &SymInt, division: &Division) -> Vec<SymInt> {
    let Division { atom, numerator, divisor, sign } = division;
    let build = |term: &Term| {
        let a = term.coefficient;
        let stands = |other: &Term| {
            other.coefficient.checked_rem(a) == Some(0)
                && super::range::contains(&other.monomial, &term.monomial)
        };
        if !sum.term_slice().iter().any(stands) {
            return None;
        }
        let remainder = SymInt::atom(Atom::Mod(numerator.clone(), *divisor)).ok()?;
        let quotient = SymInt::atom((*atom).clone()).ok()?.scaled(divisor.checked_mul(*sign)?).ok()?;
        // a * m, in the new terms.
        let own = SymInt::from_sorted(0, vec![term.clone()]).ok()?;
        let rest = numerator.add_scaled(&own, -1).ok()?;
        let value = remainder.add_scaled(&quotient, 1).ok()?.add_scaled(&rest, -1).ok()?;
        replace(sum, &term.monomial, a, &value)
    };
    numerator.term_slice().iter().filter_map(build).collect()
}

/// The sum with `a * m = value` put in for the monomial wherever its coefficient is a multiple of `a`; `None` when it
/// stands nowhere, or when the result has as many terms.
fn replace(sum: &SymInt, monomial: &Monomial, a: i64, value: &SymInt) -> Option<SymInt> {
    let mut kept = Vec::new();
    let mut replaced: Option<SymInt> = None;
    for term in sum.term_slice() {
        match cofactor(&term.monomial, monomial) {
            Some(rest) if term.coefficient.checked_rem(a) == Some(0) => {
                let coefficient = term.coefficient.checked_div(a)?;
                let part = if rest.is_empty() {
                    value.scaled(coefficient).ok()?
                } else {
                    let rest =
                        SymInt::from_sorted(0, vec![Term { coefficient, monomial: rest.into() }]).ok()?;
                    value.times(&rest).ok()?
                };
                replaced = Some(match replaced {
                    Some(old) => old.add_scaled(&part, 1).ok()?,
                    None => part,
                });
            }
            _ => kept.push(term.clone()),
        }
    }
    let result = SymInt::from_sorted(sum.constant_part(), kept).ok()?.add_scaled(&replaced?, 1).ok()?;
    let count = |sym: &SymInt| sym.term_slice().len() + usize::from(sym.constant_part() != 0);
    (count(&result) < count(sum)).then_some(result)
}

/// The sum with a part of it moved into the numerator of a division: `c * floor(a / k) + c * m = c * floor((a + k * m)
/// / k)`.
fn numerators(sum: &SymInt, division: &Division) -> Vec<SymInt> {
    let Division { atom, numerator, divisor, sign } = division;
    let Some(place) = place_of(sum, atom) else {
        return Vec::new();
    };
    let coefficient = sum.term_slice()[place].coefficient.saturating_mul(*sign);
    let mut rest = sum.term_slice().to_vec();
    rest.remove(place);
    let Ok(rest) = SymInt::from_sorted(sum.constant_part(), rest) else {
        return Vec::new();
    };
    let absorb = |part: &SymInt, whole: i64| {
        // `part` is a term of the rest, and `whole` its coefficient.
        if whole.checked_rem(coefficient)? != 0 {
            return None;
        }
        let inside = part.divided(coefficient)?;
        let numerator = numerator.add_scaled(&inside, *divisor).ok()?;
        let quotient = SymInt::atom(Atom::FloorDiv(numerator, *divisor)).ok()?;
        rest.add_scaled(part, -1).ok()?.add_scaled(&quotient, coefficient).ok()
    };
    let mut result = Vec::new();
    let within = |monomial: &Monomial| numerator.term_slice().iter().any(|term| term.monomial == *monomial);
    for term in rest.term_slice().iter().filter(|term| within(&term.monomial)) {
        if let Ok(part) = SymInt::from_sorted(0, vec![term.clone()]) {
            result.extend(absorb(&part, term.coefficient));
        }
    }
    // All of them at once: one alone need not pay.
    let all = rest
        .term_slice()
        .iter()
        .filter(|term| within(&term.monomial) && term.coefficient.checked_rem(coefficient) == Some(0));
    let all: Vec<Term> = all.cloned().collect();
    if all.len() > 1
        && let Ok(part) = SymInt::from_sorted(0, all)
    {
        result.extend(absorb(&part, 0));
    }
    if rest.constant_part() != 0 {
        result.extend(absorb(&SymInt::constant(rest.constant_part()), rest.constant_part()));
    }
    // The spelling itself, for a division that is subtracted.
    if *sign < 0
        && let Ok(quotient) = SymInt::atom(Atom::FloorDiv(numerator.clone(), *divisor))
    {
        result.extend(rest.add_scaled(&quotient, coefficient).ok());
    }
    result
}

/// What is left of a product without the factors of another; `None` unless all of them are in it.
pub(super) fn cofactor(whole: &[Atom], part: &[Atom]) -> Option<Vec<Atom>> {
    let mut rest = whole.to_vec();
    for atom in part {
        let place = rest.iter().position(|other| other == atom)?;
        rest.remove(place);
    }
    Some(rest)
}
