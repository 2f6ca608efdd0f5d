//! A miss inside a template is named by the template and the call.

use shim::prelude::*;

#[shim::kernel]
fn above(v: impl Tensor<i32, 1>) -> i32 {
    v[[-1]]
}

#[shim::kernel]
fn run(a: &[i32]) -> i32 {
    let a = Block::external(a, [16]);
    above(a)
}

fn main() {}
