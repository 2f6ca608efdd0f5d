//! An extent counts elements.

use shim::prelude::*;

#[shim::kernel]
fn first() -> u8 {
    let t = Block::stack::<u8>([4, 3 - 5]);
    t[[0, 0]]
}

fn main() {}
