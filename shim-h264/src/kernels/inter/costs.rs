//! Differences of a block from the predictions of up to four vectors.
//!
//! What a vector predicts is the average of two places in the planes of a reference picture, which are the same one where it stands
//! there as it is. It is compared as it is computed, and four blocks share what has to be done once.

use shim::prelude::*;

use crate::kernels::metrics::{Place, hadamard_of};
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
/// When a block does not lie in its plane.
#[shim::kernel(simd)]
pub fn satds_16x16(
    cur: Place<'_>,
    planes: &[u8],
    size: [usize; 2],
    at: &Places,
    count: usize,
) -> [[u32; 4]; 4] {
    let [r, c] = cur.at;
    let cur = Block::external(cur.plane, [cur.size[0], cur.size[1]])[[r..r + 16, c..c + 16]];
    let planes = Block::external(planes, [size[0], size[1]]);
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
        /// When a block does not lie in its plane.
        #[shim::kernel(simd)]
        pub fn $name(
            cur: Place<'_>,
            planes: &[u8],
            size: [usize; 2],
            at: &Places,
            count: usize,
        ) -> [u32; 4] {
            #[staged]
            use crate::kernels::transform::by_blocks;
            let [r, c] = cur.at;
            let cur = Block::external(cur.plane, [cur.size[0], cur.size[1]])[[r..r + $h, c..c + $w]];
            let planes = Block::external(planes, [size[0], size[1]]);
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
/// When a block does not lie in its plane.
#[shim::kernel(simd)]
pub fn fine_sads_16x16(
    cur: Place<'_>,
    planes: &[u8],
    size: [usize; 2],
    at: &Places,
    count: usize,
) -> [u32; 4] {
    let [r, c] = cur.at;
    let cur = Block::external(cur.plane, [cur.size[0], cur.size[1]])[[r..r + 16, c..c + 16]];
    let planes = Block::external(planes, [size[0], size[1]]);
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
    use crate::kernels::testing::{Random, sad, satd};

    /// The kernels for several vectors and for one block, and the rows and columns.
    type Case = (
        fn(Place<'_>, &[u8], [usize; 2], &Places, usize) -> [u32; 4],
        fn(Place<'_>, Place<'_>, [usize; 2]) -> u32,
        [usize; 2],
    );

    #[test]
    fn are_those_of_averages() {
        let whole = |cur: Place<'_>, planes: &[u8], size, at: &Places, count| {
            satds_16x16(cur, planes, size, at, count).map(|quarters| quarters.iter().sum())
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
        let (mut random, size) = (Random::new(3), [40, 32]);
        for round in 0..100 {
            let mut samples = || -> Vec<u8> {
                let extreme = |byte: u8| if round % 2 == 0 { byte } else { (byte >> 7) * 255 };
                (0..size[0] * size[1]).map(|_| extreme(random.byte())).collect()
            };
            let (given, planes) = (samples(), samples());
            for (several, one, [h, w]) in cases {
                let mut place =
                    || [size[0] - h, size[1] - w].map(|most| random.within(0, most as i32) as usize);
                let cur = Place { plane: &given, size, at: place() };
                let at = [(); 4].map(|()| [place(), place()]);
                let expected = at.map(|[[r, c], [s, e]]| {
                    let average = |i: usize| {
                        let [y, x] = [i / w, i % w];
                        let sum = u16::from(planes[(r + y) * size[1] + c + x])
                            + u16::from(planes[(s + y) * size[1] + e + x]);
                        sum.div_ceil(2) as u8
                    };
                    let pred: Vec<u8> = (0..h * w).map(average).collect();
                    one(cur, Place { plane: &pred, size: [h, w], at: [0, 0] }, [h, w])
                });
                let count = round % 5;
                let costs = several(cur, &planes, size, &at, count);
                assert_eq!(costs[..count], expected[..count], "{h} by {w}");
            }
        }
    }

    #[test]
    fn quarters_are_those_of_the_whole() {
        let (mut random, size) = (Random::new(4), [32, 32]);
        let mut samples = || -> Vec<u8> { (0..1024).map(|_| random.byte()).collect() };
        let (given, planes) = (samples(), samples());
        let at = [[[3, 4]; 2], [[0, 0], [1, 1]], [[16, 16], [9, 7]], [[5, 5]; 2]];
        let quarters = satds_16x16(Place { plane: &given, size, at: [2, 1] }, &planes, size, &at, 4);
        for (q, [y, x]) in [[0, 0], [0, 8], [8, 0], [8, 8]].into_iter().enumerate() {
            let moved = at.map(|places| places.map(|[r, c]| [r + y, c + x]));
            let cur = Place { plane: &given, size, at: [2 + y, 1 + x] };
            assert_eq!(quarters.map(|quarters| quarters[q]), satds_8x8(cur, &planes, size, &moved, 4));
        }
    }
}
