//! Macroblock modes, as plain data.

use crate::kernels::Vector;
use crate::kernels::inter::search::is_legal;
use crate::kernels::intra::{Available, available_to_blocks, chroma, luma_4x4, luma_16x16};

/// The prediction of a macroblock, from which its samples, levels and syntax elements follow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MbMode {
    /// `I_PCM`: samples as they are.
    Pcm,
    /// `I_16x16` by DC prediction, without levels: the mean of the neighbors, whatever the source has.
    Gray,
    /// `I_16x16`.
    Intra16x16 {
        /// `Intra16x16PredMode`, one that [`allows_16x16`](MbContext::allows_16x16) holds for.
        luma: u8,
        /// `intra_chroma_pred_mode`, one that [`allows_chroma`](MbContext::allows_chroma) holds for.
        chroma: u8,
    },
    /// `I_NxN` with 4x4 blocks.
    Intra4x4 {
        /// `Intra4x4PredMode` by row and column of the block, each one that [`allows_4x4`](MbContext::allows_4x4) holds
        /// for.
        luma: [[u8; 4]; 4],
        /// `intra_chroma_pred_mode`, one that [`allows_chroma`](MbContext::allows_chroma) holds for.
        chroma: u8,
    },
    /// `P_Skip`, in P slices.
    Skip,
    /// `P_L0_16x16` to `P_8x8`, in P slices.
    Inter {
        /// The division into parts.
        shape: MbPartition,
        /// The motion of part k of partition n at index `4 * n + k`; others are ignored.
        motions: Motions,
        /// The choice of levels.
        levels: Levels,
    },
}

impl MbMode {
    /// `Intra_16x16_DC`.
    pub(crate) const DC_16X16: u8 = 2;
    /// `Intra_Chroma_DC`.
    pub(crate) const DC_CHROMA: u8 = 0;
}

/// The motion of all parts of a macroblock: that of part k of partition n is `4 * n + k`.
pub type Motions = [Motion; 16];

/// The motion of a part of a macroblock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Motion {
    /// `ref_idx_l0`. All parts of an 8x8 block have the same.
    pub ref_idx: u8,
    /// `mvL0`, to the right and down, in quarters of a sample; one that is [`legal`](MbContext::legal).
    pub mv: Vector,
}

/// The choice of levels of an Inter macroblock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Levels {
    /// Rate-distortion quantization, with the SSD that a bit is worth; rounding without.
    pub by_rate: Option<u32>,
    /// Whether levels of a block that are few and small are dropped.
    pub decimate: bool,
}

/// The division of a macroblock into partitions (Table 7-13).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MbPartition {
    /// 16x16.
    P16x16,
    /// Two of 16x8.
    P16x8,
    /// Two of 8x16.
    P8x16,
    /// Four of 8x8, each divided in its own way.
    P8x8([SubMbPartition; 4]),
}

/// The division of an 8x8 block (Table 7-17).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum SubMbPartition {
    /// 8x8.
    P8x8 = 0,
    /// Two of 8x4.
    P8x4 = 1,
    /// Two of 4x8.
    P4x8 = 2,
    /// Four of 4x4.
    P4x4 = 3,
}

impl MbPartition {
    /// Rows and columns of a partition, and `NumMbPart`.
    pub(crate) const fn parts(self) -> ([usize; 2], usize) {
        match self {
            Self::P16x16 => ([16, 16], 1),
            Self::P16x8 => ([8, 16], 2),
            Self::P8x16 => ([16, 8], 2),
            Self::P8x8(_) => ([8, 8], 4),
        }
    }

    /// The division of a partition.
    pub(crate) const fn sub(self, number: usize) -> SubMbPartition {
        if let Self::P8x8(subs) = self { subs[number] } else { SubMbPartition::P8x8 }
    }

    /// The shape with at most `most` vectors, at least four: 8x8 blocks are divided while vectors are left.
    pub(crate) const fn within(self, most: usize) -> Self {
        let Self::P8x8(mut subs) = self else { return self };
        let (mut left, mut number) = (most - 4, 0);
        while number < 4 {
            let more = subs[number].count() - 1;
            if more > left {
                subs[number] = SubMbPartition::P8x8;
            } else {
                left -= more;
            }
            number += 1;
        }
        Self::P8x8(subs)
    }
}

impl SubMbPartition {
    /// `NumSubMbPart`.
    pub(crate) const fn count(self) -> usize {
        match self {
            Self::P8x8 => 1,
            Self::P8x4 | Self::P4x8 => 2,
            Self::P4x4 => 4,
        }
    }

    /// Rows and columns of a part of a block.
    pub(crate) const fn size(self, [high, wide]: [usize; 2]) -> [usize; 2] {
        match self {
            Self::P8x8 => [high, wide],
            Self::P8x4 => [high / 2, wide],
            Self::P4x8 => [high, wide / 2],
            Self::P4x4 => [high / 2, wide / 2],
        }
    }
}

/// The conditions under which a mode is chosen for a macroblock.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct MbContext {
    /// `CurrMbAddr`.
    pub address: usize,
    /// QPY that rate control wants for the macroblock.
    pub qp: u8,
    /// Number of reference pictures; 0 in I slices.
    pub references: usize,
    /// Maximum number of motion vectors, at least four; of a shape with more, 8x8 blocks are left undivided.
    pub most_vectors: usize,
    /// Neighbors that Intra prediction may use.
    pub(crate) available: Available,
    /// `MaxVmvR`.
    pub(crate) max_vmv_r: i16,
}

impl MbContext {
    /// Whether the neighbors of an `Intra16x16PredMode` are available (8.3.3).
    #[must_use]
    pub const fn allows_16x16(&self, mode: u8) -> bool {
        luma_16x16::allowed(mode as usize, self.available)
    }

    /// Whether the neighbors of an `Intra4x4PredMode` are available to the block in row y and column x (8.3.1.2).
    #[must_use]
    pub fn allows_4x4(&self, [y, x]: [usize; 2], mode: u8) -> bool {
        luma_4x4::allowed(mode as usize, available_to_blocks(self.available)[y][x])
    }

    /// Whether the neighbors of an `intra_chroma_pred_mode` are available (8.3.4).
    #[must_use]
    pub const fn allows_chroma(&self, mode: u8) -> bool {
        chroma::allowed(mode as usize, self.available)
    }

    /// Whether the level allows a motion vector (A.3.1).
    #[must_use]
    pub fn legal(&self, mv: Vector) -> bool {
        is_legal(mv, self.max_vmv_r)
    }
}
