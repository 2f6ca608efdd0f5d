//! Locality access (section 5.2.6 of the thesis): from an index of a view to an element of a block.

use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::runtime::Boundary;
use crate::{LocationError, Space, TensorSpace};

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
        /// Where that is in the nearest block.
        coordinate: Vec<i64>,
        /// The nearest block's extents.
        extents: Vec<i64>,
    },
    /// `Clamp`, `Mirror` or `Wrap` on a block that has no element along an axis.
    #[error("axis {axis} of the block is empty, so no boundary rule can take a coordinate to it")]
    EmptyAxis {
        /// The axis of the nearest block.
        axis: usize,
    },
    /// The index cannot be mapped to the block.
    #[error(transparent)]
    Location(#[from] LocationError),
}

/// A nearest block and all that a read may fall back on.
#[derive(Debug)]
pub(super) struct Level<'a, T> {
    pub(super) memory: &'a [T],
    pub(super) block: TensorSpace<i64>,
    pub(super) rule: Option<Boundary<T>>,
    /// The nearest block of the tensor that this block was copied from.
    pub(super) parent: Option<Arc<Level<'a, T>>>,
}

/// A level whose memory may also be borrowed for writing.
pub(super) struct LevelRef<'m, T> {
    pub(super) memory: &'m [T],
    pub(super) block: &'m TensorSpace<i64>,
    pub(super) rule: Option<&'m Boundary<T>>,
    pub(super) parent: Option<&'m Level<'m, T>>,
}

impl<T> Clone for LevelRef<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for LevelRef<'_, T> {}

impl<T> Level<'_, T> {
    pub(super) fn by_ref(&self) -> LevelRef<'_, T> {
        LevelRef {
            memory: self.memory,
            block: &self.block,
            rule: self.rule.as_ref(),
            parent: self.parent.as_deref(),
        }
    }
}

impl<'m, T> LevelRef<'m, T> {
    /// The level and those above it, nearest first.
    fn walk_up(self) -> impl Iterator<Item = LevelRef<'m, T>> {
        core::iter::successors(Some(self), |level| level.parent.map(Level::by_ref))
    }

    /// The element that a read of `index` in the index space of `place` finds.
    ///
    /// Memory goes before rules: first the nearest block, then the blocks above it, then the tensor's own boundary
    /// rule at its nearest block. The rules of parents play no part: a tensor does what was said of it.
    pub(super) fn read(self, place: &TensorSpace<i64>, index: &[i64]) -> Result<&'m T, AccessError> {
        for level in self.walk_up() {
            let coordinate = Space::map(&place.space, &level.block.space, index)?;
            if let Some(flat) = flat_index(level.block, &coordinate) {
                return Ok(&level.memory[flat]);
            }
        }
        match self.rule {
            Some(rule) => self.read_by_rule(rule, &Space::map(&place.space, &self.block.space, index)?),
            None => Err(outside(place, self.block, index)),
        }
    }

    /// Whether a read would succeed without any boundary rule.
    pub(super) fn contains(self, place: &TensorSpace<i64>, index: &[i64]) -> bool {
        self.walk_up().any(|level| {
            Space::map(&place.space, &level.block.space, index)
                .is_ok_and(|coordinate| flat_index(level.block, &coordinate).is_some())
        })
    }

    fn read_by_rule(self, rule: &'m Boundary<T>, coordinate: &[i64]) -> Result<&'m T, AccessError> {
        if let Boundary::Fill(value) = rule {
            return Ok(value);
        }
        let axes = coordinate.iter().zip(&self.block.extents).enumerate();
        let folded = axes
            .map(|(axis, (&coordinate, &extent))| rule.fold(axis, coordinate, extent))
            .collect::<Result<Vec<_>, _>>()?;
        // Folding has put every coordinate inside.
        flat_index(self.block, &folded).map(|flat| &self.memory[flat]).ok_or_else(|| AccessError::Outside {
            index: coordinate.to_vec(),
            coordinate: folded,
            extents: self.block.extents.clone(),
        })
    }
}

/// The place in memory that a write to `index` in the index space of `place` touches: the nearest block's alone.
pub(super) fn write_index(
    place: &TensorSpace<i64>,
    block: &TensorSpace<i64>,
    index: &[i64],
) -> Result<usize, AccessError> {
    let coordinate = Space::map(&place.space, &block.space, index)?;
    flat_index(block, &coordinate).ok_or_else(|| outside(place, block, index))
}

/// The row-major place of a coordinate in a block's memory; `None` when it is outside on any axis.
pub(super) fn flat_index(block: &TensorSpace<i64>, coordinate: &[i64]) -> Option<usize> {
    coordinate.iter().zip(&block.extents).try_fold(0_usize, |flat, (&at, &extent)| {
        // Inside the block the sums are below the number of its elements, so they fit.
        (0..extent).contains(&at).then(|| flat * extent as usize + at as usize)
    })
}

/// The error of an access that found no memory.
fn outside(place: &TensorSpace<i64>, block: &TensorSpace<i64>, index: &[i64]) -> AccessError {
    match Space::map(&place.space, &block.space, index) {
        Ok(coordinate) => {
            AccessError::Outside { index: index.to_vec(), coordinate, extents: block.extents.clone() }
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
