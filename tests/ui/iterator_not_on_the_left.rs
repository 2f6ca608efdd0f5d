//! An iterator on the right stands on the left.

use shim::prelude::*;

#[shim::kernel]
fn product(a: &[i32], b: &[i32], c: &mut [i32], n: usize) {
    let a = Block::external(a, [n, n]);
    let b = Block::external(b, [n, n]);
    let c = Block::external(c, [n, n]);
    let [i, j, k] = iters();
    c[[i, j]] += a[[i, k]] * b[[k, j]];
}

fn main() {}
