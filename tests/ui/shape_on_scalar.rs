//! Only memory and tensors have a shape.

use shim::prelude::*;

#[shim::kernel]
fn first(#[shape(4)] n: usize, a: &[u8]) -> u8 {
    let a = Block::external(a, [n]);
    a[[0]]
}

fn main() {}
