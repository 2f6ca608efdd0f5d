//! The location algebra and the runtime library of shim.
//!
//! The algebra is `UniTe` (chapter 4 of the thesis *`UniTe` and `SHiM`*): reference spaces that stand in one
//! another ([`Space`]), the maps between them, and tensor spaces ([`TensorSpace`]). It is written once, generic
//! over its integer ([`Integer`]): over `i64` it carries the runtime library, over a symbolic integer it is the
//! heart of the staging compiler.
#![cfg_attr(not(feature = "std"), no_std)]
#![forbid(unsafe_code)]

extern crate alloc;

mod error;
mod integer;
mod interval;
mod map;
pub mod points;
mod space;
mod tensor_space;

pub use error::LocationError;
pub use integer::Integer;
pub use interval::Interval;
pub use map::Density;
pub use space::{Link, Space};
pub use tensor_space::{Part, TensorSpace};
