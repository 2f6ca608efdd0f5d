//! What generated code calls. Not part of the public interface: it changes with the compiler.
//!
//! An expansion reaches all of it through one value, a [`Runtime`], so that no name in scope where a kernel is written
//! can stand in for a part. Everything here is small, so that it disappears where it is inlined; what panics is cold
//! and out of line.

#![allow(clippy::inline_always, reason = "generated code relies on these to vanish")]
#![allow(clippy::unused_self, reason = "the receiver is what makes a function this crate's own")]

mod boundary;
mod bounds;
mod dispatch;
mod element;
mod exits;
mod foreign;
mod inclusive;
mod index;
mod indices;
mod known;
mod list;
mod located;
mod loops;
mod memory;
mod names;
mod parallel;
mod parts;
mod place;
mod prefetch;
mod reduce;
mod rows;
mod runtime;
mod sad;
mod select;
mod shape;
mod shared;
mod sixteen;
mod stage;
mod transpose;
mod versions;
mod wavefront;
mod wrap;

pub use crate::__shim_versions as versions;
pub use dispatch::{has_v2, has_v3, has_v4, limit_level};
pub use index::{FromIndex, ToIndex};
pub use known::Ambiguous;
pub use located::{Checked, Fields, Located, LocatedRows, RowFields, Viewed};
pub use names::{Import, Prelude, StagedImport};
pub use runtime::Runtime;
pub use shim_macros::__resume as resume;
