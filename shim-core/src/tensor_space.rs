//! Tensor reference spaces (Def. 4.4.1 of the thesis), and those operations of `UniTeX` (chapter 5) that concern
//! location and extents alone.

use alloc::vec;
use alloc::vec::Vec;
use core::ops::{Range, RangeFull};

use crate::map::rescale;
use crate::space::check_length;
use crate::{Integer, Interval, Link, LocationError, Placement, Space};

/// A tensor reference space `T = (R, e)` (Def. 4.4.1): the box of points `0..e[j]` along each axis of a space.
///
/// Unlike the thesis, an extent may be zero: an empty view is a view.
#[derive(Clone, Debug)]
pub struct TensorSpace<I> {
    /// The reference space `R`.
    pub space: Space<I>,
    /// The extents `e`, one per dimension, in points of the space.
    pub extents: Vec<I>,
}

/// What a partition (section 5.2.3) takes of one dimension.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part<I> {
    /// The points `start`, `start + step`, .. below `end`; none when the range is reversed.
    Range {
        /// Where the view begins, in points of the tensor; may lie outside it.
        start: I,
        /// Where the view stops, exclusive.
        end: I,
        /// The coarsening factor, at least one.
        step: i64,
    },
    /// The one point of that index; the dimension is dropped.
    Index(I),
    /// The whole dimension.
    Full,
}

impl From<Range<isize>> for Part<i64> {
    /// Every point of the range.
    fn from(range: Range<isize>) -> Self {
        Self::Range { start: range.start as i64, end: range.end as i64, step: 1 }
    }
}

impl From<isize> for Part<i64> {
    /// The one point of that index.
    fn from(index: isize) -> Self {
        Self::Index(index as i64)
    }
}

impl<I> From<RangeFull> for Part<I> {
    /// The whole dimension.
    fn from(_: RangeFull) -> Self {
        Self::Full
    }
}

impl<I: Integer> TensorSpace<I> {
    /// The box of the given extents in a space.
    ///
    /// # Errors
    /// [`LocationError::Length`] when there is not an extent per dimension, [`LocationError::NegativeExtent`]
    /// when one is known to be negative.
    pub fn new(space: Space<I>, extents: Vec<I>) -> Result<Self, LocationError> {
        check_length(space.rank(), extents.len())?;
        match extents.iter().filter_map(Integer::as_constant).find(|&extent| extent < 0) {
            Some(extent) => Err(LocationError::NegativeExtent { extent }),
            None => Ok(Self { space, extents }),
        }
    }

    /// The number of dimensions.
    pub fn rank(&self) -> usize {
        self.space.rank()
    }

    /// Where point zero stands along axis `dimension`: the coordinate on the root axis that the dimension stands on.
    ///
    /// # Errors
    /// [`LocationError::Axis`] when there is no such dimension, [`LocationError::Overflow`] when the coordinate
    /// does not fit.
    pub fn origin(&self, dimension: usize) -> Result<I, LocationError> {
        let rank = self.rank();
        let root = self.space.tree_root();
        let stands_on = Space::density(&self.space, &root)?;
        let axis = stands_on.iter().position(|density| density.is_some_and(|(axis, _, _)| axis == dimension));
        self.origin_in(&root, axis.ok_or(LocationError::Axis { axis: dimension, rank })?)
    }

    /// Where point zero stands in another space: its base point's coordinate along that space's axis `dimension`.
    ///
    /// # Errors
    /// [`LocationError::DifferentRoots`] when there is no common location, [`LocationError::Axis`] when the other
    /// space has no such dimension, [`LocationError::Overflow`] when the coordinate does not fit.
    pub fn origin_in(&self, space: &Space<I>, dimension: usize) -> Result<I, LocationError> {
        let origin = Space::map(&self.space, space, &vec![I::constant(0); self.rank()])?;
        let missing = LocationError::Axis { axis: dimension, rank: space.rank() };
        origin.into_iter().nth(dimension).ok_or(missing)
    }

    /// The view whose axis `i` is this one's axis `permutation[i]` (section 5.2.2).
    ///
    /// # Errors
    /// [`LocationError::Length`], [`LocationError::Axis`] or [`LocationError::RepeatedAxis`] when it is no full
    /// permutation.
    pub fn permute(&self, permutation: &[usize]) -> Result<Self, LocationError> {
        let space = self.space.permute(permutation)?;
        Ok(Self { space, extents: permutation.iter().map(|&axis| self.extents[axis].clone()).collect() })
    }

