//! A tensor is no iterator; its indices are.

use shim::prelude::*;

#[shim::kernel]
fn sum(a: &[u8], n: usize) -> u8 {
    let a = Block::external(a, [n]);
    let mut s = 0;
    for v in a {
        s += v;
    }
    for v in &a {
        s += v;
    }
    s
}

fn main() {}
