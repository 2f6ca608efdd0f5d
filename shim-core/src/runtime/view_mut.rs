//! Views that write.

use alloc::sync::Arc;
use core::fmt;
use core::ops::{Index, IndexMut};

use crate::runtime::access::{Ancestry, AncestryRef, Stored, padded, write_index};
use crate::runtime::boundary::Rules;
use crate::runtime::located::check_place;
use crate::runtime::{AccessError, BoundaryRules, Located, TensorOps, View};
use crate::{LocationError, Space, TensorSpace};

/// A view that also writes.
///
/// It reads as [`View`] does. A write reaches the nearest block and nothing else: it does not walk up, and no
/// boundary rule applies to it. Through a coarsened view it touches the base point, through a refined one the
/// single element that all refined points share. Operations take the view's place; [`reborrow`](Self::reborrow)
/// keeps it.
pub struct ViewMut<'a, T, const N: usize> {
    memory: &'a mut [T],
    block: Stored,
    rules: Option<Rules<T>>,
    parent: Option<Arc<Ancestry<'a, T>>>,
    place: TensorSpace<i64>,
}

impl<T, const N: usize> fmt::Debug for ViewMut<'_, T, N> {
    /// Where the view and its nearest block are, without the elements.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("ViewMut");
        shown.field("place", &self.place).field("nearest_block", &self.block.space).finish_non_exhaustive()
    }
}

impl<'a, T, const N: usize> ViewMut<'a, T, N> {
    /// The whole of a block.
    pub(super) fn whole(memory: &'a mut [T], block: &Stored) -> Self {
        Self { memory, block: block.clone(), rules: None, parent: None, place: block.space.clone() }
    }

    /// The memory, the block it belongs to, and the view's place.
    pub(super) fn split(&mut self) -> (&mut [T], &Stored, &TensorSpace<i64>) {
        (self.memory, &self.block, &self.place)
    }

    /// The space and extents of the block that the view reads first and writes.
    pub fn nearest_block(&self) -> &TensorSpace<i64> {
        &self.block.space
    }

    /// The same view for a shorter time, for an operation that takes its view's place.
    pub fn reborrow(&mut self) -> ViewMut<'_, T, N>
    where
        T: Clone,
    {
        ViewMut {
            memory: self.memory,
            block: self.block.clone(),
            rules: self.rules.clone(),
            parent: self.parent.clone(),
            place: self.place.clone(),
        }
    }

    /// The same view for reading.
    pub fn as_view(&self) -> View<'_, T, N>
    where
        T: Clone,
    {
        let level = Ancestry {
            memory: self.memory,
            block: self.block.clone(),
            rules: self.rules.clone(),
            parent: self.parent.clone(),
        };
        View::new(level, self.place.clone())
    }

    /// The view with `parent` above its nearest block, for reads; see [`View::with_parent`].
    ///
    /// # Errors
    /// [`LocationError::DifferentRoots`] when the two have no common location.
    pub fn with_parent<const M: usize>(self, parent: &View<'a, T, M>) -> Result<Self, LocationError> {
        Space::common_ancestor(&self.block.space.space, &parent.location().space)?;
        Ok(Self { parent: Some(Arc::clone(parent.level())), ..self })
    }

    /// The element at an index, `None` where there is none.
    pub fn get<const K: usize>(&self, index: [isize; K]) -> Option<&T> {
        self.find(index).ok()
    }

    /// The element at an index, for writing; `None` outside the nearest block.
    pub fn get_mut<const K: usize>(&mut self, index: [isize; K]) -> Option<&mut T> {
        self.place_of(index).ok()
    }

    /// The element at an index.
    ///
    /// # Errors
    /// As for [`View::read`].
    pub fn read<const K: usize>(&self, index: [isize; K]) -> Result<T, AccessError>
    where
        T: Copy,
    {
        self.find(index).copied()
    }

    /// Writes the element at an index.
    ///
    /// # Errors
    /// [`AccessError::Outside`] when the location is outside the nearest block, [`AccessError::Location`] when the
    /// index cannot be mapped.
    pub fn set<const K: usize>(&mut self, index: [isize; K], value: T) -> Result<(), AccessError> {
        *self.place_of(index)? = value;
        Ok(())
    }

    /// Whether a read at that index would find memory, walking up included and boundary rules left out.
    pub fn contains<const K: usize>(&self, index: [isize; K]) -> bool {
        self.level().contains(&self.place, &padded::<K, N>(index))
    }

    pub(super) fn level(&self) -> AncestryRef<'_, T> {
        AncestryRef {
            memory: self.memory,
            block: &self.block,
            rules: self.rules.as_ref(),
            parent: self.parent.as_deref(),
        }
    }

    fn find<const K: usize>(&self, index: [isize; K]) -> Result<&T, AccessError> {
        self.level().read(&self.place, &padded::<K, N>(index))
    }

    fn place_of<const K: usize>(&mut self, index: [isize; K]) -> Result<&mut T, AccessError> {
        let flat = write_index(&self.place, &self.block, &padded::<K, N>(index))?;
        Ok(&mut self.memory[flat])
    }
}

impl<T, const N: usize> Located<N> for ViewMut<'_, T, N> {
    fn location(&self) -> &TensorSpace<i64> {
        &self.place
    }
}

impl<'a, T, const N: usize> TensorOps<N> for ViewMut<'a, T, N> {
    type Element = T;
    type Ranked<const M: usize> = ViewMut<'a, T, M>;

    fn seen_from<const M: usize>(self, place: TensorSpace<i64>) -> Result<ViewMut<'a, T, M>, LocationError> {
        check_place::<M>(&place)?;
        Space::common_ancestor(&self.place.space, &place.space)?;
        let Self { memory, block, rules, parent, place: _ } = self;
        Ok(ViewMut { memory, block, rules, parent, place })
    }

    fn boundary(self, rules: impl BoundaryRules<T, N>) -> Self {
        let rules = Rules::of(rules, &self.place.space, &self.block.space.space);
        Self { rules: Some(rules), ..self }
    }
}

impl<T, const N: usize, const K: usize> Index<[isize; K]> for ViewMut<'_, T, N> {
    type Output = T;

    /// The element at an index.
    ///
    /// # Panics
    /// Where [`get`](ViewMut::get) gives `None`.
    #[track_caller]
    fn index(&self, index: [isize; K]) -> &T {
        self.find(index).unwrap_or_else(|error| panic!("{error}"))
    }
}

impl<T, const N: usize, const K: usize> IndexMut<[isize; K]> for ViewMut<'_, T, N> {
    /// The nearest block's element at an index.
    ///
    /// # Panics
    /// Where [`get_mut`](ViewMut::get_mut) gives `None`.
    #[track_caller]
    fn index_mut(&mut self, index: [isize; K]) -> &mut T {
        self.place_of(index).unwrap_or_else(|error| panic!("{error}"))
    }
}
