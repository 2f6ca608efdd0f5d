//! From samples to what the entropy coder codes: the blocks of one component in one row of MCUs.

use shim::prelude::*;

use super::dct::fdct;
use super::quantise::{Divisors, quantise};
use super::zigzag::zigzag;

/// Transforms (A.3.3), quantises (A.3.4) and orders (A.3.6) the 8x8 blocks of `plane`, `[rows, columns]`: block
/// `[v, h]` of the plane becomes `zz[[v, h, k]]` of `coefficients`, `[blocks_high, blocks_wide, 64]`.
///
/// Blocks that are partly outside of the plane repeat its edges (A.2.4): the boundary rule is "clamp".
///
/// # Panics
///
/// When the plane or the coefficients do not have the memory, or the plane is empty and there are blocks.
#[shim::kernel(simd)]
pub fn transform(
    plane: &[u8],
    rows: usize,
    columns: usize,
    divisors: &Divisors,
    coefficients: &mut [i16],
    blocks_high: usize,
    blocks_wide: usize,
) {
    let plane = Block::external(plane, [rows, columns]).boundary(Clamp).cast::<i32>();
    let blocks =
        Block::external(coefficients, [blocks_high, blocks_wide, 64]).coarsened([8, 8, 1]).cast::<i32>();
    let grid = blocks.slice(2, 0);
    for [v, h] in grid.indices() {
        let block = Block::stack::<i32>([8, 8]);
        fdct(plane.coverage([8 * v, 8 * h], grid), block);
        quantise(block, divisors, block);
        zigzag(block, blocks[[v, h, ..]]);
    }
}
