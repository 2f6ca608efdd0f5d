//! A parameter that is no tensor takes none.

use shim::prelude::*;

#[shim::kernel]
fn scale<const K: usize>(v: impl Tensor<i32, 1>, by: i32) {
    let [i] = iters();
    v[[i]] = (v[[i]] * by) >> K;
}

#[shim::kernel]
fn run(a: &mut [i32], n: usize) {
    let a = Block::external(a, [n]);
    scale::<1>(a, a);
}

fn main() {}
