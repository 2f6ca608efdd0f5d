//! `async` is the one part of Rust that kernels leave out.

use shim::prelude::*;

#[shim::kernel]
async fn first(a: &[i32]) -> i32 {
    let a = Block::external(a, [1]);
    a[[0]]
}

async fn user(a: &[i32]) -> i32 {
    first(a).await
}

fn main() {}
