//! A tensor has no fields.

use shim::prelude::*;

#[shim::kernel]
fn width(a: &[u8], n: usize) -> usize {
    let a = Block::external(a, [n, n]);
    a.width
}

fn main() {}
