//! Options stand between commas.

use shim::prelude::*;

#[shim::kernel(simd checks = "every")]
fn first(v: &[u8], n: usize) -> u8 {
    let v = Block::external(v, [n]);
    v[[0]]
}

fn main() {}
