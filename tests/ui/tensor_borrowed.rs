//! A tensor is `Copy` and is passed by value.

use shim::prelude::*;

#[shim::kernel]
fn borrow(a: &mut [u8], n: usize) -> u8 {
    let a = Block::external(a, [n]);
    let shared = &a;
    let unique = &mut a;
    unique[[0]] = 3;
    shared[[0]]
}

fn main() {}
