//! `copied` says how a copy is made.

use shim::prelude::*;

#[shim::kernel]
fn first(a: &[u8]) -> u8 {
    let a = Block::external(a, [4, 4]);
    let b = a.copied();
    b[[0, 0]]
}

fn main() {}
