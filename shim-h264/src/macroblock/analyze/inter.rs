//! Motion search: the shape of a macroblock and the motion of its parts.

use core::ops::Range;

use crate::decide::{MbPartition, Motion, Motions, Search, SubMbPartition};
use crate::entropy::EntropyCoder;
use crate::kernels::inter::Part;
use crate::macroblock::coder::{Current, MacroblockCoder, Slice};
use crate::macroblock::motion::{Collocated, FoundLast, MotionField, Prediction, collocated};

/// The shape and the motion of a macroblock, and their cost.
pub(super) type Found = (u32, MbPartition, Motions);

impl<E: EntropyCoder> MacroblockCoder<E> {
    /// Searches the motion of the macroblock in a shape; of 8x8 blocks also the division. The cost is without that of
    /// the shape.
    pub(super) fn motions(&mut self, slice: &Slice<'_>, current: &Current, shape: MbPartition) -> Found {
        let mut field = current.motion(slice);
        let (size, count) = shape.parts();
        let (mut cost, mut motions, mut subs) = (0_u32, Motions::default(), [SubMbPartition::P8x8; 4]);
        let mut vectors = slice.most_vectors - count;
        for number in 0..count {
            let outer = Part::WHOLE.divided(size, number);
            let search = Self::search(slice, current, &field, self.found_last, outer, all(slice));
            let (undivided, mut best) = self.analysis.motion(&search);
            let mut own = [undivided; 4];
            if let MbPartition::P8x8(_) = shape {
                for sub in [SubMbPartition::P8x4, SubMbPartition::P4x8, SubMbPartition::P4x4] {
                    let more = self.analysis.sub_shape_cost(sub, best, current.qp);
                    let Some(mut cost) = more.filter(|_| sub.count() - 1 <= vectors) else { continue };
                    let (mut field, mut divided) = (field, own);
                    for (k, motion) in divided.iter_mut().enumerate().take(sub.count()) {
                        let part = outer.divided(sub.size(size), k);
                        let asked = only(undivided);
                        let mut search = Self::search(slice, current, &field, self.found_last, part, asked);
                        search.near[1] = undivided.mv;
                        let (found, more) = self.analysis.motion(&search);
                        *motion = found;
                        cost = cost.saturating_add(more);
                        field.set(part, motion.ref_idx as i8, motion.mv);
                        self.found_last.set(part, motion.ref_idx, motion.mv);
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
                // No prediction follows the last partition.
                if number + 1 < count {
                    field.set(part, motion.ref_idx as i8, motion.mv);
                }
                self.found_last.set(part, motion.ref_idx, motion.mv);
            }
        }
        let shape = if let MbPartition::P8x8(_) = shape { MbPartition::P8x8(subs) } else { shape };
        (cost, shape, motions)
    }

    /// Searches the motion of the undivided macroblock.
    pub(super) fn whole(&mut self, slice: &Slice<'_>, current: &Current) -> Found {
        let more = self.analysis.shape_cost(MbPartition::P16x16, u32::MAX, current.qp).unwrap_or(0);
        let mut whole = self.motions(slice, current, MbPartition::P16x16);
        whole.0 = whole.0.saturating_add(more);
        whole
    }

    /// Searches the shapes that are worth trying, and returns the cheapest of them and the undivided macroblock; `each`
    /// is given all.
    pub(super) fn cheapest_shape(
        &mut self,
        slice: &Slice<'_>,
        current: &Current,
        whole: Found,
        mut each: impl FnMut(&Found),
    ) -> Found {
        const QUARTERS: MbPartition = MbPartition::P8x8([SubMbPartition::P8x8; 4]);
        let mut best = whole;
        each(&best);
        let whole = best.0;
        for shape in [QUARTERS, MbPartition::P16x8, MbPartition::P8x16] {
            let Some(more) = self.analysis.shape_cost(shape, whole, current.qp) else { continue };
            let mut found = self.motions(slice, current, shape);
            found.0 = found.0.saturating_add(more);
            each(&found);
            if found.0 < best.0 {
                best = found;
            }
        }
        best
    }

    /// The search for the motion of a part in some of the reference pictures.
    fn search<'p>(
        slice: &Slice<'p>,
        current: &Current,
        field: &MotionField,
        found: FoundLast,
        part: Part,
        asked: Range<u8>,
    ) -> Search<'p> {
        let Prediction { mvp: predicted, near, farther, .. } =
            current.predict(slice, field, part, asked.clone());
        let Collocated { mvs, farther: farther_before } =
            slice.reference(0).motion(current.at[0], |before| collocated(before, current.place, found));
        Search {
            near,
            farther: farther || farther_before,
            collocated: mvs,
            guide: slice.guide,
            source: slice.source,
            place: part.place(current.place),
            macroblock: current.at,
            references: slice.references,
            asked,
            part,
            predicted,
            qp: current.qp,
            max_vmv_r: slice.max_vmv_r,
        }
    }
}

/// All reference pictures.
const fn all(slice: &Slice<'_>) -> Range<u8> {
    0..slice.references.len() as u8
}

/// The reference picture of a part.
const fn only(motion: Motion) -> Range<u8> {
    motion.ref_idx..motion.ref_idx + 1
}
