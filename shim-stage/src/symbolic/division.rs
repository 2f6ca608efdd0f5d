//! Floor division by constants, its remainder, and Rust's truncating division.
//!
//! `floor` of a sum splits off whatever is a multiple of the divisor, so that the numerators that stay are reduced:
//! every coefficient lies in `-k/2..=k/2`, the constant in `0..k`, no common divisor is left, and the first
//! coefficient is positive.

use super::arith::gcd;
use super::interval::Interval;
use super::normal::{Atom, BinaryOp, Term};
use super::origin::WrittenForm;
use super::{SymError, SymInt};

impl SymInt {
    /// `floor(self / divisor)`.
    ///
    /// # Errors
    /// [`SymError::DivisionByZero`], [`SymError::Overflow`] when a coefficient does not fit, [`SymError::TooLarge`]
    /// past the cap on size.
    pub fn floor_div(&self, divisor: i64) -> Result<Self, SymError> {
        match divisor {
            0 => Err(SymError::DivisionByZero),
            1 => Ok(self.clone()),
            ..0 => self.neg()?.floor_div(divisor.checked_neg().ok_or(SymError::Overflow)?),
            _ => Ok(self.floor(divisor)?.written_as(WrittenForm::floor_div(self, divisor))),
        }
    }

    /// `self - divisor * floor(self / divisor)`, which for a positive divisor lies in `0..divisor`.
    ///
    /// # Errors
    /// [`SymError::DivisionByZero`], [`SymError::Overflow`] when a coefficient does not fit, [`SymError::TooLarge`]
    /// past the cap on size.
    pub fn modulo(&self, divisor: i64) -> Result<Self, SymError> {
        match divisor {
            0 => Err(SymError::DivisionByZero),
            1 => Ok(Self::constant(0)),
            ..0 => {
                let positive = divisor.checked_neg().ok_or(SymError::Overflow)?;
                self.neg()?.modulo(positive)?.neg()
            }
            _ => {
                // Multiples of the divisor go first: their product with the quotient could overflow.
                let (_, rest) = self.split_multiples(divisor)?;
                let whole = rest.floor(divisor)?;
                let remainder = rest.add_scaled(&whole, divisor.checked_neg().ok_or(SymError::Overflow)?)?;
                Ok(remainder.written_as(WrittenForm::modulo(self, divisor)))
            }
        }
    }

    /// `ceil(self / divisor)`.
    ///
    /// # Errors
    /// [`SymError::DivisionByZero`], [`SymError::Overflow`] when a coefficient does not fit, [`SymError::TooLarge`]
    /// past the cap on size.
    pub fn ceil_div(&self, divisor: i64) -> Result<Self, SymError> {
        match divisor {
            1 => Ok(self.clone()),
            2.. if let Ok(sum) = self.add(&Self::constant(divisor - 1)) => sum.floor_div(divisor),
            // Near the limits the sum does not fit where the quotient does.
            _ => self.neg()?.floor_div(divisor)?.neg(),
        }
    }

    /// `self / rhs`, truncated as Rust does.
    ///
    /// # Errors
    /// [`SymError::DivisionByZero`] when the divisor is known to be zero, otherwise as [`floor_div`](Self::floor_div).
    pub fn trunc_div(&self, rhs: &Self) -> Result<Self, SymError> {
        match rhs.as_constant() {
            Some(0) => return Err(SymError::DivisionByZero),
            Some(1) => return Ok(self.clone()),
            Some(-1) => return self.neg(),
            // The quotient of the absolute values, and the sign.
            Some(k @ ..0) if k != i64::MIN => {
                let quotient = self.trunc_div(&Self::constant(-k))?.neg()?;
                return Ok(quotient.written_as(WrittenForm::op(BinaryOp::Div, self, rhs)));
            }
            Some(k) => {
                if let Some(value) = self.as_constant() {
                    return Ok(Self::constant(value / k));
                }
                if self.range().is_nonnegative() && k > 0 {
                    return self.floor_div(k);
                }
                if let Some(exact) = self.divided(k) {
                    return Ok(exact.written_as(WrittenForm::op(BinaryOp::Div, self, rhs)));
                }
            }
            None => {}
        }
        // A numerator that is smaller than the divisor.
        let (numerator, divisor) = (Interval::from(self.range()), Interval::from(rhs.range()));
        if let (Some(most), Some(least)) = (numerator.magnitude(), distance_from_zero(divisor))
            && most < least
        {
            return Ok(Self::constant(0));
        }
        if self == rhs && self.range().excludes_zero() {
            return Ok(Self::constant(1));
        }
        self.op(BinaryOp::Div, rhs)
    }

    /// `self % rhs`, the remainder of [`trunc_div`](Self::trunc_div).
    ///
    /// # Errors
    /// [`SymError::DivisionByZero`] when the divisor is known to be zero, otherwise as [`floor_div`](Self::floor_div).
    pub fn trunc_rem(&self, rhs: &Self) -> Result<Self, SymError> {
        match rhs.as_constant() {
            Some(0) => return Err(SymError::DivisionByZero),
            Some(1 | -1) => return Ok(Self::constant(0)),
            // The sign of the divisor does not matter.
            Some(k @ ..0) if k != i64::MIN => return self.trunc_rem(&Self::constant(-k)),
            Some(k) => {
                if let Some(value) = self.as_constant() {
                    return Ok(Self::constant(value % k));
                }
                if self.range().is_nonnegative() && k > 0 {
                    return self.modulo(k);
                }
                if self.divided(k).is_some() {
                    return Ok(Self::constant(0));
                }
            }
            None => {}
        }
        let (numerator, divisor) = (Interval::from(self.range()), Interval::from(rhs.range()));
        if let (Some(most), Some(least)) = (numerator.magnitude(), distance_from_zero(divisor))
            && most < least
        {
            return Ok(self.clone());
        }
        if self == rhs && self.range().excludes_zero() {
            return Ok(Self::constant(0));
        }
        self.op(BinaryOp::Rem, rhs)
    }

