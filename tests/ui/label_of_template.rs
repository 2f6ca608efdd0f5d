//! A label of the caller is none of the template.

use shim::prelude::*;

#[shim::kernel]
fn skip(t: impl Tensor<u8, 1>, i: i32) {
    if t[[i]] == 0 {
        continue 'outer;
    }
}

#[shim::kernel]
fn first(v: &[u8], n: usize) {
    let v = Block::external(v, [n]);
    'outer: for i in 0..n as i32 {
        skip(v, i);
    }
}

fn main() {}
