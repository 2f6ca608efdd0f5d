//! Cost-based extraction: the cheapest expression tree for a symbolic integer.
//!
//! A sum is weighed as it stands, with a common factor taken out in several ways, and with its divisions reduced in
//! strength (see the module `strength`). The search is greedy and on a budget; the form the expression was written in
//! is the fallback that bounds the result.

use std::rc::Rc;

use super::normal::Term;
use super::tree::{Addend, SumTree, Tree, Weight, WeightedTree, atom_cost};
use super::{Atom, Form, SymInt, cost};

/// How an expression is computed, and what that weighs.
pub(super) struct Extracted {
    /// `None` to compute it as it was written.
    tree: Option<Rc<Tree>>,
    pub(super) weight: Weight,
}

/// What one search may spend: a sum costs one, and a little more if it is long.
const BUDGET: u32 = 64;
/// The terms that make a sum long.
const LONG: usize = 8;

impl SymInt {
    /// The cheapest expression tree that is known for it.
    pub fn form(&self) -> Form {
        match (&self.extracted().tree, self.origin()) {
            (Some(tree), _) => tree.form(),
            (None, Some(origin)) => origin.form(),
            (None, None) => Form::Constant(self.constant_part()),
        }
    }

    /// What the operations of [`form`](Self::form) cost, in additions.
    pub fn cost(&self) -> u32 {
        self.extracted().weight.cost
    }

    pub(super) fn extracted(&self) -> &Extracted {
        self.extracted_cell().get_or_init(|| {
            // Each part has a budget of its own, what the search makes up shares one: the work is a multiple of the
            // number of parts, not a product over their nesting.
            for atom in self.term_slice().iter().flat_map(|term| &*term.monomial) {
                for operand in atom.operands().into_iter().flatten() {
                    operand.extracted();
                }
            }
            let WeightedTree { tree, weight } =
                Search { budget: BUDGET, seen: Vec::new() }.strength_reduced(self).assemble();
            if weight.cost > self.least_cost()
                && let Some(origin) = self.origin()
            {
                let written = origin.weight();
                if written.cost < weight.cost {
                    return Extracted { tree: None, weight: written };
                }
            }
            Extracted { tree: Some(tree), weight }
        })
    }

    /// A bound that no form undercuts: whatever the expression depends on is mentioned once, and joined.
    fn least_cost(&self) -> u32 {
        if !self.is_affine() {
            return 0;
        }
        let terms = self.term_slice().len() as u32;
        let scales = self.term_slice().iter().any(|term| term.coefficient.unsigned_abs() != 1);
        (terms + u32::from(self.constant_part() != 0)).saturating_sub(1) + u32::from(scales)
    }
}

/// A search with what is left of its budget.
pub(super) struct Search {
    budget: u32,
    /// Sums that were reduced in strength before: the same parts come up in many candidates.
    pub(super) seen: Vec<(SymInt, SumTree)>,
}

impl Search {
    pub(super) fn is_spent(&self) -> bool {
        self.budget == 0
    }

    /// The cheapest plan found for a sum whose divisions are spelled as they are.
    pub(super) fn tree(&mut self, sum: &SymInt) -> SumTree {
        let mut best = self.plain(sum);
        let terms = sum.term_slice().len();
        if self.budget == 0 || terms + usize::from(sum.constant_part() != 0) < 2 {
            return best;
        }
        self.budget = self.budget.saturating_sub(1 + (terms / LONG) as u32);
        let mut consider = |tree: Option<SumTree>| {
            if let Some(tree) = tree
                && tree.weight < best.weight
            {
                best = tree;
            }
        };
        let common = super::arith::gcd(sum.content(), sum.constant_part());
        if common > 1 {
            consider(self.scaled(sum, common));
        }
        if let Some(coefficient) = shared_coefficient(sum, common) {
            consider(self.scaled(sum, coefficient));
        }
        for atom in shared_atoms(sum) {
            consider(self.factored(sum, &atom));
        }
        best
    }

