//! A permutation names each axis.

use shim::prelude::*;

#[shim::kernel]
fn first(a: &[u8]) -> u8 {
    let a = Block::external(a, [4, 4]);
    let b = a.permute([0]);
    let c = a.permute([1, 0, 2]);
    b[[0, 0]] + c[[0, 0]]
}

fn main() {}
