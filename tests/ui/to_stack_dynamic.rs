//! A copy on the stack has static extents.

use shim::prelude::*;

#[shim::kernel]
fn first(a: &[u8], h: usize, w: usize, r: usize) -> u8 {
    let a = Block::external(a, [h, w]);
    let b = a.to_stack();
    let c = a[[r..r + 4, 0..r]].to_stack().copied();
    b[[0, 0]] + c[[0, 0]]
}

fn main() {}
