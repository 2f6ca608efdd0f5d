//! What all tensors have in common: a place and extents.

use alloc::vec::Vec;
use core::array;

use crate::runtime::Indices;
use crate::{LocationError, Place, TensorSpace};

/// A tensor of rank `N`, seen as the place it has (its [`TensorSpace`]) without its elements.
pub trait Located<const N: usize> {
    /// The space and extents of the tensor, in which it is indexed.
    fn location(&self) -> &TensorSpace<i64>;

    /// The number of points along each dimension.
    fn extents(&self) -> [usize; N] {
        let extents = &self.location().extents;
        // Tensors are made of extents between zero and the largest `isize`.
        array::from_fn(|axis| extents[axis] as usize)
    }

    /// The number of points along a dimension.
    ///
    /// # Panics
    /// When the tensor has no such dimension, as indexing an array does.
    fn extent(&self, dimension: usize) -> usize {
        self.extents()[dimension]
    }

    /// Where the tensor begins along a dimension: a coordinate of the root, on the axis that the dimension stands
    /// on. See [`TensorSpace::origin`].
    ///
    /// # Errors
    /// [`LocationError::Axis`] when there is no such dimension, [`LocationError::Overflow`] when the coordinate
    /// does not fit.
    fn origin(&self, dimension: usize) -> Result<isize, LocationError> {
        to_isize(self.location().origin(dimension)?)
    }

    /// Where the tensor begins in the index space of another: a coordinate of `other` along its axis `dimension`.
    /// See [`TensorSpace::origin_in`].
    ///
    /// # Errors
    /// [`LocationError::DifferentRoots`], [`LocationError::Axis`] when `other` has no such dimension, or
    /// [`LocationError::Overflow`].
    fn origin_in<const M: usize>(
        &self,
        other: &impl Located<M>,
        dimension: usize,
    ) -> Result<isize, LocationError> {
        to_isize(self.location().origin_in(&other.location().space, dimension)?)
    }

    /// The box of the root that the tensor covers, on the root's axes `0..N`. See [`TensorSpace::place`].
    ///
    /// # Errors
    /// [`LocationError::Axis`] when the tensor stands on another axis of the root, [`LocationError::Overflow`] when a
    /// coordinate does not fit.
    fn place(&self) -> Result<Place<N>, LocationError> {
        let place = self.location().place()?;
        let mut origin = [0; N];
        for (axis, at) in origin.iter_mut().enumerate() {
            *at = to_isize(place.origin(axis)?)?;
        }
        // Extents between zero and the largest `isize`, as those of the tensor.
        let extents: Vec<_> =
            place.extents.iter().map(|&extent| to_isize(extent)).collect::<Result<_, _>>()?;
        Ok(Place::new(origin, array::from_fn(|axis| extents[axis] as usize)))
    }

    /// All indices of the tensor, in row-major order.
    fn indices(&self) -> Indices<N> {
        Indices::new(self.extents())
    }
}

impl<L: Located<N> + ?Sized, const N: usize> Located<N> for &L {
    fn location(&self) -> &TensorSpace<i64> {
        (**self).location()
    }
}

fn to_isize(coordinate: i64) -> Result<isize, LocationError> {
    isize::try_from(coordinate).map_err(|_| LocationError::Overflow)
}

/// Whether a place can be that of a tensor of rank `N`: of that rank, and of extents that count elements.
pub(super) fn check_place<const N: usize>(place: &TensorSpace<i64>) -> Result<(), LocationError> {
    crate::space::check_length(N, place.rank())?;
    match place.extents.iter().find(|&&extent| isize::try_from(extent).is_err()) {
        Some(_) => Err(LocationError::Overflow),
        None => Ok(()),
    }
}
