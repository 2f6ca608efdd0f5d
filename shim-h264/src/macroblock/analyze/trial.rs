//! A choice among modes of a macroblock by what comes of coding it in each.

use crate::decide::{Motions, Shape};
use crate::kernels::frame::{put_chroma, put_luma};
use crate::kernels::inter::Part;
use crate::kernels::metrics::{Place, ssd_8x8, ssd_16x16};
use crate::kernels::pcm::pcm_samples;
use crate::macroblock::coder::{Current, MacroblockCoder, Slice};

/// A mode to try for a macroblock of a P slice.
#[derive(Clone, Copy, Debug)]
pub(super) enum Way {
    Skip,
    Inter(Shape, Motions),
    /// After its prediction by `Intra_16x16`.
    Intra,
}

/// All ways in which a macroblock is tried: skipped, in each shape, and Intra.
#[derive(Clone, Copy, Debug)]
pub(super) struct Trials {
    list: [Way; 6],
    count: usize,
}

impl Trials {
    /// None.
    pub(super) const NONE: Self = Self { list: [Way::Skip; 6], count: 0 };

    /// Adds a way.
    pub(super) const fn push(&mut self, way: Way) {
        self.list[self.count] = way;
        self.count += 1;
    }
}

impl MacroblockCoder {
    /// Codes the macroblock in the way whose SSD and bits, each worth `lambda`, are least together.
    pub(super) fn best_by_rate(
        &mut self,
        slice: &mut Slice<'_>,
        current: &Current,
        ways: &Trials,
        lambda: u32,
    ) {
        let ways = &ways.list[..ways.count];
        let (mut least, mut best) = (u32::MAX, 0);
        for (number, way) in ways.iter().enumerate() {
            let skipped = matches!(way, Way::Skip);
            let cost = if skipped {
                self.cost_of_skip(slice, current, lambda)
            } else {
                self.code_way(slice, current, way);
                self.cost(slice, current, lambda)
            };
            if cost < least {
                (least, best) = (cost, number);
                if !skipped && number + 1 < ways.len() {
                    self.keep(slice, current);
                }
            }
        }
        // The last one is coded.
        if best + 1 < ways.len() {
            if let Way::Skip = ways[best] {
                self.code_way(slice, current, &Way::Skip);
            } else {
                self.take_kept(slice, current);
            }
        }
    }

    /// Keeps the coded macroblock as the best.
    fn keep(&mut self, slice: &Slice<'_>, current: &Current) {
        core::mem::swap(&mut self.coded, &mut self.best.coded);
        let [luma, cb, cr] = &slice.recon.planes;
        let ([high, wide], [row, column]) = (slice.recon.mbs, current.at);
        pcm_samples(luma, cb, cr, high, wide, row, column, &mut self.best.samples);
    }

    /// Makes the best the coded macroblock.
    fn take_kept(&mut self, slice: &mut Slice<'_>, current: &Current) {
        core::mem::swap(&mut self.coded, &mut self.best.coded);
        let sizes = [slice.recon.luma_size(), slice.recon.chroma_size()];
        let (luma, chroma) = self.best.samples.split_at(256);
        let (luma, chroma) = (luma.try_into().expect("256 of 384"), chroma.try_into().expect("128 of 384"));
        let [to_luma, cb, cr] = &mut slice.recon.planes;
        put_luma(luma, to_luma, sizes[0], current.at.map(|n| 16 * n));
        put_chroma(chroma, cb, cr, sizes[1], current.at.map(|n| 8 * n));
    }

    /// The cost of `P_Skip`, which makes a run longer: its prediction is not stored for that.
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
