//! A function inside of the kernel is no template.

use shim::prelude::*;

#[shim::kernel]
fn run(a: &[u8], n: usize) -> u8 {
    fn sum(_: &[u8]) -> u8 {
        0
    }
    let a = Block::external(a, [n]);
    sum(a)
}

fn main() {}
