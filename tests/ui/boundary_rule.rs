//! There are four boundary rules.

use shim::prelude::*;

#[shim::kernel]
fn first(a: &[u8]) -> u8 {
    let a = Block::external(a, [4, 4]);
    let b = a.boundary(Repeat);
    let c = a.boundary(Fill);
    let d = a.boundary(0);
    let e = a.boundary();
    b[[0, 0]] + c[[0, 0]] + d[[0, 0]] + e[[0, 0]]
}

fn main() {}
