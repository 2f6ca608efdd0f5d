//! The items of a `mask` are the numbers of its bits, and its type is one of unsigned integers.

use shim::prelude::*;

#[shim::kernel]
fn masks(a: &[i32; 16]) -> (u16, u16, i16) {
    let a = Block::external(a, [16]);
    let b = a.reshape([4, 4]);
    let mapped = (0..16).map(|k| a[[k]]).mask::<u16>(|v| v != 0);
    let square = b.indices().mask::<u16>(|[y, x]| b[[y, x]] != 0);
    (mapped, square, 0)
}

#[shim::kernel]
fn signed(a: &[i32; 16]) -> i16 {
    let a = Block::external(a, [16]);
    a.indices().mask::<i16>(|[k]| a[[k]] != 0)
}

#[shim::kernel]
fn unrolled(a: &[i32], n: usize) -> u16 {
    let a = Block::external(a, [n]);
    #[unroll]
    let long = (0..n).mask::<u16>(|k| a[[k]] != 0);
    #[unroll]
    let all = a.indices().mask::<u16>(|[k]| a[[k]] != 0);
    #[unroll]
    let plain = a.indices().zip(0..3).count();
    long | all | plain as u16
}

fn main() {}
