//! `_` is no index.

use shim::prelude::*;

#[shim::kernel]
fn first(a: &[u8]) -> u8 {
    let a = Block::external(a, [4, 4]);
    let row = a[[_, ..]];
    a[[_, 0]] + row[[0]]
}

fn main() {}
