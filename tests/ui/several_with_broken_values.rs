//! A static value that is wrong is reported once, whatever is made of it.

use shim::prelude::*;

#[shim::kernel]
fn first(a: &[u8]) -> u8 {
    const K: i32 = 1 / 0;
    let shift = 1 << 40;
    let a = Block::external(a, [16, K]);
    let b = a.coarsen([1, shift]);
    let c = a.slice(K, 0);
    #[unroll]
    for i in 0..shift {
        b[[i, K]];
    }
    b[[0, shift]] + c[[K]]
}

fn main() {}
