//! Differences of a block from the predictions of up to four vectors.
//!
//! What a vector predicts is the average of two places in the planes of a reference picture, which are the same one where it stands
//! there as it is. It is compared as it is computed, and four blocks share what has to be done once.

use shim::prelude::*;

use crate::kernels::metrics::hadamard_of;
use crate::kernels::picture::{ReferenceView, SamplesView};
use crate::kernels::transform::blocks;

/// For each of four vectors, rows and columns of the two places whose average it predicts, in the planes one below the other.
pub type Places = [[[usize; 2]; 2]; 4];

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

/// The SAD of a block of constant extents and the average of two others; a template.
#[shim::kernel]
fn sad_of_average(cur: impl Tensor<u8, 2>, a: impl Tensor<u8, 2>, b: impl Tensor<u8, 2>) -> u32 {
    let (cur, a, b) = (cur.cast::<i32>(), a.cast::<u16>(), b.cast::<u16>());
    let mut sum: i32 = 0;
    #[reorder(x, y)]
    #[unroll(y)]
    for [y, x] in cur.indices() {
        let average = ((a[[y, x]] + b[[y, x]] + 1) >> 1) as u8;
        sum += (cur[[y, x]] - i32::from(average)).abs();
    }
    sum as u32
}

/// The SATD of each quarter of a block of 16x16, row by row, and what up to four vectors predict. The first `count` vectors count, the
/// cost of others is 0.
///
/// # Panics
///
/// When the part is outside the source, or a block outside the planes.
#[shim::kernel(simd)]
pub fn satds_16x16(
    #[located] source: &SamplesView<'_>,
    #[shape(16, 16)] macroblock: Place<2>,
    #[located] reference: &ReferenceView<'_>,
    at: &Places,
    count: usize,
) -> [[u32; 4]; 4] {
    let (cur, planes) = (source.luma.footprint(macroblock), reference.luma);
    let mut costs = [[0; 4]; 4];
    for i in 0..count.min(4) {
        let [[r, c], [s, e]] = at[i];
        let d = blocks(cur);
        let own = Block::stack::<u32>([16]);
        let (a, b) = (planes[[r..r + 16, c..c + 16]], planes[[s..s + 16, e..e + 16]]);
        differences(cur, a, b, d);
        hadamard_of::<16>(d, own);
        #[unroll]
        for q in 0..4 {
            let first = 8 * (q / 2) + 2 * (q % 2);
            costs[i][q] = own[[first]] + own[[first + 1]] + own[[first + 4]] + own[[first + 5]];
        }
    }
    costs
}

