//! The chroma of a whole macroblock, Cb and Cr together: the lane of a block is `4 iCbCr + 2 y + x`.

use shim::prelude::*;

use super::Residual;
use crate::kernels::picture::SamplesView;
use crate::kernels::quantize::{Quantizer, quantize_dc, quantize_lanes};
use crate::kernels::transform::{
    blocks, chroma_differences, construct, forward_lanes, hadamard_2x2, inverse_lanes,
};

/// The DC levels of a component, whose DC coefficients are `coefficients[[0, 2 y + x]]`, a template. Says which are not
/// zero.
#[shim::kernel]
fn quantize_chroma_dc(
    coefficients: impl Tensor<i16, 2>,
    mf: u32,
    f: u32,
    qbits: u32,
    levels: impl Tensor<i16, 1>,
) -> u16 {
    let dc = Block::stack::<i32>([2, 2]);
    #[unroll]
    for [y, x] in dc.indices() {
        dc[[y, x]] = i32::from(coefficients[[0, 2 * y + x]]);
    }
    hadamard_2x2(dc);
    quantize_dc(dc, mf, f, qbits);
    for k in 0..4 {
        levels[[k]] = dc[[k / 2, k % 2]] as i16;
    }
    levels.indices().mask::<u16>(|[k]| levels[[k]] != 0)
}

/// The levels of the chroma of a macroblock. Its prediction is `pred`, `[2, 8, 8]`; `quantizer` is that of QPC.
///
/// # Panics
///
/// When the macroblock is outside the source.
#[shim::kernel(simd, checks = "hoisted")]
pub fn code_chroma(
    #[located] source: &SamplesView<'_>,
    #[shape(16, 16)] macroblock: Place<2>,
    pred: &[u8; 128],
    quantizer: &Quantizer,
    residual: &mut Residual,
) {
    let pred = Block::external(pred, [16, 8]);
    let d = blocks(pred);
    let (cb, cr) = (source.chroma[0].footprint(macroblock), source.chroma[1].footprint(macroblock));
    chroma_differences(cb, cr, pred, d);
    let coefficients = Block::stack::<i16>([16, 8]);
    forward_lanes::<8>(d, coefficients);
    let (f, qbits) = (quantizer.f, quantizer.qbits);
    let dc_mf = quantizer.mf_dc;
    let dc_levels = Block::external(&mut residual.chroma_dc, [2, 4]);
    let dc_nonzero = Block::external(&mut residual.chroma_dc_nonzero, [2]);
    #[unroll]
    for component in 0..2 {
        let dc = coefficients[[.., 4 * component..4 * component + 4]];
        dc_nonzero[[component]] = quantize_chroma_dc(dc, dc_mf, f, qbits, dc_levels.slice(0, component));
    }
    let levels = Block::external(&mut residual.chroma, [16, 8]);
    let nonzero = Block::external(&mut residual.chroma_nonzero, [8]);
    quantize_lanes::<1, 8>(coefficients, quantizer, levels, nonzero);
}

/// The chroma of a macroblock, `recon`, from its prediction and levels (8.5.4, 8.5.11). Both are `[2, 8, 8]`.
#[shim::kernel(simd, checks = "hoisted")]
pub fn reconstruct_chroma(
    pred: &[u8; 128],
    quantizer: &Quantizer,
    residual: &Residual,
    recon: &mut [u8; 128],
) {
    let dc_levels = Block::external(&residual.chroma_dc, [2, 2, 2]).cast::<i32>();
    let dc_nonzero = Block::external(&residual.chroma_dc_nonzero, [2]);
    let level_scale = i32::from(quantizer.scale[0]);
    let dc = Block::stack::<i16>([8]);
    #[unroll]
    for component in 0..2 {
        if dc_nonzero[[component]] != 0 {
            let f = Block::stack::<i32>([2, 2]);
            #[unroll]
            for [y, x] in f.indices() {
                f[[y, x]] = dc_levels[[component, y, x]];
            }
            hadamard_2x2(f);
            // (8-330): 16 of LevelScale4x4 make the shift of 5 one of 1.
            #[unroll]
            for [y, x] in f.indices() {
                dc[[4 * component + 2 * y + x]] = ((f[[y, x]] * level_scale) >> 1) as i16;
            }
        }
    }
    let levels = Block::external(&residual.chroma, [16, 8]);
    let nonzero = Block::external(&residual.chroma_nonzero, [8]);
    let scale = Block::external(&quantizer.scale, [16]);
    let pred = Block::external(pred, [16, 8]);
    let d = blocks(pred);
    inverse_lanes::<1, 8>(levels, nonzero, scale, dc, d);
    construct(pred, d, Block::external(recon, [16, 8]));
}
