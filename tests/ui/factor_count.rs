//! There is a factor for each axis.

use shim::prelude::*;

#[shim::kernel]
fn first(a: &[u8]) -> u8 {
    let a = Block::external(a, [4, 4]);
    let b = a.refine([2]);
    let c = a.coarsen([2, 2, 2]);
    let d = a.coarsen(2);
    b[[0, 0]] + c[[0, 0]] + d[[0, 0]]
}

fn main() {}
