//! A slice that is coded, and what codes its macroblocks.

use core::convert::Infallible;

use super::motion::MotionField;
use crate::bitstream::BitWriter;
use crate::kernels::blocks::Luma;
use crate::kernels::inter::Part;
use crate::kernels::intra::{Available, chroma, luma_4x4, luma_16x16};
use crate::kernels::macroblock_at;
use crate::kernels::quantize::{MAX_QP, Quantizer, chroma_qp};
use crate::kernels::residual::Residual;
use crate::kernels::residual::candidates::Coded;
use crate::kernels::total_coeff::store_total_coeff;
use crate::lookahead::Lookahead;
use crate::picture::{Reference, Samples, TableRows};
use crate::syntax::macroblock::{SliceContext, SliceDataRound};
use crate::syntax::residual::Neighbors;

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

/// A slice that is being coded, and the rows of the picture that it is in. Slices see nothing of one another, so that these
/// are as good as a picture of their own; other pictures are seen as a whole.
#[derive(Debug)]
pub(crate) struct Slice<'p> {
    /// The first of these rows in the picture.
    pub(crate) first_row: usize,
    pub(crate) source: Samples<&'p [u8]>,
    pub(crate) recon: Samples<&'p mut [u8]>,
    pub(crate) tables: TableRows<'p>,
    pub(crate) bits: &'p mut BitWriter,
    /// Of Intra macroblocks.
    pub(crate) quantizers: &'p Quantizers,
    pub(crate) inter_quantizers: &'p Quantizers,
    /// `constrained_intra_pred_flag`.
    pub(crate) constrained_intra_pred: bool,
    /// List 0.
    pub(crate) references: &'p [Reference],
    /// Motion between the pictures as they were given.
    pub(crate) lookahead: &'p Lookahead,
    /// `MaxVmvR`.
    pub(crate) max_vmv_r: i16,
    /// How many vectors a macroblock may have.
    pub(crate) most_vectors: usize,
    pub(crate) context: SliceContext,
    /// The number of the slice, from 1 on.
    pub(crate) number: u16,
    /// `QPY,PRED`: that of the macroblock before.
    pub(crate) qp: u8,
    /// That of the picture.
    pub(crate) wanted_qp: u8,
    /// Whether nothing of the source is coded.
    pub(crate) bare: bool,
    /// The least QP of macroblocks, above 0 where one has to become smaller; none is `I_PCM` then.
    pub(crate) least_qp: u8,
}

/// Memory for one macroblock after the other.
#[derive(Clone, Debug)]
pub(crate) struct MacroblockCoder {
    pub(super) round: SliceDataRound,
    pub(super) luma_16x16: luma_16x16::Candidates,
    pub(super) coded: Coded,
    pub(super) luma: Luma,
    pub(super) predictions: luma_4x4::Predictions,
    pub(super) chroma: chroma::Candidates,
    pub(super) luma_pred: [u8; 256],
    pub(super) chroma_pred: [u8; 128],
}

/// Where a macroblock is, and how it is coded.
#[derive(Clone, Copy, Debug)]
pub(super) struct Current {
    pub(super) address: usize,
    /// Row and column in macroblocks, from the first of the slice's rows on.
    pub(super) at: [usize; 2],
    /// Row and column in the picture.
    pub(super) place: [usize; 2],
    /// The neighbors that are available to Intra prediction.
    pub(super) intra: Available,
    pub(super) qp: u8,
}

impl Default for MacroblockCoder {
    fn default() -> Self {
        let mut round = SliceDataRound::default();
        round.macroblock.pcm_sample.resize(384, 0);
        Self {
            round,
            luma_16x16: luma_16x16::Candidates::default(),
            coded: Coded::default(),
            luma: Luma::default(),
            predictions: luma_4x4::Predictions::default(),
            chroma: chroma::Candidates::default(),
            luma_pred: [0; 256],
            chroma_pred: [0; 128],
        }
    }
}

impl MacroblockCoder {
    /// Macroblocks skipped since the last one that was written: `mb_skip_run`, as far as it is known.
    pub(crate) const fn skip_run(&self) -> u32 {
        self.round.mb_skip_run
    }

    /// Takes back what was coded since there were so many.
    pub(crate) const fn restore_skip_run(&mut self, run: u32) {
        self.round.mb_skip_run = run;
    }

    /// Ends the slice: says how many macroblocks were skipped last.
    pub(crate) fn end(&mut self, slice: &mut Slice<'_>, address: usize) {
        if self.round.mb_skip_run > 0 {
            self.round.more = false;
            self.write(slice, address);
            self.round.more = true;
        }
    }

    /// Appends the macroblock's syntax, with that of those skipped before it.
    pub(super) fn write(&mut self, slice: &mut Slice<'_>, address: usize) {
        let skipped = self.round.mb_skip_run as usize;
        let mut neighbors = Neighbors {
            total: slice.tables.total_coeff.reborrow(),
            slice: &mut *slice.tables.slice,
            number: slice.number,
            address: address - skipped,
        };
        let Ok::<(), Infallible>(()) = self.round.walk(slice.bits, slice.context, &mut neighbors);
        self.round.mb_skip_run = 0;
    }

    /// The macroblock has no levels.
    pub(super) fn fill_total_coeff(slice: &mut Slice<'_>, current: &Current) {
        store_total_coeff(&mut slice.tables.total_coeff, macroblock_at(current.at), 0);
    }

    /// The macroblock is Intra predicted: it has no motion.
    pub(super) fn store_intra(slice: &mut Slice<'_>, current: &Current) {
        slice.tables.intra[current.address] = true;
        // In an IDR picture that is so from the beginning.
        if !slice.references.is_empty() {
            MotionField::new(current.at, slice.number).store(&mut slice.tables, Part::WHOLE, -1, [0; 2]);
        }
    }

    /// QP changes by as much as is coded (7-37): modulo 52, to the side where it is -26 to 25.
    pub(super) fn set_qp(&mut self, slice: &mut Slice<'_>, qp: u8) {
        self.round.macroblock.mb_qp_delta = (qp as i8 - slice.qp as i8 + 26).rem_euclid(52) - 26;
        slice.qp = qp;
    }
}

/// `CodedBlockPatternLuma`: a bit for each 8x8 block that has levels. DC levels of `Intra_16x16` do not count.
pub(super) fn luma_pattern(residual: &Residual) -> u8 {
    let n = &residual.luma_nonzero;
    let block = |lane: usize| n[lane] | n[lane + 1] | n[lane + 4] | n[lane + 5] != 0;
    [0, 2, 8, 10].into_iter().rev().fold(0, |pattern, lane| pattern << 1 | u8::from(block(lane)))
}

/// `CodedBlockPatternChroma`: 2 with AC levels, 1 with DC levels alone.
pub(super) fn chroma_pattern(residual: &Residual) -> u8 {
    if residual.chroma_nonzero == [0; 8] { u8::from(residual.chroma_dc_nonzero != [0; 2]) } else { 2 }
}
