//! A placement is that of a block, and a slice without a shape is none.

use shim::prelude::*;

#[shim::kernel]
fn first(#[coarsened(2, 2)] a: &[u8], #[at(1)] n: usize) -> u8 {
    let a = Block::external(a, [n]);
    a[[0]]
}

fn main() {}
