//! A tensor in a format string has no value either.

use shim::prelude::*;

#[shim::kernel]
fn print(a: &[u8], n: usize) {
    let a = Block::external(a, [n]);
    println!("{a:?}");
    println!("{:?} {}", a, a[[0]]);
}

fn main() {}
