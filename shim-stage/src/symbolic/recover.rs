//! Remainders and cheaper numerators, recovered from the normal form.
//!
//! The normal form keeps `a mod k` as `a - k * floor(a / k)`, and splits from a numerator whatever is a multiple of the
//! divisor. Both make expressions comparable, and neither is always the cheapest spelling.

use super::choose::{Plan, Search};
use super::normal::{Monomial, Term};
use super::{Atom, Sym};

/// Improvements of one sum, and spellings that are weighed for each.
const MAX_ROUNDS: usize = 6;
const MAX_CANDIDATES: usize = 16;

/// A division as it stands in a sum: `sign * floor(numerator / divisor)` is the atom.
struct Division {
    atom: Atom,
    numerator: Sym,
    divisor: i64,
    sign: i64,
    /// Whether the numerator is a division itself.
    nested: bool,
}

impl Search {
    /// The cheapest plan found for a sum, its divisions respelled where that is cheaper.
    pub(super) fn respelled(&mut self, sum: &Sym) -> Plan {
        let mut best = self.plan(sum);
        let divides = |term: &Term| term.monomial.iter().any(|atom| matches!(atom, Atom::FloorDiv(..)));
        if !sum.term_slice().iter().any(divides) {
            return best;
        }
        let mut current = sum.clone();
        for _ in 0..MAX_ROUNDS {
            let mut improved = None;
            for candidate in candidates(&current).into_iter().take(MAX_CANDIDATES) {
                let plan = self.plan(&candidate);
                if plan.weight() < best.weight() {
                    best = plan;
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
fn candidates(sum: &Sym) -> Vec<Sym> {
    let mut result = Vec::new();
    let divisions = divisions(sum);
    for division in &divisions {
        result.extend(remainders(sum, division));
    }
    // Numerators that are divisions are left alone: they would be put together again in another way.
    for division in divisions.iter().filter(|division| !division.nested) {
        result.extend(numerators(sum, division));
    }
    result
}

/// Every division of a sum, in the spellings that share its atom.
fn divisions(sum: &Sym) -> Vec<Division> {
    let mut atoms: Vec<&Atom> = sum
        .term_slice()
        .iter()
        .flat_map(|term| &*term.monomial)
        .filter(|atom| matches!(atom, Atom::FloorDiv(..)))
        .collect();
    atoms.sort();
    atoms.dedup();
    let mut result = Vec::new();
    for &atom in &atoms {
        let Atom::FloorDiv(a, k) = atom else { continue };
        let mut spell = |numerator: Option<Sym>, divisor: i64, sign: i64, nested: bool| {
            if let Some(numerator) = numerator {
                result.push(Division { atom: atom.clone(), numerator, divisor, sign, nested });
            }
        };
        spell(Some(a.clone()), *k, 1, false);
        // floor(a / k) = -floor((k - 1 - a) / k).
        spell(Sym::constant(k - 1).add_scaled(a, -1).ok(), *k, -1, false);
        // floor(a / (d * k)) = floor(floor(a / d) / k), where another division is by d.
        for other in &atoms {
            if let Atom::FloorDiv(_, d) = other
                && d < k
                && k % d == 0
            {
                spell(a.floor(*d).ok(), k / d, 1, true);
                let mirrored = Sym::constant(k - 1).add_scaled(a, -1).and_then(|a| a.floor(*d));
                spell(mirrored.ok(), k / d, -1, true);
            }
        }
    }
    result
}

/// The sum with `m` replaced by what `numerator = a * m + rest = divisor * quotient + remainder` gives for it, for every
/// term `a * m` of the numerator.
fn remainders(sum: &Sym, division: &Division) -> Vec<Sym> {
    let Division { atom, numerator, divisor, sign, .. } = division;
    let build = |term: &Term| {
        let a = term.coefficient;
        let remainder = Sym::atom(Atom::Mod(numerator.clone(), *divisor)).ok()?;
        let quotient = Sym::atom(atom.clone()).ok()?.scaled(divisor.checked_mul(*sign)?).ok()?;
        // a * m, in the new terms.
        let own = Sym::from_sorted(0, vec![term.clone()]).ok()?;
        let rest = numerator.add_scaled(&own, -1).ok()?;
        let value = remainder.add_scaled(&quotient, 1).ok()?.add_scaled(&rest, -1).ok()?;
        replace(sum, &term.monomial, a, &value)
    };
    numerator.term_slice().iter().filter_map(build).collect()
}

/// The sum with `a * m = value` put in for the monomial wherever its coefficient is a multiple of `a`; `None` when it
/// stands nowhere, or when the result has more terms.
fn replace(sum: &Sym, monomial: &Monomial, a: i64, value: &Sym) -> Option<Sym> {
    let mut kept = Vec::new();
    let mut replaced: Option<Sym> = None;
    for term in sum.term_slice() {
        match cofactor(&term.monomial, monomial) {
            Some(rest) if term.coefficient.checked_rem(a) == Some(0) => {
                let coefficient = term.coefficient.checked_div(a)?;
                let part = if rest.is_empty() {
                    value.scaled(coefficient).ok()?
                } else {
                    let rest = Sym::from_sorted(0, vec![Term { coefficient, monomial: rest.into() }]).ok()?;
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
    let result = Sym::from_sorted(sum.constant_part(), kept).ok()?.add_scaled(&replaced?, 1).ok()?;
    let count = |sym: &Sym| sym.term_slice().len() + usize::from(sym.constant_part() != 0);
    (count(&result) <= count(sum)).then_some(result)
}

/// The sum with a part of it moved into the numerator of a division: `c * floor(a / k) + c * m = c * floor((a + k * m) / k)`.
fn numerators(sum: &Sym, division: &Division) -> Vec<Sym> {
    let Division { atom, numerator, divisor, sign, .. } = division;
    let Some(place) = sum.term_slice().iter().position(|term| *term.monomial == [atom.clone()]) else {
        return Vec::new();
    };
    let coefficient = sum.term_slice()[place].coefficient.saturating_mul(*sign);
    let mut rest = sum.term_slice().to_vec();
    rest.remove(place);
    let Ok(rest) = Sym::from_sorted(sum.constant_part(), rest) else {
        return Vec::new();
    };
    let absorb = |part: &Sym, whole: i64| {
        // `part` is a term of the rest, and `whole` its coefficient.
        if whole.checked_rem(coefficient)? != 0 {
            return None;
        }
        let inside = part.divided(coefficient)?;
        let numerator = numerator.add_scaled(&inside, *divisor).ok()?;
        let quotient = Sym::atom(Atom::FloorDiv(numerator, *divisor)).ok()?;
        rest.add_scaled(part, -1).ok()?.add_scaled(&quotient, coefficient).ok()
    };
    let mut result = Vec::new();
    let within = |monomial: &Monomial| numerator.term_slice().iter().any(|term| term.monomial == *monomial);
    for term in rest.term_slice().iter().filter(|term| within(&term.monomial)) {
        if let Ok(part) = Sym::from_sorted(0, vec![term.clone()]) {
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
        && let Ok(part) = Sym::from_sorted(0, all)
    {
        result.extend(absorb(&part, 0));
    }
    if rest.constant_part() != 0 {
        result.extend(absorb(&Sym::constant(rest.constant_part()), rest.constant_part()));
    }
    // The spelling itself, for a division that is subtracted.
    if *sign < 0
        && let Ok(quotient) = Sym::atom(Atom::FloorDiv(numerator.clone(), *divisor))
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
