//! Inter prediction: parts that come from other pictures (8.4).

use super::motion::{MotionField, Vector};
use super::{Current, MacroblockCoder, Slice, chroma_pattern, luma_pattern};
use crate::decide::{Decisions, Kind, Search, Shape, SubShape};
use crate::kernels::inter::Part;
use crate::kernels::metrics::Place;
use crate::kernels::residual::chroma::{code_chroma, reconstruct_chroma};
use crate::kernels::residual::few::drop_few;
use crate::kernels::residual::luma::{code_luma, reconstruct_luma};
use crate::syntax::macroblock::{MbType, Mvd};

impl Shape {
    /// The parts of the macroblock, in the order of coding, each with its number among `ref_idx_l0` and among the parts of its 8x8
    /// block.
    fn parts(self) -> impl Iterator<Item = (Part, usize, usize)> {
        let (size, subs) = match self {
            Self::Whole => ([16, 16], [SubShape::Whole; 4]),
            Self::Rows => ([8, 16], [SubShape::Whole; 4]),
            Self::Columns => ([16, 8], [SubShape::Whole; 4]),
            Self::Quarters(subs) => ([8, 8], subs),
        };
        places([16, 16], size).enumerate().flat_map(move |(number, at)| {
            let sub = match subs[number] {
                SubShape::Whole => size,
                SubShape::Rows => [4, 8],
                SubShape::Columns => [8, 4],
                SubShape::Quarters => [4, 4],
            };
            places(size, sub).enumerate().map(move |(k, within)| {
                (Part { at: [at[0] + within[0], at[1] + within[1]], size: sub }, number, k)
            })
        })
    }
}

/// Where parts of a size stand in a block, row by row.
fn places([high, wide]: [usize; 2], [h, w]: [usize; 2]) -> impl Iterator<Item = [usize; 2]> {
    (0..high).step_by(h).flat_map(move |y| (0..wide).step_by(w).map(move |x| [y, x]))
}

