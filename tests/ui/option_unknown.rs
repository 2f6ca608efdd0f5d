//! An option that does not exist.

use shim::prelude::*;

#[shim::kernel(smid)]
fn sum(a: &[i32], n: usize) -> i32 {
    let a = Block::external(a, [n]);
    a.indices().map(|[i]| a[[i]]).sum::<i32>()
}

fn main() {}
