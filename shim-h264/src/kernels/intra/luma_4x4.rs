//! `Intra_4x4` prediction (8.3.1.2): nine modes, of a 4x4 luma block.

use shim::prelude::*;

pub(crate) use super::Available;

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

/// Where the samples around two 4x4 blocks are, p\[x, y\] of block b at `[b, x + 1, y + 1]`: those of a block in a line
/// of 16, from p\[-1, 3\] up to the corner and along to p\[7, -1\]. What is not around a block comes behind.
#[shim::layout]
pub(crate) fn border() -> Order {
    by(|[b, x, y]| {
        if x == 0 {
            16 * b + 4 - y
        } else if y == 0 {
            16 * b + 4 + x
        } else if 32 * b + 4 * x + y < 8 {
            8 + 4 * x + y
        } else {
            21 + 32 * b + 4 * x + y
        }
    })
}

/// The samples around a block, a template: `p[[x, y]]` as 8.3.1.2 names them. What is not available is read and of no
/// meaning, but for those above and to the right, which repeat p\[3, -1\]. Gives the prediction of DC (8-48 to 8-51).
#[shim::kernel]
pub(crate) fn around(block: impl Tensor<u8, 2>, available: Available, p: impl Tensor<u8, 2>) -> u8 {
    let (mut left, mut above) = (0, 0);
    p[[-1, -1]] = block[[-1, -1]];
    #[unroll]
    for k in 0..4 {
        p[[-1, k]] = block[[k, -1]];
        left += u32::from(block[[k, -1]]);
        p[[k, -1]] = block[[-1, k]];
        above += u32::from(block[[-1, k]]);
    }
    if available.c {
        #[unroll]
        for x in 4..8 {
            p[[x, -1]] = block[[-1, x]];
        }
    } else {
        #[unroll]
        for x in 4..8 {
            p[[x, -1]] = block[[-1, 3]];
        }
    }
    let dc = match (available.a, available.b) {
        (true, true) => (above + left + 4) >> 3,
        (true, false) => (left + 2) >> 2,
        (false, true) => (above + 2) >> 2,
        (false, false) => 128,
    };
    dc as u8
}

/// `Intra_4x4_Diagonal_Down_Left` (8.3.1.2.4), a template: `p[[x, y]]` are the samples around the block.
#[shim::kernel]
pub(crate) fn diagonal_down_left(p: impl Tensor<u16, 2>, x: isize, y: isize) -> u16 {
    if x == 3 && y == 3 {
        (p[[6, -1]] + 3 * p[[7, -1]] + 2) >> 2
    } else {
        (p[[x + y, -1]] + 2 * p[[x + y + 1, -1]] + p[[x + y + 2, -1]] + 2) >> 2
    }
}

/// `Intra_4x4_Diagonal_Down_Right` (8.3.1.2.5), a template.
#[shim::kernel]
pub(crate) fn diagonal_down_right(p: impl Tensor<u16, 2>, x: isize, y: isize) -> u16 {
    if x > y {
        (p[[x - y - 2, -1]] + 2 * p[[x - y - 1, -1]] + p[[x - y, -1]] + 2) >> 2
    } else if x < y {
        (p[[-1, y - x - 2]] + 2 * p[[-1, y - x - 1]] + p[[-1, y - x]] + 2) >> 2
    } else {
        (p[[0, -1]] + 2 * p[[-1, -1]] + p[[-1, 0]] + 2) >> 2
    }
}

/// `Intra_4x4_Vertical_Right` (8.3.1.2.6), a template.
#[shim::kernel]
pub(crate) fn vertical_right(p: impl Tensor<u16, 2>, x: isize, y: isize) -> u16 {
    let z = 2 * x - y;
    match z {
        0 | 2 | 4 | 6 => (p[[x - (y >> 1) - 1, -1]] + p[[x - (y >> 1), -1]] + 1) >> 1,
        1 | 3 | 5 => {
            (p[[x - (y >> 1) - 2, -1]] + 2 * p[[x - (y >> 1) - 1, -1]] + p[[x - (y >> 1), -1]] + 2) >> 2
        }
        -1 => (p[[-1, 0]] + 2 * p[[-1, -1]] + p[[0, -1]] + 2) >> 2,
        _ => (p[[-1, y - 1]] + 2 * p[[-1, y - 2]] + p[[-1, y - 3]] + 2) >> 2,
    }
}

