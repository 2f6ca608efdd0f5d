//! Points of a shape whose extents are known.

use alloc::vec::Vec;

use crate::space::check_length;
use crate::{LocationError, Shape};

impl Shape<i64> {
    /// Whether a point is inside.
    ///
    /// # Errors
    /// [`LocationError::Length`] when the point is of another rank, [`LocationError::Overflow`] when an extent does not
    /// fit.
    pub fn contains(&self, at: &[i64]) -> Result<bool, LocationError> {
        check_length(self.rank(), at.len())?;
        for (axis, extent) in self.extents.iter().enumerate() {
            // An extent is known where the indices before it are inside.
            if !(0..extent.at(&at[..axis])?).contains(&at[axis]) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The point at an offset: the inverse of [`offset`](Self::offset), by bisection along each axis.
    ///
    /// # Errors
    /// [`LocationError::NoInverse`] when the shape has no such offset, and the errors of [`size`](Self::size).
    pub fn coordinates(&self, offset: i64) -> Result<Vec<i64>, LocationError> {
        let mut at: Vec<i64> = Vec::with_capacity(self.rank());
        let mut rest = offset;
        for axis in 0..self.rank() {
            let (mut low, mut high) = (0, self.extents[axis].at(&at)?);
            if high < 1 {
                return Err(LocationError::NoInverse);
            }
            // The last index with no more than `rest` points before it.
            while high - low > 1 {
                let middle = low + (high - low) / 2;
                let is_before = self.before(axis, &at, &middle)? <= rest;
                (low, high) = if is_before { (middle, high) } else { (low, middle) };
            }
            rest -= self.before(axis, &at, &low)?;
            at.push(low);
        }
        if rest == 0 && self.contains(&at)? { Ok(at) } else { Err(LocationError::NoInverse) }
    }
}
