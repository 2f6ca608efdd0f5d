//! The slices of a picture, in rows of macroblocks that are coded independently of one another.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::ops::Range;

use crate::bitstream::nal::UnitSize;
use crate::bitstream::{annex_b, avcc, nal};
use crate::config::{Config, Format};
use crate::decide::{Decisions, Preset};
use crate::entropy::{Cavlc, EntropyCoder};
use crate::kernels::picture::{PictureRows, SamplesView};
use crate::kernels::quantize::MAX_QP;
use crate::lookahead::Guide;
use crate::macroblock::{MacroblockCoder, Quantizers, Slice};
use crate::picture::Referred;
use crate::syntax::macroblock::SliceContext;
use crate::syntax::nal::NalUnitHeader;
use crate::syntax::pps::PicParameterSet;
use crate::syntax::slice::SliceHeader;
use crate::syntax::sps::SeqParameterSet;

/// The context that all slices of a picture share.
#[derive(Debug)]
pub(crate) struct Common<'p> {
    pub(crate) config: &'p Config,
    pub(crate) sps: &'p SeqParameterSet,
    pub(crate) pps: &'p PicParameterSet,
    pub(crate) nal: NalUnitHeader,
    /// That of the first slice.
    pub(crate) header: SliceHeader,
    pub(crate) intra_quantizers: &'p Quantizers,
    pub(crate) inter_quantizers: &'p Quantizers,
    /// List 0.
    pub(crate) references: &'p [Referred<'p>],
    /// The results of the look-ahead for the picture.
    pub(crate) guide: &'p Guide,
    /// `MaxVmvR`.
    pub(crate) max_vmv_r: i16,
    /// The most motion vectors of a macroblock.
    pub(crate) most_vectors: usize,
    /// Whether each strip is a slice.
    pub(crate) divided: bool,
    /// Whether all macroblocks are skipped, or in an IDR picture gray.
    pub(crate) dropped: bool,
}

/// Rows of macroblocks of a picture: those of one slice, or all of them where it is not known before where slices end.
#[derive(Debug)]
pub(crate) struct Strip<'p, D> {
    /// The number of the first slice.
    pub(crate) number: u16,
    /// These rows.
    pub(crate) rows: Range<usize>,
    pub(crate) source: SamplesView<'p>,
    pub(crate) decisions: &'p mut D,
    pub(crate) coded: &'p mut SliceUnits,
}

/// The coded slices of a strip.
#[derive(Clone, Debug, Default)]
pub(crate) struct SliceUnits {
    /// NAL units.
    pub(crate) units: Vec<u8>,
    /// Number of slices.
    pub(crate) slices: u32,
    /// The number after that of the last slice.
    pub(crate) next_number: u16,
}

/// The coder of a thread.
#[derive(Clone, Debug)]
pub(crate) struct Worker {
    macroblock: Box<MacroblockCoder<Cavlc>>,
}

/// The rows of macroblocks of a slice: slices have nearly as many as one another.
pub(crate) const fn rows_of(slice: usize, slices: usize, rows: usize) -> Range<usize> {
    (slice * rows).div_ceil(slices)..((slice + 1) * rows).div_ceil(slices)
}

/// Whether a slice begins with a row of macroblocks.
const fn begins_with(row: usize, slices: usize, rows: usize) -> bool {
    rows_of(row * slices / rows, slices, rows).start == row
}

/// Appends a unit with this payload.
pub(crate) fn unit(bytes: &mut Vec<u8>, header: &NalUnitHeader, rbsp: &[u8], format: Format) {
    let start = bytes.len();
    let length = nal::append(bytes, header, rbsp);
    let prefix = match format {
        Format::AnnexB => annex_b::START_CODE,
        Format::Avcc => avcc::length_prefix(length),
    };
    bytes[start..start + nal::PREFIX].copy_from_slice(&prefix);
}

impl Worker {
    pub(crate) fn new(preset: Preset) -> Self {
        Self { macroblock: Box::new(MacroblockCoder::new(preset)) }
    }
}

/// Codes the slices of a strip, some rows at a time.
#[derive(Debug)]
pub(crate) struct StripCoder<'p, D> {
    common: &'p Common<'p>,
    strip: Strip<'p, D>,
    header: SliceHeader,
    /// The next macroblock.
    address: usize,
    /// The first macroblock of the current slice, if one has begun, and the limit of its size.
    first: Option<usize>,
    limit: Option<SizeLimit<<Cavlc as EntropyCoder>::Checkpoint>>,
    /// `QPY,PRED`.
    qp: u8,
}

impl<'p, D: Decisions> StripCoder<'p, D> {
    /// Begins a strip.
    pub(crate) fn new(common: &'p Common<'p>, strip: Strip<'p, D>) -> Self {
        strip.coded.units.clear();
        strip.coded.slices = 0;
        let (header, address) = (common.header.clone(), strip.rows.start * common.config.mbs()[1]);
        Self { common, strip, header, address, first: None, limit: None, qp: 0 }
    }

    /// The number of the last slice that has begun.
    pub(crate) const fn number(&self) -> u16 {
        if self.first.is_some() { self.strip.number } else { self.strip.number - 1 }
    }

