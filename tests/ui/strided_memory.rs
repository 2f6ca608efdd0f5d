//! Strides are those of contiguous memory that exists.

use shim::prelude::*;

#[shim::kernel]
fn first(rows: &[Vec<u8>], h: usize, w: usize) -> u8 {
    let picture = Block::rows(rows, [h, w]).strided([w, 1]);
    let scratch = Block::heap::<u8>([4, 4]).strided([8, 1]);
    picture[[0, 0]] + scratch[[0, 0]]
}

fn main() {}
