//! A name that a template does not find is an error at its definition, and once more where a kernel stages it.

use shim::prelude::*;

#[shim::kernel]
fn shifted(v: impl Tensor<u8, 1>) -> u8 {
    v[[0]] + offset
}

#[shim::kernel]
fn run(v: &[u8; 4]) -> u8 {
    shifted(Block::external(v, [4]))
}

fn main() {}
