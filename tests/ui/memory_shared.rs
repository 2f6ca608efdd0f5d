//! rustc's own: what is borrowed shared is not written.

use shim::prelude::*;

#[shim::kernel]
fn set(a: &[u8]) {
    let a = Block::external(a, [16]);
    a[[0]] = 1;
}

fn main() {}
