//! Locality access (section 5.2.6 of the thesis): from an index of a view to an element of a block.

use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::runtime::boundary::{Ruled, Rules};
use crate::{Layout, Level, LocationError, Reached, Space, TensorSpace, walk_up};

/// Why an element could not be read or written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AccessError {
    /// The location is outside the nearest block and, for a read, outside every block above it, and no boundary
    /// rule was given.
    #[error("index {index:?} is {coordinate:?} in its nearest block, whose extents are {extents:?}")]
    Outside {
        /// The index, in the view's index space, padded to its rank.
        index: Vec<i64>,
        /// Where that is in the nearest block: behind the coordinates on its axes, how far the element is from it on
        /// axes that it has dropped (see [`Space::apart`]).
        coordinate: Vec<i64>,
        /// The nearest block's extents; one on axes that it has dropped.
        extents: Vec<i64>,
    },
    /// A rule other than `Fill` on a block that has no element along an axis.
    #[error("axis {axis} of the block is empty, so no boundary rule can take a coordinate to it")]
    EmptyAxis {
        /// The axis of the nearest block.
        axis: usize,
    },
    /// The function of a `By` rule gave a coordinate that is outside as well.
    #[error(
        "the boundary rule of axis {axis} takes coordinate {coordinate} to {found}, and the extent is {extent}"
    )]
    Rule {
        /// The axis of the nearest block.
        axis: usize,
        /// The coordinate that the function was called with.
        coordinate: i64,
        /// The coordinate that it returned.
        found: i64,
        /// The extent of the axis.
        extent: i64,
    },
    /// The index cannot be mapped to the block.
    #[error(transparent)]
    Location(#[from] LocationError),
}

/// A block without its memory: its space, and the order of its elements.
#[derive(Clone, Debug)]
pub(super) struct Stored {
    pub(super) space: TensorSpace<i64>,
    pub(super) layout: Layout<i64>,
}

impl Stored {
    /// The index in memory of a coordinate; `None` when it is outside on any axis.
    fn index(&self, coordinate: &[i64]) -> Option<usize> {
        let mut axes = coordinate.iter().zip(&self.space.extents);
        if !axes.all(|(at, extent)| (0..*extent).contains(at)) {
            return None;
        }
        // The block was made over memory that holds its span.
        usize::try_from(self.layout.offset(coordinate).ok()?).ok()
    }
}

/// A nearest block and all that a read may fall back on.
#[derive(Debug)]
pub(super) struct Ancestry<'a, T> {
    pub(super) memory: &'a [T],
    pub(super) block: Stored,
    pub(super) rules: Option<Rules<T>>,
    /// The nearest block of the tensor that this block was copied from.
    pub(super) parent: Option<Arc<Ancestry<'a, T>>>,
}

/// An [`Ancestry`] whose memory may also be borrowed for writing.
pub(super) struct AncestryRef<'m, T> {
    pub(super) memory: &'m [T],
    pub(super) block: &'m Stored,
    pub(super) rules: Option<&'m Rules<T>>,
    pub(super) parent: Option<&'m Ancestry<'m, T>>,
}

impl<T> Clone for AncestryRef<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for AncestryRef<'_, T> {}

impl<T> Ancestry<'_, T> {
    pub(super) fn by_ref(&self) -> AncestryRef<'_, T> {
        AncestryRef {
            memory: self.memory,
            block: &self.block,
            rules: self.rules.as_ref(),
            parent: self.parent.as_deref(),
        }
    }
}

impl<T> Level<i64> for AncestryRef<'_, T> {
    fn space(&self) -> &Space<i64> {
        &self.block.space.space
    }

    fn above(&self) -> Option<Self> {
        self.parent.map(Ancestry::by_ref)
    }
}

impl<T> Reached<AncestryRef<'_, T>, i64> {
    /// The index in the block's memory, if the block holds the element.
    fn index(&self) -> Option<usize> {
        index_at(self.level.block, &self.coordinate, &self.apart)
    }
}

/// The index in the memory of a block, if it holds the element at `coordinate` that is as far `apart` on axes that it
/// has dropped.
fn index_at(block: &Stored, coordinate: &[i64], apart: &[i64]) -> Option<usize> {
    block.index(coordinate).filter(|_| apart.iter().all(|apart| *apart == 0))
}

impl<'m, T> AncestryRef<'m, T> {
    /// The element that a read of `index` in the index space of `place` finds.
    ///
    /// Memory goes before rules: first the nearest block, then the blocks above it, then the tensor's own boundary
    /// rule at its nearest block. The rules of parents play no part: a tensor does what was said of it.
    pub(super) fn read(self, place: &TensorSpace<i64>, index: &[i64]) -> Result<&'m T, AccessError> {
        for level in walk_up(&place.space, index, self) {
            let level = level?;
            if let Some(at) = level.index() {
                return Ok(&level.level.memory[at]);
            }
        }
        match self.rules {
            Some(rules) => self.read_by_rules(rules, place, index),
            None => Err(outside(place, &self.block.space, index)),
        }
    }

    /// Whether a read would succeed without any boundary rule.
    pub(super) fn contains(self, place: &TensorSpace<i64>, index: &[i64]) -> bool {
        walk_up(&place.space, index, self).any(|level| level.is_ok_and(|level| level.index().is_some()))
    }

    fn read_by_rules(
        self,
        rules: &'m Rules<T>,
        place: &TensorSpace<i64>,
        index: &[i64],
    ) -> Result<&'m T, AccessError> {
        let TensorSpace { ref space, ref extents, .. } = self.block.space;
        let coordinate = Space::map(&place.space, space, index)?;
        let apart = Space::apart(&place.space, space, index)?;
        let found = match rules.apply(&coordinate, extents, &apart)? {
            Ruled::Value(value) => return Ok(value),
            Ruled::At(coordinate) => self.block.index(&coordinate),
            Ruled::Nothing => None,
        };
        found.map(|at| &self.memory[at]).ok_or_else(|| outside(place, &self.block.space, index))
    }
}

/// The index in memory that a write to `index` in the index space of `place` touches: the nearest block's alone.
pub(super) fn write_index(
    place: &TensorSpace<i64>,
    block: &Stored,
    index: &[i64],
) -> Result<usize, AccessError> {
    let coordinate = Space::map(&place.space, &block.space.space, index)?;
    let apart = Space::apart(&place.space, &block.space.space, index)?;
    index_at(block, &coordinate, &apart).ok_or_else(|| outside(place, &block.space, index))
}

/// The error of an access that found no memory.
fn outside(place: &TensorSpace<i64>, block: &TensorSpace<i64>, index: &[i64]) -> AccessError {
    let found = Space::map(&place.space, &block.space, index)
        .and_then(|coordinate| Ok((coordinate, Space::apart(&place.space, &block.space, index)?)));
    match found {
        Ok((mut coordinate, apart)) => {
            let mut extents = block.extents.clone();
            extents.extend(apart.iter().map(|_| 1));
            coordinate.extend(apart);
            AccessError::Outside { index: index.to_vec(), coordinate, extents }
        }
        Err(error) => error.into(),
    }
}

/// An index list padded to the rank with zeros on the left, in the integer of the algebra.
pub(super) fn padded<const K: usize, const N: usize>(index: [isize; K]) -> [i64; N] {
    const { assert!(K <= N, "an index list is no longer than the rank") };
    let mut whole = [0; N];
    for (slot, at) in whole[N - K..].iter_mut().zip(index) {
        *slot = at as i64;
    }
    whole
}
