//! The copies of an unrolled loop make one mistake once.

use shim::prelude::*;

#[shim::kernel]
fn shift(a: &mut [i32; 4]) {
    let a = Block::external(a, [4]);
    #[unroll]
    for i in 0..4 {
        a[[i + 4]] = 0;
    }
}

fn main() {}
