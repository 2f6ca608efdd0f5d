//! A copy is filled where it is made.

use shim::prelude::*;

#[shim::kernel]
fn first(v: &[u8], n: usize) -> u8 {
    let v = Block::external(v, [n]);
    let copy = v.to_block();
    let filled = copy.copied();
    filled[[0]]
}

fn main() {}
