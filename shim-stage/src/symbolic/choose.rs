//! The choice of the cheapest expression tree.
//!
//! A sum is weighed as it stands, with a common factor taken out in several ways, and with its divisions respelled (see
//! the module `recover`). The search is greedy and on a budget; the form the expression was written in is the
//! fallback that bounds the result.

use super::normal::{Monomial, Term};
use super::{Atom, Form, Sym, cost};

/// The form of an expression, and what it weighs.
#[derive(Clone)]
pub(super) struct Choice {
    pub(super) form: Form,
    pub(super) weight: Weight,
}

/// What the operations cost, and how many symbols are read: of two forms that cost the same, the one that reads less
/// is taken.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(super) struct Weight {
    pub(super) cost: u32,
    reads: u32,
}

impl Weight {
    const SYMBOL: Self = Self { cost: 0, reads: 1 };

    /// The weight beneath an operation of this cost.
    pub(super) fn plus(self, cost: u32) -> Self {
        Self { cost: self.cost.saturating_add(cost), ..self }
    }

    /// The weight of two operands.
    pub(super) fn and(self, other: Self) -> Self {
        Self { cost: self.cost.saturating_add(other.cost), reads: self.reads.saturating_add(other.reads) }
    }
}

/// Sums that one search may weigh.
const BUDGET: u32 = 160;

impl Sym {
    /// The cheapest expression tree that is known for it.
    pub fn form(&self) -> Form {
        self.choice().form.clone()
    }

    /// What the operations of [`form`](Self::form) cost, in additions.
    pub fn cost(&self) -> u32 {
        self.choice().weight.cost
    }

