//! `#[unroll]` stands before a loop, and has no arguments.

use shim::prelude::*;

#[shim::kernel]
fn sum(a: &[i32]) -> i32 {
    let a = Block::external(a, [16]);
    #[unroll]
    let mut s = 0;
    #[unroll(4)]
    for i in 0..16 {
        s += a[[i]];
    }
    #[unroll]
    {
        s += 1;
    }
    let list = Block::stack::<i32>([1]).list();
    #[unroll]
    list.push(s);
    #[reorder(i)]
    list.extend((0..1).map(|i| i));
    s
}

fn main() {}
