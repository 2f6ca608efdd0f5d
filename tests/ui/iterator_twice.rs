//! An iterator on the left stands there once.

use shim::prelude::*;

#[shim::kernel]
fn diagonal(a: &mut [i32], n: usize) {
    let a = Block::external(a, [n, n]);
    let [i] = iters();
    a[[i, i]] = 1;
}

fn main() {}
