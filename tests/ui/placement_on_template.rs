//! A template's tensors bring their place.

use shim::prelude::*;

#[shim::kernel]
fn first(#[refined(2)] v: impl Tensor<u8, 1>) -> u8 {
    v[[0]]
}

#[shim::kernel]
fn user(a: &[u8]) -> u8 {
    let a = Block::external(a, [4]);
    first(a)
}

fn main() {}
