//! Templates for kernels in other crates.

use shim::prelude::*;

/// The sum of every `step`-th element, which must be static.
#[shim::kernel]
pub fn total(v: impl Tensor<i32, 1>, step: usize) -> i32 {
    let part = v.coarsen([step]);
    part.indices().map(|[i]| part[[i]]).sum::<i32>()
}

/// The element before the first.
#[shim::kernel]
pub fn last(v: impl Tensor<i32, 1>) -> i32 {
    before(v)
}

/// A template of this crate that the one above calls.
#[shim::kernel]
fn before(v: impl Tensor<i32, 1>) -> i32 {
    v[[1, -1]]
}
