//! Extents count elements.

use shim::prelude::*;

#[shim::kernel]
fn first(a: &[u8]) -> u8 {
    const N: i32 = 4;
    let a = Block::external(a, [2, N - 5]);
    let b = Block::heap::<u8>([-1]);
    a[[0, 0]] + b[[0]]
}

fn main() {}
