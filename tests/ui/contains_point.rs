//! `contains` asks about an index list.

use shim::prelude::*;

#[shim::kernel]
fn first(a: &[u8], k: usize) -> bool {
    let a = Block::external(a, [4, 4]);
    a.contains(k) || a.contains([0, 0, 0]) || a.contains(0, 0)
}

fn main() {}
