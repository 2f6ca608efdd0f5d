//! `permuted` and `on_axes` name each axis once.

use shim::prelude::*;

#[shim::kernel]
fn first(a: &[u8], b: &[u8], c: &[u8]) -> u8 {
    let a = Block::external(a, [4, 4]).permuted([0, 0]);
    let b = Block::external(b, [4, 4]).permuted([1, 2]);
    let c = Block::external(c, [4, 4]).on_axes([0, 9]);
    a[[0, 0]] + b[[0, 0]] + c[[0, 0]]
}

fn main() {}
