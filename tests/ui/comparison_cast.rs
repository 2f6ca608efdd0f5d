//! rustc's own: `x as i32 < 1` needs parentheses.

use shim::prelude::*;

#[shim::kernel]
fn first(a: &[u8], x: usize) -> u8 {
    let a = Block::external(a, [16]);
    if x as i32 < 1 { a[[0]] } else { a[[1]] }
}

fn main() {}