    /// `coefficient * (what it divides) + rest`.
    fn scaled(&mut self, sum: &SymInt, coefficient: i64) -> Option<SumTree> {
        let (mut multiple, mut rest) = (Vec::new(), Vec::new());
        for term in sum.term_slice() {
            if term.coefficient % coefficient == 0 {
                let coefficient = term.coefficient / coefficient;
                multiple.push(Term { coefficient, monomial: term.monomial.clone() });
            } else {
                rest.push(term.clone());
            }
        }
        let key = multiple.first()?.monomial.clone();
        // The constant goes inside if all else does.
        let constant = sum.constant_part();
        let (inside, outside) = if rest.is_empty() && constant % coefficient == 0 {
            (constant / coefficient, 0)
        } else {
            (0, constant)
        };
        let inner = SymInt::from_sorted(inside, multiple).ok()?;
        let rest = SymInt::from_sorted(outside, rest).ok()?;
        let (negative, inner) = self.strength_reduced(&inner).factor();
        let WeightedTree { tree, weight } = inner.scaled(coefficient);
        self.joined(Addend { key, negative, tree, weight }, &rest)
    }

    /// `atom * (what it divides) + rest`, or `(atom + quotient) * (what it divides)` if the rest is a multiple of it.
    fn factored(&mut self, sum: &SymInt, atom: &Atom) -> Option<SumTree> {
        let (mut constant, mut multiple, mut rest) = (0, Vec::new(), Vec::new());
        let mut key = None;
        for term in sum.term_slice() {
            let Some(place) = term.monomial.iter().position(|other| other == atom) else {
                rest.push(term.clone());
                continue;
            };
            key.get_or_insert_with(|| term.monomial.clone());
            if term.monomial.len() == 1 {
                constant = term.coefficient;
            } else {
                let mut monomial = term.monomial.to_vec();
                monomial.remove(place);
                multiple.push(Term { coefficient: term.coefficient, monomial: monomial.into() });
            }
        }
        let key = key?;
        let inner = SymInt::from_terms(constant, multiple).ok()?;
        let rest = SymInt::from_sorted(sum.constant_part(), rest).ok()?;
        let alone = SymInt::atom(atom.clone()).ok()?;
        let (outer, rest) = match quotient(&rest, &inner) {
            Some(quotient) => (alone.add_scaled(&quotient, 1).ok()?, SymInt::constant(0)),
            None => (alone, rest),
        };
        let (outer_negative, outer) = self.strength_reduced(&outer).factor();
        let (inner_negative, inner) = self.strength_reduced(&inner).factor();
        let WeightedTree { tree, weight } = match (inner.tree.as_constant(), outer.tree.as_constant()) {
            (Some(factor), _) => outer.scaled(factor),
            (_, Some(factor)) => inner.scaled(factor),
            _ => WeightedTree {
                tree: Rc::new(Tree::Mul(inner.tree, outer.tree)),
                weight: inner.weight.and(outer.weight).plus(cost::MUL),
            },
        };
        self.joined(Addend { key, negative: outer_negative != inner_negative, tree, weight }, &rest)
    }

    fn joined(&mut self, addend: Addend, rest: &SymInt) -> Option<SumTree> {
        let SumTree { mut addends, mut constant, .. } = self.strength_reduced(rest);
        match addend.tree.as_constant() {
            // A reduced factor may turn out to be constant.
            Some(value) => {
                let value = if addend.negative { value.checked_neg()? } else { value };
                constant = constant.checked_add(value)?;
            }
            None => addends.push(addend),
        }
        Some(SumTree::new(constant, addends))
    }

    /// Every term by itself.
    fn plain(&mut self, sum: &SymInt) -> SumTree {
        let addend = |term: &Term| {
            let (negative, factor) = match term.coefficient.checked_abs() {
                Some(magnitude) => (term.coefficient < 0, magnitude),
                None => (false, term.coefficient),
            };
            let WeightedTree { tree, weight } = self.product(&term.monomial).scaled(factor);
            Addend { key: term.monomial.clone(), negative, tree, weight }
        };
        let addends = sum.term_slice().iter().map(addend).collect();
        SumTree::new(sum.constant_part(), addends)
    }

