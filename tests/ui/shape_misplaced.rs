//! `#[shape]` stands before a parameter.

use shim::prelude::*;

#[shim::kernel]
fn first(a: &[i32]) -> i32 {
    #[shape(4, 4)]
    let a = Block::external(a, [16]);
    a[[0]]
}

fn main() {}
