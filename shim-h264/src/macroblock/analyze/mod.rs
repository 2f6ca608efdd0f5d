//! Mode decision: the mode in which a macroblock costs least.
//!
//! Modes whose estimates by [`Analysis`](crate::decide::Analysis) are too close are coded and compared.

mod inter;
mod intra;
mod trial;

use super::coder::{Current, MacroblockCoder, Slice};
use crate::decide::{EarlySkip, Kind, MbMode, MbPartition, Motion, intra16x16};
use crate::entropy::EntropyCoder;
use crate::kernels::Vector;
use crate::kernels::inter::Part;
use crate::kernels::metrics::{sad_16x16, satd_16x16};
use trial::{Candidate, Candidates};

impl<E: EntropyCoder> MacroblockCoder<E> {
    /// Codes the macroblock in the cheapest mode of a kind, as [`reconstruct`](Self::reconstruct) would.
    pub(super) fn analyze(&mut self, slice: &Slice<'_>, current: &Current, kind: Kind) {
        let inter = !slice.references.is_empty();
        match kind {
            Kind::Any if inter => self.any(slice, current),
            Kind::Whole if inter => {
                let (_, shape, motions) = self.whole(slice, current);
                self.encode_as(slice, current, &Candidate::Inter(shape, motions));
            }
            Kind::Intra4x4 => self.intra(slice, current, kind),
            _ => {
                self.predict_16x16(slice, current);
                self.intra(slice, current, kind);
            }
        }
    }

    /// Codes a macroblock of a P slice by the cheapest of all modes.
    fn any(&mut self, slice: &Slice<'_>, current: &Current) {
        let skipped = current.prediction.skip;
        let tries = self.tries_skip(slice, current, skipped);
        if tries == EarlySkip::Immediate && self.try_skip(slice, current, skipped) {
            return;
        }
        let near = tries != EarlySkip::Off;
        let whole = self.whole(slice, current);
        let Motion { ref_idx, mv } = whole.2[0];
        let distance = u32::from(mv[0].abs_diff(skipped[0])) + u32::from(mv[1].abs_diff(skipped[1]));
        if tries == EarlySkip::AtPredictedVector
            && ref_idx == 0
            && distance <= 1
            && self.try_skip(slice, current, skipped)
        {
            return;
        }
        let by_rate = self.analysis.by_rate(current.qp);
        let mut candidates = Candidates::NONE;
        if by_rate.is_some() && near {
            candidates.push(Candidate::Skip);
        }
        let all = self.analysis.tries_all();
        let (inter, shape, motions) = self.cheapest_shape(slice, current, whole, |&(_, shape, motions)| {
            if all {
                candidates.push(Candidate::Inter(shape, motions));
            }
        });
        let mut chosen = Candidate::Inter(shape, motions);
        if self.analysis.tries_intra(inter, current.qp) {
            self.predict_16x16(slice, current);
            if all {
                candidates.push(Candidate::Intra);
            } else if intra16x16(&self.luma_16x16).1 < inter {
                chosen = Candidate::Intra;
            }
        }
        match by_rate {
            Some(lambda) if all || near => {
                if !all {
                    candidates.push(chosen);
                }
                self.best_by_rate(slice, current, &candidates, lambda);
            }
            _ => self.encode_as(slice, current, &chosen),
        }
    }

    /// The conditions of an early `P_Skip`; predicts luma for it.
    fn tries_skip(&mut self, slice: &Slice<'_>, current: &Current, mv: Vector) -> EarlySkip {
        self.predict_luma(slice, current, Part::WHOLE, 0, mv);
        let metric = if self.analysis.is_by_sad() { sad_16x16 } else { satd_16x16 };
        self.analysis.tries_skip(metric(&slice.source, current.place, &self.luma_pred), current.qp)
    }

    /// Skips the macroblock, whose luma is predicted for it, if that leaves no levels. Returns whether it did.
    fn try_skip(&mut self, slice: &Slice<'_>, current: &Current, mv: Vector) -> bool {
        let decimate = self.analysis.levels(current.qp).decimate;
        if self.luma_levels(slice, current, decimate) {
            return false;
        }
        self.predict_chroma(slice, current, Part::WHOLE, 0, mv);
        if self.chroma_levels(slice, current, decimate) {
            return false;
        }
        self.skip_predicted(slice, current, mv);
        true
    }

    /// Codes the macroblock in a candidate. Inter prediction that is the same as `P_Skip` becomes that.
    fn encode_as(&mut self, slice: &Slice<'_>, current: &Current, candidate: &Candidate) {
        match *candidate {
            Candidate::Skip => self.reconstruct(slice, current, &MbMode::Skip),
            Candidate::Inter(shape, motions) => {
                let levels = self.analysis.levels(current.qp);
                self.reconstruct(slice, current, &MbMode::Inter { shape, motions, levels });
                self.skip_if_the_same(current);
            }
            Candidate::Intra => self.intra(slice, current, Kind::Any),
        }
    }

    /// Skips the macroblock if it has no levels, and the motion of `P_Skip`.
    fn skip_if_the_same(&mut self, current: &Current) {
        let MbMode::Inter { shape: MbPartition::P16x16, motions, .. } = self.coded.mode else {
            return;
        };
        if motions[0].ref_idx == 0 && !self.coded.has_levels() {
            let skipped = current.prediction.skip;
            if motions[0].mv == skipped {
                (self.coded.mode, self.coded.skip_mv) = (MbMode::Skip, skipped);
            }
        }
    }
}
