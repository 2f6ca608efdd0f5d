//! A view alone does nothing.

use shim::prelude::*;

#[shim::kernel]
fn first(a: &[u8]) -> u8 {
    let a = Block::external(a, [16]);
    a[[0..4]];
    a.slice(0, 3);
    a[[0]]
}

fn main() {}
