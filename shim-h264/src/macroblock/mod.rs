//! One macroblock: its prediction, residual, reconstruction and syntax (7.3.5, 8.3, 8.5).

mod inter;
mod intra4x4;
mod motion;
mod trial;

use core::convert::Infallible;

use crate::bitstream::BitWriter;
use crate::decide::{Decisions, IntraKinds, Kind, Motion, TriesSkip};
use crate::kernels::blocks::Luma;
use crate::kernels::cavlc::store_total_coeff;
use crate::kernels::frame::copy_macroblock;
use crate::kernels::inter::Part;
use crate::kernels::intra::chroma::intra_chroma_candidates;
use crate::kernels::intra::luma_16x16::intra_16x16_candidates;
use crate::kernels::intra::{Available, chroma, luma_4x4, luma_16x16};
use crate::kernels::metrics::{Place, ssd_16x16};
use crate::kernels::pcm::pcm_samples;
use crate::kernels::quantize::{MAX_QP, Quantizer, chroma_qp};
use crate::kernels::residual::Residual;
use crate::kernels::residual::candidates::Coded;
use crate::kernels::residual::chroma::{code_chroma, reconstruct_chroma};
use crate::kernels::residual::luma::{code_luma_16x16, reconstruct_luma_16x16};
use crate::kernels::residual::rate::rate_16x16;
use crate::lookahead::Lookahead;
use crate::picture::{Reference, Samples, TableRows};
use crate::syntax::macroblock::{MbType, SliceContext, SliceDataRound};
use crate::syntax::residual::Neighbors;
use motion::MotionField;
use trial::{Trials, Way};

/// The most bits that `macroblock_layer` may have: 128 more than samples as they are (A.2.1, A.3.1).
const MAX_BITS: usize = 128 + 8 * 384;

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

    fn luma(&self, qp: u8) -> &Quantizer {
        &self.luma[usize::from(qp)]
    }

    fn chroma(&self, qp: u8) -> &Quantizer {
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
    round: SliceDataRound,
    luma_16x16: luma_16x16::Candidates,
    coded: Coded,
    luma: Luma,
    predictions: luma_4x4::Predictions,
    chroma: chroma::Candidates,
    luma_pred: [u8; 256],
    chroma_pred: [u8; 128],
}

/// Where a macroblock is, and how it is coded.
#[derive(Clone, Copy, Debug)]
struct Current {
    address: usize,
    /// Row and column in macroblocks, from the first of the slice's rows on.
    at: [usize; 2],
    /// Row and column in the picture.
    place: [usize; 2],
    available: Available,
    /// What is available to Intra prediction.
    intra: Available,
    qp: u8,
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
    /// Codes the macroblock at an address, from the first of the slice's rows on: its bits, samples, and entries of the tables.
    pub(crate) fn code(&mut self, slice: &mut Slice<'_>, address: usize, decisions: &mut impl Decisions) {
        let wide = slice.tables.mbs[1];
        let references = slice.references.len();
        let (kind, qp) = if slice.bare {
            (Kind::Skip, slice.wanted_qp)
        } else {
            match decisions.macroblock(slice.first_row * wide + address, slice.wanted_qp, references) {
                (Kind::Pcm, qp) if slice.least_qp > 0 => (Kind::Cheapest, qp.max(slice.least_qp)),
                (kind, qp) => (kind, qp.max(slice.least_qp)),
            }
        };
        let available = slice.tables.available(address, slice.number);
        let intra = if slice.constrained_intra_pred {
            slice.tables.available_intra(address, slice.number)
        } else {
            available
        };
        let at = [address / wide, address % wide];
        let place = [slice.first_row + at[0], at[1]];
        let current = &Current { address, at, place, available, intra, qp };
        slice.tables.slice[address] = slice.number;
        let (mark, before) = (slice.bits.mark(), slice.qp);
        let run = self.round.mb_skip_run;
        match kind {
            Kind::Pcm => self.pcm(slice, current),
            _ if slice.bare && references == 0 => self.gray(slice, current),
            Kind::Skip => self.skip(slice, current, Self::skipped(slice, current)),
            Kind::Inter(shape) => {
                self.inter(slice, current, shape.within(slice.most_vectors), None, decisions);
            }
            Kind::Cheapest if references > 0 => self.cheapest(slice, current, decisions),
            _ => self.intra(slice, current, kind, decisions),
        }
        if slice.bits.bits_since(mark) > MAX_BITS {
            slice.bits.rewind(mark);
            slice.qp = before;
            self.round.mb_skip_run = run;
            self.pcm(slice, current);
        }
    }

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