    /// Codes the rows of the picture up to one.
    pub(crate) fn rows(&mut self, worker: &mut Worker, mut picture: PictureRows<'_>, until: usize) {
        let (common, macroblock) = (self.common, &mut *worker.macroblock);
        let (mbs, slices, rows) = (common.config.mbs(), common.config.slices, picture.range());
        let [rows_of_picture, wide] = mbs;
        let qp = self.header.qp(common.pps) as u8;
        let num_ref_idx_l0_active_minus1 = self.header.num_ref_idx_l0_active_minus1;
        let mut slice = Slice {
            mbs,
            source: self.strip.source,
            picture: picture.rows(rows),
            intra_quantizers: common.intra_quantizers,
            inter_quantizers: common.inter_quantizers,
            constrained_intra_pred: common.config.constrained_intra_pred,
            references: common.references,
            guide: common.guide,
            max_vmv_r: common.max_vmv_r,
            most_vectors: common.most_vectors,
            context: SliceContext { slice_type: self.header.kind(), num_ref_idx_l0_active_minus1 },
            number: self.strip.number,
            qp: self.qp,
            wanted_qp: qp,
            dropped: common.dropped,
            least_qp: 0,
        };
        while self.address < until * wide {
            let first = *self.first.get_or_insert_with(|| {
                self.header.first_mb_in_slice = self.address as u32;
                let Ok(()) =
                    self.header.walk(macroblock.entropy.begin(), common.sps, common.pps, &common.nal);
                slice.qp = qp;
                let limit = common.config.max_slice_size;
                self.limit = limit.map(|most| SizeLimit::new(most, &mut macroblock.entropy));
                self.address
            });
            let fits = if let Some(limit) = &mut self.limit {
                limit.code(macroblock, &mut slice, self.address, self.address == first, self.strip.decisions)
            } else {
                macroblock.code(&mut slice, self.address, self.strip.decisions);
                true
            };
            self.address += usize::from(fits);
            let is_end = !fits || self.address == self.strip.rows.end * wide || {
                let row = self.address / wide;
                let configured =
                    self.address.is_multiple_of(wide) && begins_with(row, slices, rows_of_picture);
                // There are as many numbers for slices as a picture is ever given.
                let another = !common.divided && slice.number < u16::MAX - 1;
                let last = self.address - 1;
                another
                    && if common.dropped {
                        configured
                    } else {
                        self.strip.decisions.ends_slice(last, configured)
                    }
            };
            if is_end {
                unit(
                    &mut self.strip.coded.units,
                    &common.nal,
                    macroblock.entropy.finish(),
                    common.config.format,
                );
                self.first = None;
                slice.number += 1;
                self.strip.coded.slices += 1;
            }
        }
        (self.strip.number, self.strip.coded.next_number, self.qp) = (slice.number, slice.number, slice.qp);
    }
}

/// Increase of QP each time that a single macroblock is too large for a slice: about half its bits.
const QP_STEP: u8 = 6;

/// The size that the NAL unit of a slice may have.
#[derive(Debug)]
struct SizeLimit<C> {
    most: usize,
    /// Behind the last macroblock.
    end: C,
    /// Up to there.
    size: UnitSize,
}

impl<C: Copy> SizeLimit<C> {
    /// The limit of a slice of which there is the header.
    fn new(most: usize, entropy: &mut impl EntropyCoder<Checkpoint = C>) -> Self {
        Self { most, end: entropy.checkpoint(), size: UnitSize::default() }
    }

    /// Codes a macroblock if the slice then keeps the limit of its size; if not, nothing is changed. The `first` one of
    /// a slice is always coded: at a higher QP until it fits, and without anything of the source if that does not do.
    fn code(
        &mut self,
        coder: &mut MacroblockCoder<impl EntropyCoder<Checkpoint = C>>,
        slice: &mut Slice<'_>,
        address: usize,
        first: bool,
        decisions: &mut impl Decisions,
    ) -> bool {
        let (qp, dropped) = (slice.qp, slice.dropped);
        let coded = loop {
            coder.code(slice, address, decisions);
            if self.holds(&mut coder.entropy) {
                break true;
            }
            coder.entropy.rewind(self.end);
            slice.qp = qp;
            if !first {
                break false;
            }
            assert!(!slice.dropped, "a macroblock without anything of the source is small");
            slice.dropped = slice.least_qp == MAX_QP;
            slice.least_qp = (slice.least_qp.max(slice.wanted_qp) + QP_STEP).min(MAX_QP);
        };
        (slice.least_qp, slice.dropped) = (0, dropped);
        coded
    }

    /// Whether the slice has no more bytes than it may if it ends here; what is appended from here on is looked at the
    /// next time.
    fn holds(&mut self, entropy: &mut impl EntropyCoder<Checkpoint = C>) -> bool {
        let end = entropy.checkpoint();
        let mut size = self.size;
        size.count(entropy.settled());
        let so_far = size;
        let holds = size.count(entropy.finish()) <= self.most;
        entropy.rewind(end);
        if holds {
            (self.end, self.size) = (end, so_far);
        }
        holds
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slices_make_up_the_picture() {
        for rows in 1..40 {
            for slices in 1..=rows {
                let mut row = 0;
                for slice in 0..slices {
                    let part = rows_of(slice, slices, rows);
                    assert_eq!(part.start, row);
                    assert!(part.len() == rows / slices || part.len() == rows.div_ceil(slices));
                    for inside in part.clone() {
                        assert_eq!(begins_with(inside, slices, rows), inside == row);
                    }
                    row = part.end;
                }
                assert_eq!(row, rows);
            }
        }
    }
}
