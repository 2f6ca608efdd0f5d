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
use crate::lookahead::Lookahead;
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
    /// Motion between the pictures as they were given.
    pub(crate) lookahead: &'p Lookahead,
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
    pub(crate) source: SamplesView<'p>,
    /// These rows.
    pub(crate) picture: PictureRows<'p>,
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

    /// Codes the slices of a strip.
    pub(crate) fn code<D: Decisions>(&mut self, picture: &Common<'_>, strip: Strip<'_, D>) {
        let macroblock = &mut *self.macroblock;
        let Strip { number, source, picture: mut own, decisions, coded } = strip;
        let (mbs, slices) = (picture.config.mbs(), picture.config.slices);
        let (rows, [rows_of_picture, wide]) = (own.range(), mbs);
        let mut header = picture.header.clone();
        let active = header.num_ref_idx_l0_active_minus1;
        let qp = header.qp(picture.pps) as u8;
        let mut slice = Slice {
            mbs,
            source,
            picture: own.rows(rows.clone()),
            intra_quantizers: picture.intra_quantizers,
            inter_quantizers: picture.inter_quantizers,
            constrained_intra_pred: picture.config.constrained_intra_pred,
            references: picture.references,
            lookahead: picture.lookahead,
            max_vmv_r: picture.max_vmv_r,
            most_vectors: picture.most_vectors,
            context: SliceContext { slice_type: header.kind(), num_ref_idx_l0_active_minus1: active },
            number,
            qp,
            wanted_qp: qp,
            dropped: picture.dropped,
            least_qp: 0,
        };
        coded.units.clear();
        coded.slices = 0;
        let (mut address, end) = (rows.start * wide, rows.end * wide);
        while address < end {
            header.first_mb_in_slice = address as u32;
            let Ok(()) = header.walk(macroblock.entropy.begin(), picture.sps, picture.pps, &picture.nal);
            slice.qp = qp;
            let mut limit =
                picture.config.max_slice_size.map(|most| SizeLimit::new(most, &mut macroblock.entropy));
            let first = address;
            loop {
                if let Some(limit) = &mut limit {
                    if !limit.code(macroblock, &mut slice, address, address == first, decisions) {
                        break;
                    }
                } else {
                    macroblock.code(&mut slice, address, decisions);
                }
                address += 1;
                if address == end {
                    break;
                }
                let row = address / wide;
                let configured = address.is_multiple_of(wide) && begins_with(row, slices, rows_of_picture);
                // There are as many numbers for slices as a picture is ever given.
                let another = !picture.divided && slice.number < u16::MAX - 1;
                let last = address - 1;
                if another
                    && if picture.dropped { configured } else { decisions.ends_slice(last, configured) }
                {
                    break;
                }
            }
            unit(&mut coded.units, &picture.nal, macroblock.entropy.finish(), picture.config.format);
            slice.number += 1;
            coded.slices += 1;
        }
        coded.next_number = slice.number;
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