    /// What is cheaper of Inter and Intra prediction.
    fn cheapest(&mut self, slice: &mut Slice<'_>, current: &Current, decisions: &mut impl Decisions) {
        let skipped = Self::skipped(slice, current);
        let tries = self.tries_skip(slice, current, skipped, decisions);
        if tries == TriesSkip::AtOnce && self.skip_if_nothing_is_left(slice, current, skipped, decisions) {
            return;
        }
        let near = tries != TriesSkip::Never;
        let whole = Self::whole(slice, current, decisions);
        let Motion { ref_idx, mv, .. } = whole.2[0];
        let distance = u32::from(mv[0].abs_diff(skipped[0])) + u32::from(mv[1].abs_diff(skipped[1]));
        if tries == TriesSkip::Found
            && ref_idx == 0
            && distance <= 1
            && self.skip_if_nothing_is_left(slice, current, skipped, decisions)
        {
            return;
        }
        let by_rate = decisions.by_rate(current.qp);
        let mut ways = Trials::NONE;
        if by_rate.is_some() && near {
            ways.push(Way::Skip);
        }
        let all = decisions.tries_all();
        let (inter, shape, motions) =
            Self::cheapest_shape(slice, current, whole, decisions, |&(_, shape, motions)| {
                if all {
                    ways.push(Way::Inter(shape, motions));
                }
            });
        let mut chosen = Way::Inter(shape, motions);
        if decisions.tries_intra(inter, current.qp) {
            if all {
                ways.push(Way::Intra);
            } else {
                let (size, at) = (slice.source.luma_size(), current.at.map(|n| 16 * n));
                let (cur, recon) = (&slice.source.planes[0], &slice.recon.planes[0]);
                intra_16x16_candidates(cur, recon, size, at, current.intra, &mut self.luma_16x16);
                let mode = decisions.intra16x16(&self.luma_16x16, current.intra);
                if decisions.intra16x16_cost(&self.luma_16x16, mode, current.qp) < inter {
                    chosen = Way::Intra;
                }
            }
        }
        match by_rate {
            Some(lambda) if all || near => {
                if !all {
                    ways.push(chosen);
                }
                self.best_by_rate(slice, current, &ways, lambda, decisions);
            }
            _ => self.code_so(slice, current, &chosen, decisions),
        }
    }

    /// Appends the macroblock's syntax, with that of those skipped before it.
    fn write(&mut self, slice: &mut Slice<'_>, address: usize) {
        let skipped = self.round.mb_skip_run as usize;
        let mut neighbors = Neighbors {
            total: slice.tables.total_coeff.rows(),
            slice: &mut *slice.tables.slice,
            number: slice.number,
            address: address - skipped,
        };
        let Ok::<(), Infallible>(()) = self.round.walk(slice.bits, slice.context, &mut neighbors);
        self.round.mb_skip_run = 0;
    }

    /// The macroblock has no levels.
    fn fill_total_coeff(slice: &mut Slice<'_>, current: &Current) {
        let [row, column] = current.at;
        store_total_coeff(&mut slice.tables.total_coeff, row, column, 0);
    }

    /// The macroblock is Intra predicted: it has no motion.
    fn store_intra(slice: &mut Slice<'_>, current: &Current) {
        slice.tables.intra[current.address] = true;
        // In an IDR picture that is so from the beginning.
        if !slice.references.is_empty() {
            MotionField::new(current.at, current.available).store(&mut slice.tables, Part::WHOLE, -1, [0; 2]);
        }
    }

