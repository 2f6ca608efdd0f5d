//! `Intra_4x4` prediction (8.3.1.2): nine modes, of a 4x4 luma block.

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

/// All predictions of two blocks (8-46 to 8-70), a template: `e` holds the samples of their [`edge`]s, 16 of each block. Gives
/// `pred[[k, lane]]`, `[16, 32]`: sample k of block `lane / 16`, in raster order, in mode `lane % 16`. What is in the lane of a mode which
/// may not be used, or of none, is of no meaning.
#[shim::kernel]
pub(crate) fn predictions(e: impl Tensor<u8, 1>) -> impl Tensor<u8, 2> {
    // Every prediction is a sample, the mean of two, or the weighted mean of three. The corner, p[-1, -1], is e[[5]].
    const ONE: usize = 0;
    const TWO: usize = 1;
    const THREE: usize = 2;
    let samples = Block::stack::<u8>([3, 32]);
    for i in 0..32 {
        let (p, q, r) = (u16::from(e[[i]]), u16::from(e[[i + 1]]), u16::from(e[[i + 2]]));
        samples[[ONE, i]] = p as u8;
        samples[[TWO, i]] = ((q + r + 1) >> 1) as u8;
        samples[[THREE, i]] = ((p + 2 * q + r + 2) >> 2) as u8;
    }
    samples.select([16, 32], |[k, lane]| {
        let (mode, x, y) = (lane % 16, k % 4, k / 4);
        let (from, at) = match mode {
            0 => (ONE, 6 + x),
            1 => (ONE, 4 - y),
            2 => (ONE, 15),
            3 => (THREE, 6 + x + y),
            4 => (THREE, 4 + x - y),
            5 => match 2 * x - y {
                0 | 2 | 4 | 6 => (TWO, 4 + x - (y >> 1)),
                1 | 3 | 5 => (THREE, 4 + x - (y >> 1)),
                z => (THREE, 5 + z),
            },
            6 => match 2 * y - x {
                0 | 2 | 4 | 6 => (TWO, 3 - y + (x >> 1)),
                1 | 3 | 5 => (THREE, 4 - y + (x >> 1)),
                z => (THREE, 3 - z),
            },
            7 if y % 2 == 0 => (TWO, 5 + x + (y >> 1)),
            7 => (THREE, 6 + x + (y >> 1)),
            8 => match x + 2 * y {
                0 | 2 | 4 => (TWO, 2 - y - (x >> 1)),
                1 | 3 => (THREE, 2 - y - (x >> 1)),
                5 => (THREE, 0),
                _ => (ONE, 1),
            },
            _ => (ONE, 0),
        };
        [from, at + 16 * (lane / 16)]
    })
}
