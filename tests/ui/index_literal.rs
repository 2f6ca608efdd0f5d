//! An index that no 64 bits hold.

use shim::prelude::*;

#[shim::kernel]
fn far(v: &[u8], n: usize) -> u8 {
    let v = Block::external(v, [n]);
    v[[170_141_183_460_469_231_731_687_303_715_884_105_727]]
}

fn main() {}
