//! A static shift by too much is found at expansion.

use shim::prelude::*;

#[shim::kernel]
fn first(a: &[i32]) -> i32 {
    let a = Block::external(a, [16]);
    const K: i32 = 40;
    a[[0]] + (1 << K) + (1 << -K)
}

fn main() {}
