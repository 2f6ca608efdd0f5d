//! A tensor has eight axes at most.

use shim::prelude::*;

#[shim::kernel]
fn second(a: &Block<u8, 9>) -> u8 {
    a[[0, 0]]
}

fn main() {}
