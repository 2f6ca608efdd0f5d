//! Static values overflow at expansion, never silently.

use shim::prelude::*;

#[shim::kernel]
fn first(a: &[u8]) -> i32 {
    let a = Block::external(a, [16]);
    let k = 2_000_000_000;
    let b = k + k;
    const SMALL: u8 = 200;
    let c = SMALL + 100;
    let d: u8 = 256;
    a[[0]] as i32 + b + c as i32 + d as i32
}

fn main() {}
