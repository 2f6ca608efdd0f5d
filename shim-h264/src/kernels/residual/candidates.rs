//! Luma blocks coded in every way that they can be predicted, each in a lane: what a decision by rate and distortion wants to know.
//!
//! One block has nine ways, half as many as there are lanes, and the block after it waits for what becomes of it. Two blocks that do
//! not wait for one another are therefore coded at a time.

use shim::prelude::*;

use super::Residual;
use crate::kernels::intra::luma_4x4::Predictions;
use crate::kernels::quantise::Quantiser;
use crate::kernels::transform::{forward_4x4, inverse_4x4};

/// Two 4x4 blocks, coded for each mode of their prediction: lane `16 b + mode` is that of block b.
#[derive(Clone, Debug)]
pub struct Coded {
    /// `levels[[k, lane]]`, `[16, 32]`, in zigzag order.
    pub levels: [i16; 512],
    /// Which of the levels are not zero, bit k for level k.
    pub nonzero: [u16; 32],
    /// About how many bits the levels take: one, three for each that is not zero, and one for each unit of their magnitudes.
    pub rate: [u16; 32],
    /// The reconstructed samples, as [`Predictions`] has the predicted ones.
    pub recon: [u16; 256],
    /// The SSD of the block and its reconstruction, in units of `2^ssd_shift`; what is beyond 65535 is that.
    pub ssd: [u16; 32],
    /// Bits that [`ssd`](Self::ssd) is without.
    pub ssd_shift: u32,
}

impl Default for Coded {
    fn default() -> Self {
        Self {
            levels: [0; 512],
            nonzero: [0; 32],
            rate: [0; 32],
            recon: [0; 256],
            ssd: [0; 32],
            ssd_shift: 0,
        }
    }
}

/// The ways of `LANES / 16` blocks, a template: `s[[k, lane]]` are the samples of each lane's block.
#[shim::kernel]
fn code_lanes<const LANES: usize>(
    s: impl Tensor<i16, 2>,
    predictions: &Predictions,
    quantiser: &Quantiser,
    coded: &mut Coded,
) {
    use crate::kernels::quantise::{CLASS, level};
    /// The place of each coefficient of the sequence in its block (Figure 8-8).
    const PLACE: [usize; 16] = [0, 1, 4, 8, 5, 2, 3, 6, 9, 12, 13, 10, 7, 11, 14, 15];
    let ssd_shift = coded.ssd_shift;
    let pred = Block::external(&predictions.pred, [4, 2, 32]);
    let recon = Block::external(&mut coded.recon, [4, 2, 32]);
    let levels = Block::external(&mut coded.levels, [16, 32]);
    let nonzero = Block::external(&mut coded.nonzero, [32]);
    let rate = Block::external(&mut coded.rate, [32]);
    let ssd = Block::external(&mut coded.ssd, [32]);
    let mf = Block::external(&quantiser.mf, [3, 32]);
    let bias = Block::external(&quantiser.bias, [3, 32]);
    let scale = Block::external(&quantiser.scale, [16]);
    let shift = quantiser.shift;
    for l in 0..LANES {
        let p = Block::stack::<i16>([4, 4]);
        let x = Block::stack::<i16>([4, 4]);
        #[unroll]
        for i in 0..4 {
            #[unroll]
            for j in 0..4 {
                p[[i, j]] = (pred[[i, j / 2, l]] >> (8 * (j % 2)) & 255) as i16;
                x[[i, j]] = s[[4 * i + j, l]] - p[[i, j]];
            }
        }
        forward_4x4(x);
        // For each level 1 is added, or 0, both less 2: of a comparison LLVM would make a mask of 32-bit words.
        let (mut bits, mut count, mut sum) = (0_u16, 0_u16, 1_u16);
        #[unroll]
        for k in 0..16 {
            let (i, j) = (PLACE[k] / 4, PLACE[k] % 4);
            let class = CLASS[PLACE[k]];
            let one = level(x[[i, j]], shift, bias[[class, l]], mf[[class, l]]);
            levels[[k, l]] = one;
            x[[i, j]] = one.wrapping_mul(scale[[PLACE[k]]]);
            let magnitude = one.unsigned_abs();
            let any = magnitude.saturating_add(u16::MAX - 1);
            bits = bits.wrapping_add(any << k);
            count = count.wrapping_add(any);
            sum += magnitude;
        }
        nonzero[[l]] = bits.wrapping_sub(2);
        rate[[l]] = sum + 3 * count.wrapping_add(2 * 16);
        inverse_4x4(x);
        let mut error = 0_u16;
        #[unroll]
        for i in 0..4 {
            #[unroll]
            for j in 0..4 {
                let u = (p[[i, j]] + x[[i, j]]).clamp(0, 255);
                let e = s[[4 * i + j, l]] - u;
                error = error.saturating_add(e.wrapping_mul(e) as u16 >> ssd_shift);
                p[[i, j]] = u;
            }
            #[unroll]
            for half in 0..2 {
                recon[[i, half, l]] = (p[[i, 2 * half]] | p[[i, 2 * half + 1]] << 8) as u16;
            }
        }
        ssd[[l]] = error;
    }
}

