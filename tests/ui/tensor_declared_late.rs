//! A tensor is bound where it is made.

use shim::prelude::*;

#[shim::kernel]
fn first(a: &[u8], n: usize) -> u8 {
    let t;
    t = Block::external(a, [n]);
    t[[0]]
}

fn main() {}
