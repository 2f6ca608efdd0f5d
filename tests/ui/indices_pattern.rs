//! The indices of a tensor are as many as its axes.

use shim::prelude::*;

#[shim::kernel]
fn sum(a: &[i32], n: usize) -> i32 {
    let a = Block::external(a, [n, n]);
    let mut s = 0;
    for [i] in a.indices() {
        s += a[[i, 0]];
    }
    for (y, x) in a.indices() {
        s += a[[y, x]];
    }
    s
}

fn main() {}
