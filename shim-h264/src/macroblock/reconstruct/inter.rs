//! Inter prediction: parts that come from other pictures (8.4).

use crate::decide::{Levels, MbMode, MbPartition, Motion, Motions};
use crate::kernels::Vector;
use crate::kernels::inter::Part;
use crate::kernels::inter::chroma::predict_chroma;
use crate::kernels::inter::luma::predict_luma;
use crate::kernels::residual::chroma::{code_chroma, reconstruct_chroma};
use crate::kernels::residual::decimate::{decimate_chroma, decimate_luma};
use crate::kernels::residual::luma::{code_luma, reconstruct_luma};
use crate::kernels::residual::rdo::{code_chroma_rdo, code_luma_rdo};
use crate::kernels::total_coeff::{near_chroma, near_luma};
use crate::macroblock::coded::CodedMb;
use crate::macroblock::coder::{Current, MacroblockCoder, Slice};

impl<E> MacroblockCoder<E> {
    /// `P_Skip`: the prediction, and nothing else.
    pub(super) fn skip(&mut self, slice: &Slice<'_>, current: &Current) {
        let mv = current.prediction.skip;
        self.predict_luma(slice, current, Part::WHOLE, 0, mv);
        self.predict_chroma(slice, current, Part::WHOLE, 0, mv);
        self.skip_predicted(slice, current, mv);
    }

    /// Skips the macroblock, which is predicted already.
    pub(in crate::macroblock) fn skip_predicted(&mut self, slice: &Slice<'_>, current: &Current, mv: Vector) {
        (self.coded.mode, self.coded.skip_mv) = (MbMode::Skip, mv);
        self.coded.clear_levels();
        self.reconstruct_inter(slice, current);
    }

    /// Predicts each part by its motion, and codes what that leaves.
    pub(super) fn inter(
        &mut self,
        slice: &Slice<'_>,
        current: &Current,
        shape: MbPartition,
        motions: &Motions,
        levels: Levels,
    ) {
        let (size, count) = shape.parts();
        for number in 0..count {
            let (outer, sub) = (Part::WHOLE.divided(size, number), shape.sub(number));
            for k in 0..sub.count() {
                let part = outer.divided(sub.size(size), k);
                let Motion { ref_idx, mv } = motions[4 * number + k];
                self.predict_luma(slice, current, part, ref_idx, mv);
                self.predict_chroma(slice, current, part, ref_idx, mv);
            }
        }
        if let Some(lambda) = levels.by_rate {
            self.levels_by_rate(slice, current, lambda);
            if levels.decimate {
                decimate_luma(self.coded.residual_mut());
                decimate_chroma(self.coded.residual_mut());
            }
        } else {
            self.luma_levels(slice, current, levels.decimate);
            self.chroma_levels(slice, current, levels.decimate);
        }
        self.reconstruct_inter(slice, current);
        self.coded.mode = MbMode::Inter { shape, motions: *motions, levels };
    }

    /// Predicts the luma of a part of the macroblock.
    pub(in crate::macroblock) fn predict_luma(
        &mut self,
        slice: &Slice<'_>,
        current: &Current,
        part: Part,
        ref_idx: u8,
        mv: Vector,
    ) {
        let corner = part.corner(current.place);
        slice.reference(ref_idx).predict(
            corner,
            || mv[1].into(),
            |reference| predict_luma(reference, corner, mv, part, &mut self.luma_pred),
        );
    }

    /// Predicts its chroma.
    pub(in crate::macroblock) fn predict_chroma(
        &mut self,
        slice: &Slice<'_>,
        current: &Current,
        part: Part,
        ref_idx: u8,
        mv: Vector,
    ) {
        let corner = part.corner(current.place);
        slice.reference(ref_idx).predict(
            corner,
            || mv[1].into(),
            |reference| predict_chroma(reference, corner, mv, part, &mut self.chroma_pred),
        );
    }

    /// The levels of what the prediction of luma leaves; returns whether there are any.
    pub(in crate::macroblock) fn luma_levels(
        &mut self,
        slice: &Slice<'_>,
        current: &Current,
        decimate: bool,
    ) -> bool {
        let residual = self.coded.residual_mut();
        let quantizer = slice.inter_quantizers.luma(current.qp);
        code_luma(&slice.source, current.place, &self.luma_pred, quantizer, residual);
        if decimate {
            decimate_luma(residual);
        }
        residual.luma_nonzero != [0; 16]
    }

    /// The levels of what the prediction of chroma leaves; returns whether there are any.
    pub(in crate::macroblock) fn chroma_levels(
        &mut self,
        slice: &Slice<'_>,
        current: &Current,
        decimate: bool,
    ) -> bool {
        let quantizer = slice.inter_quantizers.chroma(current.qp);
        let residual = self.coded.residual_mut();
        code_chroma(&slice.source, current.place, &self.chroma_pred, quantizer, residual);
        if decimate {
            decimate_chroma(residual);
        }
        self.coded.chroma_pattern() != 0
    }

    /// The levels of luma and chroma, where a bit is worth so much in SSD.
    fn levels_by_rate(&mut self, slice: &Slice<'_>, current: &Current, lambda: u32) {
        let residual = self.coded.residual_mut();
        let (source, place, tables) = (&slice.source, current.place, slice.picture.tables());
        let (luma, chroma) = (near_luma(tables, place), near_chroma(tables, place));
        let quantizer = slice.inter_quantizers.luma(current.qp);
        code_luma_rdo(source, place, &self.luma_pred, quantizer, lambda, luma, residual);
        let quantizer = slice.inter_quantizers.chroma(current.qp);
        code_chroma_rdo(source, place, &self.chroma_pred, quantizer, lambda, chroma, residual);
    }

    /// The samples of prediction and levels.
    fn reconstruct_inter(&mut self, slice: &Slice<'_>, current: &Current) {
        let has_chroma = self.coded.chroma_pattern() != 0;
        let CodedMb { samples, macroblock, .. } = &mut self.coded;
        let residual = &macroblock.residual;
        // Without levels the samples are those of the prediction.
        if residual.luma_nonzero == [0; 16] {
            samples.luma = self.luma_pred;
        } else {
            let quantizer = slice.inter_quantizers.luma(current.qp);
            reconstruct_luma(&self.luma_pred, quantizer, residual, &mut samples.luma);
        }
        if has_chroma {
            let quantizer = slice.inter_quantizers.chroma(current.qp);
            reconstruct_chroma(&self.chroma_pred, quantizer, residual, &mut samples.chroma);
        } else {
            samples.chroma = self.chroma_pred;
        }
    }
}
