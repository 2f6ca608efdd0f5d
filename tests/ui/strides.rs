//! Strides are those of memory that exists, one for each axis.

use shim::prelude::*;

#[shim::kernel]
fn strides(a: &mut [u8], rows: &[Vec<u8>], n: usize) -> u8 {
    let b = Block::external(a, [n, 3]).strided([n]);
    let c = Block::external(a, [n, 3]).strided(n);
    let d = Block::external(a, [n, 3]).strided([-3, 1]);
    let e = Block::heap::<u8>([n, 3]).strided([4, 1]);
    let f = Block::external(rows, [n, 3]).strided([4, 1]);
    let g = Block::external(a, [n]).strided([4]).strided([5]);
    let h = g.strided([5]);
    b[[0, 0]] + c[[0, 0]] + d[[0, 0]] + e[[0, 0]] + f[[0, 0]] + g[[0]] + h[[0]]
}

fn main() {}
