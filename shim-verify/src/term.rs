//! Integer polynomials and formulas over them.

use std::collections::{BTreeMap, BTreeSet, HashMap};

/// An unknown integer or truth value: its number among those of a kernel.
pub(crate) type Atom = usize;

/// A polynomial with integer coefficients: each product of atoms, sorted, with its coefficient, which is not zero.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Poly(BTreeMap<Vec<Atom>, i128>);

impl Poly {
    pub(crate) fn constant(value: i128) -> Self {
        let mut sum = Self::default();
        sum.add_term(Vec::new(), value);
        sum
    }

    pub(crate) fn atom(atom: Atom) -> Self {
        Poly(BTreeMap::from([(vec![atom], 1)]))
    }

    fn add_term(&mut self, product: Vec<Atom>, factor: i128) {
        let sum = self.0.entry(product.clone()).or_default();
        *sum = sum.checked_add(factor).expect("coefficients fit i128");
        if *sum == 0 {
            self.0.remove(&product);
        }
    }

    pub(crate) fn plus(&self, other: &Poly) -> Self {
        let mut sum = self.clone();
        other.0.iter().for_each(|(product, factor)| sum.add_term(product.clone(), *factor));
        sum
    }

    pub(crate) fn minus(&self, other: &Poly) -> Self {
        self.plus(&other.times(&Poly::constant(-1)))
    }

    pub(crate) fn plus_constant(&self, value: i128) -> Self {
        self.plus(&Poly::constant(value))
    }

    pub(crate) fn times(&self, other: &Poly) -> Self {
        let mut result = Poly::default();
        for (a, x) in &self.0 {
            for (b, y) in &other.0 {
                let mut product: Vec<_> = a.iter().chain(b).copied().collect();
                product.sort_unstable();
                result.add_term(product, x.checked_mul(*y).expect("coefficients fit i128"));
            }
        }
        result
    }

    /// The atom that it is, if it is one.
    pub(crate) fn as_atom(&self) -> Option<Atom> {
        match self.0.first_key_value() {
            Some((product, 1)) if self.0.len() == 1 && product.len() == 1 => Some(product[0]),
            _ => None,
        }
    }

    pub(crate) fn as_constant(&self) -> Option<i128> {
        match self.0.len() {
            0 => Some(0),
            1 => self.0.get(&Vec::new()).copied(),
            _ => None,
        }
    }

    pub(crate) fn terms(&self) -> impl DoubleEndedIterator<Item = (&[Atom], i128)> {
        self.0.iter().map(|(product, factor)| (&product[..], *factor))
    }

    pub(crate) fn atoms(&self) -> impl Iterator<Item = Atom> {
        self.0.keys().flatten().copied()
    }

    /// `self = quotient * divisor + rest`, with as much in the quotient as whole coefficients allow.
    pub(crate) fn divided_by(&self, divisor: &Poly) -> (Poly, Poly) {
        let (mut quotient, mut rest) = (Poly::default(), self.clone());
        let Some((leading, by)) = divisor.0.iter().max_by_key(|(product, _)| (product.len(), *product))
        else {
            return (quotient, rest);
        };
        let mut products: Vec<_> = self.0.keys().cloned().collect();
        products.sort_by_key(|product| core::cmp::Reverse(product.len()));
        for product in products {
            let Some(left) = without(&product, leading) else { continue };
            let factor = rest.0.get(&product).copied().unwrap_or(0);
            // The rest of a number is not negative; that of a multiple of an atom is the smaller one.
            let count = if product.is_empty() { factor.div_euclid(*by) } else { nearest(factor, *by) };
            let part = Poly(BTreeMap::from([(left, count)]));
            if count != 0 {
                rest = rest.minus(&part.times(divisor));
                quotient = quotient.plus(&part);
            }
        }
        (quotient, rest)
    }

    pub(crate) fn replaced(&self, values: &HashMap<Atom, Poly>) -> Poly {
        if !self.atoms().any(|atom| values.contains_key(&atom)) {
            return self.clone();
        }
        let mut sum = Poly::default();
        for (product, factor) in &self.0 {
            let term = product.iter().fold(Poly::constant(*factor), |term, atom| {
                term.times(&values.get(atom).cloned().unwrap_or_else(|| Poly::atom(*atom)))
            });
            sum = sum.plus(&term);
        }
        sum
    }
}

/// The multiple of `by` that is nearest to `factor`, if the division is even, or leaves less than half.
fn nearest(factor: i128, by: i128) -> i128 {
    let below = factor.div_euclid(by);
    if 2 * factor.rem_euclid(by) > by.abs() { below + by.signum() } else { below }
}

