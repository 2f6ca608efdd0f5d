//! Levels of `simd` that do not exist, are missing, or are listed twice.

use shim::prelude::*;

#[shim::kernel(simd(v5))]
fn unknown(a: &[i32]) -> i32 {
    let a = Block::external(a, [1]);
    a[[0]]
}

#[shim::kernel(simd())]
fn none(a: &[i32]) -> i32 {
    let a = Block::external(a, [1]);
    a[[0]]
}

#[shim::kernel(simd(v3, v2, v3))]
fn twice(a: &[i32]) -> i32 {
    let a = Block::external(a, [1]);
    a[[0]]
}

#[shim::kernel(simd("v3"))]
fn string(a: &[i32]) -> i32 {
    let a = Block::external(a, [1]);
    a[[0]]
}

#[shim::kernel(simd = "v3")]
fn value(a: &[i32]) -> i32 {
    let a = Block::external(a, [1]);
    a[[0]]
}

fn main() {}
