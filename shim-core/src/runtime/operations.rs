//! The operations of Table 5.1 of the thesis that make a view of a tensor.

use crate::runtime::{BoundaryRules, Located};
use crate::{LocationError, Part, TensorSpace};

/// The operations that make views; none of them touches an element.
///
/// [`&View`](crate::View) and [`&Block`](crate::Block) give a [`View`](crate::View);
/// [`ViewMut`](crate::ViewMut) gives a [`ViewMut`](crate::ViewMut), which takes its place.
pub trait TensorOps<const N: usize>: Located<N> + Sized {
    /// The element type.
    type Element;
    /// The view that an operation makes, with its rank.
    type Ranked<const M: usize>;

    /// The memory of this tensor, with its boundary rule and parents, indexed from another place.
    ///
    /// # Errors
    /// [`LocationError::Length`] when the place is not of rank `M`, [`LocationError::Overflow`] when one of its
    /// extents does not fit, [`LocationError::DifferentRoots`] when it is in another trie than the tensor.
    fn seen_from<const M: usize>(self, place: TensorSpace<i64>) -> Result<Self::Ranked<M>, LocationError>;

    /// The tensor with a [rule](crate::Boundary) for reads that find no memory, or a list of rules, one for each axis.
    /// They replace those that the tensor had.
    fn boundary(self, rules: impl BoundaryRules<Self::Element, N>) -> Self::Ranked<N>;

    /// The view whose axis `i` is this tensor's axis `permutation[i]`, as in NumPy's `transpose` (5.2.2).
    ///
    /// # Errors
    /// [`LocationError::Axis`] or [`LocationError::RepeatedAxis`] when it is no permutation.
    fn permute(self, permutation: [usize; N]) -> Result<Self::Ranked<N>, LocationError> {
        let place = self.location().permute(&permutation)?;
        self.seen_from(place)
    }

    /// The view at `index` of `dimension`, which it lacks (5.2.2). `M` is `N - 1`, which is checked at compile
    /// time.
    ///
    /// # Errors
    /// [`LocationError::Axis`] when there is no such dimension.
    fn slice<const M: usize>(self, dimension: usize, index: isize) -> Result<Self::Ranked<M>, LocationError> {
        const { assert!(M + 1 == N, "a slice has one dimension less than its tensor") };
        let place = self.location().slice(dimension, index as i64)?;
        self.seen_from(place)
    }

    /// The view with `factors[j]` points along axis `j` for each point of this tensor (5.2.2).
    ///
    /// # Errors
    /// [`LocationError::Factor`] when a factor is below one, [`LocationError::Overflow`] when an extent does not
    /// fit.
    fn refine(self, factors: [usize; N]) -> Result<Self::Ranked<N>, LocationError> {
        let place = self.location().refine(&to_factors(factors)?)?;
        self.seen_from(place)
    }

    /// The view with one point along axis `j` for each `factors[j]` points of this tensor (5.2.2).
    ///
    /// # Errors
    /// [`LocationError::Factor`] when a factor is below one.
    fn coarsen(self, factors: [usize; N]) -> Result<Self::Ranked<N>, LocationError> {
        let place = self.location().coarsen(&to_factors(factors)?)?;
        self.seen_from(place)
    }

    /// The segment that the parts take (5.2.3); `M` is the number of parts that are no index. Parts fewer than
    /// the dimensions are padded with the index zero on the left. The segment may lie outside the tensor.
    ///
    /// # Errors
    /// [`LocationError::RankRises`] when there are too many parts, [`LocationError::Length`] when `M` is wrong,
    /// [`LocationError::Factor`] when a step is below one, [`LocationError::Overflow`] when an extent does not fit.
    fn partition<const M: usize>(self, parts: &[Part<i64>]) -> Result<Self::Ranked<M>, LocationError> {
        let place = self.location().partition(parts)?;
        self.seen_from(place)
    }

    /// The tensor moved by so many of its own points along each axis; the view may lie outside the tensor.
    ///
    /// # Errors
    /// [`LocationError::Overflow`] when a coordinate does not fit.
    fn shifted(self, by: [isize; N]) -> Result<Self::Ranked<N>, LocationError> {
        let place = self.location().shifted(&by.map(|points| points as i64))?;
        self.seen_from(place)
    }

    /// Colocation with the source's parameterization (5.2.4), which is `self[source]` in a kernel: the memory of
    /// this tensor in the index space of `source`.
    ///
    /// # Errors
    /// [`LocationError::RankRises`] when `source` has more dimensions than this tensor,
    /// [`LocationError::DifferentRoots`] when they have no common location.
    fn colocate<const M: usize>(self, source: &impl Located<M>) -> Result<Self::Ranked<M>, LocationError> {
        let place = self.location().colocate(source.location())?;
        self.seen_from(place)
    }

    /// Colocation with the destination's parameterization (5.2.4): the place of `source`, in this tensor's own
    /// axes and density. See [`TensorSpace::footprint`].
    ///
    /// # Errors
    /// [`LocationError::DifferentRoots`] when they have no common location, [`LocationError::Overflow`] when a
    /// coordinate does not fit.
    fn footprint<const M: usize>(self, source: &impl Located<M>) -> Result<Self::Ranked<N>, LocationError> {
        let place = self.location().footprint(source.location())?;
        self.seen_from(place)
    }

    /// All points of this tensor that share with `point` a cell of the index space of `with` (5.2.5). See
    /// [`TensorSpace::coverage`].
    ///
    /// # Errors
    /// [`LocationError::DifferentRoots`] when they have no common location, [`LocationError::Overflow`] when a
    /// coordinate does not fit.
    fn coverage<const M: usize>(
        self,
        point: [isize; N],
        with: &impl Located<M>,
    ) -> Result<Self::Ranked<N>, LocationError> {
        let place = self.location().coverage(&point.map(|at| at as i64), &with.location().space)?;
        self.seen_from(place)
    }
}

/// Factors in the integer of the algebra.
pub(super) fn to_factors<const N: usize>(factors: [usize; N]) -> Result<[i64; N], LocationError> {
    let mut converted = [0; N];
    for (slot, factor) in converted.iter_mut().zip(factors) {
        *slot = i64::try_from(factor).map_err(|_| LocationError::Overflow)?;
    }
    Ok(converted)
}
