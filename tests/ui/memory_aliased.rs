//! rustc's own: two tensors over one memory, one of which writes.

use shim::prelude::*;

#[shim::kernel]
fn shift(memory: &mut [u8]) {
    let a = Block::external(memory, [16]);
    let b = Block::external(memory, [4, 4]);
    a[[0]] = b[[0, 1]];
}

fn main() {}