impl MacroblockCoder {
    /// A macroblock that is as it is predicted: nothing is coded but how many there are.
    pub(super) fn skip(&mut self, slice: &mut Slice<'_>, current: Current, mv: Vector) {
        self.predict(slice, current, Part::WHOLE, 0, mv);
        MotionField::new(current.at, current.available).store(&mut slice.tables, Part::WHOLE, 0, mv);
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
    pub(super) fn skipped(slice: &Slice<'_>, current: Current) -> Vector {
        MotionField::new(current.at, current.available).skipped(&slice.tables)
    }

    /// Codes a macroblock of parts that are predicted each by a vector of its own.
    pub(super) fn inter(
        &mut self,
        slice: &mut Slice<'_>,
        current: Current,
        shape: Shape,
        decisions: &mut impl Decisions,
    ) {
        let skipped = Self::skipped(slice, current);
        let mut field = MotionField::new(current.at, current.available);
        let mut only = (0, [0; 2]);
        let mut ref_idx_of_block = 0;
        for (i, (part, number, k)) in shape.parts().enumerate() {
            let search = Self::search(slice, current, &field, part);
            let (mut ref_idx, mv) = match self.found.get_mut(i).and_then(Option::take) {
                Some(found) => found,
                None => decisions.motion(&search),
            };
            // Parts of an 8x8 block have one picture.
            if k > 0 {
                ref_idx = ref_idx_of_block;
            }
            ref_idx_of_block = ref_idx;
            let mvp = search.predicted(ref_idx);
            field.store(&mut slice.tables, part, ref_idx as i8, mv);
            self.predict(slice, current, part, ref_idx, mv);
            let mvd = Mvd { x: mv[0].wrapping_sub(mvp[0]), y: mv[1].wrapping_sub(mvp[1]) };
            let macroblock = &mut self.round.macroblock;
            if let Shape::Quarters(subs) = shape {
                macroblock.sub_mb_pred.sub_mb_type[number] = subs[number] as u8;
                macroblock.sub_mb_pred.ref_idx_l0[number] = ref_idx;
                macroblock.sub_mb_pred.mvd_l0[number].parts[k] = mvd;
            } else {
                macroblock.mb_pred.ref_idx_l0[number] = ref_idx;
                macroblock.mb_pred.mvd_l0[number] = mvd;
            }
            only = (ref_idx, mv);
        }
        let pattern = self.residual(slice, current, decisions);
        let same = shape == Shape::Whole && only == (0, skipped) && pattern == 0;
        if same && decisions.skips_the_same() {
            self.skip(slice, current, skipped);
            return;
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
        current: Current,
        field: &MotionField,
        part: Part,
    ) -> Search<'p> {
        let size = slice.source.luma_size();
        let cur = Place { plane: slice.source.planes[0], size, at: current.at.map(|n| 16 * n) };
        let mut predicted = [[0; 2]; 16];
        for (ref_idx, predicted) in (0..).zip(&mut predicted[..slice.references.len()]) {
            *predicted = field.predicted(&slice.tables, part, ref_idx);
        }
        Search {
            near: field.near(&slice.tables, part),
            cur,
            place: current.place,
            references: slice.references,
            part,
            predicted,
            qp: current.qp,
            max_vmv_r: slice.max_vmv_r,
        }
    }

    /// Predicts a part of the macroblock.
    fn predict(&mut self, slice: &Slice<'_>, current: Current, part: Part, ref_idx: u8, mv: Vector) {
        let reference = &slice.references[usize::from(ref_idx)];
        reference.luma(current.place, mv, part, &mut self.luma_pred);
        reference.chroma(current.place, mv, part, &mut self.chroma_pred);
    }

    /// The levels of what the prediction leaves; says `coded_block_pattern`.
    fn residual(&mut self, slice: &Slice<'_>, current: Current, decisions: &impl Decisions) -> u8 {
        let Current { at: [row, column], qp, .. } = current;
        let (size, at) = (slice.source.luma_size(), [16 * row, 16 * column]);
        let cur = Place { plane: slice.source.planes[0], size, at };
        let residual = &mut self.round.macroblock.residual;
        code_luma(cur, &self.luma_pred, slice.inter_quantisers.luma(qp), residual);
        let [_, cb, cr] = &slice.source.planes;
        let (size, at) = (slice.source.chroma_size(), [8 * row, 8 * column]);
        code_chroma(cb, cr, size, at, &self.chroma_pred, slice.inter_quantisers.chroma(qp), residual);
        if decisions.drops_few_levels() {
            drop_few(residual);
        }
        luma_pattern(residual) | chroma_pattern(residual) << 4
    }

    /// Skips the macroblock if that is worth a look and leaves nothing. Says whether it did.
    pub(super) fn skip_early(
        &mut self,
        slice: &mut Slice<'_>,
        current: Current,
        decisions: &mut impl Decisions,
    ) -> bool {
        let mv = Self::skipped(slice, current);
        let field = MotionField::new(current.at, current.available);
        let search = Self::search(slice, current, &field, Part::WHOLE);
        if !search.legal(mv) || !decisions.tries_skip(&search, mv) {
            return false;
        }
        self.predict(slice, current, Part::WHOLE, 0, mv);
        let nothing = self.residual(slice, current, decisions) == 0;
        if nothing {
            self.skip(slice, current, mv);
        }
        nothing
    }

    /// The shape that costs least, of those that are tried, whose motion is kept; and what it costs.
    pub(super) fn cheapest_shape(
        &mut self,
        slice: &mut Slice<'_>,
        current: Current,
        decisions: &mut impl Decisions,
    ) -> (u32, Shape) {
        const QUARTERS: Shape = Shape::Quarters([SubShape::Whole; 4]);
        let (mut best, mut whole, mut quarters) = ((u32::MAX, Shape::Whole), u32::MAX, u32::MAX);
        let mut near = None;
        for shape in [Shape::Whole, QUARTERS, Shape::Rows, Shape::Columns] {
            let more = decisions.shape_cost(shape, whole, quarters, current.qp);
            let mut cost = match more {
                Some(cost) => cost,
                None if shape == Shape::Whole => 0,
                None => continue,
            };
            let mut field = MotionField::new(current.at, current.available);
            let mut found = [None; 4];
            for ((part, ..), found) in shape.parts().zip(&mut found) {
                let mut search = Self::search(slice, current, &field, part);
                if let Some(mv) = near {
                    search.near[1] = mv;
                }
                let (ref_idx, mv) = decisions.motion(&search);
                cost = cost.saturating_add(decisions.inter_cost(&search, ref_idx, mv));
                field.store(&mut slice.tables, part, ref_idx as i8, mv);
                *found = Some((ref_idx, mv));
                if shape == Shape::Whole {
                    near = Some(mv);
                }
            }
            match shape {
                Shape::Whole => whole = cost,
                Shape::Quarters(_) => quarters = cost,
                _ => {}
            }
            if cost < best.0 || shape == Shape::Whole {
                best = (cost, shape);
                self.found = found;
            }
        }
        best
    }

    /// The samples of prediction and levels.
    fn reconstruct(&self, slice: &mut Slice<'_>, current: Current) {
        let Current { at: [row, column], qp, .. } = current;
        let residual = &self.round.macroblock.residual;
        let (size, at) = (slice.source.luma_size(), [16 * row, 16 * column]);
        let [luma, cb, cr] = &mut slice.recon.planes;
        reconstruct_luma(&self.luma_pred, slice.inter_quantisers.luma(qp), residual, luma, size, at);
        let (size, at) = (slice.source.chroma_size(), [8 * row, 8 * column]);
        reconstruct_chroma(&self.chroma_pred, slice.inter_quantisers.chroma(qp), residual, cb, cr, size, at);
    }

    /// Codes a macroblock that is predicted from other pictures.
    pub(super) fn inter_kind(
        &mut self,
        slice: &mut Slice<'_>,
        current: Current,
        kind: Kind,
        decisions: &mut impl Decisions,
    ) {
        if let Kind::Inter(shape) = kind {
            self.inter(slice, current, shape, decisions);
        } else {
            let mv = Self::skipped(slice, current);
            self.skip(slice, current, mv);
        }
    }
}
