//! A partition has an entry per axis at most.

use shim::prelude::*;

#[shim::kernel]
fn first(a: &[u8]) -> u8 {
    let a = Block::external(a, [4, 4]);
    let b = a[[0..2, 0..2, ..]];
    b[[0, 0]]
}

fn main() {}
