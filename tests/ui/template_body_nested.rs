//! An error inside a template that a template calls names both.

use shim::prelude::*;

#[shim::kernel]
fn row(v: impl Tensor<i32, 1>, k: usize) -> i32 {
    v.slice(k, 0)[[]]
}

#[shim::kernel]
fn rows(v: impl Tensor<i32, 2>, k: usize) -> i32 {
    row(v.slice(0, 0), k) + row(v.slice(0, 1), k)
}

#[shim::kernel]
fn run(a: &[i32], n: usize) -> i32 {
    let a = Block::external(a, [4, 4]);
    rows(a, n)
}

fn main() {}
