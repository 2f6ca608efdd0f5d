//! The recursion of a template ends at expansion.

use shim::prelude::*;

#[shim::kernel]
fn descend(v: impl Tensor<i32, 1>, k: usize) -> i32 {
    if k == 0 { v[[0]] } else { descend(v, k - 1) }
}

#[shim::kernel]
fn run(a: &mut [i32], n: usize) -> i32 {
    let a = Block::external(a, [4]);
    descend(a, n)
}

fn main() {}
