//! The last axis cannot be sliced away under a loop.

use shim::prelude::*;

#[shim::kernel]
fn total(v: &[u8], n: usize) -> u32 {
    let v = Block::external(v, [n]).cast::<u32>();
    let point = v.slice(0, 3);
    let mut sum = 0;
    for [i] in point.indices() {
        sum += point[[i]];
    }
    sum
}

fn main() {}