/// Codes and reconstructs the blocks at `at` of the plane `cur`, `size`, by all their predictions; with `both` false, the first of them
/// alone. What comes out for a mode which may not be used, or for none, is of no meaning.
///
/// # Panics
///
/// When a block does not lie in the plane.
#[shim::kernel(simd)]
pub fn code_candidates(
    cur: &[u8],
    size: [usize; 2],
    at: [[usize; 2]; 2],
    both: bool,
    predictions: &Predictions,
    quantiser: &Quantiser,
    coded: &mut Coded,
) {
    // Squares of what a coarse quantiser leaves might not fit 16 bits.
    coded.ssd_shift = match quantiser.qp {
        0..28 => 0,
        28..40 => 2,
        _ => 4,
    };
    let ([h, w], [[r, c], [r2, c2]]) = (size, at);
    let cur = Block::external(cur, [h, w]).cast::<i16>();
    let s = Block::stack::<i16>([16, 32]);
    let first = cur[[r..r + 4, c..c + 4]];
    #[unroll]
    for k in 0..16 {
        let sample = first[[k / 4, k % 4]];
        for l in 0..16 {
            s[[k, l]] = sample;
        }
    }
    if both {
        let second = cur[[r2..r2 + 4, c2..c2 + 4]];
        #[unroll]
        for k in 0..16 {
            let sample = second[[k / 4, k % 4]];
            for l in 16..32 {
                s[[k, l]] = sample;
            }
        }
        code_lanes::<32>(s, predictions, quantiser, coded);
    } else {
        code_lanes::<16>(s, predictions, quantiser, coded);
    }
}

/// The mode of block `b`, 0 or 1, that costs least, and above its four bits what it costs: SSD, and so much for each bit, those of the
/// mode itself included. `allowed` has a bit for each mode that may be used, `predicted` is the one that takes a bit to say.
///
/// # Panics
///
/// When `b` is above 1.
#[shim::kernel(simd)]
pub fn cheapest(coded: &Coded, b: usize, allowed: u16, predicted: usize, lambda: u32) -> u32 {
    let ssd = Block::external(&coded.ssd, [2, 16]).slice(0, b);
    let rate = Block::external(&coded.rate, [2, 16]).slice(0, b);
    let ssd_shift = coded.ssd_shift;
    let mut least = u32::MAX;
    for mode in 0..16 {
        // One bit of a mode that is predicted, and four of another (7.3.5.1).
        let bits = u32::from(rate[[mode]]) + if mode == predicted { 1 } else { 4 };
        let cost = (u32::from(ssd[[mode]]) << ssd_shift) + lambda * bits;
        let cost = if allowed >> mode & 1 == 0 { u32::MAX } else { cost << 4 | mode as u32 };
        least = least.min(cost);
    }
    least
}

/// Takes one of the ways: the levels of a lane go to row and column `block` of `residual`, its samples to the place `at` of the
/// reconstructed plane, `size`.
///
/// # Panics
///
/// When the block does not lie in the plane, or the lane is above 31.
#[shim::kernel]
pub fn choose(
    coded: &Coded,
    lane: usize,
    block: [usize; 2],
    residual: &mut Residual,
    recon: &mut [u8],
    size: [usize; 2],
    at: [usize; 2],
) {
    let ([h, w], [r, c], [y, x]) = (size, at, block);
    let from = Block::external(&coded.levels, [16, 32]).slice(1, lane);
    let levels = Block::external(&mut residual.luma, [16, 4, 4]).slice(1, y).slice(1, x);
    let nonzero = Block::external(&mut residual.luma_nonzero, [4, 4]);
    let samples = Block::external(&coded.recon, [4, 2, 32]).slice(2, lane);
    let recon = Block::external(recon, [h, w])[[r..r + 4, c..c + 4]];
    let bits = Block::external(&coded.nonzero, [32]);
    nonzero[[y, x]] = bits[[lane]];
    for [k] in levels.indices() {
        levels[[k]] = from[[k]];
    }
    #[unroll]
    for i in 0..4 {
        let row = u32::from(samples[[i, 0]]) | u32::from(samples[[i, 1]]) << 16;
        #[unroll]
        for j in 0..4 {
            recon[[i, j]] = (row >> (8 * j)) as u8;
        }
    }
}
