//! Templates for kernels in other crates.

use shim::prelude::*;

/// The sum of every `step`-th element, which must be static.
#[shim::kernel]
pub fn total(v: impl Tensor<i32, 1>, step: usize) -> i32 {
    let part = v.coarsen([step]);
    part.indices().map(|[i]| part[[i]]).sum::<i32>()
}

/// The first element of a copy on the stack, which needs static extents.
#[shim::kernel]
pub fn first(v: impl Tensor<i32, 1>) -> i32 {
    copied(v)
}

/// A template of this crate that the one above calls.
#[shim::kernel]
fn copied(v: impl Tensor<i32, 1>) -> i32 {
    v.to_stack()[[0]]
}

/// The entries of a row of [`Table`], static in kernels of any crate.
#[shim::constant]
pub const LANES: usize = 4;

/// A located struct that other crates take.
#[shim::located]
#[derive(Debug)]
pub struct Table {
    /// The number of rows.
    pub rows: usize,
    /// The entries.
    #[shape(rows, crate::LANES)]
    pub entries: Vec<u16>,
}

/// Squares of `n` x `n`, in the order of quadtrees.
#[shim::layout]
pub fn quads(n: usize) -> Order {
    tile([2 * n, 2 * n]).inner(tile([n, n]))
}
