//! The function of a rule takes and gives coordinates.

use shim::prelude::*;

#[shim::kernel]
fn types(a: &[u8]) -> u8 {
    let a = Block::external(a, [4]).boundary(By(|i: u32, n| i % n));
    a[[9]]
}

#[shim::kernel]
fn changes(a: &[u8], calls: &mut u32) -> u8 {
    let a = Block::external(a, [4]).boundary(By(|i, n| {
        *calls += 1;
        i % n
    }));
    a[[9]]
}

fn main() {}