    /// The view at `index` of `dimension`, which lacks that dimension (section 5.2.2).
    ///
    /// # Errors
    /// [`LocationError::Axis`] when there is no such dimension.
    pub fn slice(&self, dimension: usize, index: I) -> Result<Self, LocationError> {
        let space = self.space.slice(dimension, index)?;
        let mut extents = self.extents.clone();
        extents.remove(dimension);
        Ok(Self { space, extents })
    }

    /// The view with `factors[j]` points for each point along axis `j` (section 5.2.2); its extents are `e * r`.
    ///
    /// # Errors
    /// [`LocationError::Length`], [`LocationError::Factor`], or [`LocationError::Overflow`] when an extent does
    /// not fit.
    pub fn refine(&self, factors: &[i64]) -> Result<Self, LocationError> {
        let space = self.space.refine(factors)?;
        let extents = self.extents.iter().zip(factors).map(|(extent, &factor)| rescale(extent, factor, 1));
        Ok(Self { space, extents: extents.collect::<Result<_, _>>()? })
    }

    /// The view with one point for each `factors[j]` points along axis `j` (section 5.2.2); its extents are
    /// `ceil(e / c)`, so that no point is lost.
    ///
    /// # Errors
    /// [`LocationError::Length`] or [`LocationError::Factor`].
    pub fn coarsen(&self, factors: &[i64]) -> Result<Self, LocationError> {
        let space = self.space.coarsen(factors)?;
        let extents =
            self.extents.iter().zip(factors).map(|(extent, &factor)| ceil_rescale(extent, 1, factor));
        Ok(Self { space, extents: extents.collect::<Result<_, _>>()? })
    }

    /// The segment that the parts take, one part per dimension (section 5.2.3): a range translates, and coarsens
    /// by its step; an index drops its dimension. The segment may lie outside the tensor. Parts fewer than the
    /// dimensions are padded on the left with the index zero.
    ///
    /// # Errors
    /// [`LocationError::RankRises`] when there are more parts than dimensions, [`LocationError::Factor`] when a
    /// step is below one, [`LocationError::Overflow`] when an extent does not fit.
    pub fn partition(&self, parts: &[Part<I>]) -> Result<Self, LocationError> {
        let rank = self.rank();
        let padding =
            rank.checked_sub(parts.len()).ok_or(LocationError::RankRises { from: rank, to: parts.len() })?;
        let mut link = Link {
            permutation: Vec::new(),
            origin: vec![I::constant(0); rank],
            refinement: Vec::new(),
            coarsening: Vec::new(),
            everywhere: false,
        };
        let mut extents = Vec::new();
        for (axis, part) in (padding..).zip(parts) {
            let (extent, step) = match part {
                Part::Full => (self.extents[axis].clone(), 1),
                Part::Index(index) => {
                    link.origin[axis] = index.clone();
                    continue;
                }
                Part::Range { start, end, step } => {
                    if *step < 1 {
                        return Err(LocationError::Factor { factor: *step });
                    }
                    link.origin[axis] = start.clone();
                    (ceil_rescale(&end.sub(start)?.at_least_zero()?, 1, *step)?, *step)
                }
            };
            link.permutation.push(axis);
            link.refinement.push(1);
            link.coarsening.push(step);
            extents.push(extent);
        }
        Ok(Self { space: self.space.child(link)?, extents })
    }

    /// The box of the same extents whose point zero is this one's point `by`.
    ///
    /// # Errors
    /// [`LocationError::Length`] when there is not an entry per dimension.
    pub fn shifted(&self, by: &[I]) -> Result<Self, LocationError> {
        Ok(Self { space: self.space.translate(by)?, extents: self.extents.clone() })
    }

