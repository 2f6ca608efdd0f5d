//! Outside a block `Fill` gives a value, which has to be named.

use shim::prelude::*;

#[shim::kernel]
fn first(v: &[u8], n: usize) -> u8 {
    let v = Block::external(v, [n]).boundary(Fill);
    v[[-1]]
}

fn main() {}
