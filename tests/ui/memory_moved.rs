//! rustc's own: memory that grows while a tensor stands on it.

use shim::prelude::*;

#[shim::kernel]
fn grow(memory: &mut Vec<u8>) -> u8 {
    let a = Block::external(memory, [16]);
    memory.push(1);
    a[[0]]
}

fn main() {}
