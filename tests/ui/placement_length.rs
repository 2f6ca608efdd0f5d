//! The factors and axes of a block are one per axis.

use shim::prelude::*;

#[shim::kernel]
fn first(a: &[u8], b: &[u8]) -> u8 {
    let a = Block::external(a, [4, 4]).coarsened([2]);
    let b = Block::external(b, [4, 4]).permuted([1, 0, 2]);
    a[[0, 0]] + b[[0, 0]]
}

fn main() {}
