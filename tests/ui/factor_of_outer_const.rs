//! A constant that refers outside the kernel is not static: the macro sees one function.

use shim::prelude::*;

const DENSITY: usize = 2;

#[shim::kernel]
fn first(a: &[u8]) -> u8 {
    const K: usize = DENSITY;
    let a = Block::external(a, [16, 16]);
    let b = a.coarsen([1, K]);
    let c = a.coarsen([1, DENSITY]);
    b[[0, 0]] + c[[0, 0]]
}

fn main() {}
