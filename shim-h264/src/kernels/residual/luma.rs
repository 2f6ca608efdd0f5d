//! The luma of a whole macroblock: Inter prediction, and `Intra_16x16`.

use shim::prelude::*;

use super::Residual;
use crate::kernels::picture::SamplesView;
use crate::kernels::quantize::{Quantizer, quantize_dc, quantize_lanes};
use crate::kernels::transform::{blocks, construct, differences, forward_lanes, hadamard_4x4, inverse_lanes};

/// The levels of the DC coefficients of all blocks (row 0 of the coefficients) of an `Intra_16x16` macroblock, in
/// zigzag order, a template. Says which are not zero.
#[shim::kernel]
fn quantize_luma_dc(
    coefficients: impl Tensor<i16, 2>,
    mf: u32,
    f: u32,
    qbits: u32,
    levels: impl Tensor<i16, 1>,
) -> u16 {
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
    for (k, [i, j]) in dc.scan(zigzag).enumerate() {
        levels[[k]] = dc[[i, j]] as i16;
    }
    levels.indices().mask::<u16>(|[k]| levels[[k]] != 0)
}

/// The values that are added to the coefficients of index 0 of all blocks, from the list of DC levels (8.5.10); a
/// template.
#[shim::kernel]
fn scale_luma_dc(levels: impl Tensor<i16, 1>, scale: i16, dc: impl Tensor<i16, 2>) {
    let levels = levels.cast::<i32>();
    let f = Block::stack::<i32>([4, 4]);
    #[unroll]
    for (k, [i, j]) in f.scan(zigzag).enumerate() {
        f[[i, j]] = levels[[k]];
    }
    hadamard_4x4::<i32>(f);
    // Both (8-321) and (8-322): 16 of LevelScale4x4 make the shift of 6 one of 2, which rounds.
    #[unroll]
    for [i, j] in f.indices() {
        dc[[i, j]] = ((f[[i, j]] * i32::from(scale) + 2) >> 2) as i16;
    }
}

/// The levels from index `FIRST` on of a macroblock, predicted by `pred`; a template. With a `FIRST` of 1, DC
/// coefficients have a list of their own.
#[shim::kernel]
fn luma_levels<const FIRST: usize>(
    cur: impl Tensor<u8, 2>,
    pred: impl Tensor<u8, 2>,
    quantizer: &Quantizer,
    residual: &mut Residual,
) {
    let d = blocks(cur);
    differences(cur, pred, d);
    let coefficients = Block::stack::<i16>([16, 16]);
    forward_lanes::<16>(d, coefficients);
    if FIRST == 1 {
        let (f, qbits) = (quantizer.f, quantizer.qbits);
        let levels = Block::external(&mut residual.luma_dc, [16]);
        residual.luma_dc_nonzero = quantize_luma_dc(coefficients, quantizer.mf_dc, f, qbits, levels);
    }
    let levels = Block::external(&mut residual.luma, [16, 16]);
    let nonzero = Block::external(&mut residual.luma_nonzero, [16]);
    quantize_lanes::<FIRST, 16>(coefficients, quantizer, levels, nonzero);
}

/// The levels of the luma of a macroblock, predicted by `pred`, `[16, 16]`.
///
/// # Panics
///
/// When the macroblock is outside the source.
#[shim::kernel(simd, checks = "hoisted")]
pub fn code_luma(
    #[located] source: &SamplesView<'_>,
    #[shape(16, 16)] macroblock: Place<2>,
    pred: &[u8; 256],
    quantizer: &Quantizer,
    residual: &mut Residual,
) {
    luma_levels::<0>(source.luma.footprint(macroblock), Block::external(pred, [16, 16]), quantizer, residual);
}

/// As [`code_luma`], of an `Intra_16x16` macroblock, whose DC coefficients have a list of their own.
///
/// # Panics
///
/// When the macroblock is outside the source.
#[shim::kernel(simd, checks = "hoisted")]
pub fn code_luma_16x16(
    #[located] source: &SamplesView<'_>,
    #[shape(16, 16)] macroblock: Place<2>,
    pred: &[u8; 256],
    quantizer: &Quantizer,
    residual: &mut Residual,
) {
    luma_levels::<1>(source.luma.footprint(macroblock), Block::external(pred, [16, 16]), quantizer, residual);
}

/// Writes a macroblock, `recon`, from its prediction and its levels from index `FIRST` on (8.5.2); a template. With a
/// `FIRST` of 1 there is a list of DC levels.
#[shim::kernel]
fn luma_samples<const FIRST: usize>(
    pred: impl Tensor<u8, 2>,
    quantizer: &Quantizer,
    residual: &Residual,
    recon: impl Tensor<u8, 2>,
) {
    let scale = Block::external(&quantizer.scale, [16]);
    let dc = Block::stack::<i16>([4, 4]);
    if FIRST == 1 {
        let levels = Block::external(&residual.luma_dc, [16]);
        if residual.luma_dc_nonzero != 0 {
            scale_luma_dc(levels, scale[[0]], dc);
        }
    }
    let levels = Block::external(&residual.luma, [16, 16]);
    let nonzero = Block::external(&residual.luma_nonzero, [16]);
    let d = blocks(pred);
    inverse_lanes::<FIRST, 16>(levels, nonzero, scale, dc.reshape([16]), d);
    construct(pred, d, recon);
}

/// The luma of a macroblock, `recon`, from its prediction and levels (8.5.2).
#[shim::kernel(simd, checks = "hoisted")]
pub fn reconstruct_luma(pred: &[u8; 256], quantizer: &Quantizer, residual: &Residual, recon: &mut [u8; 256]) {
    let recon = Block::external(recon, [16, 16]);
    luma_samples::<0>(Block::external(pred, [16, 16]), quantizer, residual, recon);
}

/// As [`reconstruct_luma`], of an `Intra_16x16` macroblock (8.5.2, 8.5.10).
#[shim::kernel(simd, checks = "hoisted")]
pub fn reconstruct_luma_16x16(
    pred: &[u8; 256],
    quantizer: &Quantizer,
    residual: &Residual,
    recon: &mut [u8; 256],
) {
    let recon = Block::external(recon, [16, 16]);
    luma_samples::<1>(Block::external(pred, [16, 16]), quantizer, residual, recon);
}
