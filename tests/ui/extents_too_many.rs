//! A block has eight axes at most.

use shim::prelude::*;

#[shim::kernel]
fn first(a: &[u8]) -> u8 {
    let a = Block::external(a, [1, 1, 1, 1, 1, 1, 1, 1, 1]);
    a[[0]]
}

fn main() {}
