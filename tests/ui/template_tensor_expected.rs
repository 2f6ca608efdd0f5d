//! A tensor parameter takes a tensor.

use shim::prelude::*;

#[shim::kernel]
fn add(v: impl Tensor<i32, 1>, w: impl Tensor<i32, 1>) {
    let [i] = iters();
    v[[i]] += w[[i]];
}

#[shim::kernel]
fn run(a: &mut [i32], n: usize) {
    let v = Block::external(a, [n]);
    add(v, 3);
}

fn main() {}
