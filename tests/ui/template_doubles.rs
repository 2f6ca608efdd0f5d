//! A template that calls itself twice is staged no more than a number of times.

use shim::prelude::*;

#[shim::kernel]
fn tree(v: impl Tensor<i32, 1>, k: usize) -> i32 {
    if k == 0 { v[[0]] } else { tree(v, k - 1) + tree(v, k - 1) }
}

#[shim::kernel]
fn run(a: &mut [i32], n: usize) -> i32 {
    let a = Block::external(a, [4]);
    tree(a, 40) + tree(a, n)
}

fn main() {}
