//! An error inside a template names the template's file and line, and the call.

use shim::prelude::*;

#[shim::kernel]
fn halves(v: impl Tensor<i32, 1>, k: usize) -> i32 {
    let half = v.coarsen([k]);
    half[[0]]
}

#[shim::kernel]
fn run(a: &[i32], n: usize) -> i32 {
    let a = Block::external(a, [16]);
    halves(a, 2) + halves(a, n)
}

fn main() {}
