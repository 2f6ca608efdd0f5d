//! How strong edges are filtered: bS (8.7.2.1).

use shim::prelude::*;

use super::Macroblocks;

/// How the samples of a picture are predicted, as far as bS depends on it.
#[derive(Clone, Copy, Debug)]
pub struct Prediction<'a> {
    /// For each macroblock, whether it is Intra coded.
    pub intra: &'a [bool],
    /// For each 4x4 block, how many of its levels are not zero.
    pub total_coeff: &'a [u8],
    /// For each 4x4 block `mvL0`, horizontal and vertical.
    pub mv: &'a [[i16; 2]],
    /// For each 8x8 block, which picture it is predicted from. Two indices of reference lists may mean the same.
    pub reference: &'a [i8],
}

/// bS of an edge within an Inter coded macroblock, or between two: 2 beside levels that are not zero, 1 where the
/// prediction differs, by a whole sample at least or in its picture.
#[inline]
fn inter(levels: u8, mv: [i16; 2], other: [i16; 2], another_picture: bool) -> u8 {
    let moved = (mv[0].abs_diff(other[0]) >= 4) | (mv[1].abs_diff(other[1]) >= 4);
    if levels != 0 { 2 } else { u8::from(moved | another_picture) }
}

/// Derives bS of the left and upper edges of all 4x4 blocks. Wider vectors gain nothing here.
///
/// # Panics
///
/// When a table does not have as much memory as the picture has blocks, and when there is no filter for a slice.
#[shim::kernel]
pub fn strengths(
    macroblocks: Macroblocks<'_>,
    prediction: Prediction<'_>,
    left: &mut [u8],
    upper: &mut [u8],
) {
    let [h, w] = macroblocks.size;
    let left = Block::external(left, [4 * h, 4 * w]);
    let upper = Block::external(upper, [4 * h, 4 * w]);
    let intra = Block::external(prediction.intra, [h, w]);
    // Beside the picture its blocks are repeated; what comes of it is overwritten below.
    let levels = Block::external(prediction.total_coeff, [4 * h, 4 * w]).boundary(Clamp);
    let mv = Block::external(prediction.mv, [4 * h, 4 * w]).boundary(Clamp);
    let reference = Block::external(prediction.reference, [2 * h, 2 * w]).boundary(Clamp);
    // Of a picture with nothing else, all that Inter prediction gives would be overwritten.
    if intra.indices().any(|[y, x]| !intra[[y, x]]) {
        for y in 0..2 * h {
            for x in 0..2 * w {
                #[unroll]
                for i in 0..2 {
                    #[unroll]
                    for j in 0..2 {
                        let own = mv[[2 * y + i, 2 * x + j]];
                        let another = if j == 0 { reference[[y, x]] != reference[[y, x - 1]] } else { false };
                        left[[2 * y + i, 2 * x + j]] = inter(
                            levels[[2 * y + i, 2 * x + j]] | levels[[2 * y + i, 2 * x + j - 1]],
                            own,
                            mv[[2 * y + i, 2 * x + j - 1]],
                            another,
                        );
                        let another = if i == 0 { reference[[y, x]] != reference[[y - 1, x]] } else { false };
                        upper[[2 * y + i, 2 * x + j]] = inter(
                            levels[[2 * y + i, 2 * x + j]] | levels[[2 * y + i - 1, 2 * x + j]],
                            own,
                            mv[[2 * y + i - 1, 2 * x + j]],
                            another,
                        );
                    }
                }
            }
        }
    }
    let slice = Block::external(macroblocks.slice, [h, w]);
    for y in 0..h {
        for x in 0..w {
            let idc = macroblocks.filters[usize::from(slice[[y, x]])].disable_deblocking_filter_idc;
            let (of_left, of_upper) =
                (left[[4 * y..4 * y + 4, 4 * x..4 * x + 4]], upper[[4 * y..4 * y + 4, 4 * x..4 * x + 4]]);
            if intra[[y, x]] || idc == 1 {
                let inner = if idc == 1 { 0 } else { 3 };
                for [i, j] in of_left.indices() {
                    of_left[[i, j]] = inner;
                    of_upper[[i, j]] = inner;
                }
            }
            let filter_left_mb_edge = x > 0 && idc != 1 && (idc == 0 || slice[[y, x - 1]] == slice[[y, x]]);
            if !filter_left_mb_edge || intra[[y, x]] || intra[[y, x - 1]] {
                for i in 0..4 {
                    of_left[[i, 0]] = if filter_left_mb_edge { 4 } else { 0 };
                }
            }
            let filter_top_mb_edge = y > 0 && idc != 1 && (idc == 0 || slice[[y - 1, x]] == slice[[y, x]]);
            if !filter_top_mb_edge || intra[[y, x]] || intra[[y - 1, x]] {
                for j in 0..4 {
                    of_upper[[0, j]] = if filter_top_mb_edge { 4 } else { 0 };
                }
            }
        }
    }
}
