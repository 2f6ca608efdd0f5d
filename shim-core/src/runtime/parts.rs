//! Runtime tensors as a kernel takes them: a slice, a base, extents and strides.
//!
//! Hidden from the documentation: the emitted code of a kernel calls it at entry, and nobody else should.

use alloc::vec::Vec;

use crate::map::path;
use crate::runtime::access::{AncestryRef, Stored};
use crate::runtime::{Block, Located, View, ViewMut};
use crate::{LocationError, Space, TensorSpace};

/// A tensor to read, flat. The element at `index` is `memory[base + sum(index[j] * strides[j])]`, and lies in the
/// memory for every index inside the extents.
#[derive(Debug)]
pub struct Parts<'a, T, const N: usize> {
    /// The elements of the nearest block.
    pub memory: &'a [T],
    /// The place of the tensor's element at zero; zero when the tensor is empty.
    pub base: isize,
    /// The tensor's extents.
    pub extents: [usize; N],
    /// How far apart neighbors along each axis are; zero along an axis that the nearest block lacks.
    pub strides: [isize; N],
}

/// A tensor to write, flat; as [`Parts`].
#[derive(Debug)]
pub struct PartsMut<'a, T, const N: usize> {
    /// The elements of the nearest block.
    pub memory: &'a mut [T],
    /// The place of the tensor's element at zero; zero when the tensor is empty.
    pub base: isize,
    /// The tensor's extents.
    pub extents: [usize; N],
    /// How far apart neighbors along each axis are; zero along an axis that the nearest block lacks.
    pub strides: [isize; N],
}

/// Why a tensor cannot enter a kernel.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PartsError {
    /// Neighbors along an axis are not neighbors in the nearest block.
    #[error(
        "axis {axis} of the tensor is refined or coarsened against its block; give it so inside the kernel"
    )]
    Factor {
        /// The axis of the tensor.
        axis: usize,
    },
    /// The elements of the nearest block are not in an order that strides describe.
    #[error(
        "the elements of the tensor's block are not a constant stride apart; use `.stored(..)` inside the kernel"
    )]
    Order,
    /// The elements of an array of another crate do not lie one behind the other in memory.
    #[error(
        "the elements of the array have gaps between them; pass a copy, as that of `as_standard_layout()`, or the whole array"
    )]
    Gaps,
    /// The tensor has a boundary rule.
    #[error("the tensor has a boundary rule, which does not enter a kernel; give the rule inside the kernel")]
    Rule,
    /// The tensor is a copy whose reads go on to what it was copied from.
    #[error(
        "reads outside the tensor's block go on to another tensor, which does not enter a kernel; make the copy inside the kernel"
    )]
    Parent,
    /// The tensor reaches outside its nearest block.
    #[error("the tensor covers {first}..={last} on axis {axis} of its block, whose extent is {extent}")]
    Outside {
        /// The axis of the block.
        axis: usize,
        /// The first coordinate that the tensor covers.
        first: i64,
        /// The last.
        last: i64,
        /// The block's extent.
        extent: i64,
    },
    /// The place cannot be mapped to the block.
    #[error(transparent)]
    Location(#[from] LocationError),
}

/// The layout of a tensor in its nearest block's memory: that of the block, seen from the tensor's place.
fn flatten<const N: usize>(
    place: &TensorSpace<i64>,
    block: &Stored,
) -> Result<(isize, [isize; N]), PartsError> {
    let Stored { space: block, layout } = block;
    let block_strides = layout.strides().ok_or(PartsError::Order)?;
    let mut strides = [0; N];
    let base = Space::map(&place.space, &block.space, &[0; N])?;
    let stands_on = Space::density(&place.space, &block.space)?;
    let empty = place.extents.contains(&0);
    for (axis, density) in stands_on.iter().enumerate() {
        let (first, extent) = (base[axis], block.extents[axis]);
        let mut last = first;
        if let &Some((own, num, den)) = density {
            if num != den || !keeps_step(place, block, own, axis)? {
                return Err(PartsError::Factor { axis: own });
            }
            strides[own] = block_strides[axis] as isize;
            last = first.checked_add(place.extents[own] - 1).ok_or(LocationError::Overflow)?;
        }
        if !empty && (first < 0 || last >= extent) {
            return Err(PartsError::Outside { axis, first, last, extent });
        }
    }
    // No element of an empty tensor is ever addressed, and its origin need not be in the block.
    let base = if empty { 0 } else { layout.offset(&base)? };
    Ok((base as isize, strides))
}

