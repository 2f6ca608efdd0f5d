//! A factor of zero.

use shim::prelude::*;

#[shim::kernel]
fn first(v: &[u8], n: usize) -> u8 {
    let v = Block::external(v, [n]);
    let half = v.coarsen([0]);
    half[[0]]
}

fn main() {}
