//! Arrays with a location, staged at compile time into flat loops.
//!
//! **A negative index is the neighbour outside the view, never "from the end".** `p[[-1, 0]]` is the element above
//! the view's first one.
#![cfg_attr(not(feature = "std"), no_std)]

extern crate alloc;

pub use shim_core::{
    AccessError, Block, BlockError, Boundary, Integer, Interval, Link, Located, LocationError, Part, Space,
    TensorOps, TensorSpace, View, ViewMut, points,
};
pub use shim_macros::kernel;

#[doc(hidden)]
#[path = "private/mod.rs"]
pub mod __private;
pub mod prelude;
