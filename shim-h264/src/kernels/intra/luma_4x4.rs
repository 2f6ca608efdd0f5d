//! `Intra_4x4` prediction (8.3.1.2): nine modes, of a 4x4 luma block.

use shim::prelude::*;

use super::Available;
/// `Intra4x4PredMode` (Table 8-2).
pub const MODES: usize = 9;

/// All nine predictions of each of two blocks, side by side.
#[derive(Clone, Debug)]
pub struct Predictions {
    /// `pred[[y, half, lane]]`, `[4, 2, 32]`: samples 2 half and 2 half + 1 of row y, the first in the lower byte. Lane `16 b + mode` is
    /// a mode of block b; what is in that of a mode which may not be used is undefined.
    pub pred: [u16; 256],
}

impl Default for Predictions {
    fn default() -> Self {
        Self { pred: [0; 256] }
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

/// The modes that may be used, bit m for mode m.
pub const fn allowed_modes(available: Available) -> u16 {
    let (mut modes, mut mode) = (0, 0);
    while mode < MODES {
        modes |= (allowed(mode, available) as u16) << mode;
        mode += 1;
    }
    modes
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

/// `(p + q + 1) >> 1` of each of eight samples.
#[inline]
const fn two(p: u64, q: u64) -> u64 {
    (p | q) - (((p ^ q) & 0xfefe_fefe_fefe_fefe) >> 1)
}

/// `(p + 2 q + r + 2) >> 2` of each of eight samples: q with half of p and r, which is rounded down.
#[inline]
const fn three(p: u64, q: u64, r: u64) -> u64 {
    two((p & r) + (((p ^ r) & 0xfefe_fefe_fefe_fefe) >> 1), q)
}

/// Samples of two words in turn, those of the first before those of the second.
#[inline]
const fn in_turn(even: u64, odd: u64) -> u64 {
    const fn apart(four: u64) -> u64 {
        let four = four & 0xffff_ffff;
        let pairs = (four | four << 16) & 0x0000_ffff_0000_ffff;
        (pairs | pairs << 8) & 0x00ff_00ff_00ff_00ff
    }
    apart(even) | apart(odd) << 8
}

/// The sum of four samples.
#[inline]
const fn sum(four: u64) -> u32 {
    let pairs = (four as u32 & 0x00ff_00ff) + (four as u32 >> 8 & 0x00ff_00ff);
    (pairs + (pairs >> 16)) & 0xffff
}

/// All nine predictions of the block at `at` of the reconstructed plane, `size`: block `b` of `predictions`, 0 or 1.
///
/// Every mode takes its rows from a sequence of samples along the edge, or of two or three of them averaged, each row from another
/// place: sequences are words, and a row is one shifted.
///
/// # Panics
///
/// When a sample that is available does not lie in the plane, or `b` is above 1.
#[shim::kernel]
pub fn intra_4x4_predictions(
    recon: &[u8],
    size: [usize; 2],
    at: [usize; 2],
    available: Available,
    b: usize,
    predictions: &mut Predictions,
) {
    let ([h, w], [r, c]) = (size, at);
    let block = Block::external(recon, [h, w])[[r..r + 4, c..c + 4]].cast::<u64>();
    // From the left and from above, the nearest to the corner first.
    let (mut left, mut above, mut corner) = (0_u64, 0_u64, 0_u64);
    if available.a {
        left = block[[0, -1]] | block[[1, -1]] << 8 | block[[2, -1]] << 16 | block[[3, -1]] << 24;
    }
    if available.b {
        above = block[[-1, 0]] | block[[-1, 1]] << 8 | block[[-1, 2]] << 16 | block[[-1, 3]] << 24;
        above |= if available.c {
            block[[-1, 4]] << 32 | block[[-1, 5]] << 40 | block[[-1, 6]] << 48 | block[[-1, 7]] << 56
        } else {
            (above >> 24) * 0x0101_0101 << 32
        };
    }
    if available.d {
        corner = block[[-1, -1]];
    }
    // From the lowest on the left around the corner to p[2, -1], and one and two further.
    let edge = u64::from((left as u32).swap_bytes()) | corner << 32 | above << 40;
    let next = edge >> 8 | above >> 24 << 56;
    let (edge_two, edge_three) = (two(edge, next), three(edge, next, edge >> 16 | above >> 24 << 48));
    // Above, and beyond its end the last of it.
    let last = above >> 56;
    let next = above >> 8 | last << 56;
    let (above_two, above_three) = (two(above, next), three(above, next, above >> 16 | last * 0x0101 << 48));
    // Down the left, and beyond its end the last of it.
    let last = left >> 24;
    let next = left >> 8 | last << 24;
    let upwards = in_turn(two(left, next), three(left, next, left >> 16 | last * 0x0101 << 16));
    let downwards = in_turn(edge_two, edge_three);
    let dc = match (available.a, available.b) {
        (true, true) => (sum(above) + sum(left) + 4) >> 3,
        (true, false) => (sum(left) + 2) >> 2,
        (false, true) => (sum(above) + 2) >> 2,
        (false, false) => 128,
    };
    let dc = u64::from(dc * 0x0101_0101);
    let pred = Block::external(&mut predictions.pred, [4, 2, 2, 16]).slice(2, b);
    let mut put = |y: usize, mode: usize, row: u64| {
        pred[[y, 0, mode]] = row as u16;
        pred[[y, 1, mode]] = (row >> 16) as u16;
    };
    // 5 and 6 turn around the corner between their first two rows or columns.
    let (right, right_half) = (edge_two >> 32, edge_three >> 24);
    #[unroll]
    for y in 0..4 {
        put(y, 0, above);
        put(y, 1, (left >> (8 * y) & 255) * 0x0101_0101);
        put(y, 2, dc);
        put(y, 3, above_three >> (8 * y));
        put(y, 4, edge_three >> (8 * (3 - y)));
        put(y, 7, if y % 2 == 0 { above_two } else { above_three } >> (8 * (y / 2)));
    }
    put(0, 5, right);
    put(1, 5, right_half);
    put(2, 5, right << 8 | edge_three >> 16 & 255);
    put(3, 5, right_half << 8 | edge_three >> 8 & 255);
    put(0, 6, downwards >> 48 | edge_three >> 32 << 16);
    put(1, 6, downwards >> 32);
    put(2, 6, downwards >> 16);
    put(3, 6, downwards);
    put(0, 8, upwards);
    put(1, 8, upwards >> 16);
    put(2, 8, upwards >> 32);
    put(3, 8, upwards >> 48 | last * 0x0101 << 16);
}