macro_rules! satds {
    ($($name:ident = $h:literal by $w:literal, $per:literal of $blocks:literal;)*) => {$(
        #[doc = concat!("The SATD of a block of ", $h, " rows of ", $w, " and what up to four vectors predict.")]
        ///
        /// The first `count` vectors count; what is returned for others means nothing.
        ///
        /// # Panics
        ///
        /// When the part is outside the source, or a block outside the planes.
        #[shim::kernel(simd)]
        pub fn $name(
            #[located] source: &SamplesView<'_>,
            #[shape($h, $w)] part: Place<2>,
            #[located] reference: &ReferenceView<'_>,
            at: &Places,
            count: usize,
        ) -> [u32; 4] {
            #[staged]
            use crate::kernels::transform::by_blocks;
            let (cur, planes) = (source.luma.footprint(part), reference.luma);
            let mut costs = [0; 4];
            for group in 0..count.min(4).div_ceil($per) {
                let d = Block::stack::<i16>([$per * $h, $w]).stored(by_blocks($per * $h, $w));
                let own = Block::stack::<u32>([$per * $blocks]);
                #[unroll]
                for i in 0..$per {
                    let [[r, c], [s, e]] = at[$per * group + i];
                    let (a, b) = (planes[[r..r + $h, c..c + $w]], planes[[s..s + $h, e..e + $w]]);
                    differences(cur, a, b, d[[$h * i..$h * (i + 1), ..]]);
                }
                hadamard_of::<{ $per * $blocks }>(d, own);
                #[unroll]
                for i in 0..$per {
                    #[unroll]
                    let sum = (0..$blocks).map(|k| own[[$blocks * i + k]]).sum::<u32>();
                    costs[$per * group + i] = sum;
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

/// The SAD of a block of 16x16 and what up to four vectors predict. The first `count` vectors count, the cost of others is 0.
///
/// # Panics
///
/// When the part is outside the source, or a block outside the planes.
#[shim::kernel(simd)]
pub fn fine_sads_16x16(
    #[located] source: &SamplesView<'_>,
    #[shape(16, 16)] macroblock: Place<2>,
    #[located] reference: &ReferenceView<'_>,
    at: &Places,
    count: usize,
) -> [u32; 4] {
    let (cur, planes) = (source.luma.footprint(macroblock), reference.luma);
    let mut costs = [0; 4];
    for i in 0..count.min(4) {
        let [[r, c], [s, e]] = at[i];
        costs[i] = sad_of_average(cur, planes[[r..r + 16, c..c + 16]], planes[[s..s + 16, e..e + 16]]);
    }
    costs
}

#[cfg(test)]
mod tests {
    use std::vec::Vec;

    use super::*;
    use crate::kernels::picture::{Reference, Samples};
    use crate::kernels::testing::{Random, Window, sad, satd};

    /// The kernels for several vectors and for one block, and the rows and columns.
    type Case = (
        fn(&SamplesView<'_>, Place<2>, &ReferenceView<'_>, &Places, usize) -> [u32; 4],
        fn(Window<'_>, Window<'_>, [usize; 2]) -> u32,
        [usize; 2],
    );

    /// Rows and columns of the source and of the planes.
    const SIZES: [[usize; 2]; 2] = [[48, 32], [448, 96]];

    fn noise(random: &mut Random, extreme: bool) -> (Samples, Reference) {
        let (mut source, mut reference) = (Samples::new([3, 2]), Reference::new([3, 2]));
        for plane in [&mut source.luma, &mut reference.luma] {
            plane.fill_with(|| if extreme { (random.byte() >> 7) * 255 } else { random.byte() });
        }
        (source, reference)
    }

    #[test]
    fn are_those_of_averages() {
        let whole = |source: &SamplesView<'_>, part, reference: &ReferenceView<'_>, at: &Places, count| {
            satds_16x16(source, part, reference, at, count).map(|quarters| quarters.iter().sum())
        };
        let cases: [Case; 8] = [
            (whole, satd, [16, 16]),
            (fine_sads_16x16, sad, [16, 16]),
            (satds_16x8, satd, [8, 16]),
            (satds_8x16, satd, [16, 8]),
            (satds_8x8, satd, [8, 8]),
            (satds_8x4, satd, [4, 8]),
            (satds_4x8, satd, [8, 4]),
            (satds_4x4, satd, [4, 4]),
        ];
        let mut random = Random::new(3);
        for round in 0..100 {
            let (source, reference) = noise(&mut random, round % 2 != 0);
            let planes = &reference.luma;
            for (several, one, [h, w]) in cases {
                let mut place = |size: [usize; 2]| {
                    [size[0] - h, size[1] - w].map(|most| random.within(0, most as i32) as usize)
                };
                let own = place(SIZES[0]);
                let cur = Window { plane: &source.luma, size: SIZES[0], at: own };
                let at = [(); 4].map(|()| [place(SIZES[1]), place(SIZES[1])]);
                let expected = at.map(|[[r, c], [s, e]]| {
                    let average = |i: usize| {
                        let [y, x] = [i / w, i % w];
                        let sum = u16::from(planes[(r + y) * SIZES[1][1] + c + x])
                            + u16::from(planes[(s + y) * SIZES[1][1] + e + x]);
                        sum.div_ceil(2) as u8
                    };
                    let pred: Vec<u8> = (0..h * w).map(average).collect();
                    one(cur, Window { plane: &pred, size: [h, w], at: [0, 0] }, [h, w])
                });
                let count = round % 5;
                let part = Place::new(own.map(|n| n as isize), [h, w]);
                let costs = several(&source.view(), part, &reference.view(), &at, count);
                assert_eq!(costs[..count], expected[..count], "{h} by {w}");
            }
        }
    }

    #[test]
    fn quarters_are_those_of_the_whole() {
        let (source, reference) = noise(&mut Random::new(4), false);
        let at = [[[3, 4]; 2], [[0, 0], [1, 1]], [[16, 16], [9, 7]], [[5, 5]; 2]];
        let quarters = satds_16x16(&source.view(), Place::new([2, 1], [16, 16]), &reference.view(), &at, 4);
        for (q, [y, x]) in [[0, 0], [0, 8], [8, 0], [8, 8]].into_iter().enumerate() {
            let moved = at.map(|places| places.map(|[r, c]| [r + y, c + x]));
            let part = Place::new([2 + y as isize, 1 + x as isize], [8, 8]);
            assert_eq!(
                quarters.map(|quarters| quarters[q]),
                satds_8x8(&source.view(), part, &reference.view(), &moved, 4)
            );
        }
    }
}
