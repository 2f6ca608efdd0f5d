//! An element has an index per axis at most.

use shim::prelude::*;

#[shim::kernel]
fn first(a: &mut [u8]) -> u8 {
    let a = Block::external(a, [4, 4]);
    a[[0, 1, 2]] = 3;
    a[[0, 0, 0]]
}

fn main() {}