    pub(super) fn choice(&self) -> &Choice {
        self.choice_cell().get_or_init(|| {
            let best = Search { budget: BUDGET }.respelled(self).assemble();
            if best.weight.cost > self.least_cost()
                && let Some(origin) = self.origin()
                && origin.cost() < best.weight.cost
            {
                return Choice { form: origin.form(), weight: origin.weight() };
            }
            best
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

/// A sum on its way to a tree.
#[derive(Clone)]
pub(super) struct Plan {
    addends: Vec<Addend>,
    constant: i64,
    weight: Weight,
}

#[derive(Clone)]
struct Addend {
    /// What it is ordered by: the first monomial that went into it.
    key: Monomial,
    negative: bool,
    form: Form,
    weight: Weight,
}

impl Addend {
    /// The constant factor, if it is above one.
    fn factor(&self) -> Option<i64> {
        match &self.form {
            Form::Mul(factor, _) => match **factor {
                Form::Constant(factor @ 2..) => Some(factor),
                _ => None,
            },
            _ => None,
        }
    }
}

impl Plan {
    fn new(constant: i64, addends: Vec<Addend>) -> Self {
        let mut plan = Self { addends, constant, weight: Weight::default() };
        plan.weight = plan.total();
        plan
    }

    pub(super) fn weight(&self) -> Weight {
        self.weight
    }

    fn total(&self) -> Weight {
        let parts = self.addends.len() as u32 + u32::from(self.constant != 0);
        let addends = self.addends.iter().fold(Weight::default(), |sum, addend| sum.and(addend.weight));
        let own = parts.saturating_sub(1) * cost::ADD;
        if !self.is_negative() || self.constant != 0 {
            return addends.plus(own);
        }
        // A sum that begins with nothing begins with a negation, or with a constant factor that is negative instead.
        match self.addends.iter().find_map(Addend::factor) {
            Some(factor) => addends.plus(own + cost::scale(-factor) - cost::scale(factor)),
            None => addends.plus(own + cost::ADD),
        }
    }

    /// Whether there are addends, and all of them are subtracted.
    fn is_negative(&self) -> bool {
        !self.addends.is_empty() && self.addends.iter().all(|addend| addend.negative)
    }

    /// The tree: what is added before what is subtracted, the constant last unless nothing else is added.
    fn assemble(mut self) -> Choice {
        let weight = self.weight;
        self.addends.sort_by(|a, b| a.negative.cmp(&b.negative).then_with(|| a.key.cmp(&b.key)));
        let mut sum: Option<Form> = None;
        let starts = self.addends.first().is_none_or(|addend| addend.negative);
        if starts && (self.constant != 0 || self.addends.is_empty()) {
            sum = Some(Form::Constant(self.constant));
            self.constant = 0;
        } else if starts
            && let Some(place) = self.addends.iter().position(|addend| addend.factor().is_some())
            && let Form::Mul(factor, rest) = self.addends.remove(place).form
            && let Form::Constant(factor) = *factor
        {
            sum = Some(Form::Mul(Box::new(Form::Constant(-factor)), rest));
        }
        for addend in self.addends {
            let form = Box::new(addend.form);
            sum = Some(match (sum, addend.negative) {
                (None, false) => *form,
                (None, true) => Form::Neg(form),
                (Some(sum), false) => Form::Add(Box::new(sum), form),
                (Some(sum), true) => Form::Sub(Box::new(sum), form),
            });
        }
        let sum = sum.unwrap_or(Form::Constant(0));
        let form = match self.constant {
            0 => sum,
            1.. | i64::MIN => Form::Add(Box::new(sum), Box::new(Form::Constant(self.constant))),
            _ => Form::Sub(Box::new(sum), Box::new(Form::Constant(-self.constant))),
        };
        Choice { form, weight }
    }

    /// The plan as one factor: its sign and its form.
    fn factor(self) -> (bool, Choice) {
        let negative = self.is_negative() && self.constant <= 0 && self.constant != i64::MIN;
        let plan = if negative {
            let addends =
                self.addends.into_iter().map(|addend| Addend { negative: false, ..addend }).collect();
            Self::new(-self.constant, addends)
        } else {
            self
        };
        (negative, plan.assemble())
    }
}

/// A search with what is left of its budget.
pub(super) struct Search {
    pub(super) budget: u32,
}

impl Search {
    /// The cheapest plan found for a sum whose divisions are spelled as they are.
    pub(super) fn plan(&mut self, sum: &Sym) -> Plan {
        let mut best = plain(sum);
        if self.budget == 0 || sum.term_slice().len() + usize::from(sum.constant_part() != 0) < 2 {
            return best;
        }
        self.budget -= 1;
        let mut consider = |plan: Option<Plan>| {
            if let Some(plan) = plan
                && plan.weight < best.weight
            {
                best = plan;
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
    fn scaled(&mut self, sum: &Sym, coefficient: i64) -> Option<Plan> {
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
        // The constant goes inside if all else does, and where that makes it one less operation.
        let constant = sum.constant_part();
        let (inside, outside) = if rest.is_empty() && constant % coefficient == 0 {
            (constant / coefficient, 0)
        } else {
            (0, constant)
        };
        let inner = Sym::from_sorted(inside, multiple).ok()?;
        let rest = Sym::from_sorted(outside, rest).ok()?;
        let (negative, Choice { form, weight }) = self.respelled(&inner).factor();
        let form = Form::Mul(Box::new(Form::Constant(coefficient)), Box::new(form));
        let weight = weight.plus(cost::scale(coefficient));
        let addend = Addend { key, negative, form, weight };
        Some(self.joined(addend, &rest))
    }

    /// `atom * (what it divides) + rest`, or `(atom + quotient) * (what it divides)` if the rest is a multiple of it.
    fn factored(&mut self, sum: &Sym, atom: &Atom) -> Option<Plan> {
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
        let inner = Sym::from_terms(constant, multiple).ok()?;
        let rest = Sym::from_sorted(sum.constant_part(), rest).ok()?;
        let alone = Sym::atom(atom.clone()).ok()?;
        let (outer, rest) = match quotient(&rest, &inner) {
            Some(quotient) => (alone.add_scaled(&quotient, 1).ok()?, Sym::constant(0)),
            None => (alone, rest),
        };
        let (outer_negative, outer) = self.respelled(&outer).factor();
        let (inner_negative, inner) = self.respelled(&inner).factor();
        let cost = match inner.form {
            Form::Constant(factor) => cost::scale(factor),
            _ => cost::MUL,
        };
        let weight = inner.weight.and(outer.weight).plus(cost);
        let outer = outer.form;
        let form = match inner.form {
            constant @ Form::Constant(_) => Form::Mul(Box::new(constant), Box::new(outer)),
            inner => Form::Mul(Box::new(inner), Box::new(outer)),
        };
        let addend = Addend { key, negative: outer_negative != inner_negative, form, weight };
        Some(self.joined(addend, &rest))
    }

    fn joined(&mut self, addend: Addend, rest: &Sym) -> Plan {
        let Plan { mut addends, constant, .. } = self.respelled(rest);
        addends.push(addend);
        Plan::new(constant, addends)
    }
}

/// Every term by itself.
fn plain(sum: &Sym) -> Plan {
    let addends = sum
        .term_slice()
        .iter()
        .map(|term| {
            let Choice { form, weight } = product(&term.monomial);
            let magnitude = term.coefficient.checked_abs();
            let (negative, factor) = match magnitude {
                Some(magnitude) => (term.coefficient < 0, magnitude),
                None => (false, term.coefficient),
            };
            let (form, weight) = match factor {
                1 => (form, weight),
                _ => (
                    Form::Mul(Box::new(Form::Constant(factor)), Box::new(form)),
                    weight.plus(cost::scale(factor)),
                ),
            };
            Addend { key: term.monomial.clone(), negative, form, weight }
        })
        .collect();
    Plan::new(sum.constant_part(), addends)
}

/// A product, the symbols that were mentioned first last: `row * stride`.
fn product(monomial: &[Atom]) -> Choice {
    let mut factors = monomial.iter().rev().map(atom);
    let first = factors.next().unwrap_or(Choice { form: Form::Constant(1), weight: Weight::default() });
    factors.fold(first, |product, factor| Choice {
        form: Form::Mul(Box::new(product.form), Box::new(factor.form)),
        weight: product.weight.and(factor.weight).plus(cost::MUL),
    })
}

fn atom(atom: &Atom) -> Choice {
    let one = |a: &Sym, own: u32, make: &dyn Fn(Box<Form>) -> Form| {
        let a = a.choice();
        Choice { form: make(Box::new(a.form.clone())), weight: a.weight.plus(own) }
    };
    let two = |a: &Sym, b: &Sym, own: u32, make: &dyn Fn(Box<Form>, Box<Form>) -> Form| {
        let (a, b) = (a.choice(), b.choice());
        let form = make(Box::new(a.form.clone()), Box::new(b.form.clone()));
        Choice { form, weight: a.weight.and(b.weight).plus(own) }
    };
    let nonneg = |a: &Sym| a.range().is_nonnegative();
    match atom {
        Atom::Symbol(symbol) => Choice { form: Form::Symbol(symbol.clone()), weight: Weight::SYMBOL },
        Atom::FloorDiv(a, k) => {
            one(a, cost::division(*k, nonneg(a)), &|form| Form::FloorDiv(form, *k, nonneg(a)))
        }
        Atom::Mod(a, k) => one(a, cost::division(*k, nonneg(a)), &|form| Form::Mod(form, *k, nonneg(a))),
        Atom::Min(a, b) => two(a, b, cost::MIN, &Form::Min),
        Atom::Max(a, b) => two(a, b, cost::MIN, &Form::Max),
        Atom::Op(op, a, b) => two(a, b, cost::op(*op), &|a, b| Form::Op(*op, a, b)),
    }
}

/// The coefficient that divides most terms, if it divides several.
fn shared_coefficient(sum: &Sym, common: i64) -> Option<i64> {
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
fn shared_atoms(sum: &Sym) -> Vec<Atom> {
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
fn quotient(dividend: &Sym, divisor: &Sym) -> Option<Sym> {
    if dividend.is_zero() || divisor.as_constant().is_some() {
        return None;
    }
    // Any order of the monomials that products keep serves; the terms' own order is not one, so the leading term
    // is the one of the highest degree, and among those the last.
    let leading = |sum: &Sym| sum.term_slice().iter().max_by_key(|term| term.monomial.len()).cloned();
    let first = leading(divisor)?;
    let (mut rest, mut result) = (dividend.clone(), Sym::constant(0));
    for _ in 0..dividend.term_slice().len() {
        let term = leading(&rest)?;
        if term.coefficient.checked_rem(first.coefficient)? != 0 {
            return None;
        }
        let coefficient = term.coefficient.checked_div(first.coefficient)?;
        let monomial = super::recover::cofactor(&term.monomial, &first.monomial)?;
        let part = if monomial.is_empty() {
            Sym::constant(coefficient)
        } else {
            Sym::from_sorted(0, vec![Term { coefficient, monomial: monomial.into() }]).ok()?
        };
        rest = rest.add_scaled(&part.times(divisor).ok()?, -1).ok()?;
        result = result.add_scaled(&part, 1).ok()?;
        if rest.is_zero() {
            return Some(result);
        }
    }
    None
}
