//! The words for orders that kernels know, as constants and functions: `tile([8, 8]).inner(column_major)`.
//!
//! ```
//! use shim_core::orders::*;
//!
//! // Four rows of a block next to one another, then the same rows of the next block.
//! let order = row_major.then([2, 4, 8], axes([1, 0, 2]));
//! assert_eq!(order.layout(&[8_i64, 8])?.offset(&[4, 0])?, 8);
//! # Ok::<(), shim_core::LocationError>(())
//! ```
#![allow(non_upper_case_globals, reason = "the words are those of kernels")]

use alloc::boxed::Box;
use alloc::vec::Vec;

use crate::{Curve, Order, Positions};

/// The last axis is contiguous.
pub const row_major: Order = Order::RowMajor;
/// The first axis is contiguous.
pub const column_major: Order = Order::ColumnMajor;
/// The bits of the indices in turn.
pub const morton: Order = Order::Morton;
/// One antidiagonal after another.
pub const antidiagonal: Order = Order::Curve(Curve::Antidiagonal);
/// One antidiagonal after another, in alternating directions.
pub const zigzag: Order = Order::Curve(Curve::Zigzag);
/// Hilbert's curve.
pub const hilbert: Order = Order::Curve(Curve::Hilbert);

/// The axes from the outermost one to the contiguous one.
pub fn axes<const N: usize>(axes: [usize; N]) -> Order {
    Order::Axes(axes.to_vec())
}

/// Tiles of these extents one after another.
pub fn tile<const N: usize>(extents: [usize; N]) -> Order {
    Order::tile(&signed(extents))
}

/// So many indices of the first axis next to one another, for each index of the others.
pub fn lanes(n: usize) -> Order {
    Order::Lanes(n as i64)
}

/// Rows in which the bits of the index along the last axis are changed by those of the row's index modulo `n`.
pub fn swizzle(n: usize) -> Order {
    Order::Swizzle(n as i64)
}

/// The position that a function gives each element of a box whose extents are known.
///
/// `N` is the rank of the box. A position that is given twice or lies beyond the box is an error of [`Order::layout`],
/// as is a box of another rank.
pub fn by<const N: usize>(position: impl Fn([usize; N]) -> usize + Send + Sync + 'static) -> Order {
    Order::By(Positions::new(move |at| {
        let own: Result<Vec<usize>, _> = at.iter().map(|index| usize::try_from(*index)).collect();
        let own = own.ok().and_then(|own| <[usize; N]>::try_from(own).ok());
        own.and_then(|own| i64::try_from(position(own)).ok()).unwrap_or(-1)
    }))
}

impl Order {
    /// These tiles in another order.
    ///
    /// # Panics
    /// When this is not an [`Order::Tile`].
    #[must_use]
    pub fn outer(self, order: Order) -> Self {
        match self {
            Order::Tile { extents, inner, .. } => Order::Tile { extents, outer: Box::new(order), inner },
            other => panic!("`outer` of an order without tiles: {other:?}"),
        }
    }

    /// These tiles with the elements of each in another order.
    ///
    /// # Panics
    /// When this is not an [`Order::Tile`].
    #[must_use]
    pub fn inner(self, order: Order) -> Self {
        match self {
            Order::Tile { extents, outer, .. } => Order::Tile { extents, outer, inner: Box::new(order) },
            other => panic!("`inner` of an order without tiles: {other:?}"),
        }
    }

    /// This order backwards.
    #[must_use]
    pub fn reversed(self) -> Self {
        Order::Reversed(Box::new(self))
    }

    /// The positions that this order gives, taken for row-major indices of a box of these extents, whose elements
    /// `order` arranges.
    #[must_use]
    pub fn then<const N: usize>(self, extents: [usize; N], order: Order) -> Self {
        Order::Then { first: Box::new(self), extents: signed(extents), second: Box::new(order) }
    }
}

fn signed<const N: usize>(extents: [usize; N]) -> Vec<i64> {
    extents.into_iter().map(|extent| extent as i64).collect()
}
