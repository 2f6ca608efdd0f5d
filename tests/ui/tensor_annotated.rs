//! A tensor has no type that could be written.

use shim::prelude::*;

#[shim::kernel]
fn first(a: &[u8], n: usize) -> u8 {
    let a: Block<u8, 1> = Block::external(a, [n]);
    a[[0]]
}

fn main() {}
