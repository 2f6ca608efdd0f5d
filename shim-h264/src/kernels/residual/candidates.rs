//! Codes two 4x4 blocks in all Intra modes, one mode per lane, for a decision by rate and distortion.
//!
//! A block has nine modes, half as many as there are lanes, and the next block depends on its reconstruction. So two
//! blocks that do not depend on one another are coded together.

use shim::prelude::*;

use super::Residual;
use crate::kernels::blocks::Intra4x4Buffer;
use crate::kernels::intra::Available;
use crate::kernels::intra::luma_4x4::allowed_modes;
use crate::kernels::intra::luma_4x4::{around, predictions};
use crate::kernels::quantize::Quantizer;
use crate::kernels::quantize::{magnitude, signed};
use crate::kernels::transform::{forward_4x4, inverse_4x4};

/// Two 4x4 blocks, coded for each mode of their prediction: lane `16 b + mode` is that of block b.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub struct ModeResults {
    /// `levels[[k, lane]]`, `[16, 32]`, in zigzag order.
    pub levels: [i16; 512],
    /// Mask of the levels that are not zero, bit k for level k.
    pub nonzero: [u16; 32],
    /// About how many bits the levels take: one, three for each that is not zero, and one for each unit of their
    /// magnitudes.
    pub rate: [u16; 32],
    /// The reconstructed samples, `recon[[y, half, lane]]`, `[4, 2, 32]`: 2 half and 2 half + 1 of row y, the first in
    /// the lower byte.
    pub recon: [u16; 256],
    /// The SSD of the block and its reconstruction, in units of `2^ssd_shift`; what is beyond 65535 is that.
    pub ssd: [u16; 32],
    /// Bits that [`ssd`](Self::ssd) is without.
    pub ssd_shift: u32,
    /// The mode of each block that costs least, and above its four bits what it costs: SSD, and lambda for each bit,
    /// those of the mode itself included.
    pub least: [u32; 2],
}

impl ModeResults {
    /// The mode of block 0 or 1 that costs least, and its cost.
    #[inline]
    pub const fn cheapest(&self, block: usize) -> (u8, u32) {
        let least = self.least[block];
        (least as u8 & 15, least >> 4)
    }
}

/// The modes that a block may have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Modes {
    /// The neighbors that are available.
    pub available: Available,
    /// `predIntra4x4PredMode`, which takes one bit to say where others take four (7.3.5.1).
    pub predicted: u8,
}

impl Default for ModeResults {
    fn default() -> Self {
        Self {
            levels: [0; 512],
            nonzero: [0; 32],
            rate: [0; 32],
            recon: [0; 256],
            ssd: [0; 32],
            ssd_shift: 0,
            least: [0; 2],
        }
    }
}

