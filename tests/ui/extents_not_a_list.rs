//! The extents are written out, since their number is the rank.

use shim::prelude::*;

#[shim::kernel]
fn first(a: &[u8], extents: [usize; 2]) -> u8 {
    let a = Block::external(a, extents);
    a[[0, 0]]
}

#[shim::kernel]
fn second(a: &[u8], n: usize) -> u8 {
    let a = Block::external(a, n);
    a[[1]]
}

fn main() {}
