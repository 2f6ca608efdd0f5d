//! Two static branches under a condition of run time are not static.

use shim::prelude::*;

#[shim::kernel]
fn first(a: &[u8], wide: bool) -> u8 {
    let k = if wide { 2 } else { 1 };
    let a = Block::external(a, [16, 16]).coarsened([1, k]);
    a[[0, 0]]
}

fn main() {}
