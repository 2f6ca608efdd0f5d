//! A template takes tensors of the rank it declares.

use shim::prelude::*;

#[shim::kernel]
fn scale(v: impl Tensor<i32, 1>, by: i32) {
    let [i] = iters();
    v[[i]] *= by;
}

#[shim::kernel]
fn plane(v: impl Tensor<i32, 2>) {
    v[[0, 0]] = 0;
}

#[shim::kernel]
fn run(a: &mut [i32], n: usize) {
    let a = Block::external(a, [n, n]);
    scale(a, 1);
    plane(a.slice(0, 0));
}

fn main() {}
