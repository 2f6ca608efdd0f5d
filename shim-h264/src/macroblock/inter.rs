//! Inter prediction: parts that come from other pictures (8.4).

use core::ops::Range;

use super::coder::{Current, MacroblockCoder, Slice, chroma_pattern, luma_pattern};
use super::motion::{MotionField, Vector, collocated, collocated_farther};
use crate::decide::{Decisions, Motion, Search, Shape, SubShape, TriesSkip};
use crate::kernels::frame::{put_chroma, put_luma};
use crate::kernels::inter::Part;
use crate::kernels::macroblock_at;
use crate::kernels::metrics::{Place, satd_16x16};
use crate::kernels::residual::chroma::{code_chroma, reconstruct_chroma};
use crate::kernels::residual::few::{drop_few_chroma, drop_few_luma};
use crate::kernels::residual::luma::{code_luma, reconstruct_luma};
use crate::kernels::residual::rdo::{code_chroma_rdo, code_luma_rdo};
use crate::kernels::total_coeff::{near_chroma, near_luma};
use crate::syntax::macroblock::{MbType, Mvd};

/// The motion of a macroblock's parts: part k of block n, among those that have a `ref_idx_l0`, is 4 n + k.
pub(super) type Motions = [Motion; 16];

impl Shape {
    /// Rows and columns of the parts that have a `ref_idx_l0`, and how many there are.
    const fn parts(self) -> ([usize; 2], usize) {
        match self {
            Self::Whole => ([16, 16], 1),
            Self::Rows => ([8, 16], 2),
            Self::Columns => ([16, 8], 2),
            Self::Quarters(_) => ([8, 8], 4),
        }
    }

    /// How the part of a number is divided.
    const fn sub(self, number: usize) -> SubShape {
        if let Self::Quarters(subs) = self { subs[number] } else { SubShape::Whole }
    }

    /// The same, with so many vectors at most, which are four or more: 8x8 blocks are divided as long as there are as many.
    pub(super) const fn within(self, most: usize) -> Self {
        let Self::Quarters(mut subs) = self else { return self };
        let (mut left, mut number) = (most - 4, 0);
        while number < 4 {
            let more = subs[number].count() - 1;
            if more > left {
                subs[number] = SubShape::Whole;
            } else {
                left -= more;
            }
            number += 1;
        }
        Self::Quarters(subs)
    }
}

impl SubShape {
    /// `NumSubMbPart`.
    const fn count(self) -> usize {
        match self {
            Self::Whole => 1,
            Self::Rows | Self::Columns => 2,
            Self::Quarters => 4,
        }
    }

    /// Rows and columns of the parts of a block.
    const fn size(self, [high, wide]: [usize; 2]) -> [usize; 2] {
        match self {
            Self::Whole => [high, wide],
            Self::Rows => [high / 2, wide],
            Self::Columns => [high, wide / 2],
            Self::Quarters => [high / 2, wide / 2],
        }
    }
}

impl MacroblockCoder {
    /// A macroblock that is as it is predicted: nothing is coded but how many there are.
    pub(super) fn skip(&mut self, slice: &mut Slice<'_>, current: &Current, mv: Vector) {
        self.predict_luma(slice, current, Part::WHOLE, 0, mv);
        self.predict_chroma(slice, current, Part::WHOLE, 0, mv);
        self.skip_predicted(slice, current, mv);
    }

    /// The same, where it is predicted already.
    fn skip_predicted(&mut self, slice: &mut Slice<'_>, current: &Current, mv: Vector) {
        MotionField::new(current.at, slice.number).store(&mut slice.tables, Part::WHOLE, 0, mv);
        let residual = &mut self.round.macroblock.residual;
        residual.luma_nonzero.fill(0);
        residual.chroma_nonzero.fill(0);
        residual.chroma_dc_nonzero.fill(0);
        self.reconstruct(slice, current);
        slice.tables.intra[current.address] = false;
        slice.tables.qp[current.address] = slice.qp;
        Self::store_modes(slice, current, None);
        self.round.mb_skip_run += 1;
        Self::fill_total_coeff(slice, current);
    }

    /// The vector that the macroblock has if it is skipped.
    pub(super) fn skipped(slice: &Slice<'_>, current: &Current) -> Vector {
        MotionField::new(current.at, slice.number).skipped(&slice.tables)
    }

