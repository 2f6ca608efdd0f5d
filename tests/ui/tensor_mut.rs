//! A tensor never changes.

use shim::prelude::*;

#[shim::kernel]
fn clear(a: &mut [u8], n: usize) {
    let mut a = Block::external(a, [n]);
    let [i] = iters();
    a[[i]] = 0;
}

fn main() {}
