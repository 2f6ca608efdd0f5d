//! Each constructor has its arguments.

use shim::prelude::*;

#[shim::kernel]
fn copy(a: &[u8], h: usize, w: usize) {
    let a = Block::external(a, h, w);
    let b = Block::heap::<u8>();
    let [y, x] = iters();
    b[[y, x]] = a[[y, x]];
}

fn main() {}
