//! An origin has a coordinate for each axis.

use shim::prelude::*;

#[shim::kernel]
fn first(v: &[u8], n: usize, r: isize) -> u8 {
    let v = Block::external(v, [n]).at(r);
    v[[0]]
}

fn main() {}
