//! Indices of one tensor for another that is coarser or finer, where the extents are known.

use shim::prelude::*;

#[shim::kernel]
fn coarser(#[shape(16, 16)] y: &[u8; 256], #[shape(8, 8)] #[coarsened(2, 2)] cb: &[u8; 64]) -> u32 {
    y.indices().map(|[i, j]| u32::from(y[[i, j]]) + u32::from(cb[[i, j]])).sum::<u32>()
}

#[shim::kernel]
fn past_the_end(#[shape(4)] a: &mut [u8]) {
    for [i] in a.indices() {
        a[[i + 1]] = 0;
    }
}

fn main() {}
