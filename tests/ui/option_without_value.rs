//! `checks` needs its value, `crate` a path.

use shim::prelude::*;

#[shim::kernel(checks)]
fn first(a: &[i32]) -> i32 {
    let a = Block::external(a, [1]);
    a[[0]]
}

#[shim::kernel(crate = 3)]
fn second(a: &[i32]) -> i32 {
    let a = Block::external(a, [2]);
    a[[1]]
}

fn main() {}