    /// The box of the root that the tensor covers, on the root's axes `0..rank` and in its density: the footprint in
    /// the root.
    ///
    /// # Errors
    /// [`LocationError::Axis`] when the tensor stands on another axis of the root, [`LocationError::Overflow`] when a
    /// coordinate does not fit.
    pub fn place(&self) -> Result<Self, LocationError> {
        let (rank, root) = (self.rank(), self.space.tree_root());
        let stands_on = Space::density(&self.space, &root)?;
        if let Some(axis) = (rank..root.rank()).find(|&axis| stands_on[axis].is_some()) {
            return Err(LocationError::Axis { axis, rank });
        }
        let whole = Self { extents: vec![I::constant(1); root.rank()], space: root.clone() };
        let covered = whole.footprint(self)?;
        let origin = Space::map(&covered.space, &root, &vec![I::constant(0); root.rank()])?;
        let space = Placement::new(rank).at(&origin[..rank]).place_in(&root)?;
        Ok(Self { space, extents: covered.extents[..rank].to_vec() })
    }

    /// Colocation with the source's parameterization (section 5.2.4), `self[index]`: the index space of `index`,
    /// to be laid over the memory of this tensor. Location alone is checked here.
    ///
    /// Where `index` has no place on an axis that this tensor has been sliced along, it is met at the index of the
    /// slice.
    ///
    /// # Errors
    /// [`LocationError::RankRises`] when `index` has more dimensions than this tensor,
    /// [`LocationError::DifferentRoots`] when they have no common location.
    pub fn colocate(&self, index: &TensorSpace<I>) -> Result<Self, LocationError> {
        if index.rank() > self.rank() {
            return Err(LocationError::RankRises { from: self.rank(), to: index.rank() });
        }
        let space = Space::pinned_by(&index.space, &self.space)?;
        Ok(Self { space, extents: index.extents.clone() })
    }

    /// Colocation with the destination's parameterization (section 5.2.4): the place of `of`, in this tensor's own
    /// index space and density.
    ///
    /// Its origin is the base point of `of`'s point zero, and its extents are `ceil(e * num / den)` with the
    /// density of [`Space::density`], also when the place is not aligned: [`coverage`](Self::coverage) and
    /// [`Space::map_interval`] give exact hulls. On an axis that `of` lacks the extent is one.
    ///
    /// # Errors
    /// [`LocationError::DifferentRoots`] when they have no common location, [`LocationError::Overflow`] when a
    /// coordinate does not fit.
    pub fn footprint(&self, of: &TensorSpace<I>) -> Result<Self, LocationError> {
        let origin = Space::map(&of.space, &self.space, &vec![I::constant(0); of.rank()])?;
        let extents = Space::density(&of.space, &self.space)?.into_iter().map(|density| match density {
            Some((axis, num, den)) => ceil_rescale(&of.extents[axis], num, den),
            None => Ok(I::constant(1)),
        });
        Ok(Self { space: self.space.translate(&origin)?, extents: extents.collect::<Result<_, _>>()? })
    }

    /// Coverage (section 5.2.5): all points of this space that share with its point `point` one cell of the
    /// space `with`, wherever that stands in the trie. The view may reach beyond the tensor's extents.
    ///
    /// The point goes to `with` as an interval, and that interval back. Like every map down it is a hull
    /// (Def. 4.3.4): a `with` that has dropped a dimension answers for the place where it lies on it.
    ///
    /// # Errors
    /// [`LocationError::Length`] when the point is not of this rank, [`LocationError::DifferentRoots`] when the
    /// spaces have no common location, [`LocationError::Overflow`] when a coordinate does not fit.
    pub fn coverage(&self, point: &[I], with: &Space<I>) -> Result<Self, LocationError> {
        let point = point.iter().cloned().map(Interval::point).collect::<Result<Vec<_>, _>>()?;
        let cell = Space::map_interval(&self.space, with, &point)?;
        let hull = Space::map_interval(with, &self.space, &cell)?;
        let origin: Vec<_> = hull.iter().map(|interval| interval.start.clone()).collect();
        let extents = hull.iter().map(Interval::length).collect::<Result<_, _>>()?;
        Ok(Self { space: self.space.translate(&origin)?, extents })
    }
}

/// `ceil(extent * multiply / divide)`.
fn ceil_rescale<I: Integer>(extent: &I, multiply: i64, divide: i64) -> Result<I, LocationError> {
    let scaled = rescale(extent, multiply, 1)?;
    if divide == 1 { Ok(scaled) } else { scaled.ceil_div(divide) }
}
