//! An access that is certain to run and certain to miss is found at expansion.

use shim::prelude::*;

#[shim::kernel]
fn first(a: &[u8], b: &mut [u8; 16], r: usize) -> u8 {
    let a = Block::external(a, [4, 4]).at([r, 0]);
    let b = Block::external(b, [4, 4]).at([r, 0]);
    b[[-1, 0]] = 1;
    a[[0, 4]]
}

fn main() {}
