//! `Intra_4x4` prediction (8.3.1.2): nine modes, of a 4x4 luma block.

use shim::prelude::*;

use super::Available;
use crate::kernels::metrics::satd_of_lane;

/// `Intra4x4PredMode` (Table 8-2).
pub const MODES: usize = 9;

/// All nine predictions of a block, side by side, and what they cost.
#[derive(Clone, Debug)]
pub struct Candidates {
    /// `pred[[y, x, mode]]`, `[4, 4, 16]`. That of a mode which may not be used is undefined.
    pub pred: [u8; 256],
    /// For each mode the SATD, and [`u16::MAX`] for one that may not be used.
    pub satd: [u16; 16],
}

impl Default for Candidates {
    fn default() -> Self {
        Self { pred: [0; 256], satd: [0; 16] }
    }
}

/// Whether a mode may be used beside these neighbours (8.3.1.2.1 to 8.3.1.2.9).
pub const fn allowed(mode: usize, available: Available) -> bool {
    match mode {
        0 | 3 | 7 => available.b,
        1 | 8 => available.a,
        2 => true,
        4..=6 => available.a && available.b && available.d,
        _ => false,
    }
}

/// The samples p around a block (8.3.1.2), a template. Samples that are not available are not read and stay what they are
/// in `p`, but for those above and to the right, which repeat p\[3, -1\].
#[shim::kernel]
pub(crate) fn neighbours(recon: impl Tensor<u8, 2>, available: Available, p: impl Tensor<u8, 2>) {
    if available.d {
        p[[-1, -1]] = recon[[-1, -1]];
    }
    if available.a {
        #[unroll]
        for y in 0..4 {
            p[[-1, y]] = recon[[y, -1]];
        }
    }
    if available.b {
        #[unroll]
        for x in 0..4 {
            p[[x, -1]] = recon[[-1, x]];
        }
        #[unroll]
        for x in 4..8 {
            p[[x, -1]] = if available.c { recon[[-1, x]] } else { recon[[-1, 3]] };
        }
    }
}

/// `Intra_4x4_Vertical` (8-46), a template.
#[shim::kernel]
pub(crate) fn vertical(p: impl Tensor<i32, 2>, pred: impl Tensor<i32, 2>) {
    #[unroll]
    for [y, x] in pred.indices() {
        pred[[y, x]] = p[[x, -1]];
    }
}

/// `Intra_4x4_Horizontal` (8-47), a template.
#[shim::kernel]
pub(crate) fn horizontal(p: impl Tensor<i32, 2>, pred: impl Tensor<i32, 2>) {
    #[unroll]
    for [y, x] in pred.indices() {
        pred[[y, x]] = p[[-1, y]];
    }
}

/// `Intra_4x4_DC` (8-48 to 8-51), a template.
#[shim::kernel]
pub(crate) fn dc(p: impl Tensor<i32, 2>, available: Available, pred: impl Tensor<i32, 2>) {
    let above = p[[0, -1]] + p[[1, -1]] + p[[2, -1]] + p[[3, -1]];
    let left = p[[-1, 0]] + p[[-1, 1]] + p[[-1, 2]] + p[[-1, 3]];
    let dc = match (available.a, available.b) {
        (true, true) => (above + left + 4) >> 3,
        (true, false) => (left + 2) >> 2,
        (false, true) => (above + 2) >> 2,
        (false, false) => 128,
    };
    #[unroll]
    for [y, x] in pred.indices() {
        pred[[y, x]] = dc;
    }
}

/// `Intra_4x4_Diagonal_Down_Left` (8-52, 8-53), a template.
#[shim::kernel]
pub(crate) fn diagonal_down_left(p: impl Tensor<i32, 2>, pred: impl Tensor<i32, 2>) {
    #[unroll]
    for [y, x] in pred.indices() {
        pred[[y, x]] = if x == 3 && y == 3 {
            (p[[6, -1]] + 3 * p[[7, -1]] + 2) >> 2
        } else {
            (p[[x + y, -1]] + 2 * p[[x + y + 1, -1]] + p[[x + y + 2, -1]] + 2) >> 2
        };
    }
}

