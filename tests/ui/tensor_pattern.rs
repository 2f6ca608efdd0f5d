//! A tensor is bound to a plain name.

use shim::prelude::*;

#[shim::kernel]
fn first(a: &[u8], n: usize) -> u8 {
    let [y, x] = Block::external(a, [n, n]);
    let (p, q) = (y, 3);
    p
}

fn main() {}
