//! `checks` has one value.

use shim::prelude::*;

#[shim::kernel(checks = "some")]
fn first(a: &[i32]) -> i32 {
    let a = Block::external(a, [1]);
    a[[0]]
}

fn main() {}
