//! The integer that the location algebra is written over.

use core::cmp::Ordering;
use core::fmt::Debug;

use crate::{Fold, LocationError};

/// The integer the algebra is written over: `i64` in the runtime library, a symbolic integer in the compiler.
///
/// Nothing here may wrap: an operation whose result does not fit answers [`LocationError::Overflow`]. Division
/// is always floor division, because a location left of the origin belongs to the cell on its left. Only
/// [`as_constant`](Self::as_constant) and [`compare`](Self::compare) may answer that they do not know.
pub trait Integer: Clone + PartialEq + Debug {
    /// The integer of a known value.
    fn constant(value: i64) -> Self;

    /// The value, when it is known now.
    fn as_constant(&self) -> Option<i64>;

    /// `self + rhs`.
    ///
    /// # Errors
    /// [`LocationError::Overflow`] when the sum does not fit.
    fn add(&self, rhs: &Self) -> Result<Self, LocationError>;

    /// `self - rhs`.
    ///
    /// # Errors
    /// [`LocationError::Overflow`] when the difference does not fit.
    fn sub(&self, rhs: &Self) -> Result<Self, LocationError>;

    /// `self * rhs`.
    ///
    /// # Errors
    /// [`LocationError::Overflow`] when the product does not fit.
    fn mul(&self, rhs: &Self) -> Result<Self, LocationError>;

    /// `self * factor`, for a factor that is always known.
    ///
    /// # Errors
    /// [`LocationError::Overflow`] when the product does not fit.
    fn scale(&self, factor: i64) -> Result<Self, LocationError>;

    /// `floor(self / divisor)`, for a divisor of at least one.
    ///
    /// # Errors
    /// [`LocationError::Factor`] when the divisor is below one.
    fn floor_div(&self, divisor: i64) -> Result<Self, LocationError>;

    /// The remainder of [`floor_div`](Self::floor_div), in `0..divisor`.
    ///
    /// # Errors
    /// [`LocationError::Factor`] when the divisor is below one.
    fn modulo(&self, divisor: i64) -> Result<Self, LocationError>;

    /// The larger of the two.
    ///
    /// # Errors
    /// [`LocationError::Overflow`] when an intermediate result does not fit.
    fn max(&self, rhs: &Self) -> Result<Self, LocationError>;

    /// The smaller of the two.
    ///
    /// # Errors
    /// [`LocationError::Overflow`] when an intermediate result does not fit.
    fn min(&self, rhs: &Self) -> Result<Self, LocationError>;

    /// The coordinate in `0..extent` that a boundary rule takes this one to; zero on an empty axis.
    ///
    /// # Errors
    /// [`LocationError::Overflow`] when an intermediate result does not fit.
    fn fold(&self, rule: Fold, extent: &Self) -> Result<Self, LocationError>;

    /// How the two compare; `None` when that is not known.
    fn compare(&self, rhs: &Self) -> Option<Ordering>;

    /// The bits in which the two differ.
    ///
    /// # Errors
    /// [`LocationError::Dynamic`] unless both are known, for integers that do not say otherwise.
    fn bit_xor(&self, rhs: &Self) -> Result<Self, LocationError> {
        match (self.as_constant(), rhs.as_constant()) {
            (Some(a), Some(b)) => Ok(Self::constant(a ^ b)),
            _ => Err(LocationError::Dynamic),
        }
    }

    /// The entry of a table at this index.
    ///
    /// # Errors
    /// [`LocationError::OffCurve`] for an index that the table does not have, [`LocationError::Dynamic`] for one that
    /// is not known, for integers that do not say otherwise.
    fn entry(&self, table: &[i64]) -> Result<Self, LocationError> {
        let index = self.as_constant().ok_or(LocationError::Dynamic)?;
        let entry = usize::try_from(index).ok().and_then(|index| table.get(index));
        entry.map(|entry| Self::constant(*entry)).ok_or(LocationError::OffCurve)
    }

