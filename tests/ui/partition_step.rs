//! A step is static, and counts forward from one.

use shim::prelude::*;

#[shim::kernel]
fn first(a: &[u8], k: usize) -> u8 {
    let a = Block::external(a, [16]);
    let b = a[[(0..16).step_by(k)]];
    let c = a[[(0..16).step_by(0)]];
    b[[0]] + c[[0]]
}

fn main() {}
