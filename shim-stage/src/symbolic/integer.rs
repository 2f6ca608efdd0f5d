//! The symbolic integer as the integer of the location algebra.

use std::cmp::Ordering;

use shim_core::{Fold, Integer, LocationError};

use super::{Sym, SymError};

/// The algebra knows one way in which arithmetic fails: the result does not fit its integer.
impl From<SymError> for LocationError {
    fn from(error: SymError) -> Self {
        match error {
            SymError::DivisionByZero => Self::Factor { factor: 0 },
            SymError::Overflow | SymError::ShiftAmount | SymError::TooLarge => Self::Overflow,
        }
    }
}

/// The algebra divides by factors, which are at least one.
fn factor(divisor: i64) -> Result<i64, LocationError> {
    if divisor < 1 { Err(LocationError::Factor { factor: divisor }) } else { Ok(divisor) }
}

impl Integer for Sym {
    fn constant(value: i64) -> Self {
        Self::constant(value)
    }

    fn as_constant(&self) -> Option<i64> {
        self.as_constant()
    }

    fn add(&self, rhs: &Self) -> Result<Self, LocationError> {
        Ok(self.add(rhs)?)
    }

    fn sub(&self, rhs: &Self) -> Result<Self, LocationError> {
        Ok(self.sub(rhs)?)
    }

    fn mul(&self, rhs: &Self) -> Result<Self, LocationError> {
        Ok(self.mul(rhs)?)
    }

    fn scale(&self, factor: i64) -> Result<Self, LocationError> {
        Ok(self.scale(factor)?)
    }

    fn floor_div(&self, divisor: i64) -> Result<Self, LocationError> {
        Ok(self.floor_div(factor(divisor)?)?)
    }

    fn modulo(&self, divisor: i64) -> Result<Self, LocationError> {
        Ok(self.modulo(factor(divisor)?)?)
    }

    fn max(&self, rhs: &Self) -> Result<Self, LocationError> {
        Ok(self.max(rhs)?)
    }

    fn min(&self, rhs: &Self) -> Result<Self, LocationError> {
        Ok(self.min(rhs)?)
    }

    fn fold(&self, rule: Fold, extent: &Self) -> Result<Self, LocationError> {
        Ok(self.folded(rule, extent)?)
    }

    fn compare(&self, rhs: &Self) -> Option<Ordering> {
        self.compare(rhs)
    }

    fn ceil_div(&self, divisor: i64) -> Result<Self, LocationError> {
        Ok(self.ceil_div(factor(divisor)?)?)
    }
}
