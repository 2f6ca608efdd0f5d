//! The extents of a stack block are static.

use shim::prelude::*;

#[shim::kernel]
fn zero(n: usize) -> i32 {
    let a = Block::stack::<i32>([4, n]);
    a[[0, 0]]
}

fn main() {}
