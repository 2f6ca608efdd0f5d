//! Rows are slices of their own.

use shim::prelude::*;

#[shim::kernel]
fn first(v: &[u8], h: usize, w: usize) -> u8 {
    let picture = Block::rows(v, [h, w]);
    picture[[0, 0]]
}

fn main() {}
