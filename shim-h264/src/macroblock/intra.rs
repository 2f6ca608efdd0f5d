//! Macroblocks without motion: `I_PCM`, and those predicted within the picture (8.3).

use super::coder::{Current, MacroblockCoder, Slice, chroma_pattern, luma_pattern};
use crate::decide::{Decisions, IntraKinds, Kind};
use crate::kernels::frame::copy_macroblock;
use crate::kernels::intra::chroma::intra_chroma_candidates;
use crate::kernels::intra::luma_16x16::intra_16x16_candidates;
use crate::kernels::metrics::{Place, ssd_16x16};
use crate::kernels::pcm::pcm_samples;
use crate::kernels::residual::chroma::{code_chroma, reconstruct_chroma};
use crate::kernels::residual::luma::{code_luma_16x16, reconstruct_luma_16x16};
use crate::kernels::residual::rate::rate_16x16;
use crate::syntax::macroblock::MbType;

impl MacroblockCoder {
    /// Samples as they are.
    pub(super) fn pcm(&mut self, slice: &mut Slice<'_>, current: &Current) {
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

    /// Codes a macroblock without levels by DC prediction from neighbors that are gray themselves, or by gray without any.
    pub(super) fn gray(&mut self, slice: &mut Slice<'_>, current: &Current) {
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

    /// Predicts the macroblock by all modes of `Intra_16x16`.
    pub(super) fn predict_16x16(&mut self, slice: &Slice<'_>, current: &Current) {
        let (size, at) = (slice.source.luma_size(), current.at.map(|n| 16 * n));
        let (cur, recon) = (&slice.source.planes[0], &slice.recon.planes[0]);
        intra_16x16_candidates(cur, recon, size, at, current.intra, &mut self.luma_16x16);
    }

    /// Prediction within the picture. Unless the macroblock is `Intra_4x4`, [`predict_16x16`](Self::predict_16x16) comes before.
    pub(super) fn intra(
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
                // Samples are those of Intra_16x16 until it is given up, but levels are lost.
                let levels = self.round.macroblock.residual.clone();
                let by_blocks = self.intra4x4(slice, current, most, decisions);
                if !by_blocks {
                    self.round.macroblock.residual = levels;
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
