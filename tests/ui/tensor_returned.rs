//! Tensors live in the kernel alone.

use shim::prelude::*;

#[shim::kernel]
fn tail(a: &[u8], n: usize) -> u8 {
    let a = Block::external(a, [n]);
    a
}

#[shim::kernel]
fn explicit(a: &[u8], n: usize) -> u8 {
    let a = Block::external(a, [n]);
    return a;
}

#[shim::kernel]
fn view(a: &[u8], n: usize) -> u8 {
    let a = Block::external(a, [n, n]);
    a.slice(0, 0)
}

fn main() {}
