//! The luma of a whole macroblock: Inter prediction, and `Intra_16x16`.

use shim::prelude::*;

use super::Residual;
use crate::kernels::metrics::Place;
use crate::kernels::quantize::{Quantizer, quantize_dc, quantize_lanes};
use crate::kernels::transform::{
    block_of, blocks, construct, differences, forward_lanes, hadamard_4x4, inverse_4x4,
};

/// The levels of the DC coefficients of all blocks (row 0 of the coefficients) of an `Intra_16x16` macroblock, in zigzag
/// order, a template. Says which are not zero.
#[shim::kernel]
fn quantize_luma_dc(
    coefficients: impl Tensor<i16, 2>,
    mf: u32,
    f: u32,
    qbits: u32,
    levels: impl Tensor<i16, 1>,
) -> u16 {
    #[staged]
    use crate::kernels::scan::PLACE;
    let dc = Block::stack::<i32>([4, 4]);
    let coefficients = coefficients.reshape([16, 4, 4]);
    for [y, x] in dc.indices() {
        dc[[y, x]] = i32::from(coefficients[[0, y, x]]);
    }
    hadamard_4x4::<i32>(dc);
    // Half of it, which keeps the scale of the other coefficients.
    for [y, x] in dc.indices() {
        dc[[y, x]] = (dc[[y, x]] + 1) >> 1;
    }
    quantize_dc(dc, mf, f, qbits);
    #[unroll]
    for k in 0..16 {
        levels[[k]] = dc[[PLACE[k] / 4, PLACE[k] % 4]] as i16;
    }
    levels.indices().mask::<u16>(|[k]| levels[[k]] != 0)
}

/// The levels of the macroblock at `cur`, predicted by `pred`, `[16, 16]`.
///
/// # Panics
///
/// When the macroblock does not lie in the plane.
#[shim::kernel(simd)]
pub fn code_luma(cur: Place<'_>, pred: &[u8; 256], quantizer: &Quantizer, residual: &mut Residual) {
    let [r, c] = cur.at;
    let cur = Block::external(cur.plane, [cur.size[0], cur.size[1]])[[r..r + 16, c..c + 16]];
    let levels = Block::external(&mut residual.luma, [16, 16]);
    let nonzero = Block::external(&mut residual.luma_nonzero, [16]);
    let d = blocks(cur);
    differences(cur, Block::external(pred, [16, 16]), d);
    let coefficients = Block::stack::<i16>([16, 16]);
    forward_lanes::<16>(d, coefficients);
    quantize_lanes::<0, 16>(coefficients, quantizer, levels, nonzero);
}

/// As [`code_luma`], of an `Intra_16x16` macroblock, whose DC coefficients have a list of their own.
///
/// # Panics
///
/// When the macroblock does not lie in the plane.
#[shim::kernel(simd)]
pub fn code_luma_16x16(cur: Place<'_>, pred: &[u8; 256], quantizer: &Quantizer, residual: &mut Residual) {
    let [r, c] = cur.at;
    let cur = Block::external(cur.plane, [cur.size[0], cur.size[1]])[[r..r + 16, c..c + 16]];
    let levels = Block::external(&mut residual.luma, [16, 16]);
    let nonzero = Block::external(&mut residual.luma_nonzero, [16]);
    let dc_levels = Block::external(&mut residual.luma_dc, [16]);
    let d = blocks(cur);
    differences(cur, Block::external(pred, [16, 16]), d);
    let coefficients = Block::stack::<i16>([16, 16]);
    forward_lanes::<16>(d, coefficients);
    let (f, qbits) = (quantizer.f, quantizer.qbits);
    residual.luma_dc_nonzero = quantize_luma_dc(coefficients, quantizer.mf_dc, f, qbits, dc_levels);
    quantize_lanes::<1, 16>(coefficients, quantizer, levels, nonzero);
}

