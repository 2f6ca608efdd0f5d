//! Half-open intervals of coordinates, and how one link maps them.

use core::cmp::Ordering;

use crate::{Integer, LocationError};

/// The coordinates `start..end` of one axis; empty when `end <= start`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Interval<I> {
    /// The first coordinate.
    pub start: I,
    /// One past the last coordinate.
    pub end: I,
}

impl<I: Integer> Interval<I> {
    /// The interval of the one coordinate `at`.
    ///
    /// # Errors
    /// [`LocationError::Overflow`] when `at + 1` does not fit.
    pub fn point(at: I) -> Result<Self, LocationError> {
        let end = at.add(&I::constant(1))?;
        Ok(Self { start: at, end })
    }

    /// The number of coordinates, `end - start`; zero or negative when the interval is empty.
    ///
    /// # Errors
    /// [`LocationError::Overflow`] when the difference does not fit.
    pub fn length(&self) -> Result<I, LocationError> {
        self.end.sub(&self.start)
    }

    /// The interval moved by `offset`.
    pub(crate) fn shift(&self, offset: &I) -> Result<Self, LocationError> {
        Ok(Self { start: self.start.add(offset)?, end: self.end.add(offset)? })
    }

    /// The interval moved by `-offset`.
    pub(crate) fn unshift(&self, offset: &I) -> Result<Self, LocationError> {
        Ok(Self { start: self.start.sub(offset)?, end: self.end.sub(offset)? })
    }

    /// All points of a grid `multiply` times as fine and `divide` times as coarse that share a cell with the
    /// interval; not both factors are above one.
    pub(crate) fn spread(&self, multiply: i64, divide: i64) -> Result<Self, LocationError> {
        if multiply > 1 {
            return Ok(Self { start: self.start.scale(multiply)?, end: self.end.scale(multiply)? });
        }
        if divide == 1 {
            return Ok(self.clone());
        }
        let start = self.start.floor_div(divide)?;
        let end = self.end.ceil_div(divide)?;
        // Inside one cell an empty interval would round outward to that cell. n points touch at most n cells,
        // so the smaller of the two bounds is exact for every n, zero included.
        let end = match self.start.compare(&self.end) {
            Some(Ordering::Less) => end,
            Some(_) => start.clone(),
            None => end.min(&start.add(&self.length()?.at_least_zero()?)?)?,
        };
        Ok(Self { start, end })
    }
}
