//! A choice among the kinds of a macroblock by what comes of coding it.

use super::coder::{Current, MacroblockCoder, Slice};
use super::inter::Motions;
use crate::decide::{Decisions, Kind, Motion, Shape, TriesSkip};
use crate::kernels::inter::Part;
use crate::kernels::metrics::{Place, ssd_8x8, ssd_16x16};

/// How a macroblock of a P slice can be coded.
#[derive(Clone, Copy, Debug)]
enum Way {
    Skip,
    Inter(Shape, Motions),
    /// After its prediction by `Intra_16x16`.
    Intra,
}

/// All that a macroblock may be tried in: skipped, each shape, and Intra.
#[derive(Clone, Copy, Debug)]
struct Trials {
    list: [Way; 6],
    count: usize,
}

impl Trials {
    /// None.
    const NONE: Self = Self { list: [Way::Skip; 6], count: 0 };

    /// One more.
    const fn push(&mut self, way: Way) {
        self.list[self.count] = way;
        self.count += 1;
    }
}

impl MacroblockCoder {
    /// Codes a macroblock by the cheaper of Inter and Intra prediction.
    pub(super) fn cheapest(
        &mut self,
        slice: &mut Slice<'_>,
        current: &Current,
        decisions: &mut impl Decisions,
    ) {
        let skipped = Self::skipped(slice, current);
        let tries = self.tries_skip(slice, current, skipped, decisions);
        if tries == TriesSkip::AtOnce && self.skip_if_nothing_is_left(slice, current, skipped, decisions) {
            return;
        }
        let near = tries != TriesSkip::Never;
        let whole = Self::whole(slice, current, decisions);
        let Motion { ref_idx, mv, .. } = whole.2[0];
        let distance = u32::from(mv[0].abs_diff(skipped[0])) + u32::from(mv[1].abs_diff(skipped[1]));
        if tries == TriesSkip::Found
            && ref_idx == 0
            && distance <= 1
            && self.skip_if_nothing_is_left(slice, current, skipped, decisions)
        {
            return;
        }
        let by_rate = decisions.by_rate(current.qp);
        let mut ways = Trials::NONE;
        if by_rate.is_some() && near {
            ways.push(Way::Skip);
        }
        let all = decisions.tries_all();
        let (inter, shape, motions) =
            Self::cheapest_shape(slice, current, whole, decisions, |&(_, shape, motions)| {
                if all {
                    ways.push(Way::Inter(shape, motions));
                }
            });
        let mut chosen = Way::Inter(shape, motions);
        if decisions.tries_intra(inter, current.qp) {
            self.predict_16x16(slice, current);
            if all {
                ways.push(Way::Intra);
            } else {
                let mode = decisions.intra16x16(&self.luma_16x16, current.intra);
                if decisions.intra16x16_cost(&self.luma_16x16, mode, current.qp) < inter {
                    chosen = Way::Intra;
                }
            }
        }
        match by_rate {
            Some(lambda) if all || near => {
                if !all {
                    ways.push(chosen);
                }
                self.best_by_rate(slice, current, &ways, lambda, decisions);
            }
            _ => self.code_so(slice, current, &chosen, decisions),
        }
    }

    /// Codes the macroblock in the way whose SSD and bits, each worth so much, are least together.
    fn best_by_rate(
        &mut self,
        slice: &mut Slice<'_>,
        current: &Current,
        ways: &Trials,
        lambda: u32,
        decisions: &mut impl Decisions,
    ) {
        let ways = &ways.list[..ways.count];
        let (before, mark) = ((slice.qp, self.round.mb_skip_run), slice.bits.mark());
        let (mut least, mut best, mut coded) = (u32::MAX, 0, false);
        for (number, way) in ways.iter().enumerate() {
            let cost = if let Way::Skip = way {
                self.cost_of_skip(slice, current, lambda)
            } else {
                if coded {
                    slice.bits.rewind(mark);
                    (slice.qp, self.round.mb_skip_run) = before;
                }
                self.code_so(slice, current, way, decisions);
                coded = true;
                Self::cost(slice, current, mark, lambda)
            };
            if cost < least {
                (least, best) = (cost, number);
            }
        }
        // The last one is coded.
        if best + 1 < ways.len() {
            slice.bits.rewind(mark);
            (slice.qp, self.round.mb_skip_run) = before;
            self.code_so(slice, current, &ways[best], decisions);
        }
    }

    /// What the macroblock costs if it is skipped, which makes a run longer: nothing is coded for that.
    fn cost_of_skip(&mut self, slice: &Slice<'_>, current: &Current, lambda: u32) -> u32 {
        let mv = Self::skipped(slice, current);
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

    /// What the macroblock that was coded since a mark costs.
    fn cost(slice: &Slice<'_>, current: &Current, mark: usize, lambda: u32) -> u32 {
        // One that is skipped makes a run longer.
        let bits = slice.bits.bits_since(mark).max(1) as u32;
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

    /// The SSD of the macroblock and what comes of it.
    fn ssd(slice: &Slice<'_>, current: &Current, coded: &[Place<'_>; 3]) -> u32 {
        let [luma, cb, cr] = Self::places(slice, current);
        ssd_16x16(luma, coded[0]).saturating_add(ssd_8x8(cb, coded[1])).saturating_add(ssd_8x8(cr, coded[2]))
    }

    /// Codes the macroblock in a way.
    fn code_so(
        &mut self,
        slice: &mut Slice<'_>,
        current: &Current,
        way: &Way,
        decisions: &mut impl Decisions,
    ) {
        match way {
            Way::Skip => self.skip(slice, current, Self::skipped(slice, current)),
            Way::Inter(shape, motions) => self.inter(slice, current, *shape, Some(motions), decisions),
            Way::Intra => self.intra(slice, current, Kind::Cheapest, decisions),
        }
    }
}
