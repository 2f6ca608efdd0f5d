//! A footprint is that of a tensor.

use shim::prelude::*;

#[shim::kernel]
fn first(a: &[u8], n: usize) -> u8 {
    let a = Block::external(a, [4, 4]);
    let b = a.footprint(n);
    let c = a.footprint([0, 1]);
    let d = a.footprint();
    b[[0, 0]] + c[[0, 0]] + d[[0, 0]]
}

fn main() {}
