//! `prefetch` is told an index list.

use shim::prelude::*;

#[shim::kernel]
fn first(a: &[u8], k: usize) -> u8 {
    let a = Block::external(a, [4, 4]);
    a.prefetch(k);
    a.prefetch([0, 0, 0]);
    a.prefetch(0, 0);
    a.prefetch([.., 0]);
    a[[0, 0]]
}

fn main() {}
