//! A cast has one type.

use shim::prelude::*;

#[shim::kernel]
fn first(v: &[u8], n: usize) -> i32 {
    let v = Block::external(v, [n]).cast::<u16, i32>();
    v[[0]]
}

fn main() {}
