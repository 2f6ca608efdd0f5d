//! Layouts: where in memory a block keeps the element of each coordinate.

use alloc::vec;
use alloc::vec::Vec;
use core::cmp::Ordering;

use crate::space::check_length;
use crate::{Integer, LocationError};

/// The order in which a block keeps its elements: a map from coordinates to offsets, counted in elements.
///
/// The offset of a coordinate `at` is `base + sum(at[j] * strides[j])`. A layout is a value of the algebra like a
/// [`TensorSpace`](crate::TensorSpace), over the same integer: the runtime library computes offsets with it, and the compiler emits the
/// expressions that it gives over symbolic integers. Layouts say nothing of extents: whether a coordinate is inside
/// a block is decided before its offset is formed.
#[derive(Clone, Debug, PartialEq)]
pub struct Layout<I> {
    base: I,
    strides: Vec<I>,
}

impl<I: Integer> Layout<I> {
    /// The layout in which the last axis is contiguous and each axis steps over all that follow it.
    ///
    /// # Errors
    /// [`LocationError::Overflow`] when a stride does not fit.
    pub fn row_major(extents: &[I]) -> Result<Self, LocationError> {
        let mut strides = vec![I::constant(1); extents.len()];
        for axis in (1..extents.len()).rev() {
            strides[axis - 1] = strides[axis].mul(&extents[axis])?;
        }
        Ok(Self::strided(strides))
    }

    /// The layout in which neighbors along axis `j` are `strides[j]` elements apart.
    #[must_use]
    pub fn strided(strides: Vec<I>) -> Self {
        Self { base: I::constant(0), strides }
    }

    /// This layout with the element at the origin moved to offset `base`.
    #[must_use]
    pub fn based(self, base: I) -> Self {
        Self { base, ..self }
    }

    /// The number of axes.
    pub fn rank(&self) -> usize {
        self.strides.len()
    }

    /// The offset of the element at the origin.
    pub fn base(&self) -> &I {
        &self.base
    }

    /// The distance of neighbors along each axis.
    pub fn strides(&self) -> &[I] {
        &self.strides
    }

    /// The offset of the element at a coordinate.
    ///
    /// # Errors
    /// [`LocationError::Length`] when the coordinate is of another rank, [`LocationError::Overflow`] when the offset
    /// does not fit.
    pub fn offset(&self, at: &[I]) -> Result<I, LocationError> {
        check_length(self.rank(), at.len())?;
        at.iter()
            .zip(&self.strides)
            .try_fold(self.base.clone(), |sum, (at, stride)| sum.add(&at.mul(stride)?))
    }

    /// The coordinate of the element at an offset: the inverse of [`offset`](Self::offset).
    ///
    /// The axes take as many steps as fit, the one with the largest stride first. That inverts every layout whose strides
    /// are at least the span of all axes with smaller ones, such as row-major, with or without gaps and with the
    /// axes in any order. Of axes with one stride only the first may have more than one element.
    ///
    /// # Errors
    /// [`LocationError::NoInverse`] when a stride is not positive or not known, or when no coordinate has that offset;
    /// [`LocationError::Overflow`] when a coordinate does not fit.
    pub fn coordinates(&self, offset: &I) -> Result<Vec<I>, LocationError> {
        let strides = self.strides.iter().map(|stride| stride.as_constant().filter(|&stride| stride > 0));
        let strides: Vec<i64> = strides.collect::<Option<_>>().ok_or(LocationError::NoInverse)?;
        let mut axes: Vec<usize> = (0..strides.len()).collect();
        axes.sort_by_key(|&axis| core::cmp::Reverse(strides[axis]));
        let mut at = vec![I::constant(0); strides.len()];
        let mut rest = offset.sub(&self.base)?;
        for axis in axes {
            at[axis] = rest.floor_div(strides[axis])?;
            rest = rest.modulo(strides[axis])?;
        }
        match rest.compare(&I::constant(0)) {
            Some(Ordering::Equal) => Ok(at),
            _ => Err(LocationError::NoInverse),
        }
    }

    /// The number of elements of memory that a block of the given extents takes: one more than its greatest offset, or
    /// zero if it is empty. Strides must not be negative.
    ///
    /// # Errors
    /// [`LocationError::Length`] when there are not as many extents as axes, [`LocationError::Overflow`] when the span
    /// does not fit.
    pub fn span(&self, extents: &[I]) -> Result<I, LocationError> {
        check_length(self.rank(), extents.len())?;
        if extents.iter().any(|extent| extent.as_constant() == Some(0)) {
            return Ok(I::constant(0));
        }
        let one = I::constant(1);
        let last = extents.iter().map(|extent| extent.sub(&one)).collect::<Result<Vec<_>, _>>()?;
        self.offset(&last)?.add(&one)
    }
}
