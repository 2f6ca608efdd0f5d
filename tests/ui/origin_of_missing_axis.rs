//! A query about an axis that a slice dropped.

use shim::prelude::*;

#[shim::kernel]
fn where_is(v: &[u8], h: usize, w: usize) -> isize {
    let row = Block::external(v, [h, w]).slice(0, 3);
    row.origin(1) + row.extent(1) as isize
}

fn main() {}
