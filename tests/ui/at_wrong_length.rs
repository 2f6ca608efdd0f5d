//! A block stands at one coordinate per axis.

use shim::prelude::*;

#[shim::kernel]
fn first(a: &[u8], r: usize, c: usize) -> u8 {
    let a = Block::external(a, [16]).at([r, c]);
    let b = Block::stack::<u8>([4, 4]).at(r);
    a[[0]] + b[[0, 0]]
}

fn main() {}
