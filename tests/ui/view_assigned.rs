//! A view is no place: its elements are.

use shim::prelude::*;

#[shim::kernel]
fn clear(v: &mut [u8], n: usize) {
    let v = Block::external(v, [n]);
    v[[0..4]] = 0;
}

fn main() {}
