//! Blocks: tensors that own their elements.

use alloc::vec;
use alloc::vec::Vec;
use core::ops::{Index, IndexMut};

use crate::runtime::access::{AccessError, AncestryRef, Stored, padded, write_index};
use crate::runtime::located::check_place;
use crate::runtime::operations::to_factors;
use crate::runtime::{BoundaryRules, Located, TensorOps, View, ViewMut};
use crate::{Layout, LocationError, Order, Placement, Space, TensorSpace};

/// Why a block could not be made of a vector.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BlockError {
    /// The vector has another number of elements than the extents have points.
    #[error("the extents ask for {expected} elements, and the vector has {found}")]
    Elements {
        /// The product of the extents.
        expected: usize,
        /// The length of the vector.
        found: usize,
    },
    /// The vector is shorter than what the layout spans.
    #[error("the extents and the layout span {span} elements, and the vector has {found}")]
    Span {
        /// The number of elements, with gaps and padding.
        span: usize,
        /// The length of the vector.
        found: usize,
    },
    /// The extents have more points than can be counted, or the offsets do not fit.
    #[error(transparent)]
    Location(#[from] LocationError),
}

/// A block (section 5.1 of the thesis): an array of `N` dimensions that owns its elements and has a location.
///
/// The elements are in row-major order, unless the block is made with [`with_strides`](Self::with_strides) or
/// [`with_order`](Self::with_order).
///
/// A new block stands alone, at the origin of a root space of its own. [`in_space`](Self::in_space) puts it into a
/// space that it shares with other blocks; [`at`](Self::at), [`on_axes`](Self::on_axes),
/// [`permuted`](Self::permuted), [`refined`](Self::refined) and [`coarsened`](Self::coarsened) say where it stands
/// there, all together as one [`Placement`], in any order.
///
/// ```
/// use shim_core::{Block, Located, Space};
///
/// // 4:2:0 video: a chroma sample for each 2x2 luma samples.
/// let root = Space::root(2);
/// let luma = Block::<u8, 2>::new([64, 48]).in_space(&root)?;
/// let chroma = Block::<u8, 2>::new([32, 24]).in_space(&root)?.coarsened([2, 2])?;
/// let block = Block::<u8, 2>::new([4, 4]).in_space(&root)?.at([16, 8]);
/// assert_eq!((block.origin_in(&chroma, 0)?, block.origin_in(&chroma, 1)?), (8, 4));
/// # Ok::<(), shim_core::LocationError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Block<T, const N: usize> {
    memory: Vec<T>,
    /// The space that the placement is relative to.
    parent: Space<i64>,
    placement: Placement<i64>,
    stored: Stored,
}

impl<T, const N: usize> Block<T, N> {
    /// A block of the given extents, filled with the default, which for numbers is zero.
    ///
    /// # Panics
    /// When that much memory cannot be had, as `Vec` does.
    #[must_use]
    pub fn new(extents: [usize; N]) -> Self
    where
        T: Copy + Default,
    {
        Self::filled(extents, T::default())
    }

    /// A block of the given extents, filled with a value.
    ///
    /// # Panics
    /// When that much memory cannot be had, as `Vec` does.
    #[must_use]
    #[track_caller]
    pub fn filled(extents: [usize; N], value: T) -> Self
    where
        T: Clone,
    {
        let count = points(extents).expect("the extents have more points than memory");
        Self::alone(extents, vec![value; count]).expect("the extents have more points than memory")
    }

    /// A block of the given extents, whose elements are given for each index, in row-major order.
    ///
    /// # Panics
    /// When that much memory cannot be had, as `Vec` does.
    #[must_use]
    #[track_caller]
    pub fn from_fn(extents: [usize; N], element: impl FnMut([isize; N]) -> T) -> Self {
        let memory = crate::runtime::Indices::new(extents).map(element).collect();
        Self::from_vec(extents, memory).expect("the extents have more points than memory")
    }

    /// A block over the elements of a vector, in row-major order.
    ///
    /// # Errors
    /// [`BlockError::Elements`] unless there is an element for each point, [`BlockError::Location`] when the
    /// points cannot be counted.
    pub fn from_vec(extents: [usize; N], memory: Vec<T>) -> Result<Self, BlockError> {
        let (expected, found) = (points(extents)?, memory.len());
        if expected != found {
            return Err(BlockError::Elements { expected, found });
        }
        Ok(Self::alone(extents, memory)?)
    }

    /// A block over a vector with gaps, or with its axes in another order: neighbors along axis `j` are `strides[j]`
    /// elements apart, and the element at the origin is the first of the vector.
    ///
    /// ```
    /// use shim_core::Block;
    ///
    /// // Two rows of three samples, each padded to four.
    /// let plane = Block::with_strides([2, 3], [4, 1], vec![1, 2, 3, 0, 4, 5, 6])?;
    /// assert_eq!(plane[[1, 0]], 4);
    /// # Ok::<(), shim_core::BlockError>(())
    /// ```
    ///
    /// # Errors
    /// [`BlockError::Span`] when the vector ends before the last element, [`BlockError::Location`] when an offset does
    /// not fit.
    pub fn with_strides(
        extents: [usize; N],
        strides: [usize; N],
        memory: Vec<T>,
    ) -> Result<Self, BlockError> {
        Self::over(extents, Layout::strided(to_factors(strides)?.to_vec()), memory)
    }

