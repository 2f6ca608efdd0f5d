//! Luma prediction from the planes of a reference picture (8.4.2.2.1).

use shim::prelude::*;

use super::{Part, QUARTERS, clamped_origin};
use crate::kernels::Vector;
use crate::kernels::inter::planes::LUMA_MARGIN;
use crate::kernels::picture::ReferenceView;

/// The average of two blocks, rounded up (8-256 to 8-263), a template.
#[shim::kernel]
fn average(a: impl Tensor<u16, 2>, b: impl Tensor<u16, 2>, pred: impl Tensor<u16, 2>) {
    let [y, x] = iters();
    pred[[y, x]] = (a[[y, x]] + b[[y, x]] + 1) >> 1;
}

/// The two places in the planes of a reference picture, `[4 (h + 64), w + 64]`, whose average a vector predicts for a block (Table 8-12),
/// which are the same one if it stands there as it is: row and column of each. `at` is the block's place in the picture.
#[inline]
pub fn places_luma([h, w]: [usize; 2], at: [usize; 2], mv: Vector, block: [usize; 2]) -> [[usize; 2]; 2] {
    let [r, c] = whole_luma([h, w], at, mv, block);
    let [x_frac, y_frac] = mv.map(|v| (v & 3) as usize);
    QUARTERS[y_frac][x_frac].map(|[plane, dy, dx]| [plane * (h + 2 * LUMA_MARGIN) + r + dy, c + dx])
}

/// Where what a vector has of whole samples leads to.
#[inline]
pub fn whole_luma([h, w]: [usize; 2], at: [usize; 2], mv: Vector, block: [usize; 2]) -> [usize; 2] {
    let r = clamped_origin(at[0], (mv[1] >> 2) as isize, block[0], [2, 3], h) + LUMA_MARGIN as isize;
    let c = clamped_origin(at[1], (mv[0] >> 2) as isize, block[1], [2, 3], w) + LUMA_MARGIN as isize;
    [r as usize, c as usize]
}

/// Predicts a part of a macroblock by the vector `mv`, horizontal and vertical in quarters of a sample. It goes to its place in `pred`,
/// `[16, 16]`.
///
/// # Panics
///
/// When the part is outside the macroblock.
#[shim::kernel(simd)]
pub fn predict_luma(
    #[located] reference: &ReferenceView<'_>,
    #[shape(16, 16)] macroblock: Place<2>,
    mv: Vector,
    part: Part,
    pred: &mut [u8; 256],
) {
    let ([ph, pw], [py, px]) = (part.size, part.at);
    let at = [macroblock.origin(0) as usize + py, macroblock.origin(1) as usize + px];
    let size = [16 * reference.mbs_high, 16 * reference.mbs_wide];
    let [[r, c], [s, e]] = places_luma(size, at, mv, part.size);
    let planes = reference.luma.cast::<u16>();
    let (a, b) = (planes[[r..r + 16, c..c + 16]], planes[[s..s + 16, e..e + 16]]);
    let pred = Block::external(pred, [16, 16]).cast::<u16>();
    match pw {
        16 => average(a[[0..ph, ..]], b[[0..ph, ..]], pred[[py..py + ph, 0..16]]),
        8 => average(a[[0..ph, 0..8]], b[[0..ph, 0..8]], pred[[py..py + ph, px..px + 8]]),
        _ => average(a[[0..ph, 0..4]], b[[0..ph, 0..4]], pred[[py..py + ph, px..px + 4]]),
    }
}
