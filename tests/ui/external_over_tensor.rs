//! A tensor is no memory of its own.

use shim::prelude::*;

#[shim::kernel]
fn first(a: &[u8], n: usize) -> u8 {
    let a = Block::external(a, [n]);
    let b = Block::external(a, [n, 1]);
    b[[0, 0]]
}

fn main() {}
