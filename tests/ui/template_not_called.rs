//! Errors of templates that no kernel calls are found where they are defined, by the compiler of kernels or by rustc.

use shim::prelude::*;

#[shim::kernel]
fn too_many_indices(v: impl Tensor<u8, 1>) -> u8 {
    v[[0, 1]]
}

#[shim::kernel]
fn wrong_rank(v: impl Tensor<u8, 2>) -> u8 {
    too_many_indices(v)
}

#[shim::kernel]
fn wrong_type(v: impl Tensor<u8, 1>) -> u8 {
    let first: u16 = v[[0]];
    first as u8
}

fn main() {}
