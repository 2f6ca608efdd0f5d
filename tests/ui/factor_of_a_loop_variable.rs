//! A loop variable is static if its loop is unrolled.

use shim::prelude::*;

#[shim::kernel]
fn sum(a: &[i32]) -> i32 {
    let a = Block::external(a, [16, 16]);
    let mut s = 0;
    for [y, x] in a.indices() {
        s += a.slice(y, 0)[[x]];
    }
    for k in 1..4 {
        s += a.coarsen([k, 1])[[0, 0]];
    }
    s
}

fn main() {}
