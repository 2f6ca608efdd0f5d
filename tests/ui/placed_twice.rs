//! A block is placed once.

use shim::prelude::*;

#[shim::kernel]
fn first(a: &[u8], r: usize) -> u8 {
    let a = Block::external(a, [16]).at([r]).at([4]);
    a[[0]]
}

fn main() {}
