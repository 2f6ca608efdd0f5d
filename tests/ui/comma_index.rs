//! rustc's own: `t[y, x]` does not parse, `t[[y, x]]` does.

use shim::prelude::*;

#[shim::kernel]
fn first(a: &[u8]) -> u8 {
    let a = Block::external(a, [4, 4]);
    a[0, 0]
}

fn main() {}
