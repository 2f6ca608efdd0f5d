//! A block has each axis of the root space once.

use shim::prelude::*;

#[shim::kernel]
fn first(v: &[u8], h: usize, w: usize) -> u8 {
    let v = Block::external(v, [h, w]).on_axes([1, 1]);
    v[[0, 0]]
}

fn main() {}
