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

#[shim::kernel]
fn stages(#[shape(8, 8)] a: &[u8; 64], #[shape(8, 8)] out: &mut [u16; 64]) {
    #[compute_at('rows)]
    let twice = stage::<u16>(|[y, x]| 2 * u16::from(a[[y, x]]));
    'rows: for y in 0..8 {
        for x in 0..8 {
            out[[y, x]] = twice[[y, x]] + twice.offset([y, x]) as u16;
        }
    }
}

fn main() {}
