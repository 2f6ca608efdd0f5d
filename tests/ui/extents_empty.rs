//! A block has an axis at least.

use shim::prelude::*;

#[shim::kernel]
fn first(a: &[u8]) -> u8 {
    let a = Block::external(a, []);
    a[[0]]
}

fn main() {}
