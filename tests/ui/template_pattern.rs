//! The parameters of a template are plain names.

use shim::prelude::*;

#[shim::kernel]
fn scale(v: impl Tensor<i32, 1>, (a, b): (i32, i32)) {
    let [i] = iters();
    v[[i]] *= a + b;
}

#[shim::kernel]
fn run(a: &mut [i32], n: usize) {
    let a = Block::external(a, [n]);
    scale(a, (1, 2));
}

fn main() {}
