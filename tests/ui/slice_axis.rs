//! A slice drops one of the axes.

use shim::prelude::*;

#[shim::kernel]
fn first(a: &[u8], k: usize) -> u8 {
    let a = Block::external(a, [4, 4]);
    let b = a.slice(2, 0);
    let c = a.slice(k, 0);
    let d = a.slice(0);
    b[[0]] + c[[0]] + d[[0]]
}

fn main() {}
