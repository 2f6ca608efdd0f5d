//! An item that takes the name of a primitive type, which the kernel relies on.

use shim::prelude::*;

#[shim::kernel]
fn shifted(v: &[u8], n: usize, r: i32) -> u8 {
    struct i32;
    let v = Block::external(v, [n]);
    v[[r as i32 + 1]]
}

fn main() {}
