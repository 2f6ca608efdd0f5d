//! An iterator on the left stands alone.

use shim::prelude::*;

#[shim::kernel]
fn shift(a: &mut [i32], b: &[i32], n: usize) {
    let a = Block::external(a, [n]);
    let b = Block::external(b, [n]);
    let [i] = iters();
    a[[i + 1]] = b[[i]];
    a[[2 * i]] += b[[i]];
}

fn main() {}
