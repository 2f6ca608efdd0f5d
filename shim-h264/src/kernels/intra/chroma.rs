//! Intra prediction of chroma (8.3.4): four modes, of the 8x8 samples of Cb or Cr of a macroblock.

use shim::prelude::*;

use super::Available;
use crate::kernels::metrics::satd_of;
use crate::kernels::picture::{PictureRows, SamplesView};

/// `intra_chroma_pred_mode` (Table 8-5): DC, horizontal, vertical, plane.
pub const MODES: usize = 4;

/// All four predictions of a macroblock's chroma, and what they cost.
#[derive(Clone, Debug)]
pub struct Candidates {
    /// `pred[[mode, iCbCr, y, x]]`, `[4, 2, 8, 8]`. That of a mode which may not be used is undefined.
    pub pred: [u8; 512],
    /// For each mode the SATD of both components, and [`u32::MAX`] for one that may not be used.
    pub satd: [u32; MODES],
}

impl Default for Candidates {
    fn default() -> Self {
        Self { pred: [0; 512], satd: [0; MODES] }
    }
}

/// Whether a mode may be used beside these neighbors (8.3.4.1 to 8.3.4.4).
pub const fn allowed(mode: usize, available: Available) -> bool {
    match mode {
        0 => true,
        1 => available.a,
        2 => available.b,
        3 => available.a && available.b && available.d,
        _ => false,
    }
}

/// The sample repeated, four times.
#[inline]
const fn four(sample: i32) -> u64 {
    sample as u64 * 0x0101_0101
}

/// Writes eight samples of a row, the first in the lowest byte, a template. As a word: samples by themselves would be
/// stored so.
#[shim::kernel]
fn put_row(row: u64, pred: impl Tensor<u8, 1>) {
    #[unroll]
    for x in 0..8 {
        pred[[x]] = (row >> (8 * x)) as u8;
    }
}

/// `Intra_Chroma_DC` (8-132 to 8-141), a template: each 4x4 block has a DC of its own.
#[shim::kernel]
pub(crate) fn dc(p: impl Tensor<i32, 2>, available: Available, pred: impl Tensor<u8, 2>) {
    #[unroll]
    for block_y in 0..2 {
        let mut row = 0_u64;
        #[unroll]
        for block_x in 0..2 {
            let (y, x) = (4 * block_y, 4 * block_x); // yO, xO
            let mut above = 0;
            if available.b {
                #[unroll]
                for i in 0..4 {
                    above += p[[x + i, -1]];
                }
            }
            let mut left = 0;
            if available.a {
                #[unroll]
                for i in 0..4 {
                    left += p[[-1, y + i]];
                }
            }
            let one = if block_y < block_x {
                // The block above and to the right has no left neighbor of its own ..
                if available.b { (above + 2) >> 2 } else { (left + 2) >> 2 }
            } else {
                // .. and that below and to the left has none above it.
                if available.a { (left + 2) >> 2 } else { (above + 2) >> 2 }
            };
            let dc = if !available.a && !available.b {
                128
            } else if available.a && available.b && block_y == block_x {
                (above + left + 4) >> 3
            } else {
                one
            };
            row |= four(dc) << (8 * x);
        }
        #[unroll]
        for i in 0..4 {
            put_row(row, pred.slice(0, 4 * block_y + i));
        }
    }
}

/// `Intra_Chroma_Horizontal` (8-142), a template.
#[shim::kernel]
pub(crate) fn horizontal(p: impl Tensor<i32, 2>, pred: impl Tensor<u8, 2>) {
    #[unroll]
    for y in 0..8 {
        let half = four(p[[-1, y]]);
        put_row(half | half << 32, pred.slice(0, y));
    }
}

/// `Intra_Chroma_Vertical` (8-143), a template.
#[shim::kernel]
pub(crate) fn vertical(p: impl Tensor<i32, 2>, pred: impl Tensor<u8, 2>) {
    let mut row = 0_u64;
    #[unroll]
    for x in 0..8 {
        row |= (p[[x, -1]] as u64) << (8 * x);
    }
    #[unroll]
    for y in 0..8 {
        put_row(row, pred.slice(0, y));
    }
}

/// `Intra_Chroma_Plane` (8-144 to 8-149), a template.
#[shim::kernel]
pub(crate) fn plane(p: impl Tensor<i32, 2>, pred: impl Tensor<u8, 2>) {
    let (mut h, mut v) = (0, 0);
    #[unroll]
    for i in 0..4 {
        h += (i + 1) * (p[[4 + i, -1]] - p[[2 - i, -1]]);
        v += (i + 1) * (p[[-1, 4 + i]] - p[[-1, 2 - i]]);
    }
    let (b, c) = ((34 * h + 32) >> 6, (34 * v + 32) >> 6);
    let a = 16 * (p[[-1, 7]] + p[[7, -1]]);
    // All of it fits 16 bits: the slopes are 1355 at most.
    let (a, b, c) = (a as i16 + 16, b as i16, c as i16);
    for x in 0..8 {
        let column = a + b * (x as i16 - 3);
        #[unroll]
        for y in 0..8 {
            pred[[y, x]] = ((column + c * (y as i16 - 3)) >> 5).clamp(0, 255) as u8;
        }
    }
}

/// The four predictions of one component that are possible; a template.
#[shim::kernel]
fn predict(block: impl Tensor<u8, 2>, available: Available, pred: impl Tensor<u8, 3>) {
    let p = block.permute([1, 0]).cast::<i32>();
    dc(p, available, pred.slice(0, 0));
    if available.a {
        horizontal(p, pred.slice(0, 1));
    }
    if available.b {
        vertical(p, pred.slice(0, 2));
    }
    if allowed(3, available) {
        plane(p, pred.slice(0, 3));
    }
}

/// All four predictions of a macroblock's Cb and Cr, and their SATD against the source.
///
/// # Panics
///
/// When the macroblock, or a neighbor that is available, is outside the picture.
#[shim::kernel(simd(v3), checks = "hoisted")]
pub fn intra_chroma_candidates(
    #[located] source: &SamplesView<'_>,
    #[located] picture: &PictureRows<'_>,
    #[shape(16, 16)] macroblock: Place<2>,
    available: Available,
    candidates: &mut Candidates,
) {
    let all = Block::external(&mut candidates.pred, [4, 16, 8]);
    let satd = Block::external(&mut candidates.satd, [4]);
    // Cr stands below Cb.
    let both = Block::stack::<u8>([16, 8]);
    let (cb, cr) = (source.chroma[0].footprint(macroblock), source.chroma[1].footprint(macroblock));
    for y in 0..8 {
        for x in 0..8 {
            both[[y, x]] = cb[[y, x]];
        }
    }
    for y in 0..8 {
        for x in 0..8 {
            both[[8 + y, x]] = cr[[y, x]];
        }
    }
    predict(picture.samples.chroma[0].footprint(macroblock), available, all[[.., 0..8, ..]]);
    predict(picture.samples.chroma[1].footprint(macroblock), available, all[[.., 8..16, ..]]);
    for mode in 0..4 {
        satd[[mode]] = if allowed(mode, available) { satd_of(both, all.slice(0, mode)) } else { u32::MAX };
    }
}