    /// Codes a macroblock of parts that are predicted each by a vector of its own; those that were found, or else are asked for.
    pub(super) fn inter(
        &mut self,
        slice: &mut Slice<'_>,
        current: &Current,
        shape: Shape,
        found: Option<&Motions>,
        decisions: &mut impl Decisions,
    ) {
        let mut field = MotionField::new(current.at, slice.number);
        let (size, count) = shape.parts();
        let mut motion = Motion::default();
        for number in 0..count {
            let (outer, sub) = (Part::WHOLE.divided(size, number), shape.sub(number));
            for k in 0..sub.count() {
                let part = outer.divided(sub.size(size), k);
                motion = found.map_or_else(
                    || {
                        // Parts of an 8x8 block have one picture.
                        let asked = if k > 0 { only(motion) } else { all(slice) };
                        decisions.motion(&Self::search(slice, current, &field, part, asked))
                    },
                    |found| found[4 * number + k],
                );
                let Motion { ref_idx, mv, .. } = motion;
                let mvp = field.neighbors(&slice.tables, part).predicted(ref_idx);
                field.store(&mut slice.tables, part, ref_idx as i8, mv);
                self.predict_luma(slice, current, part, ref_idx, mv);
                self.predict_chroma(slice, current, part, ref_idx, mv);
                let mvd = Mvd { x: mv[0].wrapping_sub(mvp[0]), y: mv[1].wrapping_sub(mvp[1]) };
                let macroblock = &mut self.round.macroblock;
                if let Shape::Quarters(_) = shape {
                    macroblock.sub_mb_pred.sub_mb_type[number] = sub as u8;
                    macroblock.sub_mb_pred.ref_idx_l0[number] = ref_idx;
                    macroblock.sub_mb_pred.mvd_l0[number].parts[k] = mvd;
                } else {
                    macroblock.mb_pred.ref_idx_l0[number] = ref_idx;
                    macroblock.mb_pred.mvd_l0[number] = mvd;
                }
            }
        }
        if let Some(lambda) = decisions.quantizes_by_rate(current.qp) {
            self.levels_by_rate(slice, current, lambda);
            if decisions.drops_few_levels() {
                drop_few_luma(&mut self.round.macroblock.residual);
                drop_few_chroma(&mut self.round.macroblock.residual);
            }
        } else {
            self.luma_levels(slice, current, decisions);
            self.chroma_levels(slice, current, decisions);
        }
        let residual = &self.round.macroblock.residual;
        let pattern = luma_pattern(residual) | chroma_pattern(residual) << 4;
        if pattern == 0 && shape == Shape::Whole && motion.ref_idx == 0 {
            let skipped = Self::skipped(slice, current);
            if motion.mv == skipped && decisions.skips_the_same() {
                self.skip_predicted(slice, current, skipped);
                return;
            }
        }
        self.reconstruct(slice, current);
        let macroblock = &mut self.round.macroblock;
        macroblock.coded_block_pattern = pattern;
        let kind = match shape {
            Shape::Whole => MbType::P16x16,
            Shape::Rows => MbType::P16x8,
            Shape::Columns => MbType::P8x16,
            Shape::Quarters(_) => MbType::P8x8,
        };
        macroblock.mb_type = kind.code(slice.context.slice_type);
        if pattern != 0 {
            self.set_qp(slice, current.qp);
        }
        slice.tables.intra[current.address] = false;
        slice.tables.qp[current.address] = slice.qp;
        Self::store_modes(slice, current, None);
        self.write(slice, current.address);
    }

