//! In one dimension a block is refined or coarsened, not both.

use shim::prelude::*;

#[shim::kernel]
fn first(a: &[u8]) -> u8 {
    let a = Block::external(a, [4, 4]).refined([2, 1]).coarsened([3, 2]);
    a[[0, 0]]
}

fn main() {}
