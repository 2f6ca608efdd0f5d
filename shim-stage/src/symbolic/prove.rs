//! Inequalities between expressions, from facts that hold where they stand.
//!
//! The prover works backwards from the goal. It takes a term that keeps the goal from being bounded below, and
//! subtracts from the goal that multiple of a fact that cancels the term; what is left has to be proved in turn, at the
//! latest by its range. All steps are exact, and the number of steps has a cap: the prover may miss a proof, it never
//! invents one.

use std::cell::RefCell;
use std::cmp::Ordering;
use std::collections::HashMap;
use std::rc::Rc;

use shim_core::{Integer, LocationError};

use super::normal::{Atom, BinaryOp, Monomial, Term};
use super::range::monomial_interval;
use super::strength::cofactor;
use super::{SymError, SymInt};

/// What is known to hold: a conjunction of expressions that are never negative.
///
/// Facts are scoped by cloning: a loop clones the facts around it and adds the bounds of its variable.
#[derive(Clone, Debug, Default)]
pub struct Facts {
    stated: Vec<SymInt>,
    /// What the divisions, minima and maxima within the facts imply.
    derived: Vec<SymInt>,
    /// The answers to what was asked of these facts, which clones share.
    answers: Rc<RefCell<HashMap<SymInt, bool>>>,
}

/// What one query may spend: a goal costs one, and a little more if it is long.
const BUDGET: u32 = 96;
/// The terms that make a goal long.
const LONG: usize = 8;
/// Facts that one proof may combine.
const MAX_STEPS: u32 = 6;
/// Divisions, minima and maxima of one query that are put into inequalities.
const MAX_DERIVED: usize = 48;
/// The largest factor of a goal in one step.
const MAX_FACTOR: i64 = 1 << 16;

impl Facts {
    /// No facts.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// These facts, and that `sym` is not negative.
    #[must_use]
    pub fn with(&self, sym: SymInt) -> Self {
        let mut facts = self.clone();
        facts.push(sym);
        facts
    }

    /// Adds the fact that `sym` is not negative.
    pub fn push(&mut self, sym: SymInt) {
        if sym.range().is_nonnegative() || self.stated.contains(&sym) {
            return;
        }
        derive(&sym, &mut self.derived);
        self.stated.push(tightened(sym));
        self.answers = Rc::default();
    }

    /// The facts that say more than the ranges of the symbols do.
    pub fn iter(&self) -> impl Iterator<Item = &SymInt> {
        self.stated.iter()
    }

    /// Whether `sym >= 0` follows; `false` is no statement.
    pub fn proves_nonneg(&self, sym: &SymInt) -> bool {
        if sym.range().is_nonnegative() || self.stated.contains(sym) {
            return true;
        }
        if sym.as_constant().is_some() {
            return false;
        }
        let known = self.answers.borrow().get(sym).copied();
        known.unwrap_or_else(|| {
            let answer = self.proof_of(sym);
            self.answers.borrow_mut().insert(sym.clone(), answer);
            answer
        })
    }

    /// Whether there is a proof of `sym >= 0`.
    fn proof_of(&self, sym: &SymInt) -> bool {
        let mut derived = self.derived.clone();
        derive(sym, &mut derived);
        // A minimum may be needed whole, as a fact has it, or taken apart; the former first, it is no more work.
        let passes: &[bool] = if derived.iter().any(has_extremum) { &[false, true] } else { &[false] };
        passes.iter().any(|&apart| {
            let mut proof =
                Proof { facts: &self.stated, derived: &derived, apart, budget: BUDGET, failed: Vec::new() };
            proof.holds(sym.clone(), MAX_STEPS)
        })
    }

    /// Whether `a <= b` follows; `false` is no statement.
    pub fn proves_le(&self, a: &SymInt, b: &SymInt) -> bool {
        b.add_scaled(a, -1).is_ok_and(|difference| self.proves_nonneg(&difference))
    }

    /// Whether `a < b` follows; `false` is no statement.
    pub fn proves_lt(&self, a: &SymInt, b: &SymInt) -> bool {
        let gap = || b.add_scaled(a, -1)?.add_scaled(&SymInt::constant(1), -1);
        gap().is_ok_and(|gap| self.proves_nonneg(&gap))
    }

    /// The greater of two.
    ///
    /// # Errors
    /// [`LocationError::Overflow`] when it does not fit.
    pub fn greatest(&self, a: &SymInt, b: &SymInt) -> Result<SymInt, LocationError> {
        if self.proves_le(a, b) {
            Ok(b.clone())
        } else if self.proves_le(b, a) {
            Ok(a.clone())
        } else {
            Integer::max(a, b)
        }
    }

