//! Factors count from one.

use shim::prelude::*;

#[shim::kernel]
fn first(a: &[u8]) -> u8 {
    let b = Block::external(a, [4, 4]).refined([1, 0]);
    let a = Block::external(a, [4, 4]);
    let c = a.refine([0, 2]);
    let d = a.coarsen([2, -2]);
    b[[0, 0]] + c[[0, 0]] + d[[0, 0]]
}

fn main() {}
