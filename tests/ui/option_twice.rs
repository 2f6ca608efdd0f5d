//! Each option is given once.

use shim::prelude::*;

#[shim::kernel(simd, checks = "every", simd)]
fn first(a: &[i32]) -> i32 {
    let a = Block::external(a, [1]);
    a[[0]]
}

fn main() {}
