//! A slice of row slices has two axes.

use shim::prelude::*;

#[shim::kernel]
fn first(a: &[&[u8]], h: usize, w: usize) -> u8 {
    let a = Block::external(a, [h, w, 3]);
    a[[0, 0, 0]]
}

fn main() {}
