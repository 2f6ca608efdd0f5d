//! Static values have types, as in Rust.

use shim::prelude::*;

#[shim::kernel]
fn first(a: &[i32]) -> i32 {
    const N: usize = 3;
    const M: i32 = 4;
    let a = Block::external(a, [16]);
    let k = N + M;
    let u: u32 = 5;
    let m = -u;
    a[[0]] + k as i32 + m as i32
}

fn main() {}
