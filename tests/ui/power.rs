//! Rust has no operator for powers: `a ** 2` is `a * (*2)`.

use shim::prelude::*;

#[shim::kernel]
fn square(a: &[i32], n: i32) -> i32 {
    let a = Block::external(a, [4]);
    let x = a[[0]];
    a[[0]] ** 2 + x ** n + x ** a[[1]] + 3 ** 2
}

fn main() {}
