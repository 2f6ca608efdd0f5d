//! Views that read.

use alloc::sync::Arc;
use core::fmt;
use core::ops::Index;

use crate::runtime::access::{Ancestry, Stored, padded};
use crate::runtime::boundary::Rules;
use crate::runtime::located::check_place;
use crate::runtime::{AccessError, Block, BoundaryRules, Located, TensorOps};
use crate::{LocationError, Space, TensorSpace};

/// A view (section 5.1 of the thesis): the elements of a block, its *nearest block*, seen from some place.
///
/// An index outside the view's own extents is a location all the same, and `-1` is the neighbor before the first
/// point. A read there finds, in this order: the element of the nearest block, when the location is inside its
/// extents on every axis; else that of the blocks above it (see [`with_parent`](Self::with_parent)); else what the
/// view's boundary rule says (see [`Boundary`](crate::Boundary)); else an error. An index list shorter than the rank is
/// padded with zeros on the left.
pub struct View<'a, T, const N: usize> {
    level: Arc<Ancestry<'a, T>>,
    place: TensorSpace<i64>,
}

impl<T, const N: usize> Clone for View<'_, T, N> {
    fn clone(&self) -> Self {
        Self { level: Arc::clone(&self.level), place: self.place.clone() }
    }
}

impl<T, const N: usize> fmt::Debug for View<'_, T, N> {
    /// Where the view and its nearest block are, without the elements.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("View");
        shown
            .field("place", &self.place)
            .field("nearest_block", &self.level.block.space)
            .finish_non_exhaustive()
    }
}

impl<'a, T, const N: usize> View<'a, T, N> {
    /// The whole of a block.
    pub(super) fn whole(memory: &'a [T], block: &Stored) -> Self {
        let level = Ancestry { memory, block: block.clone(), rules: None, parent: None };
        Self { level: Arc::new(level), place: block.space.clone() }
    }

    /// A view of a level from the place of a tensor.
    pub(super) fn new(level: Ancestry<'a, T>, place: TensorSpace<i64>) -> Self {
        Self { level: Arc::new(level), place }
    }

    /// A view of a level that others share, from the place of a tensor.
    pub(super) fn on(level: Arc<Ancestry<'a, T>>, place: TensorSpace<i64>) -> Self {
        Self { level, place }
    }

    pub(super) fn level(&self) -> &Arc<Ancestry<'a, T>> {
        &self.level
    }

    /// The space and extents of the block that the view reads first.
    pub fn nearest_block(&self) -> &TensorSpace<i64> {
        &self.level.block.space
    }

    /// The view with `parent` above its nearest block: a read that misses the block *walks up* (5.2.6) and reads
    /// the parent's element at that location. It replaces the parent that the view had. The parent gives its memory,
    /// and that of its own parents, but not its boundary rule.
    ///
    /// A block that was copied from a view ([`to_block`](Self::to_block)) owns its memory and cannot hold a borrow
    /// of the view, so the view is named again where the block is read.
    ///
    /// # Errors
    /// [`LocationError::DifferentRoots`] when the two have no common location.
    pub fn with_parent<const M: usize>(&self, parent: &View<'a, T, M>) -> Result<Self, LocationError>
    where
        T: Clone,
    {
        Space::common_ancestor(&self.level.block.space.space, &parent.place.space)?;
        let level = Ancestry { parent: Some(Arc::clone(&parent.level)), ..self.copy_level() };
        Ok(Self::new(level, self.place.clone()))
    }

    fn copy_level(&self) -> Ancestry<'a, T>
    where
        T: Clone,
    {
        let Ancestry { memory, ref block, ref rules, ref parent } = *self.level;
        Ancestry { memory, block: block.clone(), rules: rules.clone(), parent: parent.clone() }
    }

    /// The element at an index, `None` where there is none.
    pub fn get<const K: usize>(&self, index: [isize; K]) -> Option<&T> {
        self.find(index).ok()
    }

    /// The element at an index.
    ///
    /// # Errors
    /// [`AccessError::Outside`] when neither memory nor a boundary rule has one, [`AccessError::EmptyAxis`] when a
    /// rule has no element to give, [`AccessError::Location`] when the index cannot be mapped.
    pub fn read<const K: usize>(&self, index: [isize; K]) -> Result<T, AccessError>
    where
        T: Copy,
    {
        self.find(index).copied()
    }

    /// Whether a read at that index would find memory, walking up included and boundary rules left out.
    pub fn contains<const K: usize>(&self, index: [isize; K]) -> bool {
        self.level.by_ref().contains(&self.place, &padded::<K, N>(index))
    }

    fn find<const K: usize>(&self, index: [isize; K]) -> Result<&T, AccessError> {
        self.level.by_ref().read(&self.place, &padded::<K, N>(index))
    }

    /// Block copy (5.2.1): a block of the view's place and extents with memory of its own, filled with the default.
    /// The view's space becomes the parent of the block's.
    ///
    /// # Panics
    /// When that much memory cannot be had, as `Vec` does.
    #[must_use]
    pub fn to_block(&self) -> Block<T, N>
    where
        T: Copy + Default,
    {
        Block::filled(self.extents(), T::default()).inside(&self.place.space)
    }

    /// Block copy with the contents: [`to_block`](Self::to_block), filled by reading the view.
    ///
    /// # Errors
    /// As for [`read`](Self::read), when the view has a point without an element.
    ///
    /// # Panics
    /// When that much memory cannot be had, as `Vec` does.
    pub fn copied(&self) -> Result<Block<T, N>, AccessError>
    where
        T: Copy + Default,
    {
        let mut block = self.to_block();
        for index in self.indices() {
            block.set(index, self.read(index)?)?;
        }
        Ok(block)
    }
}

impl<T, const N: usize> Located<N> for View<'_, T, N> {
    fn location(&self) -> &TensorSpace<i64> {
        &self.place
    }
}

impl<'a, T: Clone, const N: usize> TensorOps<N> for &View<'a, T, N> {
    type Element = T;
    type Ranked<const M: usize> = View<'a, T, M>;

    fn seen_from<const M: usize>(self, place: TensorSpace<i64>) -> Result<View<'a, T, M>, LocationError> {
        check_place::<M>(&place)?;
        Space::common_ancestor(&self.place.space, &place.space)?;
        Ok(View { level: Arc::clone(&self.level), place })
    }

    fn boundary(self, rules: impl BoundaryRules<T, N>) -> View<'a, T, N> {
        let rules = Rules::of(rules, &self.place.space, &self.level.block.space.space);
        View::new(Ancestry { rules: Some(rules), ..self.copy_level() }, self.place.clone())
    }
}

impl<T, const N: usize, const K: usize> Index<[isize; K]> for View<'_, T, N> {
    type Output = T;

    /// The element at an index.
    ///
    /// # Panics
    /// Where [`get`](View::get) gives `None`.
    #[track_caller]
    fn index(&self, index: [isize; K]) -> &T {
        self.find(index).unwrap_or_else(|error| panic!("{error}"))
    }
}
