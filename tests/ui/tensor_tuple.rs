//! Tensors and values are not bound together.

use shim::prelude::*;

#[shim::kernel]
fn first(a: &[u8], n: usize) -> u8 {
    let a = Block::external(a, [n, n]);
    let (row, k) = (a.slice(0, 0), 3);
    row[[k]]
}

fn main() {}
