//! What comes out of a kernel calls functions that are not `const`.

use shim::prelude::*;

#[shim::kernel]
const fn first(a: &[i32; 1]) -> i32 {
    let a = Block::external(a, [1]);
    a[[0]]
}

fn main() {}
