//! A tensor is not assigned; its elements are.

use shim::prelude::*;

#[shim::kernel]
fn copy(a: &[u8], b: &mut [u8], n: usize) {
    let a = Block::external(a, [n, n]);
    let b = Block::external(b, [n, n]);
    b = a;
    b[[0, ..]] = 0;
    b += 1;
}

fn main() {}
