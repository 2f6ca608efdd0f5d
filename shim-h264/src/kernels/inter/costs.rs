//! Differences of a block from the predictions of up to four vectors.
//!
//! A vector predicts the average of two blocks of the planes of a reference picture. It is compared as it is computed,
//! and four blocks share what has to be done once.

use shim::prelude::*;

use crate::kernels::Vector;
use crate::kernels::metrics::{hadamard_of, sad_of};
use crate::kernels::picture::{ReferenceView, SamplesView};
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

/// The SATD of each quarter of a block of 16x16, row by row, and what each of up to four vectors predicts.
///
/// # Panics
///
/// When the macroblock is outside the source.
#[shim::kernel(simd)]
pub fn satds_16x16(
    #[located] source: &SamplesView<'_>,
    #[shape(16, 16)] macroblock: Place<2>,
    #[located] reference: &ReferenceView<'_>,
    mvs: &[Vector],
) -> [[u32; 4]; 4] {
    let cur = source.luma.footprint(macroblock);
    let mut costs = [[0; 4]; 4];
    for i in 0..mvs.len().min(4) {
        let mv = mvs[i];
        costs[i] = quarters_of(cur, reference, macroblock, mv);
    }
    costs
}

macro_rules! satds {
    ($($name:ident = $h:literal by $w:literal, $per:literal of $blocks:literal;)*) => {$(
        #[doc = concat!("The SATD of a block of ", $h, " rows of ", $w, " and what each of up to four vectors predicts.")]
        ///
        /// # Panics
        ///
        /// When the part is outside the source.
        #[shim::kernel(simd)]
        pub fn $name(
            #[located] source: &SamplesView<'_>,
            #[shape($h, $w)] part: Place<2>,
            #[located] reference: &ReferenceView<'_>,
            mvs: &[Vector],
        ) -> [u32; 4] {
            let cur = source.luma.footprint(part);
            let mut costs = [0; 4];
            for group in 0..mvs.len().min(4).div_ceil($per) {
                let own: [Vector; $per] =
                    core::array::from_fn(|i| mvs.get($per * group + i).copied().unwrap_or_default());
                let satds = satds_of::<$h, $w, $per, $blocks>(cur, reference, part, own);
                for i in 0..$per {
                    costs[$per * group + i] = satds[i];
                }
            }
            costs
        }
    )*};
}

satds! {
    satds_16x8 = 8 by 16, 2 of 8;
    satds_8x16 = 16 by 8, 2 of 8;
    satds_8x8 = 8 by 8, 4 of 4;
    satds_8x4 = 4 by 8, 4 of 2;
    satds_4x8 = 8 by 4, 4 of 2;
    satds_4x4 = 4 by 4, 4 of 1;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels::inter::Part;
    use crate::kernels::inter::luma::predict_luma;
    use crate::kernels::macroblock_at;
    use crate::kernels::testing::{Random, Window, noise, satd};

    /// The kernel for several vectors, and rows and columns of the part.
    type Case = (fn(&SamplesView<'_>, Place<2>, &ReferenceView<'_>, &[Vector]) -> [u32; 4], [usize; 2]);

    /// Rows and columns of macroblocks.
    const MBS: [usize; 2] = [3, 2];

    #[test]
    fn are_those_of_predictions() {
        let whole = |source: &SamplesView<'_>, part, reference: &ReferenceView<'_>, mvs: &[Vector]| {
            satds_16x16(source, part, reference, mvs).map(|quarters| quarters.iter().sum())
        };
        let cases: [Case; 7] = [
            (whole, [16, 16]),
            (satds_16x8, [8, 16]),
            (satds_8x16, [16, 8]),
            (satds_8x8, [8, 8]),
            (satds_8x4, [4, 8]),
            (satds_4x8, [8, 4]),
            (satds_4x4, [4, 4]),
        ];
        let mut random = Random::new(3);
        for round in 0..100 {
            let (source, reference) = noise(&mut random, MBS, round % 2 != 0);
            let reference = reference.rows();
            let reference = reference.view();
            for (several, size) in cases {
                let macroblock = MBS.map(|n| random.within(0, n as i32 - 1) as usize);
                let at = size.map(|side| side * random.within(0, 16 / side as i32 - 1) as usize);
                let (place, part) = (macroblock_at(macroblock), Part { at, size });
                let own = [0, 1].map(|i| 16 * macroblock[i] + at[i]);
                let cur = Window { plane: &source.luma, size: source.luma_size(), at: own };
                // Within a block, and farther outside than the margin.
                let reach = [8, 100, 2000, 32_767][round % 4];
                let mvs = [(); 4].map(|()| [(); 2].map(|()| random.within(-reach, reach) as i16));
                let expected = mvs.map(|mv| {
                    let mut pred = [0; 256];
                    predict_luma(&reference, part.corner(place), mv, part, &mut pred);
                    satd(cur, Window { plane: &pred, size: [16, 16], at }, size)
                });
                let count = round % 5;
                let costs = several(&source.view(), part.place(place), &reference, &mvs[..count]);
                assert_eq!(costs[..count], expected[..count], "{part:?}, {mvs:?}");
            }
        }
    }

    #[test]
    fn quarters_are_those_of_the_whole() {
        let (source, reference) = noise(&mut Random::new(4), MBS, false);
        let (source, reference) = (source.view(), reference.rows());
        let reference = reference.view();
        let mvs = [[3, 4], [-7, 90], [16, -16], [5, 5]];
        let quarters = satds_16x16(&source, macroblock_at([1, 0]), &reference, &mvs);
        for (q, [y, x]) in [[0, 0], [0, 8], [8, 0], [8, 8]].into_iter().enumerate() {
            let part = Place::new([16 + y, x], [8, 8]);
            let own = satds_8x8(&source, part, &reference, &mvs);
            assert_eq!(quarters.map(|quarters| quarters[q]), own);
        }
    }
}
