//! What is known at expansion is not changed afterwards.

use shim::prelude::*;

fn bump(v: &mut i32) {
    *v += 1;
}

#[shim::kernel]
fn count(a: &[i32]) -> i32 {
    let a = Block::external(a, [4]);
    let k = 2;
    k += 1;
    bump(&mut k);
    a[[k]]
}

fn main() {}
