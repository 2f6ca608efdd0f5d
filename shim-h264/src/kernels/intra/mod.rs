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

impl Available {
    /// What is available to the 4x4 luma block in row y and column x of a macroblock, if this is available to the macroblock
    /// (6.4.11.4): blocks of its own are as soon as they come before it in the order of Figure 6-10.
    #[must_use]
    pub const fn of_block(self, y: usize, x: usize) -> Self {
        Self {
            a: x > 0 || self.a,
            b: y > 0 || self.b,
            c: match (y, x) {
                (0, 3) => self.c,
                (0, _) => self.b,
                // Still to come, or in the macroblock to the right.
                (1 | 3, 1) | (_, 3) => false,
                _ => true,
            },
            d: match (y, x) {
                (0, 0) => self.d,
                (0, _) => self.b,
                (_, 0) => self.a,
                _ => true,
            },
        }
    }
}
