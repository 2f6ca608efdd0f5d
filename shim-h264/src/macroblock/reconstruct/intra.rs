//! Macroblocks without motion: `I_PCM`, and those predicted within the picture (8.3).

use crate::decide::MbMode;
use crate::kernels::intra::chroma::intra_chroma_candidates;
use crate::kernels::intra::luma_16x16::{intra_16x16_by_sad, intra_16x16_candidates};
use crate::kernels::mb_samples::take_samples;
use crate::kernels::residual::chroma::{code_chroma, reconstruct_chroma};
use crate::kernels::residual::luma::{code_luma_16x16, reconstruct_luma_16x16};
use crate::macroblock::coded::CodedMb;
use crate::macroblock::coder::{Current, MacroblockCoder, Slice};

impl<E> MacroblockCoder<E> {
    /// `I_PCM`: samples as they are.
    pub(super) fn pcm(&mut self, slice: &Slice<'_>, current: &Current) {
        let CodedMb { samples, macroblock, .. } = &mut self.coded;
        take_samples(&slice.source, current.place, samples);
        let pcm_sample = &mut macroblock.pcm_sample;
        pcm_sample.clear();
        pcm_sample.extend(samples.luma);
        pcm_sample.extend(samples.chroma);
        self.coded.mode = MbMode::Pcm;
    }

    /// DC prediction without levels, from neighbors that are gray themselves, or gray without any.
    pub(super) fn gray(&mut self, slice: &Slice<'_>, current: &Current) {
        self.predict_16x16(slice, current);
        self.predict_intra_chroma(slice, current);
        self.coded.clear_levels();
        self.reconstruct_16x16(slice, current, MbMode::DC_16X16);
        self.reconstruct_intra_chroma(slice, current, MbMode::DC_CHROMA);
        self.coded.mode = MbMode::Gray;
    }

    /// Whether the modes of a slice are compared by SAD.
    pub(in crate::macroblock) const fn compares_by_sad(&self, slice: &Slice<'_>) -> bool {
        self.analysis.is_by_sad() && !slice.references.is_empty()
    }

    /// Predicts luma by all modes of `Intra_16x16`. In P slices their costs are comparable with those of vectors.
    pub(in crate::macroblock) fn predict_16x16(&mut self, slice: &Slice<'_>, current: &Current) {
        let candidates =
            if self.compares_by_sad(slice) { intra_16x16_by_sad } else { intra_16x16_candidates };
        candidates(&slice.source, &slice.picture, current.place, current.intra, &mut self.luma_16x16);
    }

    /// Codes luma by one of the modes of `Intra_16x16`, by which it is predicted.
    pub(in crate::macroblock) fn code_16x16(&mut self, slice: &Slice<'_>, current: &Current, mode: u8) {
        let pred = &self.luma_16x16.pred.as_chunks().0[usize::from(mode)];
        let quantizer = slice.intra_quantizers.luma(current.qp);
        code_luma_16x16(&slice.source, current.place, pred, quantizer, self.coded.residual_mut());
        self.reconstruct_16x16(slice, current, mode);
    }

    fn reconstruct_16x16(&mut self, slice: &Slice<'_>, current: &Current, mode: u8) {
        let pred = &self.luma_16x16.pred.as_chunks().0[usize::from(mode)];
        let quantizer = slice.intra_quantizers.luma(current.qp);
        let CodedMb { samples, macroblock, .. } = &mut self.coded;
        reconstruct_luma_16x16(pred, quantizer, &macroblock.residual, &mut samples.luma);
    }

    /// Predicts Cb and Cr by all modes.
    pub(in crate::macroblock) fn predict_intra_chroma(&mut self, slice: &Slice<'_>, current: &Current) {
        let candidates = &mut self.chroma;
        intra_chroma_candidates(&slice.source, &slice.picture, current.place, current.intra, candidates);
    }

    /// Codes Cb and Cr by one of the modes by which they are predicted.
    pub(in crate::macroblock) fn code_intra_chroma(
        &mut self,
        slice: &Slice<'_>,
        current: &Current,
        mode: u8,
    ) {
        let pred = &self.chroma.pred.as_chunks().0[usize::from(mode)];
        let quantizer = slice.intra_quantizers.chroma(current.qp);
        code_chroma(&slice.source, current.place, pred, quantizer, self.coded.residual_mut());
        self.reconstruct_intra_chroma(slice, current, mode);
    }

    fn reconstruct_intra_chroma(&mut self, slice: &Slice<'_>, current: &Current, mode: u8) {
        let pred = &self.chroma.pred.as_chunks().0[usize::from(mode)];
        let quantizer = slice.intra_quantizers.chroma(current.qp);
        let CodedMb { samples, macroblock, .. } = &mut self.coded;
        reconstruct_chroma(pred, quantizer, &macroblock.residual, &mut samples.chroma);
    }
}
