//! A view is not placed, it is where its block is.

use shim::prelude::*;

#[shim::kernel]
fn first(a: &[u8], r: usize) -> u8 {
    let a = Block::external(a, [16, 16]);
    let b = a.at([r, 0]);
    let c = a.slice(0, 3).coarsened([2]);
    b[[0, 0]] + c[[0]]
}

fn main() {}
