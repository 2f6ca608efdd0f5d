//! A write reaches the nearest block only, though a read would walk up to its parent.

use shim::prelude::*;

#[shim::kernel]
fn first(a: &mut [u8; 64]) -> u8 {
    let a = Block::external(a, [8, 8]);
    let b = a[[2..4, 2..4]].to_stack();
    b[[-1, 0]] = 1;
    b[[-1, 0]]
}

fn main() {}
