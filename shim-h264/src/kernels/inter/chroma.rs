//! Chroma prediction (8.4.2.2.2).

use shim::prelude::*;

use super::{Part, clamped_origin};
use crate::kernels::Vector;
use crate::kernels::inter::planes::CHROMA_MARGIN;
use crate::kernels::picture::ReferenceView;

/// Bilinear interpolation (8-270) to a block of constant extents, a template; A is `s[[y, x]]`.
#[shim::kernel]
pub(crate) fn bilinear(s: impl Tensor<u16, 2>, x_frac: u16, y_frac: u16, pred: impl Tensor<u16, 2>) {
    let (a, b) = ((8 - x_frac) * (8 - y_frac), x_frac * (8 - y_frac));
    let (c, d) = ((8 - x_frac) * y_frac, x_frac * y_frac);
    #[lanes(pred.extent(1))]
    for [y, x] in pred.indices() {
        pred[[y, x]] =
            (a * s[[y, x]] + b * s[[y, x + 1]] + c * s[[y + 1, x]] + d * s[[y + 1, x + 1]] + 32) >> 6;
    }
}

/// Where the prediction of a block of chroma begins in a plane with its margin, moved by a luma vector: row and column, and the
/// fractions in eighths of a sample, horizontal and vertical (8.4.2.2.2).
#[inline]
pub(crate) fn chroma_place(
    [h, w]: [usize; 2],
    at: [usize; 2],
    mv: Vector,
    block: [usize; 2],
) -> ([usize; 2], [u16; 2]) {
    let r = clamped_origin(at[0], (mv[1] >> 3) as isize, block[0], [0, 1], h) + CHROMA_MARGIN as isize;
    let c = clamped_origin(at[1], (mv[0] >> 3) as isize, block[1], [0, 1], w) + CHROMA_MARGIN as isize;
    ([r as usize, c as usize], mv.map(|v| (v & 7) as u16))
}

/// Predicts Cb and Cr; a template. `cb` and `cr` begin at the sample A of their first one.
#[shim::kernel]
fn both(
    cb: impl Tensor<u16, 2>,
    cr: impl Tensor<u16, 2>,
    x_frac: u16,
    y_frac: u16,
    pred: impl Tensor<u16, 3>,
) {
    bilinear(cb, x_frac, y_frac, pred.slice(0, 0));
    bilinear(cr, x_frac, y_frac, pred.slice(0, 1));
}

/// Predicts the chroma of a part of a macroblock by the luma vector `mv`: an eighth of a chroma sample is a quarter of a luma sample. The samples go
/// to their places in `pred`, `[2, 8, 8]`.
///
/// # Panics
///
/// When the part is outside the macroblock.
#[shim::kernel(simd)]
pub fn predict_chroma(
    #[located] reference: &ReferenceView<'_>,
    #[shape(16, 16)] macroblock: Place<2>,
    mv: Vector,
    part: Part,
    pred: &mut [u8; 128],
) {
    let size = [8 * reference.mbs_high, 8 * reference.mbs_wide];
    let at = [macroblock.origin(0) as usize + part.at[0], macroblock.origin(1) as usize + part.at[1]];
    let ([py, px], [ph, pw]) = (part.at.map(|n| n / 2), part.size.map(|n| n / 2));
    let ([y, x], [x_frac, y_frac]) = chroma_place(size, at.map(|n| n / 2), mv, [ph, pw]);
    let cb = reference.chroma[0][[y..y + 8, x..x + 8]].cast::<u16>();
    let cr = reference.chroma[1][[y..y + 8, x..x + 8]].cast::<u16>();
    let pred = Block::external(pred, [2, 8, 8]).cast::<u16>();
    match (ph, pw) {
        // Most macroblocks that do not move are whole.
        (8, 8) if (x_frac | y_frac) == 0 => {
            let [y, x] = iters();
            pred[[0, y, x]] = cb[[y, x]];
            let [y, x] = iters();
            pred[[1, y, x]] = cr[[y, x]];
        }
        (8, 8) => both(cb, cr, x_frac, y_frac, pred),
        (4, 8) => both(cb, cr, x_frac, y_frac, pred[[.., py..py + 4, px..px + 8]]),
        (8, 4) => both(cb, cr, x_frac, y_frac, pred[[.., py..py + 8, px..px + 4]]),
        (4, 4) => both(cb, cr, x_frac, y_frac, pred[[.., py..py + 4, px..px + 4]]),
        (2, 4) => both(cb, cr, x_frac, y_frac, pred[[.., py..py + 2, px..px + 4]]),
        (4, 2) => both(cb, cr, x_frac, y_frac, pred[[.., py..py + 4, px..px + 2]]),
        _ => both(cb, cr, x_frac, y_frac, pred[[.., py..py + 2, px..px + 2]]),
    }
}
