//! Tensors are passed to templates and not returned.

use shim::prelude::*;

#[shim::kernel]
fn row(v: impl Tensor<i32, 2>, k: usize) -> impl Tensor<i32, 1> {
    v.slice(0, k)
}

#[shim::kernel]
fn run(a: &mut [i32], n: usize) -> i32 {
    let a = Block::external(a, [n, n]);
    let r = row(a, 1);
    0
}

fn main() {}