    /// What there is to find a vector for a part.
    pub(super) fn search<'p>(
        slice: &Slice<'p>,
        current: &Current,
        field: &MotionField,
        part: Part,
        asked: Range<u8>,
    ) -> Search<'p> {
        let at = [16 * current.at[0] + part.at[0], 16 * current.at[1] + part.at[1]];
        let neighbors = field.neighbors(&slice.tables, part);
        let mut predicted = [[0; 2]; 16];
        for ref_idx in asked.clone() {
            predicted[usize::from(ref_idx)] = neighbors.predicted(ref_idx);
        }
        Search {
            near: neighbors.near(),
            farther: neighbors.farther() || collocated_farther(&slice.tables, current.at),
            collocated: collocated(&slice.tables, current.at),
            lookahead: slice.lookahead,
            cur: Place { plane: slice.source.planes[0], size: slice.source.luma_size(), at },
            chroma: [slice.source.planes[1], slice.source.planes[2]],
            macroblock: current.place,
            place: [16 * current.place[0] + part.at[0], 16 * current.place[1] + part.at[1]],
            references: slice.references,
            asked,
            part,
            predicted,
            qp: current.qp,
            max_vmv_r: slice.max_vmv_r,
        }
    }

    /// Predicts the luma of a part of the macroblock.
    pub(super) fn predict_luma(
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
    pub(super) fn predict_chroma(
        &mut self,
        slice: &Slice<'_>,
        current: &Current,
        part: Part,
        ref_idx: u8,
        mv: Vector,
    ) {
        slice.references[usize::from(ref_idx)].chroma(current.place, mv, part, &mut self.chroma_pred);
    }

    /// The levels of what the prediction of luma leaves; says whether there are any.
    fn luma_levels(&mut self, slice: &Slice<'_>, current: &Current, decisions: &impl Decisions) -> bool {
        let residual = &mut self.round.macroblock.residual;
        code_luma(luma(slice, current), &self.luma_pred, slice.inter_quantizers.luma(current.qp), residual);
        if decisions.drops_few_levels() {
            drop_few_luma(residual);
        }
        residual.luma_nonzero != [0; 16]
    }

    /// The same of chroma.
    fn chroma_levels(&mut self, slice: &Slice<'_>, current: &Current, decisions: &impl Decisions) -> bool {
        let [_, cb, cr] = &slice.source.planes;
        let (size, at) = (slice.source.chroma_size(), current.at.map(|n| 8 * n));
        let quantizer = slice.inter_quantizers.chroma(current.qp);
        let residual = &mut self.round.macroblock.residual;
        code_chroma(cb, cr, size, at, &self.chroma_pred, quantizer, residual);
        if decisions.drops_few_levels() {
            drop_few_chroma(residual);
        }
        chroma_pattern(residual) != 0
    }

    /// The levels of luma and chroma, where a bit is worth so much in SSD.
    fn levels_by_rate(&mut self, slice: &mut Slice<'_>, current: &Current, lambda: u32) {
        let residual = &mut self.round.macroblock.residual;
        let (total, slices) = (&slice.tables.total_coeff, &*slice.tables.slice);
        let counts = near_luma(total, slices, macroblock_at(current.at));
        let quantizer = slice.inter_quantizers.luma(current.qp);
        code_luma_rdo(luma(slice, current), &self.luma_pred, quantizer, lambda, counts, residual);
        let [_, cb, cr] = slice.source.planes;
        let (size, at) = (slice.source.chroma_size(), current.at.map(|n| 8 * n));
        let quantizer = slice.inter_quantizers.chroma(current.qp);
        let counts = near_chroma(total, slices, macroblock_at(current.at));
        code_chroma_rdo([cb, cr], size, at, &self.chroma_pred, quantizer, lambda, counts, residual);
    }

    /// When it is to be tried to skip the macroblock, whose luma is predicted so.
    pub(super) fn tries_skip(
        &mut self,
        slice: &Slice<'_>,
        current: &Current,
        mv: Vector,
        decisions: &mut impl Decisions,
    ) -> TriesSkip {
        self.predict_luma(slice, current, Part::WHOLE, 0, mv);
        let pred = Place { plane: &self.luma_pred, size: [16, 16], at: [0, 0] };
        decisions.tries_skip(satd_16x16(luma(slice, current), pred), current.qp)
    }

    /// Skips the macroblock, whose luma is predicted so, if that leaves nothing. Says whether it did.
    pub(super) fn skip_if_nothing_is_left(
        &mut self,
        slice: &mut Slice<'_>,
        current: &Current,
        mv: Vector,
        decisions: &mut impl Decisions,
    ) -> bool {
        if self.luma_levels(slice, current, decisions) {
            return false;
        }
        self.predict_chroma(slice, current, Part::WHOLE, 0, mv);
        if self.chroma_levels(slice, current, decisions) {
            return false;
        }
        self.skip_predicted(slice, current, mv);
        true
    }

    /// The motion of the macroblock divided so, and what it costs beside the division itself; 8x8 blocks as is cheapest.
    pub(super) fn motions(
        slice: &mut Slice<'_>,
        current: &Current,
        shape: Shape,
        decisions: &mut impl Decisions,
    ) -> (u32, Shape, Motions) {
        let mut field = MotionField::new(current.at, slice.number);
        let (size, count) = shape.parts();
        let (mut cost, mut motions, mut subs) = (0_u32, Motions::default(), [SubShape::Whole; 4]);
        let mut vectors = slice.most_vectors - count;
        for number in 0..count {
            let outer = Part::WHOLE.divided(size, number);
            let search = Self::search(slice, current, &field, outer, all(slice));
            let undivided = decisions.motion(&search);
            let (mut best, mut own) = (undivided.cost, [undivided; 4]);
            if let Shape::Quarters(_) = shape {
                for sub in [SubShape::Rows, SubShape::Columns, SubShape::Quarters] {
                    let allowed = sub.count() - 1 <= vectors;
                    let more = if allowed { decisions.sub_shape_cost(sub, best, current.qp) } else { None };
                    let Some(mut cost) = more else { continue };
                    let (mut field, mut divided) = (field, own);
                    for (k, motion) in divided.iter_mut().enumerate().take(sub.count()) {
                        let part = outer.divided(sub.size(size), k);
                        let mut search = Self::search(slice, current, &field, part, only(undivided));
                        search.near[1] = undivided.mv;
                        *motion = decisions.motion(&search);
                        cost = cost.saturating_add(motion.cost);
                        field.store(&mut slice.tables, part, motion.ref_idx as i8, motion.mv);
                    }
                    if cost < best {
                        (best, own, subs[number]) = (cost, divided, sub);
                    }
                }
                vectors -= subs[number].count() - 1;
            }
            cost = cost.saturating_add(best);
            motions[4 * number..4 * number + 4].copy_from_slice(&own);
            for (k, motion) in own.iter().enumerate().take(subs[number].count()) {
                let part = outer.divided(subs[number].size(size), k);
                field.store(&mut slice.tables, part, motion.ref_idx as i8, motion.mv);
            }
        }
        let shape = if let Shape::Quarters(_) = shape { Shape::Quarters(subs) } else { shape };
        (cost, shape, motions)
    }

    /// The motion of the macroblock undivided, and what it costs.
    pub(super) fn whole(
        slice: &mut Slice<'_>,
        current: &Current,
        decisions: &mut impl Decisions,
    ) -> (u32, Shape, Motions) {
        let more = decisions.shape_cost(Shape::Whole, u32::MAX, current.qp).unwrap_or(0);
        let mut whole = Self::motions(slice, current, Shape::Whole, decisions);
        whole.0 = whole.0.saturating_add(more);
        whole
    }

    /// The shape that costs least, of the whole and those that are tried, its motion, and what it costs; `each` is given all of them.
    pub(super) fn cheapest_shape(
        slice: &mut Slice<'_>,
        current: &Current,
        whole: (u32, Shape, Motions),
        decisions: &mut impl Decisions,
        mut each: impl FnMut(&(u32, Shape, Motions)),
    ) -> (u32, Shape, Motions) {
        const QUARTERS: Shape = Shape::Quarters([SubShape::Whole; 4]);
        let mut best = whole;
        each(&best);
        let whole = best.0;
        for shape in [QUARTERS, Shape::Rows, Shape::Columns] {
            let Some(more) = decisions.shape_cost(shape, whole, current.qp) else { continue };
            let mut found = Self::motions(slice, current, shape, decisions);
            found.0 = found.0.saturating_add(more);
            each(&found);
            if found.0 < best.0 {
                best = found;
            }
        }
        best
    }

    /// The samples of prediction and levels.
    fn reconstruct(&self, slice: &mut Slice<'_>, current: &Current) {
        let Current { at: [row, column], qp, .. } = *current;
        let residual = &self.round.macroblock.residual;
        let (size, at) = (slice.source.luma_size(), [16 * row, 16 * column]);
        let [luma, cb, cr] = &mut slice.recon.planes;
        // Without levels the samples are those of the prediction.
        if residual.luma_nonzero == [0; 16] {
            put_luma(&self.luma_pred, luma, size, at);
        } else {
            reconstruct_luma(&self.luma_pred, slice.inter_quantizers.luma(qp), residual, luma, size, at);
        }
        let (size, at) = (slice.source.chroma_size(), [8 * row, 8 * column]);
        if chroma_pattern(residual) == 0 {
            put_chroma(&self.chroma_pred, cb, cr, size, at);
        } else {
            let quantizer = slice.inter_quantizers.chroma(qp);
            reconstruct_chroma(&self.chroma_pred, quantizer, residual, cb, cr, size, at);
        }
    }
}

/// The luma of the macroblock as it is given.
const fn luma<'p>(slice: &Slice<'p>, current: &Current) -> Place<'p> {
    let [row, column] = current.at;
    Place { plane: slice.source.planes[0], size: slice.source.luma_size(), at: [16 * row, 16 * column] }
}

/// All pictures that there are.
const fn all(slice: &Slice<'_>) -> Range<u8> {
    0..slice.references.len() as u8
}

/// The one of a part.
const fn only(motion: Motion) -> Range<u8> {
    motion.ref_idx..motion.ref_idx + 1
}
