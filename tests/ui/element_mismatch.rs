//! rustc's own: a value of the wrong type, on the user's tokens.

use shim::prelude::*;

#[shim::kernel]
fn set(a: &mut [u8], v: i32) {
    let a = Block::external(a, [16]);
    a[[0]] = v;
    let w: u16 = a[[1]];
}

fn main() {}
