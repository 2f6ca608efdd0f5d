//! Iterators are bound to plain names.

use shim::prelude::*;

#[shim::kernel]
fn clear(a: &mut [i32], n: usize) {
    let a = Block::external(a, [n, n]);
    let (y, x) = iters();
    a[[y, x]] = 0;
    let [mut i, j] = iters();
    a[[i, j]] = 0;
}

fn main() {}
