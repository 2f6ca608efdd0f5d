//! Queries take the static number of an axis.

use shim::prelude::*;

#[shim::kernel]
fn first(a: &[u8], k: usize) -> usize {
    let a = Block::external(a, [4, 4]);
    let b = a.extent(2) + a.extent(k) + a.extent();
    let c = a.origin(-1) + a.origin_in(a, 2) + a.origin_in(b, 0);
    b + c as usize
}

fn main() {}
