//! A tensor is indexed by a list.

use shim::prelude::*;

#[shim::kernel]
fn first(a: &[u8], i: usize) -> u8 {
    let a = Block::external(a, [16]);
    let b = a[2..4];
    a[0] + a[i] + b[[0]]
}

fn main() {}
