//! Slice data and macroblocks (7.3.4, 7.3.5).

use alloc::vec::Vec;

use super::residual::{Neighbors, Residual, ResidualShape};
use super::slice::slice_type;

/// `mb_type` (Tables 7-11 and 7-13).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MbType {
    /// `I_NxN`: each 4x4 block is predicted by itself.
    INxN,
    /// `I_16x16_*`.
    I16x16 {
        /// `Intra16x16PredMode`, 0 to 3.
        pred_mode: u8,
        /// Whether all blocks have AC levels: `CodedBlockPatternLuma` is 15, not 0.
        luma: bool,
        /// `CodedBlockPatternChroma`, 0 to 2.
        chroma: u8,
    },
    /// `I_PCM`: samples as they are.
    IPcm,
    /// `P_L0_16x16`.
    P16x16,
    /// `P_L0_L0_16x8`.
    P16x8,
    /// `P_L0_L0_8x16`.
    P8x16,
    /// `P_8x8`.
    P8x8,
}

impl MbType {
    /// `mb_type` in a slice that is an I or a P slice.
    #[must_use]
    pub const fn code(self, slice_type: u8) -> u8 {
        let first = if slice_type == slice_type::I { 0 } else { 5 };
        match self {
            Self::INxN => first,
            Self::I16x16 { pred_mode, luma, chroma } => first + 1 + pred_mode + 4 * chroma + 12 * luma as u8,
            Self::IPcm => first + 25,
            Self::P16x16 => 0,
            Self::P16x8 => 1,
            Self::P8x16 => 2,
            Self::P8x8 => 3,
        }
    }

    /// The type of an `mb_type` in a slice; `P_8x8ref0` is not allowed (7.4.5).
    #[must_use]
    pub const fn of(mb_type: u8, slice_type: u8) -> Self {
        let intra = if slice_type == slice_type::I {
            mb_type
        } else {
            match mb_type {
                0 => return Self::P16x16,
                1 => return Self::P16x8,
                2 => return Self::P8x16,
                3 | 4 => return Self::P8x8,
                intra => intra - 5,
            }
        };
        match intra {
            0 => Self::INxN,
            1..=24 => {
                let n = intra - 1;
                Self::I16x16 { pred_mode: n % 4, chroma: n / 4 % 3, luma: n >= 12 }
            }
            _ => Self::IPcm,
        }
    }

    /// Whether it is predicted within the picture.
    #[must_use]
    pub const fn is_intra(self) -> bool {
        matches!(self, Self::INxN | Self::I16x16 { .. } | Self::IPcm)
    }

    /// `NumMbPart`.
    const fn parts(self) -> u8 {
        match self {
            Self::P16x8 | Self::P8x16 => 2,
            _ => 1,
        }
    }

    /// The lists of levels that a `coded_block_pattern` has.
    pub(crate) const fn shape(self, coded_block_pattern: u8) -> ResidualShape {
        match self {
            Self::I16x16 { luma, chroma, .. } => {
                ResidualShape { intra16x16: true, luma: if luma { 15 } else { 0 }, chroma }
            }
            _ => ResidualShape {
                intra16x16: false,
                luma: coded_block_pattern & 15,
                chroma: coded_block_pattern >> 4,
            },
        }
    }
}

/// The elements of a slice header that macroblocks depend on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SliceContext {
    /// `slice_type % 5`: I or P.
    pub slice_type: u8,
    /// Entries of list 0, less 1.
    pub num_ref_idx_l0_active_minus1: u8,
}

impl SliceContext {
    /// Whether it is an I slice.
    pub(crate) const fn is_i(self) -> bool {
        self.slice_type == slice_type::I
    }
}

syntax! {
    /// An iteration of the loop of `slice_data` (7.3.4): macroblocks that are skipped, and one that is not.
    pub struct SliceDataIteration as s, slice: SliceContext, neighbors: &mut Neighbors<'_> {
        if (!slice.is_i()) {
            /// Number of skipped macroblocks.
            mb_skip_run: u32 = ue in 0..=139_264;
            require mb_skip_run: s.mb_skip_run as usize <= neighbors.left(), "the picture has no more macroblocks";
            perform neighbors.skip(s.mb_skip_run as usize);
            /// Whether the slice goes on behind them.
            more: bool = more(), else true;
        }
        if (s.more) {
            require mb_skip_run: neighbors.left() > 0, "the picture has no more macroblocks";
            /// The macroblock.
            macroblock: Macroblock = structure(slice, neighbors);
        }
    }
}

