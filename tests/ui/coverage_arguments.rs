//! A coverage is that of a point of one tensor in another.

use shim::prelude::*;

#[shim::kernel]
fn first(a: &[u8], b: &[u8], n: usize) -> u8 {
    let a = Block::external(a, [4, 4]);
    let b = Block::external(b, [2, 2]).coarsened([2, 2]);
    let c = a.coverage(b, [0, 1]);
    let d = a.coverage([0, 0, 1], b);
    let e = a.coverage([0, 1], n);
    c[[0, 0]] + d[[0, 0]] + e[[0, 0]]
}

fn main() {}
