//! A jump leaves a loop of its own function.

use shim::prelude::*;

#[shim::kernel]
fn skip(t: impl Tensor<u8, 1>, i: i32) {
    if t[[i]] == 0 {
        break;
    }
}

#[shim::kernel]
fn first(v: &[u8], n: usize) {
    let v = Block::external(v, [n]);
    for i in 0..n as i32 {
        skip(v, i);
    }
}

fn main() {}
