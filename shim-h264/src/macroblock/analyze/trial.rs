//! Rate-distortion optimized mode decision: a macroblock is encoded in each candidate mode.

use crate::decide::{Motions, Shape};
use crate::kernels::frame::{put_chroma, put_luma};
use crate::kernels::inter::Part;
use crate::kernels::metrics::{Place, ssd_8x8, ssd_16x16};
use crate::kernels::pcm::pcm_samples;
use crate::macroblock::coder::{Current, MacroblockCoder, Slice};

/// A mode in which a macroblock of a P slice may be encoded.
#[derive(Clone, Copy, Debug)]
pub(super) enum Candidate {
    Skip,
    Inter(Shape, Motions),
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

impl MacroblockCoder {
    /// Encodes the macroblock in the mode of least SSD + `lambda` x bits.
    pub(super) fn best_by_rate(
        &mut self,
        slice: &mut Slice<'_>,
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
                    self.save_best(slice, current);
                }
            }
        }
        // The last one is coded.
        if best + 1 < candidates.len() {
            if let Candidate::Skip = candidates[best] {
                self.encode_as(slice, current, &Candidate::Skip);
            } else {
                self.restore_best(slice, current);
            }
        }
    }

    /// Keeps the coded macroblock as the best.
    fn save_best(&mut self, slice: &Slice<'_>, current: &Current) {
        core::mem::swap(&mut self.coded, &mut self.best.coded);
        let [luma, cb, cr] = &slice.recon.planes;
        let ([high, wide], [row, column]) = (slice.recon.mbs, current.at);
        pcm_samples(luma, cb, cr, high, wide, row, column, &mut self.best.samples);
    }

    /// Makes the best the coded macroblock.
    fn restore_best(&mut self, slice: &mut Slice<'_>, current: &Current) {
        core::mem::swap(&mut self.coded, &mut self.best.coded);
        let sizes = [slice.recon.luma_size(), slice.recon.chroma_size()];
        let (luma, chroma) = self.best.samples.split_at(256);
        let (luma, chroma) = (luma.try_into().expect("256 of 384"), chroma.try_into().expect("128 of 384"));
        let [to_luma, cb, cr] = &mut slice.recon.planes;
        put_luma(luma, to_luma, sizes[0], current.at.map(|n| 16 * n));
        put_chroma(chroma, cb, cr, sizes[1], current.at.map(|n| 8 * n));
    }

    /// The cost of `P_Skip`: one bit of `mb_skip_run`. Nothing is stored.
    fn cost_of_skip(&mut self, slice: &Slice<'_>, current: &Current, lambda: u32) -> u32 {
        let mv = current.motion.skipped();
        self.predict_luma(slice, current, Part::WHOLE, 0, mv);
        self.predict_chroma(slice, current, Part::WHOLE, 0, mv);
        let (cb, cr) = self.chroma_pred.split_at(64);
        let coded = [(&self.luma_pred[..], 16), (cb, 8), (cr, 8)].map(|(plane, side)| Place {
            plane,
            size: [side; 2],
            at: [0; 2],
        });
        lambda.saturating_add(Self::ssd(slice, current, &coded))
    }

    /// The cost of the coded macroblock.
    fn cost(&mut self, slice: &mut Slice<'_>, current: &Current, lambda: u32) -> u32 {
        // One that is skipped makes a run longer.
        let bits = self.bits(slice, current).max(1);
        let given = Self::places(slice, current);
        let coded = core::array::from_fn(|i| Place { plane: &*slice.recon.planes[i], ..given[i] });
        lambda.saturating_mul(bits).saturating_add(Self::ssd(slice, current, &coded))
    }

    /// The macroblock in the planes of the source.
    fn places<'s>(slice: &Slice<'s>, current: &Current) -> [Place<'s>; 3] {
        let (luma, chroma) = (slice.source.luma_size(), slice.source.chroma_size());
        let [y, cb, cr] = slice.source.planes;
        [(y, luma, 16), (cb, chroma, 8), (cr, chroma, 8)].map(|(plane, size, scale)| Place {
            plane,
            size,
            at: current.at.map(|n| scale * n),
        })
    }

    /// The SSD of the macroblock and its reconstruction.
    fn ssd(slice: &Slice<'_>, current: &Current, coded: &[Place<'_>; 3]) -> u32 {
        let [luma, cb, cr] = Self::places(slice, current);
        ssd_16x16(luma, coded[0]).saturating_add(ssd_8x8(cb, coded[1])).saturating_add(ssd_8x8(cr, coded[2]))
    }
}
