//! The symbolic integer, and its expression trees, as integers of the location algebra.

use std::cmp::Ordering;

use shim_core::{Fold, Integer, LocationError};

use super::{BinaryOp, ConstTable, Form, SymError, SymInt};

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

impl Integer for SymInt {
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

    fn bit_xor(&self, rhs: &Self) -> Result<Self, LocationError> {
        Ok(self.bit_xor(rhs)?)
    }

    fn entry(&self, table: &[i64]) -> Result<Self, LocationError> {
        Ok(self.entry(ConstTable::of(table))?)
    }

    fn load(&self, name: &Self) -> Result<Self, LocationError> {
        Ok(name.total(BinaryOp::Load, self)?)
    }

    fn power_of_two(&self) -> Result<Self, LocationError> {
        match self.as_constant() {
            Some(0..63) | None => Ok(Self::constant(1).total(BinaryOp::Power, self)?),
            Some(_) => Err(LocationError::Overflow),
        }
    }

    fn ceil_div(&self, divisor: i64) -> Result<Self, LocationError> {
        Ok(self.ceil_div(factor(divisor)?)?)
    }
}

/// Expression trees as they are written: nothing is combined, so that no result is too large.
impl Integer for Form {
    fn constant(value: i64) -> Self {
        Self::Constant(value)
    }

    fn as_constant(&self) -> Option<i64> {
        match self {
            Self::Constant(value) => Some(*value),
            _ => None,
        }
    }

    fn add(&self, rhs: &Self) -> Result<Self, LocationError> {
        Ok(match (self, rhs) {
            (Self::Constant(0), other) | (other, Self::Constant(0)) => other.clone(),
            (a, b) => Self::Add(Box::new(a.clone()), Box::new(b.clone())),
        })
    }

    fn sub(&self, rhs: &Self) -> Result<Self, LocationError> {
        Ok(Self::Sub(Box::new(self.clone()), Box::new(rhs.clone())))
    }

    fn mul(&self, rhs: &Self) -> Result<Self, LocationError> {
        Ok(match (self, rhs) {
            (Self::Constant(1), other) | (other, Self::Constant(1)) => other.clone(),
            (a, b) => Self::Mul(Box::new(a.clone()), Box::new(b.clone())),
        })
    }

    fn scale(&self, by: i64) -> Result<Self, LocationError> {
        Integer::mul(self, &Self::Constant(by))
    }

    fn floor_div(&self, divisor: i64) -> Result<Self, LocationError> {
        Ok(match factor(divisor)? {
            1 => self.clone(),
            divisor => Self::FloorDiv(Box::new(self.clone()), divisor, false),
        })
    }

    fn modulo(&self, divisor: i64) -> Result<Self, LocationError> {
        Ok(match factor(divisor)? {
            1 => Self::Constant(0),
            divisor => Self::Mod(Box::new(self.clone()), divisor, false),
        })
    }

    fn max(&self, rhs: &Self) -> Result<Self, LocationError> {
        Ok(Self::Max(Box::new(self.clone()), Box::new(rhs.clone())))
    }

    fn min(&self, rhs: &Self) -> Result<Self, LocationError> {
        Ok(Self::Min(Box::new(self.clone()), Box::new(rhs.clone())))
    }

    fn fold(&self, rule: Fold, extent: &Self) -> Result<Self, LocationError> {
        Ok(Self::Op(BinaryOp::Fold(rule), Box::new(self.clone()), Box::new(extent.clone())))
    }

    fn compare(&self, rhs: &Self) -> Option<Ordering> {
        Some(self.as_constant()?.cmp(&rhs.as_constant()?))
    }

    fn bit_xor(&self, rhs: &Self) -> Result<Self, LocationError> {
        Ok(Self::Op(BinaryOp::Xor, Box::new(self.clone()), Box::new(rhs.clone())))
    }

    fn entry(&self, table: &[i64]) -> Result<Self, LocationError> {
        let (table, length) = (ConstTable::of(table), Self::Constant(table.len() as i64));
        Ok(Self::Op(BinaryOp::Entry(table), Box::new(self.clone()), Box::new(length)))
    }

    fn load(&self, name: &Self) -> Result<Self, LocationError> {
        Ok(Self::Op(BinaryOp::Load, Box::new(name.clone()), Box::new(self.clone())))
    }

    fn power_of_two(&self) -> Result<Self, LocationError> {
        Ok(Self::Op(BinaryOp::Power, Box::new(Self::Constant(1)), Box::new(self.clone())))
    }
}
