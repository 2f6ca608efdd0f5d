//! Whether a configured statement is there is known only after the macro.

use shim::prelude::*;

#[shim::kernel]
fn first(v: &[u8], n: usize) -> u8 {
    #[cfg(debug_assertions)]
    let t = Block::external(v, [n]);
    t[[0]]
}

fn main() {}
