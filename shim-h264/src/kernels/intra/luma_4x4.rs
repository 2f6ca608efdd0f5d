//! `Intra_4x4` prediction (8.3.1.2): nine modes, of a 4x4 luma block.

use shim::Selection;
use shim::prelude::*;

use super::Available;

/// `Intra4x4PredMode` (Table 8-2).
pub const MODES: usize = 9;

/// The modes that may be used beside these neighbors (8.3.1.2.1 to 8.3.1.2.9), bit m for mode m.
pub const fn allowed_modes(available: Available) -> u16 {
    const LEFT: u16 = 1 << 1 | 1 << 8;
    const ABOVE: u16 = 1 << 0 | 1 << 3 | 1 << 7;
    const AROUND: u16 = 1 << 4 | 1 << 5 | 1 << 6;
    const DC: u16 = 1 << 2;
    let (a, b) = (available.a as u16, available.b as u16);
    let around = (a & b & available.d as u16) * AROUND;
    (a * LEFT) | (b * ABOVE) | around | DC
}

/// Whether a mode may be used beside these neighbors.
pub const fn allowed(mode: usize, available: Available) -> bool {
    mode < MODES && allowed_modes(available) >> mode & 1 != 0
}

/// The samples around a block in one row, a template: from p\[-1, 3\] up to the corner and along to p\[7, -1\], `e[[1]]` to `e[[13]]`, the
/// first and the last of them twice; `e[[15]]` is their mean (8-48 to 8-51). What is not available is read and of no meaning, but for
/// those above and to the right, which repeat p\[3, -1\].
#[shim::kernel]
pub(crate) fn edge(block: impl Tensor<u8, 2>, available: Available, e: impl Tensor<u8, 1>) {
    let (mut left, mut above) = (0, 0);
    #[unroll]
    for k in 0..4 {
        e[[4 - k]] = block[[k, -1]];
        left += u32::from(block[[k, -1]]);
        e[[6 + k]] = block[[-1, k]];
        above += u32::from(block[[-1, k]]);
    }
    e[[0]] = block[[3, -1]];
    e[[5]] = block[[-1, -1]];
    if available.c {
        #[unroll]
        for k in 4..8 {
            e[[6 + k]] = block[[-1, k]];
        }
        e[[14]] = block[[-1, 7]];
    } else {
        #[unroll]
        for k in 4..9 {
            e[[6 + k]] = block[[-1, 3]];
        }
    }
    e[[15]] = match (available.a, available.b) {
        (true, true) => (above + left + 4) >> 3,
        (true, false) => (left + 2) >> 2,
        (false, true) => (above + 2) >> 2,
        (false, false) => 128,
    } as u8;
}

/// All predictions of two blocks, and what they are made of.
///
/// Aligned, as all that is read and written as vectors of 64 bytes here: one that lies across two lines of the cache is two accesses.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub struct Predictions {
    /// `pred[[4 y + x, lane]]`, `[16, 32]`: sample (x, y). Lane `16 b + mode` is a mode of block b; what is in that of a mode which may
    /// not be used, or of none, is of no meaning.
    pub pred: [u8; 512],
    /// `[3, 2, 16]`: for each block e, the samples of its [`edge`]; the means of `e[[i + 1]]` and the next; those of `e[[i]]`, twice the
    /// next, and the one after.
    pub(crate) samples: [u8; 96],
}

impl Default for Predictions {
    fn default() -> Self {
        Self { pred: [0; 512], samples: [0; 96] }
    }
}

/// Where [`Predictions::samples`] has sample (x, y) of a mode of block b (8-46 to 8-70).
const fn place(b: usize, mode: usize, x: isize, y: isize) -> usize {
    const EDGE: isize = 0;
    const TWO: isize = 32;
    const THREE: isize = 64;
    // The corner, p[-1, -1], is e[[5]].
    let at = match mode {
        0 => EDGE + 6 + x,
        1 => EDGE + 4 - y,
        2 => EDGE + 15,
        3 => THREE + 6 + x + y,
        4 => THREE + 4 + x - y,
        5 => match 2 * x - y {
            0 | 2 | 4 | 6 => TWO + 4 + x - (y >> 1),
            1 | 3 | 5 => THREE + 4 + x - (y >> 1),
            z => THREE + 5 + z,
        },
        6 => match 2 * y - x {
            0 | 2 | 4 | 6 => TWO + 3 - y + (x >> 1),
            1 | 3 | 5 => THREE + 4 - y + (x >> 1),
            z => THREE + 3 - z,
        },
        7 if y % 2 == 0 => TWO + 5 + x + (y >> 1),
        7 => THREE + 6 + x + (y >> 1),
        8 => match x + 2 * y {
            0 | 2 | 4 => TWO + 2 - y - (x >> 1),
            1 | 3 => THREE + 2 - y - (x >> 1),
            5 => THREE,
            _ => EDGE + 1,
        },
        _ => EDGE,
    };
    at as usize + 16 * b
}

/// Of all modes of two blocks.
pub(crate) const LANES: Selection<512, 3> = {
    let mut places = [0; 512];
    let mut i = 0;
    while i < 512 {
        let (k, lane) = (i / 32, i % 32);
        places[i] = place(lane / 16, lane % 16, (k % 4) as isize, (k / 4) as isize);
        i += 1;
    }
    Selection::new(places)
};
