//! Macroblocks without motion: `I_PCM`, and those predicted within the picture (8.3).

use crate::decide::MbMode;
use crate::kernels::frame::copy_macroblock;
use crate::kernels::intra::chroma::intra_chroma_candidates;
use crate::kernels::intra::luma_16x16::intra_16x16_candidates;
use crate::kernels::metrics::Place;
use crate::kernels::pcm::pcm_samples;
use crate::kernels::residual::chroma::{code_chroma, reconstruct_chroma};
use crate::kernels::residual::luma::{code_luma_16x16, reconstruct_luma_16x16};
use crate::macroblock::coder::{Current, MacroblockCoder, Slice};

impl MacroblockCoder {
    /// `I_PCM`: samples as they are.
    pub(super) fn pcm(&mut self, slice: &mut Slice<'_>, current: &Current) {
        let [luma, cb, cr] = &slice.source.planes;
        let ([high, wide], [row, column]) = (slice.source.mbs, current.at);
        let samples = &mut self.coded.iteration.macroblock.pcm_sample[..];
        let samples = samples.try_into().expect("a macroblock has 384 samples");
        pcm_samples(luma, cb, cr, high, wide, row, column, samples);
        let to = slice.recon.planes.each_mut().map(|plane| &mut plane[..]);
        copy_macroblock([luma, cb, cr], to, [high, wide], current.at);
        self.coded.mode = MbMode::Pcm;
    }

    /// DC prediction without levels, from neighbors that are gray themselves, or gray without any.
    pub(super) fn gray(&mut self, slice: &mut Slice<'_>, current: &Current) {
        self.predict_16x16(slice, current);
        self.predict_intra_chroma(slice, current);
        self.coded.clear_levels();
        self.reconstruct_16x16(slice, current, MbMode::DC_16X16);
        self.reconstruct_intra_chroma(slice, current, MbMode::DC_CHROMA);
        self.coded.mode = MbMode::Gray;
    }

    /// Predicts luma by all modes of `Intra_16x16`.
    pub(in crate::macroblock) fn predict_16x16(&mut self, slice: &Slice<'_>, current: &Current) {
        let (size, at) = (slice.source.luma_size(), current.at.map(|n| 16 * n));
        let (cur, recon) = (&slice.source.planes[0], &slice.recon.planes[0]);
        intra_16x16_candidates(cur, recon, size, at, current.intra, &mut self.luma_16x16);
    }

    /// Codes luma by one of the modes of `Intra_16x16`, by which it is predicted.
    pub(in crate::macroblock) fn code_16x16(&mut self, slice: &mut Slice<'_>, current: &Current, mode: u8) {
        let (size, at) = (slice.source.luma_size(), current.at.map(|n| 16 * n));
        let cur = Place { plane: slice.source.planes[0], size, at };
        let pred = &self.luma_16x16.pred.as_chunks().0[usize::from(mode)];
        code_luma_16x16(cur, pred, slice.intra_quantizers.luma(current.qp), self.coded.residual_mut());
        self.reconstruct_16x16(slice, current, mode);
    }

    fn reconstruct_16x16(&self, slice: &mut Slice<'_>, current: &Current, mode: u8) {
        let (size, at) = (slice.source.luma_size(), current.at.map(|n| 16 * n));
        let pred = &self.luma_16x16.pred.as_chunks().0[usize::from(mode)];
        let quantizer = slice.intra_quantizers.luma(current.qp);
        reconstruct_luma_16x16(pred, quantizer, self.coded.residual(), slice.recon.planes[0], size, at);
    }

    /// Predicts Cb and Cr by all modes.
    pub(in crate::macroblock) fn predict_intra_chroma(&mut self, slice: &Slice<'_>, current: &Current) {
        let (size, at) = (slice.source.chroma_size(), current.at.map(|n| 8 * n));
        let (cur, recon) = (&slice.source.planes, &slice.recon.planes);
        let (cur, recon) = ([cur[1], cur[2]], [&recon[1][..], recon[2]]);
        intra_chroma_candidates(cur, recon, size, at, current.intra, &mut self.chroma);
    }

    /// Codes Cb and Cr by one of the modes by which they are predicted.
    pub(in crate::macroblock) fn code_intra_chroma(
        &mut self,
        slice: &mut Slice<'_>,
        current: &Current,
        mode: u8,
    ) {
        let (size, at) = (slice.source.chroma_size(), current.at.map(|n| 8 * n));
        let pred = &self.chroma.pred.as_chunks().0[usize::from(mode)];
        let [_, cb, cr] = &slice.source.planes;
        code_chroma(
            cb,
            cr,
            size,
            at,
            pred,
            slice.intra_quantizers.chroma(current.qp),
            self.coded.residual_mut(),
        );
        self.reconstruct_intra_chroma(slice, current, mode);
    }

    fn reconstruct_intra_chroma(&self, slice: &mut Slice<'_>, current: &Current, mode: u8) {
        let (size, at) = (slice.source.chroma_size(), current.at.map(|n| 8 * n));
        let pred = &self.chroma.pred.as_chunks().0[usize::from(mode)];
        let quantizer = slice.intra_quantizers.chroma(current.qp);
        let [_, cb, cr] = &mut slice.recon.planes;
        reconstruct_chroma(pred, quantizer, self.coded.residual(), cb, cr, size, at);
    }
}
