//! A permutation names each axis once.

use shim::prelude::*;

#[shim::kernel]
fn first(a: &[u8]) -> u8 {
    let a = Block::external(a, [4, 4]);
    let b = a.permute([1, 1]);
    let c = a.permute([0, 2]);
    let d = a.permute([0, -1]);
    b[[0, 0]] + c[[0, 0]] + d[[0, 0]]
}

fn main() {}