    /// One of Rust's operators, kept as it is.
    pub(super) fn op(&self, op: BinaryOp, rhs: &Self) -> Result<Self, SymError> {
        Ok(Self::atom(Atom::Op(op, self.clone(), rhs.clone()))?.written_as(WrittenForm::op(op, self, rhs)))
    }

    /// The floor by a divisor of at least two, without a note of how it was written.
    pub(super) fn floor(&self, k: i64) -> Result<Self, SymError> {
        if let Some(cell) = self.cell(k) {
            return Ok(Self::constant(cell));
        }
        let (quotient, rest) = self.split_multiples(k)?;
        if rest.as_constant().is_some() {
            // The constant is below the divisor.
            return Ok(quotient);
        }
        rest.floor_reduced(k)?.add_scaled(&quotient, 1)
    }

    /// The quotient, when the whole range has the same one.
    fn cell(&self, k: i64) -> Option<i64> {
        let range = self.range();
        let (lo, hi) = (range.lo?.div_euclid(k), range.hi?.div_euclid(k));
        (lo == hi).then_some(lo)
    }

    /// `k * quotient + rest`, where the coefficients of the rest lie in `-k/2..=k/2` and its constant in `0..k`.
    fn split_multiples(&self, k: i64) -> Result<(Self, Self), SymError> {
        let (mut quotient, mut rest) = (Vec::new(), Vec::new());
        for term in self.term_slice() {
            let (mut whole, mut left) = (term.coefficient.div_euclid(k), term.coefficient.rem_euclid(k));
            if left > k - left || (left == k - left && term.coefficient < 0) {
                // Nearer to the next multiple, or as near: then the sign stays, so that `(x - y) / 2` is what it says.
                left -= k;
                whole += 1;
            }
            for (part, coefficient) in [(&mut quotient, whole), (&mut rest, left)] {
                if coefficient != 0 {
                    part.push(Term { coefficient, monomial: term.monomial.clone() });
                }
            }
        }
        let constant = self.constant_part();
        Ok((
            Self::from_sorted(constant.div_euclid(k), quotient)?,
            Self::from_sorted(constant.rem_euclid(k), rest)?,
        ))
    }

    /// The floor of what [`split_multiples`](Self::split_multiples) leaves.
    fn floor_reduced(&self, k: i64) -> Result<Self, SymError> {
        if let Some(cell) = self.cell(k) {
            return Ok(Self::constant(cell));
        }
        if let Some((numerator, divisor)) = self.common_divisor(k)? {
            return numerator.floor(divisor);
        }
        if let Some((numerator, divisor)) = self.nested(k) {
            return numerator.floor(divisor);
        }
        let leading = self.term_slice().first().map_or(0, |term| term.coefficient);
        if leading < 0 {
            // floor(-a / k) = -ceil(a / k) = -floor((a + k - 1) / k): one sign for both spellings.
            return Self::constant(k - 1).add_scaled(self, -1)?.floor(k)?.scaled(-1);
        }
        Self::atom(Atom::FloorDiv(self.clone(), k))
    }

    /// `floor((g * a + r) / (g * k)) = floor((a + q) / k)` when `floor(r / g)` is `q` for every value of `r`.
    fn common_divisor(&self, k: i64) -> Result<Option<(Self, i64)>, SymError> {
        let mut divisors: Vec<i64> =
            self.term_slice().iter().map(|term| gcd(term.coefficient, k)).filter(|&g| g > 1).collect();
        divisors.sort_unstable_by(|a, b| b.cmp(a));
        divisors.dedup();
        for g in divisors {
            let (mut multiple, mut rest) = (Vec::new(), Vec::new());
            for term in self.term_slice() {
                if term.coefficient % g == 0 {
                    multiple
                        .push(Term { coefficient: term.coefficient / g, monomial: term.monomial.clone() });
                } else {
                    rest.push(term.clone());
                }
            }
            let rest = Self::from_sorted(self.constant_part(), rest)?;
            if let Some(quotient) = rest.cell(g) {
                return Ok(Some((Self::from_sorted(quotient, multiple)?, k / g)));
            }
        }
        Ok(None)
    }

    /// `floor((floor(x / a) + r) / k) = floor((x + a * r) / (a * k))`, for one division within another. A division
    /// that is subtracted is one that is added: `-floor(x / a) = floor((a - 1 - x) / a)`.
    fn nested(&self, k: i64) -> Option<(Self, i64)> {
        let mut inner = None;
        for (i, term) in self.term_slice().iter().enumerate() {
            if let [Atom::FloorDiv(x, a)] = &*term.monomial {
                if inner.is_some() || term.coefficient.unsigned_abs() != 1 {
                    // Several divisions do not become one.
                    return None;
                }
                inner = Some((i, x, *a, term.coefficient));
            }
        }
        let (i, x, a, sign) = inner?;
        let mut rest = self.term_slice().to_vec();
        rest.remove(i);
        let rest = Self::from_sorted(self.constant_part(), rest).ok()?;
        let x = if sign > 0 { x.clone() } else { Self::constant(a - 1).add_scaled(x, -1).ok()? };
        Some((x.add_scaled(&rest, a).ok()?, a.checked_mul(k)?))
    }
}

/// The least magnitude in an interval that does not hold zero.
fn distance_from_zero(interval: Interval) -> Option<i128> {
    match (interval.lo, interval.hi) {
        (Some(lo), _) if lo > 0 => Some(lo),
        (_, Some(hi)) if hi < 0 => Some(-hi),
        _ => None,
    }
}