syntax! {
    /// `macroblock_layer` (7.3.5).
    pub struct Macroblock as s, slice: SliceContext, neighbors: &mut Neighbors<'_> {
        /// See [`MbType`].
        mb_type: u8 = ue in 0..=if slice.is_i() { 25 } else { 30 };
        require mb_type: slice.is_i() || s.mb_type != 4, "P_8x8ref0 is never in a stream (Table 7-13)";
        let kind = MbType::of(s.mb_type, slice.slice_type);
        perform neighbors.enter();
        if (kind == MbType::IPcm) {
            while (not aligned) {
                fixed pcm_alignment_zero_bit = u(1), 0;
            }
            /// 256 samples of luma, 64 of Cb and 64 of Cr.
            pcm_sample: Vec<u8> = bytes(384);
            perform neighbors.fill(16);
        } else {
            if (kind == MbType::P8x8) {
                /// `sub_mb_pred`.
                sub_mb_pred: SubMbPred = structure(slice);
            } else {
                /// `mb_pred`.
                mb_pred: MbPred = structure(slice, kind);
            }
            if (!matches!(kind, MbType::I16x16 { .. })) {
                /// `CodedBlockPatternLuma`, and 16 times `CodedBlockPatternChroma`.
                coded_block_pattern: u8 = me(kind.is_intra()) in 0..=47;
            }
            if (s.coded_block_pattern > 0 || matches!(kind, MbType::I16x16 { .. })) {
                /// QPY less that of the previous macroblock, modulo 52.
                mb_qp_delta: i8 = se in -26..=25;
                /// The levels.
                residual: Residual = residual(kind.shape(s.coded_block_pattern), neighbors);
            } else {
                perform neighbors.fill(0);
            }
        }
        perform neighbors.leave();
    }
}

syntax! {
    /// `mb_pred` (7.3.5.1).
    pub struct MbPred as s, slice: SliceContext, kind: MbType {
        if (kind.is_intra()) {
            if (kind == MbType::INxN) {
                /// Of each 4x4 block, in the order of 6.4.3.
                intra4x4: [Intra4x4PredMode; 16] = structures i in (16) with ();
            }
            /// 0 is DC, 1 horizontal, 2 vertical, 3 plane (Table 7-16).
            intra_chroma_pred_mode: u8 = ue in 0..=3;
        } else {
            let most = slice.num_ref_idx_l0_active_minus1;
            if (most > 0) {
                /// Of each part.
                ref_idx_l0: [u8; 2] = list (kind.parts()) of te(most) in 0..=most;
            }
            /// Of each part.
            mvd_l0: [Mvd; 2] = structures i in (kind.parts()) with ();
        }
    }
}

syntax! {
    /// `Intra4x4PredMode`, coded by its prediction (7.3.5.1).
    pub struct Intra4x4PredMode as s {
        /// Whether it does not.
        prev_intra4x4_pred_mode_flag: bool = u(1);
        if (!s.prev_intra4x4_pred_mode_flag) {
            /// The mode among the other eight.
            rem_intra4x4_pred_mode: u8 = u(3);
        }
    }
}

syntax! {
    /// `mvd_l0`: what a motion vector is more than predicted, in quarters of a sample.
    pub struct Mvd as s {
        /// To the right.
        x: i16 = se in i16::MIN..=i16::MAX;
        /// Down.
        y: i16 = se in i16::MIN..=i16::MAX;
    }
}

syntax! {
    /// `sub_mb_pred` (7.3.5.2).
    pub struct SubMbPred as s, slice: SliceContext {
        /// Of each 8x8 block: 0 is 8x8, 1 is 8x4, 2 is 4x8, 3 is 4x4 (Table 7-17).
        sub_mb_type: [u8; 4] = list (4) of ue in 0..=3;
        let most = slice.num_ref_idx_l0_active_minus1;
        if (most > 0) {
            /// Of each 8x8 block.
            ref_idx_l0: [u8; 4] = list (4) of te(most) in 0..=most;
        }
        /// Of each 8x8 block.
        mvd_l0: [SubMbMvd; 4] = structures i in (4) with (s.sub_mb_type[i]);
    }
}

syntax! {
    /// The vectors of an 8x8 block.
    pub struct SubMbMvd as s, sub_mb_type: u8 {
        /// Of each part.
        parts: [Mvd; 4] = structures i in (num_sub_mb_part(sub_mb_type)) with ();
    }
}

/// `NumSubMbPart` (Table 7-17).
const fn num_sub_mb_part(sub_mb_type: u8) -> u8 {
    match sub_mb_type {
        0 => 1,
        1 | 2 => 2,
        _ => 4,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_have_codes() {
        for (slice, most) in [(slice_type::I, 25), (slice_type::P, 30)] {
            for mb_type in 0..=most {
                if (slice, mb_type) != (slice_type::P, 4) {
                    assert_eq!(MbType::of(mb_type, slice).code(slice), mb_type);
                }
            }
        }
        assert_eq!(MbType::of(14, slice_type::I), MbType::I16x16 { pred_mode: 1, luma: true, chroma: 0 });
    }
}
