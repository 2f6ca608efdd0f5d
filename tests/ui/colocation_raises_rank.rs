//! The rank may fall from parent to child, never rise.

use shim::prelude::*;

#[shim::kernel]
fn first(a: &[u8], b: &[u8]) -> u8 {
    let row = Block::external(a, [16]);
    let block = Block::external(b, [4, 4]);
    let c = row[block];
    c[[0, 0]]
}

fn main() {}
