//! A choice among the kinds of a macroblock by what comes of coding it.

use super::coder::{Current, MacroblockCoder, Slice};
use super::inter::Motions;
use crate::decide::{Decisions, Kind, Motion, Shape, TriesSkip};
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
        let (mut least, mut best) = (u32::MAX, 0);
        for (number, way) in ways.iter().enumerate() {
            if number > 0 {
                slice.bits.rewind(mark);
                (slice.qp, self.round.mb_skip_run) = before;
            }
            self.code_so(slice, current, way, decisions);
            let cost = Self::cost(slice, current, mark, lambda);
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

    /// What the macroblock that was coded since a mark costs.
    fn cost(slice: &Slice<'_>, current: &Current, mark: usize, lambda: u32) -> u32 {
        // One that is skipped makes a run longer.
        let bits = slice.bits.bits_since(mark).max(1) as u32;
        let mut cost = lambda.saturating_mul(bits);
        let [row, column] = current.at;
        for (i, (given, coded)) in slice.source.planes.iter().zip(&slice.recon.planes).enumerate() {
            let (size, scale) =
                if i == 0 { (slice.source.luma_size(), 16) } else { (slice.source.chroma_size(), 8) };
            let place = |plane| Place { plane, size, at: [scale * row, scale * column] };
            let ssd = if i == 0 { ssd_16x16 } else { ssd_8x8 };
            cost = cost.saturating_add(ssd(place(given), place(coded)));
        }
        cost
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