    /// QP changes by as much as is coded (7-37): modulo 52, to the side where it is -26 to 25.
    fn set_qp(&mut self, slice: &mut Slice<'_>, qp: u8) {
        self.round.macroblock.mb_qp_delta = (qp as i8 - slice.qp as i8 + 26).rem_euclid(52) - 26;
        slice.qp = qp;
    }

    /// Samples as they are.
    fn pcm(&mut self, slice: &mut Slice<'_>, current: &Current) {
        let macroblock = &mut self.round.macroblock;
        macroblock.mb_type = MbType::IPcm.code(slice.context.slice_type);
        let [luma, cb, cr] = &slice.source.planes;
        let ([high, wide], [row, column]) = (slice.source.mbs, current.at);
        let samples = (&mut macroblock.pcm_sample[..]).try_into().expect("a macroblock has 384 samples");
        pcm_samples(luma, cb, cr, high, wide, row, column, samples);
        let to = slice.recon.planes.each_mut().map(|plane| &mut plane[..]);
        copy_macroblock([luma, cb, cr], to, [high, wide], current.at);
        slice.tables.qp[current.address] = 0;
        Self::store_intra(slice, current);
        Self::store_modes(slice, current, None);
        self.write(slice, current.address);
    }

    /// What is predicted without neighbors, and from others that are, and has no levels.
    fn gray(&mut self, slice: &mut Slice<'_>, current: &Current) {
        let [row, column] = current.at;
        let quantizer = slice.quantizers.luma(current.qp);
        let macroblock = &mut self.round.macroblock;
        let residual = &mut macroblock.residual;
        (residual.luma_nonzero, residual.luma_dc_nonzero) = ([0; 16], 0);
        (residual.chroma_nonzero, residual.chroma_dc_nonzero) = ([0; 8], [0; 2]);
        let size = slice.source.luma_size();
        let [recon, ..] = &mut slice.recon.planes;
        reconstruct_luma_16x16(&[128; 256], quantizer, residual, recon, size, [16 * row, 16 * column]);
        let size = slice.source.chroma_size();
        let [_, cb, cr] = &mut slice.recon.planes;
        reconstruct_chroma(&[128; 128], quantizer, residual, cb, cr, size, [8 * row, 8 * column]);
        // The mean of the neighbors, of luma and of chroma.
        let kind = MbType::I16x16 { pred_mode: 2, luma: false, chroma: 0 };
        macroblock.mb_type = kind.code(slice.context.slice_type);
        macroblock.mb_pred.intra_chroma_pred_mode = 0;
        macroblock.coded_block_pattern = 0;
        macroblock.mb_qp_delta = 0;
        slice.tables.qp[current.address] = slice.qp;
        Self::store_intra(slice, current);
        Self::store_modes(slice, current, None);
        self.write(slice, current.address);
    }

    /// Prediction within the picture.
    fn intra(
        &mut self,
        slice: &mut Slice<'_>,
        current: &Current,
        kind: Kind,
        decisions: &mut impl Decisions,
    ) {
        let Current { at: [row, column], intra: available, qp, address, .. } = *current;
        let size = slice.source.luma_size();
        let at = [16 * row, 16 * column];
        let mut mode = 0;
        let mut kinds = if kind == Kind::Intra4x4 { IntraKinds::Intra4x4 } else { IntraKinds::Intra16x16 };
        if kind != Kind::Intra4x4 {
            let (cur, recon) = (&slice.source.planes[0], &slice.recon.planes[0]);
            intra_16x16_candidates(cur, recon, size, at, available, &mut self.luma_16x16);
            mode = decisions.intra16x16(&self.luma_16x16, available);
            if kind == Kind::Cheapest {
                let cost = decisions.intra16x16_cost(&self.luma_16x16, mode, qp);
                kinds = decisions.intra_kinds(cost, qp);
            }
        }
        let by_blocks = match kinds {
            IntraKinds::Intra4x4 => self.intra4x4(slice, current, u32::MAX, decisions),
            IntraKinds::Intra16x16 => {
                self.code_16x16(slice, current, mode);
                false
            }
            IntraKinds::Both => {
                self.code_16x16(slice, current, mode);
                let ours = Place { plane: slice.recon.planes[0], size, at };
                let ssd = ssd_16x16(Place { plane: slice.source.planes[0], size, at }, ours);
                let rate = rate_16x16(&self.round.macroblock.residual);
                let most = decisions.intra16x16_coded_cost(ssd, rate, qp);
                let by_blocks = self.intra4x4(slice, current, most, decisions);
                if !by_blocks {
                    self.code_16x16(slice, current, mode);
                }
                by_blocks
            }
        };
        let chroma_mode = self.intra_chroma(slice, current, decisions);

        let residual = &self.round.macroblock.residual;
        let (luma, chroma) = (luma_pattern(residual), chroma_pattern(residual));
        let macroblock = &mut self.round.macroblock;
        macroblock.mb_pred.intra_chroma_pred_mode = chroma_mode as u8;
        let kind = if by_blocks {
            macroblock.coded_block_pattern = luma | chroma << 4;
            MbType::INxN
        } else {
            macroblock.coded_block_pattern = 0;
            MbType::I16x16 { pred_mode: mode as u8, luma: luma != 0, chroma }
        };
        macroblock.mb_type = kind.code(slice.context.slice_type);
        // Without levels QP is not coded, and stays that of the macroblock before.
        if !by_blocks || macroblock.coded_block_pattern != 0 {
            self.set_qp(slice, qp);
        }
        slice.tables.qp[address] = slice.qp;
        Self::store_intra(slice, current);
        if !by_blocks {
            Self::store_modes(slice, current, None);
        }
        self.write(slice, address);
    }

