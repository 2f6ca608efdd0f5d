//! The location algebra and the runtime library of shim.
//!
//! The algebra is `UniTe` (chapter 4 of the thesis *`UniTe` and `SHiM`*): reference spaces that stand in one
//! another ([`Space`]), the maps between them, and tensor spaces ([`TensorSpace`]). It is written once, generic
//! over its integer ([`Integer`]): over `i64` it carries the runtime library, over a symbolic integer it is the
//! heart of the staging compiler.
//!
//! The runtime library is `UniTeX` (chapter 5) as it is defined, without any staging: [`Block`] owns elements,
//! [`View`] and [`ViewMut`] look at them from some place. It computes every access from the chain of spaces, so it
//! is slow and plainly right, and is the oracle that the compiler's output is tested against.
//!
//! ```
//! use shim_core::{Block, Boundary, Space, TensorOps};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! // A frame, and a table with one flag for each 4x4 block of it, in one space.
//! let root = Space::root(2);
//! let frame = Block::from_fn([8, 8], |[y, x]| 10 * y + x).in_space(&root)?;
//! let mut flags = Block::<bool, 2>::new([2, 2]).in_space(&root)?.coarsened([4, 4])?;
//! flags.set([1, 0], true)?;
//!
//! let block = frame.partition::<2>(&[(4..8).into(), (0..4).into()])?;
//! assert_eq!(block[[0, 0]], 40);
//! assert_eq!(block[[-1, 2]], 32, "a negative index is the neighbor outside the view");
//! assert_eq!(block.get([0, -1]), None, "the frame ends there");
//! assert_eq!(block.boundary(Boundary::Clamp)[[0, -1]], 40);
//! assert!(flags.colocate(&block)?[[3, 3]], "the flag of the block that the point lies in");
//! # Ok(())
//! # }
//! ```
#![cfg_attr(not(feature = "std"), no_std)]
#![forbid(unsafe_code)]

extern crate alloc;

#[cfg(rust_analyzer)]
#[doc(hidden)]
pub mod editor;
mod error;
mod fold;
mod integer;
mod interval;
mod layout;
mod map;
pub mod orders;
mod placement;
pub mod points;
mod runtime;
mod shape;
mod space;
mod tensor_space;
mod walk;

pub use error::LocationError;
pub use fold::Fold;
#[doc(hidden)]
pub use fold::Machine;
pub use integer::Integer;
pub use interval::Interval;
pub use layout::{Curve, Layout, Order, Positions};
pub use map::Density;
pub use placement::Placement;
pub use runtime::algebra;
pub use runtime::{
    AccessError, Block, BlockError, Boundary, BoundaryRules, Indices, Located, Place, TensorOps, View,
    ViewMut,
};
#[doc(hidden)]
pub use runtime::{DeclaredAxis, OriginError, Parts, PartsError, PartsMut, declared_origin};
pub use shape::{Extent, Shape, Table};
pub use space::{Link, Space};
pub use tensor_space::{Part, TensorSpace};
pub use walk::{Level, Reached, walk_up};