    /// The entry at this index of the table that `name` stands for, zero at an index that the table does not have.
    ///
    /// # Errors
    /// [`LocationError::Dynamic`], for integers that name no tables.
    fn load(&self, name: &Self) -> Result<Self, LocationError> {
        let _ = name;
        Err(LocationError::Dynamic)
    }

    /// `2^self`, for an integer of at least zero.
    ///
    /// # Errors
    /// [`LocationError::Overflow`] when the power does not fit or the exponent is negative, [`LocationError::Dynamic`]
    /// when it is not known, for integers that do not say otherwise.
    fn power_of_two(&self) -> Result<Self, LocationError> {
        let exponent = self.as_constant().ok_or(LocationError::Dynamic)?;
        let power = u32::try_from(exponent).ok().and_then(|exponent| 2i64.checked_pow(exponent));
        power.map(Self::constant).ok_or(LocationError::Overflow)
    }

    /// `ceil(self / divisor)`, for a divisor of at least one: by default `floor((self + divisor - 1) / divisor)`.
    ///
    /// # Errors
    /// [`LocationError::Factor`] when the divisor is below one, [`LocationError::Overflow`] when the sum does
    /// not fit.
    fn ceil_div(&self, divisor: i64) -> Result<Self, LocationError> {
        if divisor < 1 {
            return Err(LocationError::Factor { factor: divisor });
        }
        self.add(&Self::constant(divisor - 1))?.floor_div(divisor)
    }

    /// The value, or zero where it is negative: the extent of a reversed range.
    ///
    /// # Errors
    /// [`LocationError::Overflow`] when an intermediate result does not fit.
    fn at_least_zero(&self) -> Result<Self, LocationError> {
        self.max(&Self::constant(0))
    }
}

impl Integer for i64 {
    fn constant(value: i64) -> Self {
        value
    }

    fn as_constant(&self) -> Option<i64> {
        Some(*self)
    }

    fn add(&self, rhs: &Self) -> Result<Self, LocationError> {
        self.checked_add(*rhs).ok_or(LocationError::Overflow)
    }

    fn sub(&self, rhs: &Self) -> Result<Self, LocationError> {
        self.checked_sub(*rhs).ok_or(LocationError::Overflow)
    }

    fn mul(&self, rhs: &Self) -> Result<Self, LocationError> {
        self.checked_mul(*rhs).ok_or(LocationError::Overflow)
    }

    fn scale(&self, factor: i64) -> Result<Self, LocationError> {
        self.checked_mul(factor).ok_or(LocationError::Overflow)
    }

    fn floor_div(&self, divisor: i64) -> Result<Self, LocationError> {
        // For a positive divisor the Euclidean quotient is the floor.
        if divisor < 1 {
            Err(LocationError::Factor { factor: divisor })
        } else {
            Ok(self.div_euclid(divisor))
        }
    }

    fn modulo(&self, divisor: i64) -> Result<Self, LocationError> {
        if divisor < 1 {
            Err(LocationError::Factor { factor: divisor })
        } else {
            Ok(self.rem_euclid(divisor))
        }
    }

    fn max(&self, rhs: &Self) -> Result<Self, LocationError> {
        Ok(*core::cmp::max(self, rhs))
    }

    fn min(&self, rhs: &Self) -> Result<Self, LocationError> {
        Ok(*core::cmp::min(self, rhs))
    }

    fn fold(&self, rule: Fold, extent: &Self) -> Result<Self, LocationError> {
        Ok(rule.apply(*self, *extent))
    }

    fn compare(&self, rhs: &Self) -> Option<Ordering> {
        Some(self.cmp(rhs))
    }

    fn ceil_div(&self, divisor: i64) -> Result<Self, LocationError> {
        // The quotient of a non-zero remainder is below the largest integer, so that adding one fits.
        Ok(self.floor_div(divisor)? + i64::from(self.modulo(divisor)? != 0))
    }
}
