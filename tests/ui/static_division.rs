//! A static division by zero is found at expansion.

use shim::prelude::*;

#[shim::kernel]
fn first(a: &[i32]) -> i32 {
    let a = Block::external(a, [16]);
    let mut s = 0;
    #[unroll]
    for k in 0..3 {
        s += a[[k]] * (12 / k);
        s += 12 % (k - k);
    }
    s
}

fn main() {}
