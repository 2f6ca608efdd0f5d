//! `Intra_16x16` prediction (8.3.3): four modes, of the luma of a macroblock.

use shim::prelude::*;

use super::Available;
use crate::kernels::metrics::{sad_of, satd_of};
use crate::kernels::picture::{PictureRows, SamplesView};
use crate::kernels::transform::{block_of, blocks, hadamard_1d, hadamard_4x4};

/// `Intra16x16PredMode` (Table 8-4): vertical, horizontal, DC, plane.
pub const MODES: usize = 4;

/// All four predictions of a macroblock, and what they cost.
#[derive(Clone, Debug)]
pub struct Candidates {
    /// `pred[[mode, y, x]]`, `[4, 16, 16]`. That of a mode which may not be used is undefined.
    pub pred: [u8; 1024],
    /// For each mode the SATD or SAD, and [`u32::MAX`] for one that may not be used.
    pub cost: [u32; MODES],
}

impl Default for Candidates {
    fn default() -> Self {
        Self { pred: [0; 1024], cost: [0; MODES] }
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

/// The predictions of all modes that may be used, a template.
#[shim::kernel]
fn predictions(p: impl Tensor<i32, 2>, available: Available, pred: impl Tensor<i32, 3>) {
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
}

/// The Hadamard transform of four rows of four equal samples each: that of each four of 16 `samples`, by coefficient; a
/// template.
#[shim::kernel]
fn transform_edge(samples: impl Tensor<i32, 1>, transformed: impl Tensor<i16, 2>) {
    let samples = samples.cast::<i16>();
    #[unroll]
    for block in 0..4 {
        let own = Block::stack::<i16>([4]);
        #[unroll]
        for i in 0..4 {
            own[[i]] = 4 * samples[[4 * block + i]];
        }
        hadamard_1d::<i16>(own);
        #[unroll]
        for i in 0..4 {
            transformed[[i, block]] = own[[i]];
        }
    }
}

/// The SATD of the vertical, horizontal and DC prediction, by one transform of the source: theirs is 0 but for the first
/// row of coefficients (vertical), the first column (horizontal), or the first coefficient. A template.
#[shim::kernel]
fn satd_of_edges(
    cur: impl Tensor<u8, 2>,
    above: impl Tensor<i16, 2>,
    left: impl Tensor<i16, 2>,
    dc: i16,
    satd: impl Tensor<u32, 1>,
) {
    let d = blocks(cur);
    let cur = cur.cast::<i16>();
    #[lanes(8)]
    for [y, x] in d.indices() {
        d[[y, x]] = cur[[y, x]];
    }
    // The transforms of the edges beside each block.
    let (own_above, own_left) = (Block::stack::<i16>([4, 16]), Block::stack::<i16>([4, 16]));
    #[unroll]
    for i in 0..4 {
        for l in 0..16 {
            own_above[[i, l]] = above[[i, l % 4]];
            own_left[[i, l]] = left[[i, l / 4]];
        }
    }
    let sums = Block::stack::<u32>([3, 16]);
    for l in 0..16 {
        let block = block_of(d, l);
        let c = Block::stack::<i16>([4, 4]);
        #[unroll]
        for [i, j] in c.indices() {
            c[[i, j]] = block[[i, j]];
        }
        hadamard_4x4::<i16>(c);
        let (mut rest, mut row, mut column) = (0, 0, 0);
        let (mut by_row, mut by_column) = (0, 0);
        #[unroll]
        for i in 0..4 {
            by_row += (c[[0, i]] - own_above[[i, l]]).unsigned_abs();
            by_column += (c[[i, 0]] - own_left[[i, l]]).unsigned_abs();
        }
        #[unroll]
        for i in 1..4 {
            row += c[[0, i]].unsigned_abs();
            column += c[[i, 0]].unsigned_abs();
            #[unroll]
            for j in 1..4 {
                rest += c[[i, j]].unsigned_abs();
            }
        }
        sums[[0, l]] = u32::from((rest + column + by_row) >> 1);
        sums[[1, l]] = u32::from((rest + row + by_column) >> 1);
        sums[[2, l]] = u32::from((rest + row + column + (c[[0, 0]] - 16 * dc).unsigned_abs()) >> 1);
    }
    #[unroll]
    for mode in 0..3 {
        satd[[mode]] = (0..16).map(|l| sums[[mode, l]]).sum::<u32>();
    }
}

/// All four predictions of a macroblock, and their SATD against the source.
///
/// # Panics
///
/// When the macroblock, or a neighbor that is available, is outside the picture.
#[shim::kernel(simd, checks = "hoisted")]
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
    let cost = Block::external(&mut candidates.cost, [4]);
    predictions(p, available, all.cast::<i32>());
    let (above, left) = (Block::stack::<i16>([4, 4]), Block::stack::<i16>([4, 4]));
    if available.b {
        transform_edge(p.slice(1, -1)[[0..16]], above);
    }
    if available.a {
        transform_edge(p.slice(0, -1)[[0..16]], left);
    }
    satd_of_edges(cur, above, left, all[[2, 0, 0]].into(), cost);
    for mode in 0..4 {
        if !allowed(mode, available) {
            cost[[mode]] = u32::MAX;
        } else if mode == 3 {
            cost[[3]] = satd_of(cur, all.slice(0, 3));
        }
    }
}

/// All four predictions of a macroblock, and their SAD against the source.
///
/// # Panics
///
/// When the macroblock, or a neighbor that is available, is outside the picture.
#[shim::kernel(simd(v3), checks = "hoisted")]
pub fn intra_16x16_by_sad(
    #[located] source: &SamplesView<'_>,
    #[located] picture: &PictureRows<'_>,
    #[shape(16, 16)] macroblock: Place<2>,
    available: Available,
    candidates: &mut Candidates,
) {
    let cur = source.luma.footprint(macroblock);
    let p = picture.samples.luma.footprint(macroblock).permute([1, 0]).cast::<i32>();
    let all = Block::external(&mut candidates.pred, [4, 16, 16]);
    let cost = Block::external(&mut candidates.cost, [4]);
    predictions(p, available, all.cast::<i32>());
    for mode in 0..4 {
        cost[[mode]] = if allowed(mode, available) { sad_of(cur, all.slice(0, mode)) } else { u32::MAX };
    }
}