/// The scaled coefficients of all [`blocks`] and their residual `d` (8.5.12), a template. Lanes whose
/// `nonzero` is 0 have no levels; `dc[[l]]` is added to those of index 0, and with a `FIRST` of 1 is all there is.
#[shim::kernel]
fn residual_of<const FIRST: usize>(
    levels: impl Tensor<i16, 2>,
    nonzero: impl Tensor<u16, 1>,
    scale: impl Tensor<i16, 1>,
    dc: impl Tensor<i16, 1>,
    d: impl Tensor<i16, 2>,
) {
    #[staged]
    use crate::kernels::scan::INDEX;
    let scale = scale.reshape([4, 4]);
    for l in 0..16 {
        let coded = if nonzero[[l]] != 0 { -1_i16 } else { 0 };
        let x = Block::stack::<i16>([4, 4]);
        #[unroll]
        for [i, j] in x.indices() {
            x[[i, j]] = if FIRST == 1 && i == 0 && j == 0 {
                dc[[l]]
            } else {
                (levels[[INDEX[4 * i + j], l]] & coded).wrapping_mul(scale[[i, j]])
            };
        }
        inverse_4x4(x);
        let block = block_of(d, l);
        #[unroll]
        for [i, j] in x.indices() {
            block[[i, j]] = x[[i, j]];
        }
    }
}

/// Writes the macroblock at `at` of the reconstructed plane, `size`, from its prediction and levels (8.5.2).
///
/// # Panics
///
/// When the macroblock does not lie in the plane.
#[shim::kernel(simd)]
pub fn reconstruct_luma(
    pred: &[u8; 256],
    quantizer: &Quantizer,
    residual: &Residual,
    recon: &mut [u8],
    size: [usize; 2],
    at: [usize; 2],
) {
    let ([h, w], [r, c]) = (size, at);
    let recon = Block::external(recon, [h, w])[[r..r + 16, c..c + 16]];
    let levels = Block::external(&residual.luma, [16, 16]);
    let nonzero = Block::external(&residual.luma_nonzero, [16]);
    let scale = Block::external(&quantizer.scale, [16]);
    let pred = Block::external(pred, [16, 16]);
    let d = blocks(pred);
    residual_of::<0>(levels, nonzero, scale, Block::stack::<i16>([16]), d);
    construct::<16, 16>(pred, d, recon);
}

/// As [`reconstruct_luma`], of an `Intra_16x16` macroblock (8.5.2, 8.5.10).
///
/// # Panics
///
/// When the macroblock does not lie in the plane.
#[shim::kernel(simd)]
pub fn reconstruct_luma_16x16(
    pred: &[u8; 256],
    quantizer: &Quantizer,
    residual: &Residual,
    recon: &mut [u8],
    size: [usize; 2],
    at: [usize; 2],
) {
    #[staged]
    use crate::kernels::scan::INDEX;
    let ([h, w], [r, c]) = (size, at);
    let recon = Block::external(recon, [h, w])[[r..r + 16, c..c + 16]];
    let levels = Block::external(&residual.luma, [16, 16]);
    let nonzero = Block::external(&residual.luma_nonzero, [16]);
    let scale = Block::external(&quantizer.scale, [16]);
    let dc_levels = Block::external(&residual.luma_dc, [16]).cast::<i32>();
    let dc = Block::stack::<i16>([4, 4]);
    if residual.luma_dc_nonzero != 0 {
        let f = Block::stack::<i32>([4, 4]);
        #[unroll]
        for [i, j] in f.indices() {
            f[[i, j]] = dc_levels[[INDEX[4 * i + j]]];
        }
        hadamard_4x4::<i32>(f);
        let level_scale = i32::from(quantizer.scale[0]);
        // Both (8-321) and (8-322): 16 of LevelScale4x4 make the shift of 6 one of 2, which rounds.
        #[unroll]
        for [i, j] in f.indices() {
            dc[[i, j]] = ((f[[i, j]] * level_scale + 2) >> 2) as i16;
        }
    }
    let pred = Block::external(pred, [16, 16]);
    let d = blocks(pred);
    residual_of::<1>(levels, nonzero, scale, dc.reshape([16]), d);
    construct::<16, 16>(pred, d, recon);
}
