//! A single luma block coded in every way it can be predicted, each in a lane: what a decision by rate and distortion wants to
//! know, for little more than one of them costs.

use shim::prelude::*;

use super::Residual;
use crate::kernels::intra::luma_4x4::Candidates;
use crate::kernels::metrics::Place;
use crate::kernels::quantise::Quantiser;
use crate::kernels::transform::{forward_4x4, inverse_4x4};

/// A 4x4 block, coded for each mode of its prediction.
#[derive(Clone, Debug)]
pub struct Coded {
    /// `levels[[k, mode]]`, `[16, 16]`, in zigzag order.
    pub levels: [i16; 256],
    /// For each mode, which of its levels are not zero, bit k for level k.
    pub nonzero: [u16; 16],
    /// For each mode, about how many bits its levels take: one, three for each that is not zero, and one for each unit of their
    /// magnitudes.
    pub rate: [u16; 16],
    /// `recon[[y, x, mode]]`, `[4, 4, 16]`: the reconstructed samples.
    pub recon: [u8; 256],
    /// For each mode, the SSD of the block and its reconstruction.
    pub ssd: [u32; 16],
}

impl Default for Coded {
    fn default() -> Self {
        Self { levels: [0; 256], nonzero: [0; 16], rate: [0; 16], recon: [0; 256], ssd: [0; 16] }
    }
}

/// Codes and reconstructs the block at `cur` by all its predictions. What comes out for a mode which may not be used, or for
/// none, is of no meaning.
///
/// # Panics
///
/// When the block does not lie in the plane.
#[shim::kernel(simd)]
pub fn code_candidates(cur: Place<'_>, candidates: &Candidates, quantiser: &Quantiser, coded: &mut Coded) {
    use crate::kernels::quantise::level;
    /// The place of each coefficient of the sequence in its block (Figure 8-8).
    const PLACE: [usize; 16] = [0, 1, 4, 8, 5, 2, 3, 6, 9, 12, 13, 10, 7, 11, 14, 15];
    /// Where in the sequence a coefficient stands.
    const INDEX: [usize; 16] = [0, 1, 5, 6, 2, 4, 7, 12, 3, 8, 11, 13, 9, 10, 14, 15];
    let [r, c] = cur.at;
    let cur = Block::external(cur.plane, [cur.size[0], cur.size[1]])[[r..r + 4, c..c + 4]].cast::<i16>();
    let pred = Block::external(&candidates.pred, [4, 4, 16]).cast::<i16>();
    let recon = Block::external(&mut coded.recon, [4, 4, 16]).cast::<i16>();
    let levels = Block::external(&mut coded.levels, [16, 16]);
    let nonzero = Block::external(&mut coded.nonzero, [16]);
    let rate = Block::external(&mut coded.rate, [16]);
    let ssd = Block::external(&mut coded.ssd, [16]);
    let mf = Block::external(&quantiser.mf, [16]);
    let scale = Block::external(&quantiser.scale, [16]);
    let (f, qbits) = (quantiser.f, quantiser.qbits);
    let s = Block::stack::<i16>([4, 4]);
    #[unroll]
    for [i, j] in s.indices() {
        s[[i, j]] = cur[[i, j]];
    }
    for l in 0..16 {
        let x = Block::stack::<i16>([4, 4]);
        #[unroll]
        for [i, j] in x.indices() {
            x[[i, j]] = s[[i, j]] - pred[[i, j, l]];
        }
        forward_4x4(x);
        let (mut bits, mut sum) = (0_u16, 1_u16);
        #[unroll]
        for k in 0..16 {
            let one = level(x[[PLACE[k] / 4, PLACE[k] % 4]], mf[[PLACE[k]]], f, qbits);
            levels[[k, l]] = one;
            sum += one.unsigned_abs() + if one != 0 { 3 } else { 0 };
            bits |= if one != 0 { 1 << k } else { 0 };
        }
        nonzero[[l]] = bits;
        rate[[l]] = sum;
    }
    for l in 0..16 {
        let x = Block::stack::<i16>([4, 4]);
        #[unroll]
        for [i, j] in x.indices() {
            x[[i, j]] = levels[[INDEX[4 * i + j], l]].wrapping_mul(scale[[4 * i + j]]);
        }
        inverse_4x4(x);
        let mut sum = 0;
        #[unroll]
        for [i, j] in x.indices() {
            let u = (pred[[i, j, l]] + x[[i, j]]).clamp(0, 255);
            recon[[i, j, l]] = u;
            let e = i32::from(s[[i, j]] - u);
            sum += (e * e) as u32;
        }
        ssd[[l]] = sum;
    }
}

/// Takes one of the ways: its levels go to row and column `block` of `residual`, its samples to the place `at` of the
/// reconstructed plane, `size`.
///
/// # Panics
///
/// When the block does not lie in the plane, or the mode is above 15.
#[shim::kernel]
pub fn choose(
    coded: &Coded,
    mode: usize,
    block: [usize; 2],
    residual: &mut Residual,
    recon: &mut [u8],
    size: [usize; 2],
    at: [usize; 2],
) {
    let ([h, w], [r, c], [y, x]) = (size, at, block);
    let from = Block::external(&coded.levels, [16, 16]).slice(1, mode);
    let levels = Block::external(&mut residual.luma, [16, 4, 4]).slice(1, y).slice(1, x);
    let nonzero = Block::external(&mut residual.luma_nonzero, [4, 4]);
    let samples = Block::external(&coded.recon, [4, 4, 16]).slice(2, mode);
    let recon = Block::external(recon, [h, w])[[r..r + 4, c..c + 4]];
    let bits = Block::external(&coded.nonzero, [16]);
    nonzero[[y, x]] = bits[[mode]];
    for [k] in levels.indices() {
        levels[[k]] = from[[k]];
    }
    for [i, j] in recon.indices() {
        recon[[i, j]] = samples[[i, j]];
    }
}
