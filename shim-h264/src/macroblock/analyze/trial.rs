//! Rate-distortion optimized mode decision: a macroblock is encoded in each candidate mode.

use crate::decide::{MbPartition, Motions};
use crate::entropy::EntropyCoder;
use crate::kernels::inter::Part;
use crate::kernels::mb_samples::MbSamples;
use crate::kernels::metrics::ssd;
use crate::macroblock::coder::{Current, MacroblockCoder, Slice};

/// A mode in which a macroblock of a P slice may be encoded.
#[derive(Clone, Copy, Debug)]
pub(super) enum Candidate {
    Skip,
    Inter(MbPartition, Motions),
    /// After its prediction by `Intra_16x16`.
    Intra,
}

/// The candidates of a macroblock: skipped, in each shape, and Intra.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidates {
    list: [Candidate; 6],
    count: usize,
}

impl Candidates {
    /// None.
    pub(super) const NONE: Self = Self { list: [Candidate::Skip; 6], count: 0 };

    /// Adds a candidate.
    pub(super) const fn push(&mut self, candidate: Candidate) {
        self.list[self.count] = candidate;
        self.count += 1;
    }
}

impl<E: EntropyCoder> MacroblockCoder<E> {
    /// Encodes the macroblock in the mode of least SSD + `lambda` x bits.
    pub(super) fn best_by_rate(
        &mut self,
        slice: &Slice<'_>,
        current: &Current,
        candidates: &Candidates,
        lambda: u32,
    ) {
        let candidates = &candidates.list[..candidates.count];
        let (mut least, mut best) = (u32::MAX, 0);
        for (number, candidate) in candidates.iter().enumerate() {
            let skipped = matches!(candidate, Candidate::Skip);
            let cost = if skipped {
                self.cost_of_skip(slice, current, lambda)
            } else {
                self.encode_as(slice, current, candidate);
                self.cost(slice, current, lambda)
            };
            if cost < least {
                (least, best) = (cost, number);
                if !skipped && number + 1 < candidates.len() {
                    core::mem::swap(&mut self.coded, &mut self.best);
                }
            }
        }
        // The last one is coded.
        if best + 1 < candidates.len() {
            if let Candidate::Skip = candidates[best] {
                self.encode_as(slice, current, &Candidate::Skip);
            } else {
                core::mem::swap(&mut self.coded, &mut self.best);
            }
        }
    }

    /// The cost of `P_Skip`: one bit of `mb_skip_run`. Nothing is stored.
    fn cost_of_skip(&mut self, slice: &Slice<'_>, current: &Current, lambda: u32) -> u32 {
        let mv = current.prediction.skip;
        self.predict_luma(slice, current, Part::WHOLE, 0, mv);
        self.predict_chroma(slice, current, Part::WHOLE, 0, mv);
        let ssd = ssd(&slice.source, current.place, &self.luma_pred, &self.chroma_pred);
        lambda.saturating_add(ssd)
    }

    /// The cost of the coded macroblock, with one bit of `mb_skip_run`.
    fn cost(&mut self, slice: &Slice<'_>, current: &Current, lambda: u32) -> u32 {
        let bits = 1 + self.bits(slice, current);
        let MbSamples { luma, chroma } = &self.coded.samples;
        lambda.saturating_mul(bits).saturating_add(ssd(&slice.source, current.place, luma, chroma))
    }
}
