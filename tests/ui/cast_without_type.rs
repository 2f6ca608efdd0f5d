//! A cast names its type.

use shim::prelude::*;

#[shim::kernel]
fn first(a: &[u8]) -> i32 {
    let a = Block::external(a, [4, 4]);
    let b = a.cast();
    let c = a.cast::<i32, i64>();
    let d = a.cast::<i32>(0);
    b[[0, 0]] + c[[0, 0]] + d[[0, 0]]
}

fn main() {}
