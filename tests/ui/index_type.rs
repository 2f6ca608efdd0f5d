//! rustc's own: an index that is no integer.

use shim::prelude::*;

#[shim::kernel]
fn first(a: &[u8], x: f32) -> u8 {
    let a = Block::external(a, [16]);
    a[[x]] + a[[x.sqrt()]]
}

fn main() {}
