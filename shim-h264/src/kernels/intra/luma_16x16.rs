//! `Intra_16x16` prediction (8.3.3): four modes, of the luma of a macroblock.

use shim::prelude::*;

use super::Available;
use crate::kernels::metrics::satd_of;
use crate::kernels::picture::{PictureRows, SamplesView};

/// `Intra16x16PredMode` (Table 8-4): vertical, horizontal, DC, plane.
pub const MODES: usize = 4;

/// All four predictions of a macroblock, and what they cost.
#[derive(Clone, Debug)]
pub struct Candidates {
    /// `pred[[mode, y, x]]`, `[4, 16, 16]`. That of a mode which may not be used is undefined.
    pub pred: [u8; 1024],
    /// For each mode the SATD, and [`u32::MAX`] for one that may not be used.
    pub satd: [u32; MODES],
}

impl Default for Candidates {
    fn default() -> Self {
        Self { pred: [0; 1024], satd: [0; MODES] }
    }
}

/// Whether a mode may be used beside these neighbors (8.3.3.1 to 8.3.3.4).
pub const fn allowed(mode: usize, available: Available) -> bool {
    match mode {
        0 => available.b,
        1 => available.a,
        2 => true,
        3 => available.a && available.b && available.d,
        _ => false,
    }
}

/// `Intra_16x16_Vertical` (8-116), a template.
#[shim::kernel]
pub(crate) fn vertical(p: impl Tensor<i32, 2>, pred: impl Tensor<i32, 2>) {
    let [y, x] = iters();
    pred[[y, x]] = p[[x, -1]];
}

/// `Intra_16x16_Horizontal` (8-117), a template.
#[shim::kernel]
pub(crate) fn horizontal(p: impl Tensor<i32, 2>, pred: impl Tensor<i32, 2>) {
    let [y, x] = iters();
    pred[[y, x]] = p[[-1, y]];
}

/// `Intra_16x16_DC` (8-118 to 8-121), a template.
#[shim::kernel]
pub(crate) fn dc(p: impl Tensor<i32, 2>, available: Available, pred: impl Tensor<i32, 2>) {
    let mut above = 0;
    if available.b {
        for x in 0..16 {
            above += p[[x, -1]];
        }
    }
    let mut left = 0;
    if available.a {
        for y in 0..16 {
            left += p[[-1, y]];
        }
    }
    let dc = match (available.a, available.b) {
        (true, true) => (above + left + 16) >> 5,
        (true, false) => (left + 8) >> 4,
        (false, true) => (above + 8) >> 4,
        (false, false) => 128,
    };
    let [y, x] = iters();
    pred[[y, x]] = dc;
}

/// `Intra_16x16_Plane` (8-122 to 8-127), a template.
#[shim::kernel]
pub(crate) fn plane(p: impl Tensor<i32, 2>, pred: impl Tensor<i32, 2>) {
    let (mut h, mut v) = (0, 0);
    #[unroll]
    for i in 0..8 {
        h += (i + 1) * (p[[8 + i, -1]] - p[[6 - i, -1]]);
        v += (i + 1) * (p[[-1, 8 + i]] - p[[-1, 6 - i]]);
    }
    let (b, c) = ((5 * h + 32) >> 6, (5 * v + 32) >> 6);
    let a = 16 * (p[[-1, 15]] + p[[15, -1]]);
    // All of it fits 16 bits: the slopes are 717 at most.
    let (a, b, c) = (a as i16 + 16, b as i16, c as i16);
    for x in 0..16 {
        let column = a + b * (x as i16 - 7);
        #[unroll]
        for y in 0..16 {
            pred[[y, x]] = i32::from(((column + c * (y as i16 - 7)) >> 5).clamp(0, 255));
        }
    }
}

/// All four predictions of a macroblock, and their SATD against the source.
///
/// # Panics
///
/// When the macroblock, or a neighbor that is available, is outside the picture.
#[shim::kernel(simd)]
pub fn intra_16x16_candidates(
    #[located] source: &SamplesView<'_>,
    #[located] picture: &PictureRows<'_>,
    #[shape(16, 16)] macroblock: Place<2>,
    available: Available,
    candidates: &mut Candidates,
) {
    let block = picture.samples.luma.footprint(macroblock);
    let cur = source.luma.footprint(macroblock);
    let p = block.permute([1, 0]).cast::<i32>();
    let all = Block::external(&mut candidates.pred, [4, 16, 16]);
    let satd = Block::external(&mut candidates.satd, [4]);
    let pred = all.cast::<i32>();
    if available.b {
        vertical(p, pred.slice(0, 0));
    }
    if available.a {
        horizontal(p, pred.slice(0, 1));
    }
    dc(p, available, pred.slice(0, 2));
    if allowed(3, available) {
        plane(p, pred.slice(0, 3));
    }
    for mode in 0..4 {
        satd[[mode]] = if allowed(mode, available) { satd_of(cur, all.slice(0, mode)) } else { u32::MAX };
    }
}
