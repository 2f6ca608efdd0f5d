//! A hint names one element.

use shim::prelude::*;

#[shim::kernel]
fn first(v: &[u8], n: usize) -> u8 {
    let v = Block::external(v, [n]);
    v.prefetch([1, 2]);
    v[[0]]
}

fn main() {}
