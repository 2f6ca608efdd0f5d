//! Shifts and bitwise operators, as arithmetic wherever that is the same; boundary rules and tables.

use shim_core::Fold;

use super::eval::apply;
use super::origin::WrittenForm;
use super::{BinaryOp, ConstTable, SymError, SymInt};

impl SymInt {
    /// `self << rhs`, as the product with a power of two: no bit is lost.
    ///
    /// # Errors
    /// [`SymError::ShiftAmount`] for a constant amount outside `0..=63`, [`SymError::Overflow`] when a coefficient
    /// does not fit.
    pub fn shl(&self, rhs: &Self) -> Result<Self, SymError> {
        match rhs.as_constant() {
            Some(0) => Ok(self.clone()),
            Some(by @ 1..=62) => self.scale(1 << by),
            Some(63) => {
                Ok(self.scaled(1 << 62)?.scaled(2)?.written_as(WrittenForm::op(BinaryOp::Shl, self, rhs)))
            }
            Some(_) => Err(SymError::ShiftAmount),
            None if self.is_zero() => Ok(self.clone()),
            None => self.op(BinaryOp::Shl, rhs),
        }
    }

    /// `self >> rhs`, the floor of the quotient by a power of two.
    ///
    /// # Errors
    /// [`SymError::ShiftAmount`] for a constant amount outside `0..=63`.
    pub fn shr(&self, rhs: &Self) -> Result<Self, SymError> {
        match rhs.as_constant() {
            Some(0) => Ok(self.clone()),
            Some(by @ 1..=62) => self.floor_div(1 << by),
            Some(63) => {
                Ok(self.floor(1 << 62)?.floor(2)?.written_as(WrittenForm::op(BinaryOp::Shr, self, rhs)))
            }
            Some(_) => Err(SymError::ShiftAmount),
            None if matches!(self.as_constant(), Some(0 | -1)) => Ok(self.clone()),
            None => self.op(BinaryOp::Shr, rhs),
        }
    }

    /// `!self`.
    ///
    /// # Errors
    /// [`SymError::Overflow`] when a coefficient has no negative.
    pub fn bit_not(&self) -> Result<Self, SymError> {
        Self::constant(-1).sub(self)
    }

    /// `self & rhs`.
    ///
    /// # Errors
    /// As [`floor_div`](Self::floor_div).
    pub fn bit_and(&self, rhs: &Self) -> Result<Self, SymError> {
        if let (Some(a), Some(b)) = (self.as_constant(), rhs.as_constant()) {
            return Ok(Self::constant(a & b));
        }
        if self == rhs {
            return Ok(self.clone());
        }
        for (value, mask) in [(self, rhs), (rhs, self)] {
            match mask.as_constant() {
                Some(-1) => return Ok(value.clone()),
                // The lowest bits are the remainder, all but the lowest are the multiple below.
                Some(ones) if is_mask(ones) => return value.modulo(ones + 1),
                Some(zeros) if is_mask(!zeros) => {
                    let cell = !zeros + 1;
                    let multiple = value.floor(cell)?.scaled(cell)?;
                    return Ok(multiple.written_as(WrittenForm::op(BinaryOp::And, self, rhs)));
                }
                _ => {}
            }
        }
        if disjoint(self, rhs) || disjoint(rhs, self) {
            return Ok(Self::constant(0));
        }
        self.commutative(BinaryOp::And, rhs)
    }

    /// `self | rhs`.
    ///
    /// # Errors
    /// [`SymError::Overflow`] when a coefficient does not fit, [`SymError::TooLarge`] past the cap on size.
    pub fn bit_or(&self, rhs: &Self) -> Result<Self, SymError> {
        if let (Some(a), Some(b)) = (self.as_constant(), rhs.as_constant()) {
            return Ok(Self::constant(a | b));
        }
        if self == rhs {
            return Ok(self.clone());
        }
        if [self, rhs].iter().any(|mask| mask.as_constant() == Some(-1)) {
            return Ok(Self::constant(-1));
        }
        if disjoint(self, rhs) || disjoint(rhs, self) {
            return self.add(rhs);
        }
        self.commutative(BinaryOp::Or, rhs)
    }

    /// `self ^ rhs`.
    ///
    /// # Errors
    /// [`SymError::Overflow`] when a coefficient does not fit, [`SymError::TooLarge`] past the cap on size.
    pub fn bit_xor(&self, rhs: &Self) -> Result<Self, SymError> {
        if let (Some(a), Some(b)) = (self.as_constant(), rhs.as_constant()) {
            return Ok(Self::constant(a ^ b));
        }
        if self == rhs {
            return Ok(Self::constant(0));
        }
        for (value, mask) in [(self, rhs), (rhs, self)] {
            if mask.as_constant() == Some(-1) {
                return value.bit_not();
            }
        }
        if disjoint(self, rhs) || disjoint(rhs, self) {
            return self.add(rhs);
        }
        self.commutative(BinaryOp::Xor, rhs)
    }

    /// `self` folded into `0..extent` by a boundary rule.
    pub(super) fn folded(&self, rule: Fold, extent: &Self) -> Result<Self, SymError> {
        if let (Some(at), Some(extent)) = (self.as_constant(), extent.as_constant()) {
            return Ok(Self::constant(rule.apply(at, extent)));
        }
        let room = extent.sub(self)?.range();
        if self.range().is_nonnegative() && room.lo.is_some_and(|lo| lo > 0) {
            return Ok(self.clone());
        }
        self.op(BinaryOp::Fold(rule), extent)
    }

    /// The entry of a table at `self`, which is an index of it.
    pub(super) fn entry(&self, table: ConstTable) -> Result<Self, SymError> {
        if let Some(entry) = self.as_constant().and_then(|index| table.get(index.into())) {
            return Ok(Self::constant(entry));
        }
        if !table.is_small() {
            return Err(SymError::TooLarge);
        }
        self.op(BinaryOp::Entry(table), &Self::constant(table.entries().len() as i64))
    }

    /// An operation that has a value everywhere, known or not.
    pub(super) fn total(&self, op: BinaryOp, rhs: &Self) -> Result<Self, SymError> {
        let known = self.as_constant().zip(rhs.as_constant());
        let value = known.and_then(|(a, b)| apply(op, a.into(), b.into()));
        match value.and_then(|value| i64::try_from(value).ok()) {
            Some(value) => Ok(Self::constant(value)),
            None => self.op(op, rhs),
        }
    }

    fn commutative(&self, op: BinaryOp, rhs: &Self) -> Result<Self, SymError> {
        if self <= rhs { self.op(op, rhs) } else { rhs.op(op, self) }
    }
}

/// Whether a constant is `2^k - 1`, with a `2^k` that fits.
fn is_mask(value: i64) -> bool {
    value > 0 && value < i64::MAX && value & (value + 1) == 0
}

/// Whether `low` has bits only below the lowest that `high` can have.
fn disjoint(high: &SymInt, low: &SymInt) -> bool {
    let range = low.range();
    let (true, Some(most)) = (range.is_nonnegative(), range.hi) else {
        return false;
    };
    let mut bits = high.constant_part();
    // The lowest bit that is set in a coefficient or in the constant.
    for (coefficient, _) in high.terms() {
        bits |= coefficient;
    }
    most.checked_ilog2().is_none_or(|top| top < bits.trailing_zeros())
}
