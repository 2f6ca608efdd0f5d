//! More parts than axes.

use shim::prelude::*;

#[shim::kernel]
fn first(v: &[u8], n: usize) -> u8 {
    let v = Block::external(v, [n]);
    let part = v[[0..4, 0..4, ..]];
    part[[0]]
}

fn main() {}
