//! Which tensor a name means is known at expansion.

use shim::prelude::*;

#[shim::kernel]
fn pick(a: &[u8], b: &[u8], n: usize, second: bool) -> u8 {
    let a = Block::external(a, [n]);
    let b = Block::external(b, [n]);
    let t = if second { b } else { a };
    let u = match n {
        0 => a,
        _ => b,
    };
    t[[0]] + u[[0]]
}

fn main() {}
