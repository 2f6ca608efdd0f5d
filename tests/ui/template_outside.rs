//! Outside of a kernel there are no tensors to give to a template.

use shim::prelude::*;

#[shim::kernel]
fn scale<const K: usize>(v: impl Tensor<i32, 1>, by: i32) {
    let [i] = iters();
    v[[i]] = (v[[i]] * by) >> K;
}

fn plain(a: &mut [i32]) {
    scale::<1>(a, 2);
}

fn main() {}