    /// The smaller of two.
    ///
    /// # Errors
    /// [`LocationError::Overflow`] when it does not fit.
    pub fn least(&self, a: &SymInt, b: &SymInt) -> Result<SymInt, LocationError> {
        if self.proves_le(a, b) {
            Ok(a.clone())
        } else if self.proves_le(b, a) {
            Ok(b.clone())
        } else {
            Integer::min(a, b)
        }
    }

    /// How the two compare wherever the facts hold; `None` when that is not known or not always the same.
    pub fn compare(&self, a: &SymInt, b: &SymInt) -> Option<Ordering> {
        match a.compare(b) {
            Some(order) => Some(order),
            None if self.stated.is_empty() => None,
            None if self.proves_lt(a, b) => Some(Ordering::Less),
            None if self.proves_lt(b, a) => Some(Ordering::Greater),
            None if self.proves_le(a, b) && self.proves_le(b, a) => Some(Ordering::Equal),
            None => None,
        }
    }
}

/// The same fact with its common divisor taken out: `g * a + c >= 0` says `a + floor(c / g) >= 0`, for integers.
fn tightened(sym: SymInt) -> SymInt {
    let divisor = sym.content();
    if divisor < 2 {
        return sym;
    }
    let terms = sym.term_slice().iter().map(|term| {
        let coefficient = term.coefficient / divisor;
        Term { coefficient, monomial: term.monomial.clone() }
    });
    SymInt::from_sorted(sym.constant_part().div_euclid(divisor), terms.collect()).unwrap_or(sym)
}

/// Appends what the atoms within an expression imply.
fn derive(sym: &SymInt, facts: &mut Vec<SymInt>) {
    for atom in sym.term_slice().iter().flat_map(|term| &*term.monomial) {
        if facts.len() >= MAX_DERIVED {
            return;
        }
        let Ok(implied) = implied(atom) else { continue };
        if implied.iter().any(|fact| facts.contains(fact)) {
            continue;
        }
        facts.extend(implied);
        for operand in atom.operands().into_iter().flatten() {
            derive(operand, facts);
        }
    }
}

/// What an atom implies of its operands.
fn implied(atom: &Atom) -> Result<Vec<SymInt>, SymError> {
    let own = || SymInt::atom(atom.clone());
    Ok(match atom {
        // k * floor(a / k) <= a <= k * floor(a / k) + k - 1.
        Atom::FloorDiv(a, k) => {
            let below = a.add_scaled(&own()?, k.checked_neg().ok_or(SymError::Overflow)?)?;
            let above = SymInt::constant(k - 1).add_scaled(&below, -1)?;
            vec![below, above]
        }
        Atom::Min(a, b) => vec![a.add_scaled(&own()?, -1)?, b.add_scaled(&own()?, -1)?],
        Atom::Max(a, b) => vec![own()?.add_scaled(a, -1)?, own()?.add_scaled(b, -1)?],
        // Of a divisor that is not negative: it is not zero where the operation has a value.
        Atom::Op(BinaryOp::Rem, a, b) if are_nonnegative(a, b) => {
            vec![b.add_scaled(&own()?, -1)?.add_scaled(&SymInt::constant(1), -1)?, a.add_scaled(&own()?, -1)?]
        }
        Atom::Op(BinaryOp::Div, a, b) if are_nonnegative(a, b) => vec![a.add_scaled(&own()?, -1)?],
        Atom::Symbol(_) | Atom::Mod(..) | Atom::Op(..) => Vec::new(),
    })
}

fn are_nonnegative(a: &SymInt, b: &SymInt) -> bool {
    a.range().is_nonnegative() && b.range().is_nonnegative()
}

struct Proof<'a> {
    facts: &'a [SymInt],
    derived: &'a [SymInt],
    /// Whether minima and maxima are taken apart.
    apart: bool,
    budget: u32,
    /// Goals that were tried, and with how many facts to go.
    failed: Vec<(SymInt, u32)>,
}

