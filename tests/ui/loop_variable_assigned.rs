//! The variables of staged loops are not assigned.

use shim::prelude::*;

#[shim::kernel]
fn sum(a: &[i32], n: usize) -> i32 {
    let a = Block::external(a, [n]);
    const K: i32 = 3;
    let mut s = 0;
    for [i] in a.indices() {
        i += 1;
        s += a[[i]];
    }
    #[unroll]
    for j in 0..4 {
        j = 2;
        s += j;
    }
    K = 4;
    s + K
}

fn main() {}
