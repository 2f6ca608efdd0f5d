//! Intra prediction (8.3): samples from those of the neighbouring blocks, before deblocking.
//!
//! `p` has the index order of the standard, `p[[x, y]]`, and is seen from the block that is predicted: its neighbours
//! stand at negative indices. Which of them may be used is decided elsewhere, by the number of the slice (6.4.11), and
//! with `constrained_intra_pred_flag` by how they were coded.

pub mod chroma;
pub mod luma_16x16;
pub mod luma_4x4;

#[cfg(test)]
mod tests;

/// Which neighbours of a block are available for Intra prediction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools, reason = "four neighbours, as in the standard")]
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
