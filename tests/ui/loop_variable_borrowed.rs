//! The variables of staged loops are not borrowed mutably.

use shim::prelude::*;

fn bump(v: &mut i32) {
    *v += 1;
}

#[shim::kernel]
fn sum(a: &[i32]) -> i32 {
    let a = Block::external(a, [4]);
    let mut s = 0;
    for [i] in a.indices() {
        bump(&mut i);
        s += a[[i]];
    }
    s
}

fn main() {}
