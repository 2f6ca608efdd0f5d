//! A const generic of a kernel is known to rustc, and to the macro only in a template.

use shim::prelude::*;

#[shim::kernel]
fn sum<const N: usize>(a: &[i32; N]) -> i32 {
    let a = Block::external(a, [N]);
    let mut sum = 0;
    #[unroll]
    for i in 0..N {
        sum += a[[i]];
    }
    sum
}

fn main() {}