    /// A block over a vector whose elements are in another order. Where the extents are not multiples of a tile's, the
    /// vector holds the padding of the last tiles, which is never read.
    ///
    /// ```
    /// use shim_core::{Block, Order};
    ///
    /// // Two tiles of 2x2, one after the other.
    /// let tiled = Block::with_order([2, 4], &Order::tile(&[2, 2]), (0..8).collect())?;
    /// assert_eq!((tiled[[1, 0]], tiled[[0, 2]]), (2, 4));
    /// # Ok::<(), shim_core::BlockError>(())
    /// ```
    ///
    /// # Errors
    /// [`BlockError::Span`] when the vector is too short, [`BlockError::Location`] when the order is not defined for
    /// these extents (see [`Order::layout`]).
    pub fn with_order(extents: [usize; N], order: &Order, memory: Vec<T>) -> Result<Self, BlockError> {
        Self::over(extents, order.layout(&to_factors(extents)?)?, memory)
    }

    fn over(extents: [usize; N], layout: Layout<i64>, memory: Vec<T>) -> Result<Self, BlockError> {
        let span = layout.span(&to_factors(extents)?)?;
        let (span, found) = (usize::try_from(span).map_err(|_| LocationError::Overflow)?, memory.len());
        if found < span {
            return Err(BlockError::Span { span, found });
        }
        Ok(Self::with_layout(extents, layout, memory)?)
    }

    fn alone(extents: [usize; N], memory: Vec<T>) -> Result<Self, LocationError> {
        let layout = match Layout::row_major(&to_factors(extents)?) {
            // No element of an empty block has an offset.
            Err(LocationError::Overflow) if memory.is_empty() => Layout::strided(alloc::vec![0; N]),
            layout => layout?,
        };
        Self::with_layout(extents, layout, memory)
    }

    fn with_layout(extents: [usize; N], layout: Layout<i64>, memory: Vec<T>) -> Result<Self, LocationError> {
        let parent = Space::root(N);
        let placement = Placement::new(N);
        let space = TensorSpace::new(placement.place_in(&parent)?, to_factors(extents)?.to_vec())?;
        check_place::<N>(&space)?;
        Ok(Self { memory, parent, placement, stored: Stored { space, layout } })
    }

    /// Stands in the given space, usually a root that all blocks of a program share.
    ///
    /// # Errors
    /// [`LocationError::RankRises`] when the space has fewer dimensions than the block; [`LocationError::Axis`]
    /// when it lacks an axis that the block was put on.
    pub fn in_space(self, space: &Space<i64>) -> Result<Self, LocationError> {
        Self { parent: space.clone(), ..self }.placed()
    }

    /// Begins at the given point of its space, along the axes that the block stands on.
    #[must_use]
    #[allow(clippy::missing_panics_doc, reason = "an origin cannot break a placement that holds")]
    pub fn at(self, origin: [isize; N]) -> Self {
        let placement = self.placement.clone().at(&origin.map(|at| at as i64));
        Self { placement, ..self }.placed().expect("an origin of the block's rank")
    }

    /// Stands on the given axes of its space: its axis `i` is the space's axis `axes[i]`. By default `axes[i]`
    /// is `i`.
    ///
    /// # Errors
    /// [`LocationError::Axis`] or [`LocationError::RepeatedAxis`] when they are not distinct axes of the space.
    pub fn on_axes(self, axes: [usize; N]) -> Result<Self, LocationError> {
        Self { placement: self.placement.clone().on_axes(&axes), ..self }.placed()
    }

    /// Has its axes in another order than its space: its axis `i` is the one that would be axis `permutation[i]`.
    ///
    /// # Errors
    /// [`LocationError::Axis`] or [`LocationError::RepeatedAxis`] when it is no permutation.
    pub fn permuted(self, permutation: [usize; N]) -> Result<Self, LocationError> {
        Self { placement: self.placement.clone().permuted(&permutation), ..self }.placed()
    }

    /// Has `factors[i]` points along its axis `i` for each point of its space.
    ///
    /// # Errors
    /// [`LocationError::Factor`] when a factor is below one, [`LocationError::RefinedAndCoarsened`] when an axis
    /// is also coarsened.
    pub fn refined(self, factors: [usize; N]) -> Result<Self, LocationError> {
        Self { placement: self.placement.clone().refined(&to_factors(factors)?), ..self }.placed()
    }

    /// Has one point along its axis `i` for each `factors[i]` points of its space.
    ///
    /// # Errors
    /// [`LocationError::Factor`] when a factor is below one, [`LocationError::RefinedAndCoarsened`] when an axis
    /// is also refined.
    pub fn coarsened(self, factors: [usize; N]) -> Result<Self, LocationError> {
        Self { placement: self.placement.clone().coarsened(&to_factors(factors)?), ..self }.placed()
    }