/// `Intra_4x4_Horizontal_Down` (8.3.1.2.7), a template.
#[shim::kernel]
pub(crate) fn horizontal_down(p: impl Tensor<u16, 2>, x: isize, y: isize) -> u16 {
    let z = 2 * y - x;
    match z {
        0 | 2 | 4 | 6 => (p[[-1, y - (x >> 1) - 1]] + p[[-1, y - (x >> 1)]] + 1) >> 1,
        1 | 3 | 5 => {
            (p[[-1, y - (x >> 1) - 2]] + 2 * p[[-1, y - (x >> 1) - 1]] + p[[-1, y - (x >> 1)]] + 2) >> 2
        }
        -1 => (p[[-1, 0]] + 2 * p[[-1, -1]] + p[[0, -1]] + 2) >> 2,
        _ => (p[[x - 1, -1]] + 2 * p[[x - 2, -1]] + p[[x - 3, -1]] + 2) >> 2,
    }
}

/// `Intra_4x4_Vertical_Left` (8.3.1.2.8), a template.
#[shim::kernel]
pub(crate) fn vertical_left(p: impl Tensor<u16, 2>, x: isize, y: isize) -> u16 {
    if y % 2 == 0 {
        (p[[x + (y >> 1), -1]] + p[[x + (y >> 1) + 1, -1]] + 1) >> 1
    } else {
        (p[[x + (y >> 1), -1]] + 2 * p[[x + (y >> 1) + 1, -1]] + p[[x + (y >> 1) + 2, -1]] + 2) >> 2
    }
}

/// `Intra_4x4_Horizontal_Up` (8.3.1.2.9), a template.
#[shim::kernel]
pub(crate) fn horizontal_up(p: impl Tensor<u16, 2>, x: isize, y: isize) -> u16 {
    let z = x + 2 * y;
    match z {
        0 | 2 | 4 => (p[[-1, y + (x >> 1)]] + p[[-1, y + (x >> 1) + 1]] + 1) >> 1,
        1 | 3 => (p[[-1, y + (x >> 1)]] + 2 * p[[-1, y + (x >> 1) + 1]] + p[[-1, y + (x >> 1) + 2]] + 2) >> 2,
        5 => (p[[-1, 2]] + 3 * p[[-1, 3]] + 2) >> 2,
        _ => p[[-1, 3]],
    }
}

/// All predictions of two blocks (8-46 to 8-70), a template: `p[[b, x, y]]` are the samples around block b, `dc[[b]]`
/// the prediction of its mode DC. Gives `pred[[4 y + x, 16 b + mode]]`. What is in the lane of a mode which may not be
/// used, or of none, is of no meaning.
#[shim::kernel]
pub(crate) fn predictions(p: impl Tensor<u8, 3>, dc: impl Tensor<u8, 1>) -> impl Tensor<u8, 2> {
    let block = Block::stack::<u8>([16, 32]);
    let (p, dc) = (p.cast::<u16>(), dc.cast::<u16>());
    let pred = block.reshape([4, 4, 2, 16]).cast::<u16>();
    #[tabulate]
    for [y, x, b, mode] in pred.indices() {
        pred[[y, x, b, mode]] = match mode {
            // Vertical (8.3.1.2.1), horizontal (8.3.1.2.2) and DC (8.3.1.2.3).
            0 => p[[b, x, -1]],
            1 => p[[b, -1, y]],
            2 => dc[[b]],
            3 => diagonal_down_left(p.slice(0, b), x, y),
            4 => diagonal_down_right(p.slice(0, b), x, y),
            5 => vertical_right(p.slice(0, b), x, y),
            6 => horizontal_down(p.slice(0, b), x, y),
            7 => vertical_left(p.slice(0, b), x, y),
            8 => horizontal_up(p.slice(0, b), x, y),
            _ => p[[b, -1, -1]],
        };
    }
    block
}
