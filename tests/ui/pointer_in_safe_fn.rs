//! Only the caller of an `unsafe fn` answers for a pointer.

use shim::prelude::*;

#[shim::kernel]
fn first(a: *const u8, n: usize) -> u8 {
    let a = Block::external(a, [n]);
    a[[0]]
}

fn main() {}
