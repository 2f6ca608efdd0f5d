//! Tensors are passed by value.

use shim::prelude::*;

#[shim::kernel]
fn clear(v: &mut impl Tensor<i32, 1>) {
    let [i] = iters();
    v[[i]] = 0;
}

#[shim::kernel]
fn bump(v: impl Tensor<i32, 1>) {
    let [i] = iters();
    v[[i]] += 1;
}

#[shim::kernel]
fn run(a: &mut [i32], n: usize) {
    let a = Block::external(a, [n]);
    clear(a);
    bump(&mut a);
}

fn main() {}
