//! An index is an integer.

use shim::prelude::*;

#[shim::kernel]
fn half(v: &[u8], n: usize) -> u8 {
    let v = Block::external(v, [n]);
    v[[1.5]]
}

fn main() {}
