//! A point has an index for each axis of the tensor that it is in.

use shim::prelude::*;

#[shim::kernel]
fn count(v: &[u8], flags: &[u8], n: usize) -> usize {
    let v = Block::external(v, [n]);
    let flags = Block::external(flags, [n]).coarsened([4]);
    v.coverage([0, 1], flags).extent(0)
}

fn main() {}
