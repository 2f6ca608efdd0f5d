//! A name that no longer is a tensor is none.

use shim::prelude::*;

#[shim::kernel]
fn first(a: &[u8]) -> u8 {
    let t = Block::external(a, [4, 4]);
    let t = t[[0, 0]];
    t.slice(0, 0)
}

fn main() {}