impl Proof<'_> {
    /// Whether `goal >= 0` follows with this many more facts.
    fn holds(&mut self, goal: SymInt, steps: u32) -> bool {
        let goal = tightened(goal);
        if self.budget == 0 {
            return false;
        }
        self.budget = self.budget.saturating_sub(1 + (goal.term_slice().len() / LONG) as u32);
        if goal.range().is_nonnegative() {
            return true;
        }
        if steps == 0 || goal.as_constant().is_some() {
            return false;
        }
        // The same facts in another order lead to the same goal.
        if self.failed.iter().any(|(failed, left)| *left >= steps && *failed == goal) {
            return false;
        }
        self.failed.push((goal.clone(), steps));
        if self.apart
            && let Some(both) = cases(&goal)
        {
            return both.into_iter().all(|case| {
                let holds = self.holds(case, steps - 1);
                // What was tried on the way to a proof has not failed.
                self.failed.clear();
                holds
            });
        }
        for goal in quotients(&goal) {
            if self.holds(goal, steps - 1) {
                return true;
            }
        }
        // A term without a lower bound has to go, so that trying one such is enough. The last is the one with a
        // division in it, if there is any: once it is gone, what it was made of can cancel. Where all terms have
        // bounds, any may be known better by a fact.
        let unbounded_below =
            |term: &Term| monomial_interval(&term.monomial).scale(i128::from(term.coefficient)).lo.is_none();
        let terms = goal.term_slice();
        let targets = match terms.iter().rposition(unbounded_below) {
            Some(i) => i..i + 1,
            None => 0..terms.len(),
        };
        for target in &terms[targets] {
            for fact in self.facts.iter().chain(self.derived) {
                if let Some(rest) = self.cancel(&goal, target, fact)
                    && self.holds(rest, steps - 1)
                {
                    return true;
                }
            }
        }
        false
    }

    /// What is left to prove of a goal, after the multiple of a fact that cancels a term of it: `goal >= 0` follows
    /// from `p * goal - q * fact + (p - 1) >= 0`, because the goal is an integer.
    fn cancel(&self, goal: &SymInt, target: &Term, fact: &SymInt) -> Option<SymInt> {
        for term in fact.term_slice() {
            if (term.coefficient > 0) != (target.coefficient > 0) {
                continue;
            }
            let Some(factor) = cofactor(&target.monomial, &term.monomial) else {
                continue;
            };
            // A fact may be multiplied by what is never negative.
            let multiplied = if factor.is_empty() {
                fact.clone()
            } else if self.is_nonnegative(&factor) {
                let factor = Term { coefficient: 1, monomial: Monomial::from(factor) };
                fact.times(&SymInt::from_sorted(0, vec![factor]).ok()?).ok()?
            } else {
                continue;
            };
            let common = super::arith::gcd(target.coefficient, term.coefficient);
            let p = (term.coefficient / common).checked_abs()?;
            let q = (target.coefficient / common).checked_abs()?;
            if p > MAX_FACTOR || q > MAX_FACTOR {
                continue;
            }
            return goal
                .scaled(p)
                .and_then(|goal| goal.add_scaled(&multiplied, -q)?.add_scaled(&SymInt::constant(p - 1), 1))
                .ok();
        }
        None
    }

    /// Whether a product is never negative, by its range or because each factor is a fact.
    fn is_nonnegative(&self, product: &[Atom]) -> bool {
        monomial_interval(product).is_nonnegative()
            || product.iter().all(|atom| {
                monomial_interval(std::slice::from_ref(atom)).is_nonnegative()
                    || self.facts.iter().any(|fact| fact.as_atom() == Some(atom))
            })
    }
}

/// Whether a minimum or a maximum is a term of its own.
fn has_extremum(sym: &SymInt) -> bool {
    sym.term_slice().iter().any(|term| matches!(*term.monomial, [Atom::Min(..) | Atom::Max(..)]))
}

/// Goals each of which shows one from which a quotient is subtracted: `a / b <= c` follows from `a < b * (c + 1)`.
fn quotients(goal: &SymInt) -> Vec<SymInt> {
    let from = |term: &Term| -> Option<SymInt> {
        let [Atom::Op(BinaryOp::Div, a, b)] = &*term.monomial else { return None };
        if term.coefficient != -1 || !are_nonnegative(a, b) {
            return None;
        }
        let quotient = SymInt::atom(term.monomial[0].clone()).ok()?;
        let bound = goal.add_scaled(&quotient, 1).ok()?.add_scaled(&SymInt::constant(1), 1).ok()?;
        b.times(&bound).ok()?.add_scaled(a, -1).ok()?.add_scaled(&SymInt::constant(1), -1).ok()
    };
    goal.term_slice().iter().filter_map(from).collect()
}

/// A goal for each operand of a minimum that is added, or a maximum that is subtracted: the atom is one of the two.
fn cases(goal: &SymInt) -> Option<[SymInt; 2]> {
    for (i, term) in goal.term_slice().iter().enumerate() {
        let adds = term.coefficient > 0;
        let (([Atom::Min(a, b)], true) | ([Atom::Max(a, b)], false)) = (&*term.monomial, adds) else {
            continue;
        };
        let mut rest = goal.term_slice().to_vec();
        rest.remove(i);
        let rest = SymInt::from_sorted(goal.constant_part(), rest).ok()?;
        let case = |operand: &SymInt| rest.add_scaled(operand, term.coefficient).ok();
        return Some([case(a)?, case(b)?]);
    }
    None
}
