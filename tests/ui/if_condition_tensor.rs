//! A condition is no tensor, nor is what is matched.

use shim::prelude::*;

#[shim::kernel]
fn first(a: &[bool]) -> u8 {
    let a = Block::external(a, [1]);
    if a {
        return 1;
    }
    while a {}
    match a {
        _ => 0,
    }
}

fn main() {}
