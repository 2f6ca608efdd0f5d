//! A tensor has no value.

use shim::prelude::*;

#[shim::kernel]
fn sum(a: &[u8], b: &[u8], n: usize) -> u8 {
    let a = Block::external(a, [n]);
    let b = Block::external(b, [n]);
    let c = a + b;
    if a == b {
        return 1;
    }
    -a
}

fn main() {}
