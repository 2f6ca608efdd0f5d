//! A kernel that certainly calls itself never returns.

use shim::prelude::*;

#[shim::kernel]
fn endless(#[shape(n)] a: &[u32], n: usize) -> u32 {
    let s = stage(|[i]| a[[i]] + endless(&[1, 2], n - 1));
    s[[0]]
}

fn main() {}