/// `Intra_4x4_Diagonal_Down_Right` (8-54 to 8-56), a template.
#[shim::kernel]
pub(crate) fn diagonal_down_right(p: impl Tensor<i32, 2>, pred: impl Tensor<i32, 2>) {
    #[unroll]
    for [y, x] in pred.indices() {
        pred[[y, x]] = if x > y {
            (p[[x - y - 2, -1]] + 2 * p[[x - y - 1, -1]] + p[[x - y, -1]] + 2) >> 2
        } else if x < y {
            (p[[-1, y - x - 2]] + 2 * p[[-1, y - x - 1]] + p[[-1, y - x]] + 2) >> 2
        } else {
            (p[[0, -1]] + 2 * p[[-1, -1]] + p[[-1, 0]] + 2) >> 2
        };
    }
}

/// `Intra_4x4_Vertical_Right` (8-57 to 8-60), a template.
#[shim::kernel]
pub(crate) fn vertical_right(p: impl Tensor<i32, 2>, pred: impl Tensor<i32, 2>) {
    #[unroll]
    for [y, x] in pred.indices() {
        let z = 2 * x - y; // zVR
        pred[[y, x]] = match z {
            0 | 2 | 4 | 6 => (p[[x - (y >> 1) - 1, -1]] + p[[x - (y >> 1), -1]] + 1) >> 1,
            1 | 3 | 5 => {
                (p[[x - (y >> 1) - 2, -1]] + 2 * p[[x - (y >> 1) - 1, -1]] + p[[x - (y >> 1), -1]] + 2) >> 2
            }
            -1 => (p[[-1, 0]] + 2 * p[[-1, -1]] + p[[0, -1]] + 2) >> 2,
            _ => (p[[-1, y - 1]] + 2 * p[[-1, y - 2]] + p[[-1, y - 3]] + 2) >> 2,
        };
    }
}

/// `Intra_4x4_Horizontal_Down` (8-61 to 8-64), a template.
#[shim::kernel]
pub(crate) fn horizontal_down(p: impl Tensor<i32, 2>, pred: impl Tensor<i32, 2>) {
    #[unroll]
    for [y, x] in pred.indices() {
        let z = 2 * y - x; // zHD
        pred[[y, x]] = match z {
            0 | 2 | 4 | 6 => (p[[-1, y - (x >> 1) - 1]] + p[[-1, y - (x >> 1)]] + 1) >> 1,
            1 | 3 | 5 => {
                (p[[-1, y - (x >> 1) - 2]] + 2 * p[[-1, y - (x >> 1) - 1]] + p[[-1, y - (x >> 1)]] + 2) >> 2
            }
            -1 => (p[[-1, 0]] + 2 * p[[-1, -1]] + p[[0, -1]] + 2) >> 2,
            _ => (p[[x - 1, -1]] + 2 * p[[x - 2, -1]] + p[[x - 3, -1]] + 2) >> 2,
        };
    }
}

/// `Intra_4x4_Vertical_Left` (8-65, 8-66), a template.
#[shim::kernel]
pub(crate) fn vertical_left(p: impl Tensor<i32, 2>, pred: impl Tensor<i32, 2>) {
    #[unroll]
    for [y, x] in pred.indices() {
        pred[[y, x]] = if y % 2 == 0 {
            (p[[x + (y >> 1), -1]] + p[[x + (y >> 1) + 1, -1]] + 1) >> 1
        } else {
            (p[[x + (y >> 1), -1]] + 2 * p[[x + (y >> 1) + 1, -1]] + p[[x + (y >> 1) + 2, -1]] + 2) >> 2
        };
    }
}

