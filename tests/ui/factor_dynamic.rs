//! Factors are known when the kernel is expanded.

use shim::prelude::*;

#[shim::kernel]
fn first(a: &[u8], k: usize) -> u8 {
    let a = Block::external(a, [16, 16]);
    let b = a.coarsen([k, 2]);
    let c = a.refine([2, k + 1]);
    b[[0, 0]] + c[[0, 0]]
}

fn main() {}
