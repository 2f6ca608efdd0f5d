//! `simd` works on functions that exist at run time; a template is staged into its callers.

use shim::prelude::*;

#[shim::kernel(simd)]
fn scale(v: impl Tensor<i32, 1>, k: i32) {
    let [i] = iters();
    v[[i]] *= k;
}

#[shim::kernel]
fn twice(v: &mut [i32], n: usize) {
    let v = Block::external(v, [n]);
    scale(v, 2);
}

fn main() {}
