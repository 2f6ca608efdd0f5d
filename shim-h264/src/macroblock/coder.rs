//! A slice that is coded, and what codes its macroblocks.

use core::ops::Range;

use shim::prelude::Place;

use super::coded::CodedMb;
use super::motion::{FoundLast, MotionField, Prediction};
use crate::decide::{Analysis, Preset};
use crate::entropy::EntropyCoder;
use crate::kernels::blocks::Intra4x4Buffer;
use crate::kernels::inter::Part;
use crate::kernels::intra::{Available, chroma, luma_16x16};
use crate::kernels::macroblock_at;
use crate::kernels::picture::{PictureRows, SamplesView};
use crate::kernels::quantize::{MAX_QP, Quantizer, chroma_qp};
use crate::kernels::residual::candidates::ModeResults;
use crate::lookahead::Guide;
use crate::picture::Referred;
use crate::syntax::macroblock::SliceContext;
use crate::syntax::residual::{NeighborTables, Neighbors};

/// The quantizers of all QPs, which round up from one part in so many.
#[derive(Clone, Debug)]
pub(crate) struct Quantizers {
    luma: alloc::vec::Vec<Quantizer>,
    chroma_qp_index_offset: i8,
}

impl Quantizers {
    pub(crate) fn new(divisor: u32, chroma_qp_index_offset: i8) -> Self {
        let luma = (0..=MAX_QP).map(|qp| Quantizer::new(qp, divisor)).collect();
        Self { luma, chroma_qp_index_offset }
    }

    pub(super) fn luma(&self, qp: u8) -> &Quantizer {
        &self.luma[usize::from(qp)]
    }

    pub(super) fn chroma(&self, qp: u8) -> &Quantizer {
        self.luma(chroma_qp(qp, self.chroma_qp_index_offset))
    }
}

/// A slice that is being coded. Of the picture it sees its own rows alone, of the source and of reference pictures
/// everything.
#[derive(Debug)]
pub(crate) struct Slice<'p> {
    /// Rows and columns of macroblocks of the picture.
    pub(crate) mbs: [usize; 2],
    pub(crate) source: SamplesView<'p>,
    /// The rows of the picture that it is in.
    pub(crate) picture: PictureRows<'p>,
    pub(crate) intra_quantizers: &'p Quantizers,
    pub(crate) inter_quantizers: &'p Quantizers,
    /// `constrained_intra_pred_flag`.
    pub(crate) constrained_intra_pred: bool,
    /// List 0.
    pub(crate) references: &'p [Referred<'p>],
    /// The results of the look-ahead for the picture.
    pub(crate) guide: &'p Guide,
    /// `MaxVmvR`.
    pub(crate) max_vmv_r: i16,
    /// Maximum number of motion vectors of a macroblock.
    pub(crate) most_vectors: usize,
    pub(crate) context: SliceContext,
    /// The number of the slice, from 1 on.
    pub(crate) number: u16,
    /// `QPY,PRED`: that of the macroblock before.
    pub(crate) qp: u8,
    /// QPY of the picture.
    pub(crate) wanted_qp: u8,
    /// Whether all macroblocks are skipped, or in an IDR picture gray.
    pub(crate) dropped: bool,
    /// The least QP of macroblocks, above 0 where one has to become smaller; none is `I_PCM` then.
    pub(crate) least_qp: u8,
}

impl<'p> Slice<'p> {
    /// QPY that is wanted for the macroblock in a row and a column. Offsets do not apply at the greatest QP, which a
    /// picture has where no lower one makes it small enough.
    pub(super) fn qp_at(&self, at: [usize; 2]) -> u8 {
        if self.wanted_qp == MAX_QP {
            return MAX_QP;
        }
        let qp = f32::from(self.wanted_qp) + self.guide.qp_offset(at);
        // Rounds what is above 0 to the nearest.
        (qp + 0.5).clamp(0.0, MAX_QP.into()) as u8
    }

    /// A reference picture.
    pub(super) fn reference(&self, ref_idx: u8) -> &Referred<'p> {
        &self.references[usize::from(ref_idx)]
    }

    /// The neighbors of the macroblock at an address, whose entries are in the tables.
    pub(super) fn neighbors(&self, address: usize) -> Neighbors<'_> {
        Neighbors {
            tables: NeighborTables::Read(self.picture.tables()),
            mbs_wide: self.mbs[1],
            number: self.number,
            address,
        }
    }
}

/// Codes one macroblock after another; keeps the memory for that.
#[derive(Clone, Debug)]
pub(crate) struct MacroblockCoder<E> {
    pub(super) analysis: Analysis,
    pub(super) coded: CodedMb,
    /// The best of the modes tried so far.
    pub(super) best: CodedMb,
    pub(crate) entropy: E,
    // Candidates of Intra prediction.
    pub(super) luma_16x16: luma_16x16::Candidates,
    pub(super) candidates: ModeResults,
    pub(super) luma: Intra4x4Buffer,
    pub(super) chroma: chroma::Candidates,
    // Inter prediction.
    pub(super) luma_pred: [u8; 256],
    pub(super) chroma_pred: [u8; 128],
    /// What the last search for a shape of the macroblock found.
    pub(super) found_last: FoundLast,
    /// The motion of the coded macroblock.
    pub(super) motion: MotionField,
}

/// The position of the current macroblock, and its QP.
#[derive(Clone, Copy, Debug)]
pub(super) struct Current {
    /// `CurrMbAddr`.
    pub(super) address: usize,
    /// Row and column in macroblocks.
    pub(super) at: [usize; 2],
    /// Its luma samples.
    pub(super) place: Place<2>,
    /// The neighbors that are available to Intra prediction.
    pub(super) intra: Available,
    /// The prediction of the motion of the whole macroblock.
    pub(super) prediction: Prediction,
    pub(super) qp: u8,
}

impl Current {
    /// The prediction of the motion of a part from these pictures, beside others whose motion is known.
    pub(super) fn predict(
        &self,
        slice: &Slice<'_>,
        known: &MotionField,
        part: Part,
        ref_idxs: Range<u8>,
    ) -> Prediction {
        if part == Part::WHOLE { self.prediction } else { known.predict(&slice.picture, part, ref_idxs) }
    }

    /// No motion of the macroblock is known.
    pub(super) const fn motion(&self, slice: &Slice<'_>) -> MotionField {
        MotionField::new(self.place, slice.number)
    }
}

impl<E: EntropyCoder> MacroblockCoder<E> {
    pub(crate) fn new(preset: Preset) -> Self {
        Self {
            analysis: Analysis::new(preset),
            coded: CodedMb::default(),
            best: CodedMb::default(),
            entropy: E::default(),
            luma_16x16: luma_16x16::Candidates::default(),
            candidates: ModeResults::default(),
            luma: Intra4x4Buffer::default(),
            chroma: chroma::Candidates::default(),
            luma_pred: [0; 256],
            chroma_pred: [0; 128],
            found_last: FoundLast::default(),
            motion: MotionField::new(macroblock_at([0; 2]), 0),
        }
    }
}
