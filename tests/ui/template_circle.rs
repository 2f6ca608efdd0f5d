//! rustc's own: templates that call each other in a circle wait for each other's macros.

use shim::prelude::*;

#[shim::kernel]
fn even(v: impl Tensor<i32, 1>, n: usize) -> bool {
    if n == 0 { true } else { odd(v, n - 1) }
}

#[shim::kernel]
fn odd(v: impl Tensor<i32, 1>, n: usize) -> bool {
    if n == 0 { false } else { even(v, n - 1) }
}

#[shim::kernel]
fn run(a: &mut [i32]) -> bool {
    let a = Block::external(a, [4]);
    even(a, 3)
}

fn main() {}
