//! The closure of a reduction names one index per axis.

use shim::prelude::*;

#[shim::kernel]
fn sum(a: &[i32]) -> i32 {
    let a = Block::external(a, [4, 4]);
    let s = a.indices().map(|[i]| a[[i, i]]).sum::<i32>();
    let t = a.indices().map(|[y, x]| a[[y, x, 0]]).max().unwrap();
    s + t
}

fn main() {}
