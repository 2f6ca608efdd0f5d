//! What generated code calls. Not part of the public interface: it changes with the compiler.
//!
//! Everything here is small, so that it disappears where it is inlined; what panics is cold and out of line.

#![allow(clippy::inline_always, reason = "generated code relies on these to vanish")]

mod boundary;
mod bounds;
mod dispatch;
mod exits;
mod index;
mod indices;
mod memory;
mod parts;
mod prefetch;
mod reduce;
mod rows;

pub use boundary::{assert_foldable, clamp, clamped, mirror, mirrored, wrap, wrapped};
pub use bounds::{
    assert_within, countable, expect_extent, fits, flat, inside, offset, outside, parts_of, product,
    row_offset, rows_fit, span, strided_fits,
};
pub use dispatch::{has_v3, has_v4, limit_level};
pub use exits::{Branch, FromResidual, branch, from_residual};
pub use index::{
    FromIndex, ToIndex, add, div, from_i8, from_i16, from_i32, from_i64, from_i128, from_isize, from_u8,
    from_u16, from_u32, from_u64, from_u128, from_usize, index, mul, neg, rem, shl, shr, sub,
};
pub use indices::indices;
pub use memory::{heap, heap_like, stack, stack_like};
pub use parts::{Readable, Writable, parts, parts_mut};
pub use prefetch::{prefetch, prefetch_in_rows};
pub use reduce::{max, max_by_key, min, min_by_key, product_identity, sum_identity};
pub use rows::{Row, RowMut};
pub use shim_macros::__resume as resume;
