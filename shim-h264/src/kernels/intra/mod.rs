//! Intra prediction (8.3): samples from those of the neighboring blocks, before deblocking.
//!
//! `p` has the index order of the standard, `p[[x, y]]`, and is seen from the block that is predicted: its neighbors
//! stand at negative indices. Which of them may be used is decided elsewhere, by the number of the slice (6.4.11), and
//! with `constrained_intra_pred_flag` by how they were coded.

pub mod chroma;
pub mod luma_16x16;
pub mod luma_4x4;

#[cfg(test)]
mod tests;

use shim::prelude::*;

/// The neighbors of a block that are available for Intra prediction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools, reason = "four neighbors, as in the standard")]
pub struct Available {
    /// To the left, mbAddrA.
    pub a: bool,
    /// Above, mbAddrB.
    pub b: bool,
    /// Above and to the right, mbAddrC.
    pub c: bool,
    /// Above and to the left, mbAddrD.
    pub d: bool,
}

/// What is available to each 4x4 luma block of a macroblock, by row and column, if this is available to the macroblock
/// (6.4.11.4): blocks of its own are as soon as they come before it in the order of Figure 6-10.
#[shim::kernel]
pub fn available_to_blocks(macroblock: Available) -> [[Available; 4]; 4] {
    let Available { a, b, c, d } = macroblock;
    let decoded = Block::stack::<bool>([4, 4]);
    let mut blocks = [[Available::default(); 4]; 4];
    #[unroll]
    for [y, x] in decoded.scan(tile([2, 2])) {
        let above_right = if y > 0 {
            false
        } else if x < 3 {
            b
        } else {
            c
        };
        let above_left = if y > 0 {
            a
        } else if x > 0 {
            b
        } else {
            d
        };
        blocks[y][x] = Available {
            a: decoded.get([y, x - 1]).unwrap_or(a),
            b: decoded.get([y - 1, x]).unwrap_or(b),
            c: decoded.get([y - 1, x + 1]).unwrap_or(above_right),
            d: decoded.get([y - 1, x - 1]).unwrap_or(above_left),
        };
        decoded[[y, x]] = true;
    }
    blocks
}
