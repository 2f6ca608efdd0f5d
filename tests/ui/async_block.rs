//! `async` is the one part of Rust that kernels leave out.

use shim::prelude::*;

#[shim::kernel]
fn later(a: &[i32]) -> i32 {
    let a = Block::external(a, [1]);
    let _task = async { 1 };
    a[[0]]
}

fn main() {}
