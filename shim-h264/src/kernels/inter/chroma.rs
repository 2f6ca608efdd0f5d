//! Chroma prediction (8.4.2.2.2).

use shim::prelude::*;

use super::Part;
use crate::kernels::Vector;
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

/// The samples of Cb and of Cr that are A for H by W samples of each which the luma vector `mv` predicts for a part of
/// the picture (8.4.2.2.2): B, C and D are one row below and one column to the right; a template.
#[shim::kernel]
pub(crate) fn corners<const H: usize, const W: usize>(
    #[located] reference: &ReferenceView<'_>,
    part: Place<2>,
    mv: [i16; 2],
) -> (impl Tensor<u8, 2>, impl Tensor<u8, 2>) {
    let (cb, cr) = (reference.chroma[0], reference.chroma[1]);
    // B, C and D are inside as well.
    let computed = cb[[0..cb.extent(0) - 1, 0..cb.extent(1) - 1]];
    let there = part.shifted([2 * (mv[1] >> 3) as isize, 2 * (mv[0] >> 3) as isize]).clamped(computed);
    (cb.footprint(there)[[0..H, 0..W]], cr.footprint(there)[[0..H, 0..W]])
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

/// Predicts the chroma of a part of a macroblock by the luma vector `mv`: an eighth of a chroma sample is a quarter of
/// a luma sample. The samples go to their places in `pred`, `[2, 8, 8]`. `corner` are the luma samples of the picture that
/// [begin](Part::corner) where the part does.
///
/// # Panics
///
/// When the part is outside the macroblock.
#[shim::kernel(simd, checks = "hoisted")]
pub fn predict_chroma(
    #[located] reference: &ReferenceView<'_>,
    #[shape(16, 16)] corner: Place<2>,
    mv: Vector,
    part: Part,
    pred: &mut [u8; 128],
) {
    #[staged]
    use self::corners;
    let ([py, px], [ph, pw]) = (part.at.map(|n| n / 2), part.size.map(|n| n / 2));
    let (x_frac, y_frac) = ((mv[0] & 7) as u16, (mv[1] & 7) as u16);
    let (cb, cr) = corners::<8, 8>(reference, corner, mv);
    let (cb, cr) = (cb.cast::<u16>(), cr.cast::<u16>());
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
