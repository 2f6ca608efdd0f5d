//! A copy is memory of its own, its parent is not written.

use shim::prelude::*;

#[shim::kernel]
fn first(a: View<'_, u8, 2>) -> u8 {
    let b = a.to_block();
    b[[0, 0]] = 1;
    a[[0, 0]] = 2;
    b[[0, 0]]
}

fn main() {}
