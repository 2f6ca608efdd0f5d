//! The number of copies has a limit, nested loops taken together.

use shim::prelude::*;

#[shim::kernel]
fn sum(a: &[i32]) -> i32 {
    let a = Block::external(a, [128, 128]);
    let mut s = 0;
    #[unroll]
    for i in 0..100_000 {
        s += i;
    }
    #[unroll]
    for [y, x] in a.indices() {
        s += a[[y, x]];
    }
    #[unroll]
    for y in 0..100 {
        #[unroll]
        for x in 0..100 {
            s += a[[y, x]];
        }
    }
    s
}

fn main() {}
