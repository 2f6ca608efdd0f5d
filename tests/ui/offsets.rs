//! An offset is that of an element in the memory of one block.

use shim::prelude::*;

#[shim::kernel]
fn none(a: &[u8], rows: &[Vec<u8>], k: usize) -> usize {
    let a = Block::external(a, [4, 4]);
    let rows = Block::rows(rows, [2, 2]);
    let mut sum = a.offset(k) + a.offset([0]) + a.offset([.., 0]) + a.offset([4, 0]);
    sum += rows.offset([0, 0]);
    sum += a.boundary(Clamp).offset([0, 0]);
    sum += a.within(|[y, x]| y > x).offset([0, 0]);
    sum += a.rotate([1, 0]).offset([0, 0]);
    sum
}

fn main() {}
