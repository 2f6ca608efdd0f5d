//! A template declares the type of the elements that it takes.

use shim::prelude::*;

#[shim::kernel]
fn first(t: impl Tensor<i32, 1>) -> i32 {
    t[[0]]
}

#[shim::kernel]
fn both(v: &[u8], n: usize) -> i32 {
    let v = Block::external(v, [n]);
    first(v)
}

fn main() {}