/// The ways of `LANES / 16` blocks, a template: `s[[k, lane]]` are the samples of each lane's block, `pred[[k, lane]]`
/// their prediction. At most QPs nothing is shifted, neither magnitudes nor squares: they are then computed without
/// (`SHIFTED` is false).
#[shim::kernel]
fn code_lanes<const LANES: usize, const SHIFTED: bool>(
    s: impl Tensor<i16, 2>,
    pred: impl Tensor<i16, 2>,
    quantizer: &Quantizer,
    coded: &mut ModeResults,
) {
    #[staged]
    use crate::kernels::quantize::CLASS;
    let (shift, ssd_shift) = if SHIFTED { (quantizer.shift, coded.ssd_shift) } else { (0, 0) };
    let recon = Block::external(&mut coded.recon, [4, 2, 32]);
    let levels = Block::external(&mut coded.levels, [16, 32]);
    let nonzero = Block::external(&mut coded.nonzero, [32]);
    let rate = Block::external(&mut coded.rate, [32]);
    let ssd = Block::external(&mut coded.ssd, [32]);
    let mf = Block::external(&quantizer.mf, [3, 32]);
    let bias = Block::external(&quantizer.bias, [3, 32]);
    let scale = Block::external(&quantizer.scale, [4, 4]);
    let (s, pred) = (s.reshape([4, 4, 32]), pred.reshape([4, 4, 32]));
    for l in 0..LANES {
        let p = Block::stack::<i16>([4, 4]);
        let x = Block::stack::<i16>([4, 4]);
        #[unroll]
        for [i, j] in x.indices() {
            p[[i, j]] = pred[[i, j, l]];
            x[[i, j]] = s[[i, j, l]] - p[[i, j]];
        }
        forward_4x4(x);
        // For each level 1 is added, or 0, both less 2: of a comparison LLVM would make a mask of 32-bit words.
        let (mut bits, mut count, mut sum) = (0_u16, 0_u16, 1_u16);
        #[unroll]
        for (k, [i, j]) in x.scan(zigzag).enumerate() {
            let class = CLASS[i][j];
            let magnitude = magnitude(x[[i, j]], shift, bias[[class, l]], mf[[class, l]]);
            let one = signed(magnitude, x[[i, j]]);
            levels[[k, l]] = one;
            x[[i, j]] = one.wrapping_mul(scale[[i, j]]);
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
                let e = s[[i, j, l]] - u;
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

/// The samples of a block in the lanes from `FIRST` on, a template.
#[shim::kernel]
fn spread<const FIRST: usize>(block: impl Tensor<i16, 2>, s: impl Tensor<i16, 2>) {
    #[unroll]
    for k in 0..16 {
        let sample = block[[k / 4, k % 4]];
        for l in FIRST..FIRST + 16 {
            s[[k, l]] = sample;
        }
    }
}

/// Codes and reconstructs two blocks, each in its row and column, by all their predictions; with `both` false, the
/// first of them alone. What comes out for a mode which may not be used, or for none, is of no meaning. A bit is worth
/// `lambda` in SSD.
///
/// # Panics
///
/// When a row or column is above 3.
#[shim::kernel(simd, checks = "hoisted")]
pub fn code_candidates(
    luma: &Intra4x4Buffer,
    blocks: [[usize; 2]; 2],
    both: bool,
    modes: [Modes; 2],
    lambda: u32,
    quantizer: &Quantizer,
    coded: &mut ModeResults,
) {
    #[staged]
    use crate::kernels::intra::luma_4x4::border;
    // Squares of what a coarse quantizer leaves might not fit 16 bits.
    coded.ssd_shift = if quantizer.qp < 40 { 0 } else { 4 };
    let [[y, x], [y2, x2]] = blocks;
    assert!(y < 4 && x < 4 && y2 < 4 && x2 < 4, "the blocks of a macroblock are not {blocks:?}");
    let source = Block::external(&luma.source, [16, 16]).cast::<i16>();
    let recon = Block::external(&luma.recon, [17, 32]);
    let p = Block::stack::<u8>([2, 9, 5]).stored(border())[[.., 1.., 1..]];
    let dc = Block::stack::<u8>([2]);
    let s = Block::stack::<i16>([16, 32]);
    dc[[0]] = around(recon[[4 * y + 1..4 * y + 5, 4 * x + 1..4 * x + 5]], modes[0].available, p.slice(0, 0));
    spread::<0>(source[[4 * y..4 * y + 4, 4 * x..4 * x + 4]], s);
    if both {
        dc[[1]] = around(
            recon[[4 * y2 + 1..4 * y2 + 5, 4 * x2 + 1..4 * x2 + 5]],
            modes[1].available,
            p.slice(0, 1),
        );
        spread::<16>(source[[4 * y2..4 * y2 + 4, 4 * x2..4 * x2 + 4]], s);
    }
    let pred = predictions(p, dc);
    let pred = pred.cast::<i16>();
    match (both, quantizer.shift | coded.ssd_shift) {
        (true, 0) => code_lanes::<32, false>(s, pred, quantizer, coded),
        (true, _) => code_lanes::<32, true>(s, pred, quantizer, coded),
        (false, 0) => code_lanes::<16, false>(s, pred, quantizer, coded),
        (false, _) => code_lanes::<16, true>(s, pred, quantizer, coded),
    }
    // Of the lanes of both.
    let allowed =
        u32::from(allowed_modes(modes[0].available)) | u32::from(allowed_modes(modes[1].available)) << 16;
    let predicted = 1_u32 << modes[0].predicted | 1 << 16 << modes[1].predicted;
    let ssd_shift = coded.ssd_shift;
    let ssd = Block::external(&coded.ssd, [32]);
    let rate = Block::external(&coded.rate, [32]);
    let (mut first, mut second) = (u32::MAX, u32::MAX);
    for l in 0..32 {
        let bits = u32::from(rate[[l]]) + 4 - 3 * (predicted >> l & 1);
        let cost = (u32::from(ssd[[l]]) << ssd_shift) + lambda * bits;
        // All ones where the mode may not be used.
        let never = (allowed >> l & 1).wrapping_sub(1);
        let one = cost << 4 | l as u32 & 15 | never;
        // All ones in the lanes of the second block.
        let upper = (l as u32 >> 4).wrapping_neg();
        first = first.min(one | upper);
        second = second.min(one | !upper);
    }
    coded.least = [first, second];
}

/// Takes one of the ways for the block in a row and a column: the levels of a lane go to `residual`, its samples to
/// `luma`.
///
/// # Panics
///
/// When the row or column is above 3, or the lane above 31.
#[shim::kernel]
pub fn choose(
    coded: &ModeResults,
    lane: usize,
    block: [usize; 2],
    residual: &mut Residual,
    luma: &mut Intra4x4Buffer,
) {
    let [y, x] = block;
    assert!(
        y < 4 && x < 4 && lane < 32,
        "the blocks of a macroblock are not {block:?}, nor its lanes {lane}"
    );
    let from = Block::external(&coded.levels, [16, 32]).slice(1, lane);
    let levels = Block::external(&mut residual.luma, [16, 4, 4]).slice(1, y).slice(1, x);
    let nonzero = Block::external(&mut residual.luma_nonzero, [4, 4]);
    let samples = Block::external(&coded.recon, [4, 2, 32]).slice(2, lane);
    let recon = Block::external(&mut luma.recon, [17, 32])[[4 * y + 1..4 * y + 5, 4 * x + 1..4 * x + 5]];
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