/// `product` without the atoms of `part`, if it has them all.
fn without(product: &[Atom], part: &[Atom]) -> Option<Vec<Atom>> {
    let mut left = product.to_vec();
    for atom in part {
        left.remove(left.iter().position(|other| other == atom)?);
    }
    Some(left)
}

/// A statement about atoms.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Formula {
    Is(bool),
    /// The polynomial is at least zero.
    NotNegative(Poly),
    /// The polynomial is zero.
    Zero(Poly),
    /// A truth value.
    Holds(Atom),
    Not(Box<Formula>),
    All(Vec<Formula>),
    Any(Vec<Formula>),
}

impl Formula {
    /// `a <= b`.
    pub(crate) fn at_most(a: &Poly, b: &Poly) -> Self {
        Self::not_negative(b.minus(a))
    }

    /// `a < b`.
    pub(crate) fn less(a: &Poly, b: &Poly) -> Self {
        Self::not_negative(b.minus(a).plus_constant(-1))
    }

    pub(crate) fn not_negative(poly: Poly) -> Self {
        match poly.as_constant() {
            Some(value) => Formula::Is(value >= 0),
            None => Formula::NotNegative(poly),
        }
    }

    pub(crate) fn equal(a: &Poly, b: &Poly) -> Self {
        let difference = a.minus(b);
        match difference.as_constant() {
            Some(value) => Formula::Is(value == 0),
            None => Formula::Zero(difference),
        }
    }

    pub(crate) fn negated(self) -> Self {
        match self {
            Formula::Is(value) => Formula::Is(!value),
            Formula::NotNegative(poly) => Formula::not_negative(Poly::constant(-1).minus(&poly)),
            Formula::Not(inner) => *inner,
            Formula::All(parts) => Formula::any(parts.into_iter().map(Formula::negated)),
            Formula::Any(parts) => Formula::all(parts.into_iter().map(Formula::negated)),
            other => Formula::Not(Box::new(other)),
        }
    }

    pub(crate) fn all(parts: impl IntoIterator<Item = Formula>) -> Self {
        Self::joined(parts, true)
    }

    pub(crate) fn any(parts: impl IntoIterator<Item = Formula>) -> Self {
        Self::joined(parts, false)
    }

    /// `condition` implies `conclusion`.
    pub(crate) fn implies(condition: &Formula, conclusion: Formula) -> Self {
        Self::any([condition.clone().negated(), conclusion])
    }

    fn joined(parts: impl IntoIterator<Item = Formula>, neutral: bool) -> Self {
        let mut left = Vec::new();
        for part in parts {
            match part {
                Formula::Is(value) if value == neutral => {}
                Formula::Is(value) => return Formula::Is(value),
                Formula::All(inner) if neutral => left.extend(inner),
                Formula::Any(inner) if !neutral => left.extend(inner),
                other => left.push(other),
            }
        }
        match left.len() {
            0 => Formula::Is(neutral),
            1 => left.remove(0),
            _ if neutral => Formula::All(left),
            _ => Formula::Any(left),
        }
    }

    pub(crate) fn collect_atoms(&self, atoms: &mut BTreeSet<Atom>) {
        match self {
            Formula::Is(_) => {}
            Formula::NotNegative(poly) | Formula::Zero(poly) => atoms.extend(poly.atoms()),
            Formula::Holds(atom) => {
                atoms.insert(*atom);
            }
            Formula::Not(inner) => inner.collect_atoms(atoms),
            Formula::All(parts) | Formula::Any(parts) => {
                for part in parts {
                    part.collect_atoms(atoms);
                }
            }
        }
    }

    /// The products of two atoms or more.
    pub(crate) fn collect_products(&self, products: &mut BTreeSet<Vec<Atom>>) {
        match self {
            Formula::NotNegative(poly) | Formula::Zero(poly) => {
                products.extend(poly.0.keys().filter(|product| product.len() > 1).cloned());
            }
            Formula::Not(inner) => inner.collect_products(products),
            Formula::All(parts) | Formula::Any(parts) => {
                for part in parts {
                    part.collect_products(products);
                }
            }
            Formula::Is(_) | Formula::Holds(_) => {}
        }
    }

    pub(crate) fn replaced(&self, values: &HashMap<Atom, Poly>) -> Formula {
        match self {
            Formula::Is(_) | Formula::Holds(_) => self.clone(),
            Formula::NotNegative(poly) => Formula::not_negative(poly.replaced(values)),
            Formula::Zero(poly) => Formula::equal(&poly.replaced(values), &Poly::default()),
            Formula::Not(inner) => inner.replaced(values).negated(),
            Formula::All(parts) => Formula::all(parts.iter().map(|part| part.replaced(values))),
            Formula::Any(parts) => Formula::any(parts.iter().map(|part| part.replaced(values))),
        }
    }
}
