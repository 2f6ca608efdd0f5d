//! Only loops with static bounds are unrolled.

use shim::prelude::*;

#[shim::kernel]
fn sum(a: &[i32], n: usize) -> i32 {
    let a = Block::external(a, [n]);
    let mut s = 0;
    #[unroll]
    for i in 0..n {
        s += a[[i]];
    }
    #[unroll]
    for [i] in a.indices() {
        s += a[[i]];
    }
    s
}

fn main() {}