/// Whether each step along axis `own` of the tensor is one step along `axis` of the block.
///
/// The map repeats itself after as many points as the product of all factors on the way, so that no more points
/// need be tried: one, when there are no factors.
fn keeps_step(
    place: &TensorSpace<i64>,
    block: &TensorSpace<i64>,
    own: usize,
    axis: usize,
) -> Result<bool, LocationError> {
    let ancestor = Space::common_ancestor(&place.space, &block.space)?;
    let links = path(&place.space, &ancestor).chain(path(&block.space, &ancestor)).filter_map(Space::link);
    let factors = links.flat_map(|link| link.refinement.iter().chain(&link.coarsening));
    let period = factors.fold(1_i64, |product, &factor| product.saturating_mul(factor));
    let mut index: Vec<i64> = place.extents.iter().map(|_| 0).collect();
    let first = Space::map(&place.space, &block.space, &index)?[axis];
    for at in 1..place.extents[own].min(period.saturating_add(1)) {
        index[own] = at;
        if Space::map(&place.space, &block.space, &index)?[axis].checked_sub(first) != Some(at) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// An error unless all that a read may find is in the nearest block: nothing else enters a kernel.
fn memory_alone<T>(level: AncestryRef<'_, T>) -> Result<(), PartsError> {
    match (level.rules, level.parent) {
        (Some(_), _) => Err(PartsError::Rule),
        (None, Some(_)) => Err(PartsError::Parent),
        (None, None) => Ok(()),
    }
}

impl<T, const N: usize> Block<T, N> {
    /// The block as a kernel reads it.
    ///
    /// # Errors
    /// None today; see [`PartsError`].
    #[doc(hidden)]
    pub fn __parts(&self) -> Result<Parts<'_, T, N>, PartsError> {
        let (base, strides) = flatten(self.location(), self.stored())?;
        Ok(Parts { memory: self.as_slice(), base, extents: self.extents(), strides })
    }

    /// The block as a kernel writes it.
    ///
    /// # Errors
    /// None today; see [`PartsError`].
    #[doc(hidden)]
    pub fn __parts_mut(&mut self) -> Result<PartsMut<'_, T, N>, PartsError> {
        let extents = self.extents();
        let (memory, block) = self.split();
        let (base, strides) = flatten(&block.space, block)?;
        Ok(PartsMut { memory, base, extents, strides })
    }
}

impl<T, const N: usize> View<'_, T, N> {
    /// The view as a kernel reads it: its nearest block's memory alone.
    ///
    /// # Errors
    /// See [`PartsError`].
    #[doc(hidden)]
    pub fn __parts(&self) -> Result<Parts<'_, T, N>, PartsError> {
        let level = self.level();
        memory_alone(level.by_ref())?;
        let (base, strides) = flatten(self.location(), &level.block)?;
        Ok(Parts { memory: level.memory, base, extents: self.extents(), strides })
    }
}

impl<T, const N: usize> ViewMut<'_, T, N> {
    /// The view as a kernel writes it: its nearest block's memory alone.
    ///
    /// # Errors
    /// See [`PartsError`].
    #[doc(hidden)]
    pub fn __parts_mut(&mut self) -> Result<PartsMut<'_, T, N>, PartsError> {
        memory_alone(self.level())?;
        let extents = self.extents();
        let (memory, block, place) = self.split();
        let (base, strides) = flatten(place, block)?;
        Ok(PartsMut { memory, base, extents, strides })
    }
}
