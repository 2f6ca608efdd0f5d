//! What is known of an index fits 64 bits.

use shim::prelude::*;

#[shim::kernel]
fn first(a: &[i32], k: usize) -> i32 {
    let a = Block::external(a, [16]);
    a[[k * 9_223_372_036_854_775_807 * 3]] + a[[99_999_999_999_999_999_999]]
}

fn main() {}
