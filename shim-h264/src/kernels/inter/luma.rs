//! Luma prediction from the planes of a reference picture (8.4.2.2.1).

use shim::prelude::*;

use super::Part;
use crate::kernels::Vector;
use crate::kernels::picture::ReferenceView;

/// The average of two blocks, rounded up (8-256 to 8-263), a template.
#[shim::kernel]
fn average(a: impl Tensor<u16, 2>, b: impl Tensor<u16, 2>, pred: impl Tensor<u16, 2>) {
    let [y, x] = iters();
    pred[[y, x]] = (a[[y, x]] + b[[y, x]] + 1) >> 1;
}

/// The block of H by W samples of plane G (whole samples) to which a vector moves a part of the picture; a template.
#[shim::kernel]
pub(crate) fn whole<const H: usize, const W: usize>(
    #[located] reference: &ReferenceView<'_>,
    part: Place<2>,
    mv: [i16; 2],
) -> impl Tensor<u8, 2> {
    let planes = reference.luma;
    let (y, x) = (part.origin(0), part.origin(1));
    let margin = crate::kernels::inter::planes::LUMA_MARGIN as isize;
    let (high, wide) = (planes.extent(0) as isize / 4, planes.extent(1) as isize);
    // Blocks of up to 16 samples that are farther outside the picture than the taps of the filters reach have the same
    // samples.
    let top = ((y + (mv[1] >> 2) as isize).clamp(-(16 + 3), high - 2 * margin + 2) + margin) as usize;
    let left = ((x + (mv[0] >> 2) as isize).clamp(-(16 + 3), wide - 2 * margin + 2) + margin) as usize;
    planes[[top..top + H, left..left + W]]
}

/// The two blocks of H by W samples whose average a vector predicts for a part of the picture (Table 8-12), which are
/// the same one where it points to a sample of a plane; a template.
#[shim::kernel]
pub(crate) fn averaged<const H: usize, const W: usize>(
    #[located] reference: &ReferenceView<'_>,
    part: Place<2>,
    mv: [i16; 2],
) -> (impl Tensor<u8, 2>, impl Tensor<u8, 2>) {
    let planes = reference.luma;
    let (y, x) = (part.origin(0), part.origin(1));
    let margin = crate::kernels::inter::planes::LUMA_MARGIN as isize;
    let (high, wide) = (planes.extent(0) as isize / 4, planes.extent(1) as isize);
    let top = ((y + (mv[1] >> 2) as isize).clamp(-(16 + 3), high - 2 * margin + 2) + margin) as usize;
    let left = ((x + (mv[0] >> 2) as isize).clamp(-(16 + 3), wide - 2 * margin + 2) + margin) as usize;
    let [a, b] = crate::kernels::inter::QUARTERS[(mv[1] & 3) as usize][(mv[0] & 3) as usize];
    let (r, c) = (a[0] * (planes.extent(0) / 4) + top + a[1], left + a[2]);
    let (s, e) = (b[0] * (planes.extent(0) / 4) + top + b[1], left + b[2]);
    (planes[[r..r + H, c..c + W]], planes[[s..s + H, e..e + W]])
}

/// Predicts a part of a macroblock by the vector `mv`, horizontal and vertical in quarters of a sample. It goes to its
/// place in `pred`, `[16, 16]`.
///
/// # Panics
///
/// When the part is outside the macroblock.
#[shim::kernel(simd(v3))]
pub fn predict_luma(
    #[located] reference: &ReferenceView<'_>,
    #[shape(16, 16)] macroblock: Place<2>,
    mv: Vector,
    part: Part,
    pred: &mut [u8; 256],
) {
    #[staged]
    use self::averaged;
    let ([ph, pw], [py, px]) = (part.size, part.at);
    let place = part.place(macroblock);
    let (a, b) = averaged::<16, 16>(reference, place, mv);
    let (a, b) = (a.cast::<u16>(), b.cast::<u16>());
    let pred = Block::external(pred, [16, 16]).cast::<u16>();
    match pw {
        16 => average(a[[0..ph, ..]], b[[0..ph, ..]], pred[[py..py + ph, 0..16]]),
        8 => average(a[[0..ph, 0..8]], b[[0..ph, 0..8]], pred[[py..py + ph, px..px + 8]]),
        _ => average(a[[0..ph, 0..4]], b[[0..ph, 0..4]], pred[[py..py + ph, px..px + 4]]),
    }
}
