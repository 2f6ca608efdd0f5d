//! Templates are generic over const integers and lifetimes.

use shim::prelude::*;

#[shim::kernel]
fn scale<T: Copy>(v: impl Tensor<T, 1>, by: T) -> T {
    by
}

#[shim::kernel]
fn run(a: &mut [i32], n: usize) -> i32 {
    let a = Block::external(a, [n]);
    scale(a, 3)
}

fn main() {}
