//! A loop without a trip count cannot be unrolled.

use shim::prelude::*;

#[shim::kernel]
fn count(v: &[u8], n: usize) -> usize {
    let v = Block::external(v, [n]);
    let mut i = 0;
    #[unroll]
    while i < n && v[[i]] != 0 {
        i += 1;
    }
    i
}

fn main() {}