    /// A product, the symbols that were mentioned first last: `row * stride`.
    fn product(&mut self, monomial: &[Atom]) -> WeightedTree {
        let mut product: Option<WeightedTree> = None;
        for atom in monomial.iter().rev() {
            let (tree, weight) = (Rc::new(Tree::Atom(atom.clone())), self.atom_weight(atom));
            product = Some(match product {
                None => WeightedTree { tree, weight },
                Some(first) => WeightedTree {
                    tree: Rc::new(Tree::Mul(first.tree, tree)),
                    weight: first.weight.and(weight).plus(cost::MUL),
                },
            });
        }
        product.unwrap_or_else(|| WeightedTree::constant(1))
    }

    fn atom_weight(&mut self, atom: &Atom) -> Weight {
        if let Atom::Symbol(_) = atom {
            return Weight::SYMBOL;
        }
        let mut weight = Weight::default();
        for operand in atom.operands().into_iter().flatten() {
            // The operand of an atom that this search made up has no extracted tree yet.
            let extracted = operand.extracted_cell().get_or_init(|| {
                let WeightedTree { tree, weight } = self.strength_reduced(operand).assemble();
                Extracted { tree: Some(tree), weight }
            });
            weight = weight.and(extracted.weight);
        }
        weight.plus(atom_cost(atom))
    }
}

/// The coefficient that divides most terms, if it divides several.
fn shared_coefficient(sum: &SymInt, common: i64) -> Option<i64> {
    let mut best: Option<(usize, i64)> = None;
    for term in sum.term_slice() {
        let Some(candidate @ 2..) = term.coefficient.checked_abs() else { continue };
        let count = sum.term_slice().iter().filter(|other| other.coefficient % candidate == 0).count();
        if candidate != common && count > 1 && best.is_none_or(|best| (count, candidate) > best) {
            best = Some((count, candidate));
        }
    }
    best.map(|(_, coefficient)| coefficient)
}

/// The atoms that stand in most terms, if they stand in several: at most two.
fn shared_atoms(sum: &SymInt) -> Vec<Atom> {
    let mut counts: Vec<(usize, &Atom)> = Vec::new();
    for term in sum.term_slice().iter().filter(|term| term.monomial.len() > 1) {
        for atom in &*term.monomial {
            if counts.iter().all(|(_, other)| *other != atom) {
                let holds = |other: &&Term| other.monomial.contains(atom);
                counts.push((sum.term_slice().iter().filter(holds).count(), atom));
            }
        }
    }
    counts.retain(|(count, _)| *count > 1);
    counts.sort_by_key(|(count, _)| std::cmp::Reverse(*count));
    counts.into_iter().take(2).map(|(_, atom)| atom.clone()).collect()
}

/// The quotient of polynomials, when the division is exact and the dividend is not zero.
fn quotient(dividend: &SymInt, divisor: &SymInt) -> Option<SymInt> {
    if dividend.is_zero() || divisor.as_constant().is_some() {
        return None;
    }
    // The degree alone is no order of monomials, so that an exact division may be missed; one that ends is exact.
    let leading = |sum: &SymInt| sum.term_slice().iter().max_by_key(|term| term.monomial.len()).cloned();
    let first = leading(divisor)?;
    let (mut rest, mut result) = (dividend.clone(), SymInt::constant(0));
    for _ in 0..dividend.term_slice().len() {
        let term = leading(&rest)?;
        if term.coefficient.checked_rem(first.coefficient)? != 0 {
            return None;
        }
        let coefficient = term.coefficient.checked_div(first.coefficient)?;
        let monomial = super::strength::cofactor(&term.monomial, &first.monomial)?;
        let part = if monomial.is_empty() {
            SymInt::constant(coefficient)
        } else {
            SymInt::from_sorted(0, vec![Term { coefficient, monomial: monomial.into() }]).ok()?
        };
        rest = rest.add_scaled(&part.times(divisor).ok()?, -1).ok()?;
        result = result.add_scaled(&part, 1).ok()?;
        if rest.is_zero() {
            return Some(result);
        }
    }
    None
}
