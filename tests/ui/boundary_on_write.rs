//! A rule for reads gives a write no element.

use shim::prelude::*;

#[shim::kernel]
fn set(v: &mut [u8]) {
    let v = Block::external(v, [8]).boundary(Clamp);
    v[[9]] = 1;
}

fn main() {}
