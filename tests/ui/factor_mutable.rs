//! What may change is not static.

use shim::prelude::*;

#[shim::kernel]
fn first(a: &[u8]) -> u8 {
    let mut k = 1;
    k += 1;
    let a = Block::external(a, [16, 16]).coarsened([1, k]);
    a[[0, 0]]
}

fn main() {}
