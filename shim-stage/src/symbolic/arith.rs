//! Sums, differences and products in normal form.

use std::cmp::Ordering;
use std::rc::Rc;

use super::normal::{Monomial, Term};
use super::origin::WrittenForm;
use super::{SymError, SymInt};

/// The most products that one multiplication multiplies out.
const MAX_PRODUCTS: usize = 1024;

impl SymInt {
    /// `self + rhs`.
    ///
    /// # Errors
    /// [`SymError::Overflow`] when a coefficient does not fit, [`SymError::TooLarge`] past the cap on size.
    pub fn add(&self, rhs: &Self) -> Result<Self, SymError> {
        if self.is_zero() {
            return Ok(rhs.clone());
        }
        if rhs.is_zero() {
            return Ok(self.clone());
        }
        Ok(self.add_scaled(rhs, 1)?.written_as(WrittenForm::add(self, rhs)))
    }

    /// `self - rhs`.
    ///
    /// # Errors
    /// [`SymError::Overflow`] when a coefficient does not fit, [`SymError::TooLarge`] past the cap on size.
    pub fn sub(&self, rhs: &Self) -> Result<Self, SymError> {
        if rhs.is_zero() {
            return Ok(self.clone());
        }
        if self.is_zero() {
            return rhs.neg();
        }
        Ok(self.add_scaled(rhs, -1)?.written_as(WrittenForm::sub(self, rhs)))
    }

    /// `-self`.
    ///
    /// # Errors
    /// [`SymError::Overflow`] when a coefficient has no negative.
    pub fn neg(&self) -> Result<Self, SymError> {
        self.scale(-1)
    }

    /// `self * factor`.
    ///
    /// # Errors
    /// [`SymError::Overflow`] when a coefficient does not fit.
    pub fn scale(&self, factor: i64) -> Result<Self, SymError> {
        if factor == 1 {
            return Ok(self.clone());
        }
        Ok(self.scaled(factor)?.written_as(WrittenForm::scale(self, factor)))
    }

    /// `self * rhs`.
    ///
    /// # Errors
    /// [`SymError::Overflow`] when a coefficient does not fit, [`SymError::TooLarge`] past the cap on size.
    pub fn mul(&self, rhs: &Self) -> Result<Self, SymError> {
        if let Some(factor) = rhs.as_constant() {
            return self.scale(factor);
        }
        if let Some(factor) = self.as_constant() {
            return rhs.scale(factor);
        }
        Ok(self.times(rhs)?.written_as(WrittenForm::mul(self, rhs)))
    }

    /// `self + factor * rhs`, without a note of how it was written.
    pub(super) fn add_scaled(&self, rhs: &Self, factor: i64) -> Result<Self, SymError> {
        let scale = |value: i64| value.checked_mul(factor).ok_or(SymError::Overflow);
        let sum = |a: i64, b: i64| a.checked_add(scale(b)?).ok_or(SymError::Overflow);
        let (left, right) = (self.term_slice(), rhs.term_slice());
        let constant = sum(self.constant_part(), rhs.constant_part())?;
        let mut terms = Vec::with_capacity(left.len() + right.len());
        let (mut i, mut j) = (0, 0);
        while let (Some(a), Some(b)) = (left.get(i), right.get(j)) {
            match a.monomial.cmp(&b.monomial) {
                Ordering::Less => {
                    terms.push(a.clone());
                    i += 1;
                }
                Ordering::Greater => {
                    terms.push(Term { coefficient: scale(b.coefficient)?, monomial: b.monomial.clone() });
                    j += 1;
                }
                Ordering::Equal => {
                    let coefficient = sum(a.coefficient, b.coefficient)?;
                    if coefficient != 0 {
                        terms.push(Term { coefficient, monomial: a.monomial.clone() });
                    }
                    i += 1;
                    j += 1;
                }
            }
        }
        terms.extend_from_slice(&left[i..]);
        for b in &right[j..] {
            terms.push(Term { coefficient: scale(b.coefficient)?, monomial: b.monomial.clone() });
        }
        Self::from_sorted(constant, terms)
    }

    /// `self * factor`, without a note of how it was written.
    pub(super) fn scaled(&self, factor: i64) -> Result<Self, SymError> {
        if factor == 0 {
            return Ok(Self::constant(0));
        }
        let scale = |value: i64| value.checked_mul(factor).ok_or(SymError::Overflow);
        let terms = self
            .term_slice()
            .iter()
            .map(|t| Ok(Term { coefficient: scale(t.coefficient)?, monomial: t.monomial.clone() }))
            .collect::<Result<_, SymError>>()?;
        Self::from_sorted(scale(self.constant_part())?, terms)
    }

    /// `self * rhs`, without a note of how it was written.
    pub(super) fn times(&self, rhs: &Self) -> Result<Self, SymError> {
        let (left, right) = (self.term_slice(), rhs.term_slice());
        if (left.len() + 1) * (right.len() + 1) > MAX_PRODUCTS {
            return Err(SymError::TooLarge);
        }
        let product = |a: i64, b: i64| a.checked_mul(b).ok_or(SymError::Overflow);
        let mut terms = Vec::with_capacity((left.len() + 1) * (right.len() + 1));
        for a in left {
            for b in right {
                let coefficient = product(a.coefficient, b.coefficient)?;
                terms.push(Term { coefficient, monomial: merge(&a.monomial, &b.monomial) });
            }
        }
        for (constant, others) in [(self.constant_part(), right), (rhs.constant_part(), left)] {
            if constant != 0 {
                for term in others {
                    let coefficient = product(term.coefficient, constant)?;
                    terms.push(Term { coefficient, monomial: term.monomial.clone() });
                }
            }
        }
        Self::from_terms(product(self.constant_part(), rhs.constant_part())?, terms)
    }

    /// `self / divisor`, when every coefficient and the constant are multiples of it.
    pub(super) fn divided(&self, divisor: i64) -> Option<Self> {
        let quotient = |value: i64| (value.checked_rem(divisor)? == 0).then(|| value / divisor);
        let terms = self
            .term_slice()
            .iter()
            .map(|t| Some(Term { coefficient: quotient(t.coefficient)?, monomial: t.monomial.clone() }))
            .collect::<Option<_>>()?;
        Self::from_sorted(quotient(self.constant_part())?, terms).ok()
    }

    /// The greatest common divisor of the coefficients, without the constant; zero for a constant.
    pub(super) fn content(&self) -> i64 {
        let mut divisor = 0;
        for term in self.term_slice() {
            divisor = gcd(divisor, term.coefficient);
        }
        divisor
    }
}

/// The product of two sorted products.
pub(super) fn merge(a: &Monomial, b: &Monomial) -> Monomial {
    let mut atoms = Vec::with_capacity(a.len() + b.len());
    atoms.extend_from_slice(a);
    atoms.extend_from_slice(b);
    atoms.sort();
    Rc::from(atoms)
}

/// The greatest common divisor, at least zero. The one pair whose divisor would be 2^63 counts as coprime.
pub(super) fn gcd(a: i64, b: i64) -> i64 {
    let (mut a, mut b) = (a.unsigned_abs(), b.unsigned_abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    i64::try_from(a).unwrap_or(1)
}
