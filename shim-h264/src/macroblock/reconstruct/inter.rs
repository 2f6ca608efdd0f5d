//! Inter prediction: parts that come from other pictures (8.4).

use crate::decide::{Levels, MbMode, Motion, Motions, Shape};
use crate::kernels::Vector;
use crate::kernels::frame::{put_chroma, put_luma};
use crate::kernels::inter::Part;
use crate::kernels::macroblock_at;
use crate::kernels::metrics::Place;
use crate::kernels::residual::chroma::{code_chroma, reconstruct_chroma};
use crate::kernels::residual::decimate::{decimate_chroma, decimate_luma};
use crate::kernels::residual::luma::{code_luma, reconstruct_luma};
use crate::kernels::residual::rdo::{code_chroma_rdo, code_luma_rdo};
use crate::kernels::total_coeff::{near_chroma, near_luma};
use crate::macroblock::coder::{Current, MacroblockCoder, Slice};

impl MacroblockCoder {
    /// `P_Skip`: the prediction, and nothing else.
    pub(super) fn skip(&mut self, slice: &mut Slice<'_>, current: &Current) {
        let mv = current.motion.skipped();
        self.predict_luma(slice, current, Part::WHOLE, 0, mv);
        self.predict_chroma(slice, current, Part::WHOLE, 0, mv);
        self.skip_predicted(slice, current, mv);
    }

    /// Skips the macroblock, which is predicted already.
    pub(in crate::macroblock) fn skip_predicted(
        &mut self,
        slice: &mut Slice<'_>,
        current: &Current,
        mv: Vector,
    ) {
        (self.coded.mode, self.coded.skip_mv) = (MbMode::Skip, mv);
        self.coded.clear_levels();
        self.reconstruct_inter(slice, current);
    }

    /// Predicts each part by its motion, and codes what that leaves.
    pub(super) fn inter(
        &mut self,
        slice: &mut Slice<'_>,
        current: &Current,
        shape: Shape,
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
        slice.references[usize::from(ref_idx)].luma(current.place, mv, part, &mut self.luma_pred);
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
        slice.references[usize::from(ref_idx)].chroma(current.place, mv, part, &mut self.chroma_pred);
    }

    /// The levels of what the prediction of luma leaves; returns whether there are any.
    pub(in crate::macroblock) fn luma_levels(
        &mut self,
        slice: &Slice<'_>,
        current: &Current,
        decimate: bool,
    ) -> bool {
        let residual = self.coded.residual_mut();
        code_luma(
            Self::luma(slice, current),
            &self.luma_pred,
            slice.inter_quantizers.luma(current.qp),
            residual,
        );
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
        let [_, cb, cr] = &slice.source.planes;
        let (size, at) = (slice.source.chroma_size(), current.at.map(|n| 8 * n));
        let quantizer = slice.inter_quantizers.chroma(current.qp);
        let residual = self.coded.residual_mut();
        code_chroma(cb, cr, size, at, &self.chroma_pred, quantizer, residual);
        if decimate {
            decimate_chroma(residual);
        }
        self.coded.chroma_pattern() != 0
    }

    /// The levels of luma and chroma, where a bit is worth so much in SSD.
    fn levels_by_rate(&mut self, slice: &mut Slice<'_>, current: &Current, lambda: u32) {
        let residual = self.coded.residual_mut();
        let (total, slices) = (&slice.tables.total_coeff, &*slice.tables.slice);
        let counts = near_luma(total, slices, macroblock_at(current.at));
        let quantizer = slice.inter_quantizers.luma(current.qp);
        code_luma_rdo(Self::luma(slice, current), &self.luma_pred, quantizer, lambda, counts, residual);
        let [_, cb, cr] = slice.source.planes;
        let (size, at) = (slice.source.chroma_size(), current.at.map(|n| 8 * n));
        let quantizer = slice.inter_quantizers.chroma(current.qp);
        let counts = near_chroma(total, slices, macroblock_at(current.at));
        code_chroma_rdo([cb, cr], size, at, &self.chroma_pred, quantizer, lambda, counts, residual);
    }

    /// The samples of prediction and levels.
    fn reconstruct_inter(&self, slice: &mut Slice<'_>, current: &Current) {
        let Current { at: [row, column], qp, .. } = *current;
        let residual = self.coded.residual();
        let (size, at) = (slice.source.luma_size(), [16 * row, 16 * column]);
        let [luma, cb, cr] = &mut slice.recon.planes;
        // Without levels the samples are those of the prediction.
        if residual.luma_nonzero == [0; 16] {
            put_luma(&self.luma_pred, luma, size, at);
        } else {
            reconstruct_luma(&self.luma_pred, slice.inter_quantizers.luma(qp), residual, luma, size, at);
        }
        let (size, at) = (slice.source.chroma_size(), [8 * row, 8 * column]);
        if self.coded.chroma_pattern() == 0 {
            put_chroma(&self.chroma_pred, cb, cr, size, at);
        } else {
            let quantizer = slice.inter_quantizers.chroma(qp);
            reconstruct_chroma(&self.chroma_pred, quantizer, residual, cb, cr, size, at);
        }
    }

    /// The luma of the macroblock in the source.
    pub(in crate::macroblock) const fn luma<'p>(slice: &Slice<'p>, current: &Current) -> Place<'p> {
        let [row, column] = current.at;
        Place { plane: slice.source.planes[0], size: slice.source.luma_size(), at: [16 * row, 16 * column] }
    }
}
