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
    let g = reference.luma[0];
    g.footprint(part.shifted([(mv[1] >> 2) as isize, (mv[0] >> 2) as isize]).clamped(g))[[0..H, 0..W]]
}

/// The two blocks of H by W samples whose average a vector predicts for a part of the picture (Table 8-12), which are
/// the same one where it points to a sample of a plane; a template.
#[shim::kernel]
pub(crate) fn averaged<const H: usize, const W: usize>(
    #[located] reference: &ReferenceView<'_>,
    part: Place<2>,
    mv: [i16; 2],
) -> (impl Tensor<u8, 2>, impl Tensor<u8, 2>) {
    let [a, b] = crate::kernels::inter::QUARTERS[(mv[1] & 3) as usize][(mv[0] & 3) as usize];
    let (first, second) = (reference.luma[a[0]], reference.luma[b[0]]);
    // Samples that are farther outside are those at the edges of this.
    let computed = first[[2..first.extent(0) - 4, 2..first.extent(1) - 4]];
    let there = part.shifted([(mv[1] >> 2) as isize, (mv[0] >> 2) as isize]).clamped(computed);
    (
        first.footprint(there.shifted([a[1] as isize, a[2] as isize]))[[0..H, 0..W]],
        second.footprint(there.shifted([b[1] as isize, b[2] as isize]))[[0..H, 0..W]],
    )
}

/// Predicts a part of a macroblock by the vector `mv`, horizontal and vertical in quarters of a sample. It goes to its
/// place in `pred`, `[16, 16]`. `corner` are the samples of the picture that [begin](Part::corner) where the part does.
///
/// # Panics
///
/// When the part is outside the macroblock.
#[shim::kernel(simd(v3), checks = "hoisted")]
pub fn predict_luma(
    #[located] reference: &ReferenceView<'_>,
    #[shape(16, 16)] corner: Place<2>,
    mv: Vector,
    part: Part,
    pred: &mut [u8; 256],
) {
    #[staged]
    use self::{averaged, whole};
    let ([ph, pw], [py, px]) = (part.size, part.at);
    if ph == 16 && pw == 16 && (mv[0] | mv[1]) & 3 == 0 {
        let (g, pred) = (whole::<16, 16>(reference, corner, mv), Block::external(pred, [16, 16]));
        for y in 0..16 {
            for x in 0..16 {
                pred[[y, x]] = g[[y, x]];
            }
        }
        return;
    }
    let (a, b) = averaged::<16, 16>(reference, corner, mv);
    let (a, b) = (a.cast::<u16>(), b.cast::<u16>());
    let pred = Block::external(pred, [16, 16]).cast::<u16>();
    match pw {
        16 => average(a[[0..ph, ..]], b[[0..ph, ..]], pred[[py..py + ph, 0..16]]),
        8 => average(a[[0..ph, 0..8]], b[[0..ph, 0..8]], pred[[py..py + ph, px..px + 8]]),
        _ => average(a[[0..ph, 0..4]], b[[0..ph, 0..4]], pred[[py..py + ph, px..px + 4]]),
    }
}
