//! Differences of a block from the predictions of up to four vectors.
//!
//! A vector predicts the average of two blocks of the planes of a reference picture. It is compared as it is computed,
//! and four blocks share what has to be done once.

use shim::prelude::*;

use crate::kernels::metrics::{hadamard_of, sad_of};
use crate::kernels::transform::blocks;

/// The differences of a block of constant extents and the average of two others: a template.
#[shim::kernel]
fn differences(
    cur: impl Tensor<u8, 2>,
    a: impl Tensor<u8, 2>,
    b: impl Tensor<u8, 2>,
    d: impl Tensor<i16, 2>,
) {
    let (cur, a, b) = (cur.cast::<i16>(), a.cast::<i16>(), b.cast::<i16>());
    // The rows inside: a loop over sixteen columns with less in it is unrolled before it is vectorized.
    #[reorder(x, y)]
    #[unroll(y)]
    for [y, x] in cur.indices() {
        d[[y, x]] = if cur.extent(1) == 16 {
            cur[[y, x]] - ((a[[y, x]] + b[[y, x]] + 1) >> 1)
        } else {
            // The same; an average of bytes gains nothing where a row has eight.
            (2 * cur[[y, x]] - a[[y, x]] - b[[y, x]]) >> 1
        };
    }
}

/// The SAD of a block of 16x16 and the average of two others; a template.
#[shim::kernel]
pub(crate) fn sad_of_average(cur: impl Tensor<u8, 2>, a: impl Tensor<u8, 2>, b: impl Tensor<u8, 2>) -> u32 {
    let tile = Block::stack::<u8>([16, 16]);
    let average = tile.cast::<u16>();
    let (a, b) = (a.cast::<u16>(), b.cast::<u16>());
    #[lanes(16)]
    for [y, x] in average.indices() {
        average[[y, x]] = (a[[y, x]] + b[[y, x]] + 1) >> 1;
    }
    sad_of(cur, tile)
}

/// The SATD of each quarter of a macroblock, row by row, and what a vector predicts; a template.
#[shim::kernel]
pub(crate) fn quarters_of(
    cur: impl Tensor<u8, 2>,
    #[located] reference: &crate::kernels::picture::ReferenceView<'_>,
    macroblock: Place<2>,
    mv: [i16; 2],
) -> [u32; 4] {
    #[staged]
    use crate::kernels::inter::luma::averaged;
    let d = blocks(cur);
    let own = Block::stack::<u32>([16]);
    let (a, b) = averaged::<16, 16>(reference, macroblock, mv);
    differences(cur, a, b, d);
    hadamard_of::<16>(d, own);
    let mut quarters = [0; 4];
    #[unroll]
    for q in 0..4 {
        let first = 8 * (q / 2) + 2 * (q % 2);
        quarters[q] = own[[first]] + own[[first + 1]] + own[[first + 4]] + own[[first + 5]];
    }
    quarters
}

/// The SATD of a block of `H` rows of `W` and what each of `COUNT` vectors predicts; a template. Their `BLOCKS` blocks of
/// 4x4 each share vectors.
#[shim::kernel]
pub(crate) fn satds_of<const H: usize, const W: usize, const COUNT: usize, const BLOCKS: usize>(
    cur: impl Tensor<u8, 2>,
    #[located] reference: &crate::kernels::picture::ReferenceView<'_>,
    part: Place<2>,
    mvs: [[i16; 2]; COUNT],
) -> [u32; COUNT] {
    #[staged]
    use crate::kernels::{inter::luma::averaged, transform::by_blocks};
    let d = Block::stack::<i16>([COUNT * H, W]).stored(by_blocks(COUNT * H, W));
    let own = Block::stack::<u32>([COUNT * BLOCKS]);
    #[unroll]
    for i in 0..COUNT {
        let (a, b) = averaged::<H, W>(reference, part, mvs[i]);
        differences(cur, a, b, d[[H * i..H * (i + 1), ..]]);
    }
    hadamard_of::<{ COUNT * BLOCKS }>(d, own);
    let mut satds = [0; COUNT];
    #[unroll]
    for i in 0..COUNT {
        #[unroll]
        let sum = (0..BLOCKS).map(|k| own[[BLOCKS * i + k]]).sum::<u32>();
        satds[i] = sum;
    }
    satds
}