/// `Intra_4x4_Horizontal_Up` (8-67 to 8-70), a template.
#[shim::kernel]
pub(crate) fn horizontal_up(p: impl Tensor<i32, 2>, pred: impl Tensor<i32, 2>) {
    #[unroll]
    for [y, x] in pred.indices() {
        let z = x + 2 * y; // zHU
        pred[[y, x]] = match z {
            0 | 2 | 4 => (p[[-1, y + (x >> 1)]] + p[[-1, y + (x >> 1) + 1]] + 1) >> 1,
            1 | 3 => {
                (p[[-1, y + (x >> 1)]] + 2 * p[[-1, y + (x >> 1) + 1]] + p[[-1, y + (x >> 1) + 2]] + 2) >> 2
            }
            5 => (p[[-1, 2]] + 3 * p[[-1, 3]] + 2) >> 2,
            _ => p[[-1, 3]],
        };
    }
}

/// The prediction of the block at `at` of the reconstructed plane, `size`, by the mode `Intra4x4PredMode`.
///
/// # Panics
///
/// When a sample that is available does not lie in the plane, and when the mode may not be used.
#[shim::kernel]
pub fn intra_4x4(
    recon: &[u8],
    size: [usize; 2],
    at: [usize; 2],
    mode: usize,
    available: Available,
    pred: &mut [u8; 16],
) {
    let ([h, w], [r, c]) = (size, at);
    assert!(allowed(mode, available), "Intra4x4PredMode is {mode} beside {available:?}");
    let recon = Block::external(recon, [h, w]);
    let pred = Block::external(pred, [4, 4]).at([r, c]);
    let around = Block::stack::<u8>([5, 9]).at([r - 1, c - 1])[pred].permute([1, 0]);
    neighbours(recon[pred], available, around);
    let (p, pred) = (around.cast::<i32>(), pred.cast::<i32>());
    match mode {
        0 => vertical(p, pred),
        1 => horizontal(p, pred),
        2 => dc(p, available, pred),
        3 => diagonal_down_left(p, pred),
        4 => diagonal_down_right(p, pred),
        5 => vertical_right(p, pred),
        6 => horizontal_down(p, pred),
        7 => vertical_left(p, pred),
        _ => horizontal_up(p, pred),
    }
}

/// All nine predictions of the block at `at`, and their SATD against the samples `cur`, each mode in a lane of its own.
/// Both planes have the extents `size`.
///
/// # Panics
///
/// When a sample of the block, or one that is available, does not lie in the planes.
#[shim::kernel(simd)]
pub fn intra_4x4_candidates(
    cur: &[u8],
    recon: &[u8],
    size: [usize; 2],
    at: [usize; 2],
    available: Available,
    candidates: &mut Candidates,
) {
    let ([h, w], [r, c]) = (size, at);
    let recon = Block::external(recon, [h, w]);
    let block = recon[[r..r + 4, c..c + 4]];
    let cur = Block::external(cur, [h, w])[block].cast::<i16>();
    let around = Block::stack::<u8>([5, 9]).at([r - 1, c - 1])[block].permute([1, 0]);
    neighbours(block, available, around);
    let p = around.cast::<i32>();
    let all = Block::external(&mut candidates.pred, [4, 4, 16]);
    let pred = all.cast::<i32>();
    vertical(p, pred.slice(2, 0));
    horizontal(p, pred.slice(2, 1));
    dc(p, available, pred.slice(2, 2));
    diagonal_down_left(p, pred.slice(2, 3));
    diagonal_down_right(p, pred.slice(2, 4));
    vertical_right(p, pred.slice(2, 5));
    horizontal_down(p, pred.slice(2, 6));
    vertical_left(p, pred.slice(2, 7));
    horizontal_up(p, pred.slice(2, 8));
    let satd = Block::external(&mut candidates.satd, [16]);
    let forbidden = Block::stack::<u16>([16]);
    #[unroll]
    for mode in 0..16 {
        forbidden[[mode]] = if allowed(mode, available) { 0 } else { u16::MAX };
    }
    let all = all.cast::<i16>();
    for l in 0..16 {
        let d = Block::stack::<i16>([4, 4]);
        #[unroll]
        for [y, x] in d.indices() {
            d[[y, x]] = cur[[y, x]] - all[[y, x, l]];
        }
        satd[[l]] = satd_of_lane(d) | forbidden[[l]];
    }
}