    fn placed(self) -> Result<Self, LocationError> {
        let space = self.placement.place_in(&self.parent)?;
        let Stored { space: old, layout } = self.stored;
        let stored = Stored { space: TensorSpace { space, extents: old.extents }, layout };
        Ok(Self { stored, ..self })
    }

    /// A new block, with the given space of its own rank as its parent.
    pub(super) fn inside(self, space: &Space<i64>) -> Self {
        self.in_space(space).expect("a space of the block's rank")
    }

    /// The whole block as a view.
    pub fn view(&self) -> View<'_, T, N> {
        View::whole(&self.memory, &self.stored)
    }

    /// The whole block as a view that writes.
    pub fn view_mut(&mut self) -> ViewMut<'_, T, N> {
        ViewMut::whole(&mut self.memory, &self.stored)
    }

    /// The elements in the order of memory, with gaps between strides and the padding of tiles.
    pub fn as_slice(&self) -> &[T] {
        &self.memory
    }

    /// The elements in the order of memory, with gaps between strides and the padding of tiles, for writing.
    pub fn as_mut_slice(&mut self) -> &mut [T] {
        &mut self.memory
    }

    /// The elements in the order of memory, with gaps between strides and the padding of tiles.
    #[must_use]
    pub fn into_vec(self) -> Vec<T> {
        self.memory
    }

    /// The element at an index, `None` outside the block.
    pub fn get<const K: usize>(&self, index: [isize; K]) -> Option<&T> {
        self.find(index).ok()
    }

    /// The element at an index, for writing; `None` outside the block.
    pub fn get_mut<const K: usize>(&mut self, index: [isize; K]) -> Option<&mut T> {
        self.place_of(index).ok()
    }

    /// The element at an index.
    ///
    /// # Errors
    /// [`AccessError::Outside`] when the index is outside the block.
    pub fn read<const K: usize>(&self, index: [isize; K]) -> Result<T, AccessError>
    where
        T: Copy,
    {
        self.find(index).copied()
    }

    /// Writes the element at an index.
    ///
    /// # Errors
    /// [`AccessError::Outside`] when the index is outside the block.
    pub fn set<const K: usize>(&mut self, index: [isize; K], value: T) -> Result<(), AccessError> {
        *self.place_of(index)? = value;
        Ok(())
    }

    /// Whether the index is inside the block.
    pub fn contains<const K: usize>(&self, index: [isize; K]) -> bool {
        self.find(index).is_ok()
    }

    pub(super) fn stored(&self) -> &Stored {
        &self.stored
    }

    pub(super) fn split(&mut self) -> (&mut [T], &Stored) {
        (&mut self.memory, &self.stored)
    }

    fn find<const K: usize>(&self, index: [isize; K]) -> Result<&T, AccessError> {
        let level = AncestryRef { memory: &self.memory, block: &self.stored, rules: None, parent: None };
        level.read(&self.stored.space, &padded::<K, N>(index))
    }

    fn place_of<const K: usize>(&mut self, index: [isize; K]) -> Result<&mut T, AccessError> {
        let at = write_index(&self.stored.space, &self.stored, &padded::<K, N>(index))?;
        Ok(&mut self.memory[at])
    }
}

/// The number of points of a box.
fn points<const N: usize>(extents: [usize; N]) -> Result<usize, LocationError> {
    // A zero makes the box empty, however large the others.
    if extents.contains(&0) {
        return Ok(0);
    }
    let product = extents.iter().try_fold(1_usize, |product, &extent| product.checked_mul(extent));
    product.ok_or(LocationError::Overflow)
}

impl<T, const N: usize> Located<N> for Block<T, N> {
    fn location(&self) -> &TensorSpace<i64> {
        &self.stored.space
    }
}

impl<'a, T: Clone, const N: usize> TensorOps<N> for &'a Block<T, N> {
    type Element = T;
    type Ranked<const M: usize> = View<'a, T, M>;

    fn seen_from<const M: usize>(self, place: TensorSpace<i64>) -> Result<View<'a, T, M>, LocationError> {
        (&self.view()).seen_from(place)
    }

    fn boundary(self, rules: impl BoundaryRules<T, N>) -> View<'a, T, N> {
        (&self.view()).boundary(rules)
    }
}

impl<T, const N: usize, const K: usize> Index<[isize; K]> for Block<T, N> {
    type Output = T;

    /// The element at an index.
    ///
    /// # Panics
    /// When the index is outside the block.
    #[track_caller]
    fn index(&self, index: [isize; K]) -> &T {
        self.find(index).unwrap_or_else(|error| panic!("{error}"))
    }
}

impl<T, const N: usize, const K: usize> IndexMut<[isize; K]> for Block<T, N> {
    /// The element at an index.
    ///
    /// # Panics
    /// When the index is outside the block.
    #[track_caller]
    fn index_mut(&mut self, index: [isize; K]) -> &mut T {
        self.place_of(index).unwrap_or_else(|error| panic!("{error}"))
    }
}
