//! An element is a number, a tensor is not.

use shim::prelude::*;

#[shim::kernel]
fn first(a: &[u8], i: &[usize]) -> u8 {
    let a = Block::external(a, [4, 4]);
    let i = Block::external(i, [4]);
    a[[0, i]]
}

fn main() {}
