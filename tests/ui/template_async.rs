//! A template is no `async` function either.

use shim::prelude::*;

#[shim::kernel]
async fn scale(v: impl Tensor<i32, 1>) {
    let [i] = iters();
    v[[i]] *= 2;
}

#[shim::kernel]
fn run(a: &mut [i32], n: usize) {
    let a = Block::external(a, [n]);
    scale(a);
}

fn main() {}
