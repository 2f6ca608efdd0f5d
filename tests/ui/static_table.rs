//! An index outside a static table is found at expansion.

use shim::prelude::*;

#[shim::kernel]
fn first(a: &[i32]) -> i32 {
    const TABLE: [usize; 3] = [0, 4, 8];
    let a = Block::external(a, [16]);
    let mut s = 0;
    #[unroll]
    for k in 2..4 {
        s += a[[TABLE[k]]];
    }
    s
}

fn main() {}