    /// The levels and the samples of luma by a mode of `Intra_16x16`.
    fn code_16x16(&mut self, slice: &mut Slice<'_>, current: &Current, mode: usize) {
        let (size, at) = (slice.source.luma_size(), current.at.map(|n| 16 * n));
        let cur = Place { plane: slice.source.planes[0], size, at };
        let pred = &self.luma_16x16.pred.as_chunks().0[mode];
        let quantizer = slice.quantizers.luma(current.qp);
        let residual = &mut self.round.macroblock.residual;
        code_luma_16x16(cur, pred, quantizer, residual);
        reconstruct_luma_16x16(pred, quantizer, residual, slice.recon.planes[0], size, at);
    }

    /// Cb and Cr; says by which mode.
    fn intra_chroma(
        &mut self,
        slice: &mut Slice<'_>,
        current: &Current,
        decisions: &mut impl Decisions,
    ) -> usize {
        let Current { at: [row, column], intra: available, qp, .. } = *current;
        let (size, at) = (slice.source.chroma_size(), [8 * row, 8 * column]);
        let (cur, recon) = (&slice.source.planes, &slice.recon.planes);
        let (cur, recon) = ([cur[1], cur[2]], [&recon[1][..], recon[2]]);
        intra_chroma_candidates(cur, recon, size, at, available, &mut self.chroma);
        let mode = decisions.intra_chroma(&self.chroma, available);
        let pred = &self.chroma.pred.as_chunks().0[mode];
        let residual = &mut self.round.macroblock.residual;
        let quantizer = slice.quantizers.chroma(qp);
        let [_, cb, cr] = &slice.source.planes;
        code_chroma(cb, cr, size, at, pred, quantizer, residual);
        let [_, cb, cr] = &mut slice.recon.planes;
        reconstruct_chroma(pred, quantizer, residual, cb, cr, size, at);
        mode
    }
}

/// `CodedBlockPatternLuma`: a bit for each 8x8 block that has levels. DC levels of `Intra_16x16` do not count.
fn luma_pattern(residual: &Residual) -> u8 {
    let n = &residual.luma_nonzero;
    let block = |lane: usize| n[lane] | n[lane + 1] | n[lane + 4] | n[lane + 5] != 0;
    [0, 2, 8, 10].into_iter().rev().fold(0, |pattern, lane| pattern << 1 | u8::from(block(lane)))
}

/// `CodedBlockPatternChroma`: 2 with AC levels, 1 with DC levels alone.
fn chroma_pattern(residual: &Residual) -> u8 {
    if residual.chroma_nonzero == [0; 8] { u8::from(residual.chroma_dc_nonzero != [0; 2]) } else { 2 }
}
