//! Motion vectors, and what they are predicted to be (8.4.1).

use core::ops::Range;

use shim::prelude::*;

use crate::kernels::Vector;
use crate::kernels::inter::Part;
use crate::kernels::picture::{MotionBefore, PictureRows, ReferenceView};

/// The motion of a block: `refIdxL0`, -1 of one that is not Inter predicted, and `mvL0`.
type Motion = (i8, Vector);

/// The motion of a macroblock's own 4x4 blocks, as far as it is known. That of other macroblocks is in the tables of
/// the picture.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MotionField {
    /// The samples of the macroblock.
    macroblock: Place<2>,
    /// The number of its slice.
    slice: u16,
    /// `mvL0` and `refIdxL0` of each block, `[4, 4]`, of which the latter is [`UNKNOWN`] until they are.
    mv: [Vector; 16],
    ref_idx: [i8; 16],
}

/// `refIdxL0` of a block whose motion is not known yet.
const UNKNOWN: i8 = i8::MIN;

/// What is predicted of the motion of a part from that around it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Prediction {
    /// `mvpLX` (8.4.1.3), by `refIdxLX`.
    pub(crate) mvp: [Vector; 16],
    /// The vector of `P_Skip` (8.4.1.1), if the part is the whole macroblock.
    pub(crate) skip: Vector,
    /// The vectors at the left, above, and above at the right, or none.
    pub(crate) near: [Vector; 3],
    /// Whether one of those around has another picture than the nearest.
    pub(crate) farther: bool,
}

impl Prediction {
    /// Nothing is around.
    pub(crate) const NONE: Self = Self { mvp: [[0; 2]; 16], skip: [0; 2], near: [[0; 2]; 3], farther: false };
}

impl MotionField {
    /// The field of a macroblock of which nothing is known, in the slice of this number.
    pub(crate) const fn new(macroblock: Place<2>, slice: u16) -> Self {
        Self { macroblock, slice, mv: [[0; 2]; 16], ref_idx: [UNKNOWN; 16] }
    }

    /// The prediction of the motion of a part from these pictures.
    pub(crate) fn predict(&self, picture: &PictureRows<'_>, part: Part, ref_idxs: Range<u8>) -> Prediction {
        predict(picture, self, self.macroblock, part.place(self.macroblock), ref_idxs)
    }

    /// Sets the motion of a part.
    pub(crate) fn set(&mut self, part: Part, ref_idx: i8, mv: Vector) {
        let (macroblock, [high, wide]) = (self.macroblock, part.size);
        let place = part.place(macroblock);
        set(self, macroblock, high, wide, place, ref_idx, mv);
    }

    /// Stores the motion of the macroblock, all of which is known.
    pub(crate) fn store(&self, picture: &mut PictureRows<'_>) {
        store(picture, self.macroblock, self);
    }
}

/// Sets the motion of the blocks that a part covers.
#[shim::kernel]
fn set(
    field: &mut MotionField,
    #[shape(16, 16)] macroblock: Place<2>,
    #[specialize(4 | 8 | 16)] high: usize,
    #[specialize(4 | 8 | 16)] wide: usize,
    #[shape(high, wide)] part: Place<2>,
    new_ref_idx: i8,
    new_mv: Vector,
) {
    let mv = Block::external(&mut field.mv, [4, 4]).coarsened([4, 4]).at(macroblock).footprint(part);
    let [y, x] = iters();
    mv[[y, x]] = new_mv;
    let ref_idx =
        Block::external(&mut field.ref_idx, [4, 4]).coarsened([4, 4]).at(macroblock).footprint(part);
    let [y, x] = iters();
    ref_idx[[y, x]] = new_ref_idx;
}

/// Stores the motion of a macroblock for its 4x4 and 8x8 blocks.
#[shim::kernel]
fn store(
    #[located] picture: &mut PictureRows<'_>,
    #[shape(16, 16)] macroblock: Place<2>,
    field: &MotionField,
) {
    let own_mv = Block::external(&field.mv, [4, 4]);
    let mv = picture.tables.mv.footprint(macroblock);
    let [y, x] = iters();
    mv[[y, x]] = own_mv[[y, x]];
    let own_ref_idx = Block::external(&field.ref_idx, [4, 4]);
    let ref_idx = picture.tables.reference.footprint(macroblock);
    let [y, x] = iters();
    ref_idx[[y, x]] = own_ref_idx[[2 * y, 2 * x]];
}

/// The motion of the block that covers a sample beside a part, if it is available: in the macroblock if it is known, in
/// another one by the tables; a template.
#[shim::kernel]
fn motion_at(
    own_mv: impl Tensor<Vector, 2>,
    own_ref_idx: impl Tensor<i8, 2>,
    mv: impl Tensor<Vector, 2>,
    ref_idx: impl Tensor<i8, 2>,
    y: isize,
    x: isize,
) -> Option<Motion> {
    match own_ref_idx.get([y, x]) {
        Some(UNKNOWN) => None,
        Some(own) => Some((own, own_mv[[y, x]])),
        None => mv.get([y, x]).map(|mv| (ref_idx[[y, x]], mv)),
    }
}

/// Predicts the motion of a part from that of the blocks A, B and C around it, and of D where C is not available
/// (6.4.11.7): those that cover the samples beside its first one, above that, above at the right of the part, and above
/// at the left.
#[shim::kernel]
fn predict(
    #[located] picture: &PictureRows<'_>,
    field: &MotionField,
    #[shape(16, 16)] macroblock: Place<2>,
    part: Place<2>,
    ref_idxs: Range<u8>,
) -> Prediction {
    let number = field.slice;
    let own_mv = Block::external(&field.mv, [4, 4]).coarsened([4, 4]).at(macroblock)[part];
    let own_ref_idx = Block::external(&field.ref_idx, [4, 4]).coarsened([4, 4]).at(macroblock)[part];
    let (slice, ref_idx) = (picture.tables.slice[part], picture.tables.reference[part]);
    let (y0, x0) = (part.origin_in(macroblock, 0), part.origin_in(macroblock, 1));
    // Macroblocks at the right are decoded later.
    let mv = picture.tables.mv[part].within(|[y, x]| slice[[y, x]] == number && (y0 + y < 0 || x0 + x < 0));
    let (high, wide) = (part.extent(0), part.extent(1));
    let a = motion_at(own_mv, own_ref_idx, mv, ref_idx, 0, -1);
    let b = motion_at(own_mv, own_ref_idx, mv, ref_idx, -1, 0);
    let c = motion_at(own_mv, own_ref_idx, mv, ref_idx, -1, wide as isize);
    let d = if c.is_none() { motion_at(own_mv, own_ref_idx, mv, ref_idx, -1, -1) } else { None };
    let farther = [a, b, c, d].iter().flatten().any(|there| there.0 > 0);
    let mv_of = |there: Option<Motion>| there.map_or([0; 2], |there| there.1);
    let near = [mv_of(a), mv_of(b), mv_of(c)];
    // (8-214): D in place of a C that is not available.
    let c = c.or(d);
    let mut mvp = [[0; 2]; 16];
    let (mv_a, mv_b, mv_c) = (mv_of(a), mv_of(b), mv_of(c));
    // (8-212), (8-213)
    let in_the_middle = [median(mv_a[0], mv_b[0], mv_c[0]), median(mv_a[1], mv_b[1], mv_c[1])];
    for k in ref_idxs {
        let same = |there: Option<Motion>| there.filter(|there| there.0 == k as i8);
        // 16x8 and 8x16 (8.4.1.3).
        let directed = if high == 8 && wide == 16 {
            if y0 == 0 { same(b) } else { same(a) }
        } else if high == 16 && wide == 8 {
            if x0 == 0 { same(a) } else { same(c) }
        } else {
            None
        };
        // 8.4.1.3.1: only A is available, or only one of them has this picture.
        mvp[usize::from(k)] = match (directed, (a, b, c), [same(a), same(b), same(c)]) {
            (Some((_, mv)), ..)
            | (None, (Some((_, mv)), None, None), _)
            | (
                None,
                _,
                [Some((_, mv)), None, None] | [None, Some((_, mv)), None] | [None, None, Some((_, mv))],
            ) => mv,
            _ => in_the_middle,
        };
    }
    let rests = |there: Option<Motion>| matches!(there, None | Some((0, [0, 0])));
    let skip = if rests(a) || rests(b) { [0; 2] } else { mvp[0] };
    Prediction { mvp, skip, near, farther }
}

/// `Median(x, y, z)` (5.7).
#[inline]
fn median(x: i16, y: i16, z: i16) -> i16 {
    x.max(y).min(x.min(y).max(z))
}

/// What the picture before has for a macroblock, and for those at its right and below, or its own where there is none.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Collocated {
    /// Vectors.
    pub(crate) mvs: [Vector; 3],
    /// Whether one of them has another picture than the nearest.
    pub(crate) farther: bool,
}

/// What the picture before has for a macroblock and those around; what was found for it since is in the place of its own.
#[shim::kernel]
pub(crate) fn collocated(
    #[located] before: &ReferenceView<'_>,
    #[shape(16, 16)] macroblock: Place<2>,
    found: FoundLast,
) -> Collocated {
    let motion = before.motion.footprint(macroblock);
    let own = motion[[0, 0]];
    let own = MotionBefore { mv: found.mv.unwrap_or(own.mv), farther: found.farther.unwrap_or(own.farther) };
    let (right, below) = (motion.get([0, 1]).unwrap_or(own), motion.get([1, 0]).unwrap_or(own));
    Collocated { mvs: [own.mv, right.mv, below.mv], farther: own.farther || right.farther || below.farther }
}

/// The motion that was found last for a macroblock: a search for another shape begins with it in the place of what the
/// picture before has.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct FoundLast {
    /// The vector of the block in row 1 and column 1.
    pub(crate) mv: Option<Vector>,
    /// Whether the first block of 8x8 has another picture than the nearest.
    pub(crate) farther: Option<bool>,
}

impl FoundLast {
    /// Takes the motion of a part.
    pub(crate) const fn set(&mut self, part: Part, ref_idx: u8, mv: Vector) {
        let ([y, x], [high, wide]) = (part.at, part.size);
        if y <= 4 && 4 < y + high && x <= 4 && 4 < x + wide {
            self.mv = Some(mv);
        }
        if y < 8 && x < 8 {
            self.farther = Some(ref_idx > 0);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::vec::Vec;

    use super::*;
    use crate::kernels::macroblock_at;
    use crate::kernels::picture::{Picture, Tables};
    use crate::kernels::testing::Random;

    /// The motion at a sample by 6.4.11.7, with no location: `mbAddrN` from the row and the column, then whether it is
    /// available.
    fn at(
        tables: &Tables,
        [row, column]: [usize; 2],
        number: u16,
        field: &MotionField,
        [y, x]: [isize; 2],
    ) -> Option<Motion> {
        let [y, x] = [16 * row as isize + y, 16 * column as isize + x];
        let [high, wide] = [16 * tables.mbs_high as isize, 16 * tables.mbs_wide as isize];
        if y < 0 || x < 0 || y >= high || x >= wide {
            return None;
        }
        let [y, x] = [y as usize, x as usize];
        let there = [y / 16, x / 16];
        if there == [row, column] {
            let block = y % 16 / 4 * 4 + x % 16 / 4;
            let motion = (field.ref_idx[block], field.mv[block]);
            return (motion.0 != UNKNOWN).then_some(motion);
        }
        let same = tables.slice[there[0] * tables.mbs_wide + there[1]] == number;
        let motion = (
            tables.reference[y / 8 * 2 * tables.mbs_wide + x / 8],
            tables.mv[y / 4 * 4 * tables.mbs_wide + x / 4],
        );
        (there < [row, column] && same).then_some(motion)
    }

    /// `mvpLX` by 8.4.1.3, from `mvLXN` and `refIdxLXN`, which are 0 and -1 of what is not available.
    fn mvp(part: Part, ref_idx: i8, [a, b, c, d]: [Option<Motion>; 4]) -> Vector {
        let c = if c.is_some() { c } else { d };
        let mut refs = [a, b, c].map(|n| n.map_or(-1, |n| n.0));
        let mut mvs = [a, b, c].map(|n| n.map_or([0; 2], |n| n.1));
        match (part.size, part.at) {
            ([8, 16], [0, 0]) if refs[1] == ref_idx => return mvs[1],
            ([8, 16], [8, 0]) | ([16, 8], [0, 0]) if refs[0] == ref_idx => return mvs[0],
            ([16, 8], [0, 8]) if refs[2] == ref_idx => return mvs[2],
            _ => {}
        }
        if b.is_none() && c.is_none() && a.is_some() {
            (refs, mvs) = ([refs[0]; 3], [mvs[0]; 3]);
        }
        let equal: Vec<usize> = (0..3).filter(|&n| refs[n] == ref_idx).collect();
        if let [one] = equal[..] {
            return mvs[one];
        }
        std::array::from_fn(|i| {
            let mut of = mvs.map(|mv| mv[i]);
            of.sort_unstable();
            of[1]
        })
    }

    fn noise(tables: &mut Tables, random: &mut Random) {
        tables.slice.fill_with(|| random.within(0, 2) as u16);
        tables.reference.fill_with(|| random.within(-1, 2) as i8);
        tables.mv.fill_with(|| [0; 2].map(|_| random.within(-2, 2) as i16));
    }

    #[test]
    fn motion_is_predicted_from_that_of_the_neighbors() {
        let mut random = Random::new(17);
        for mbs in [[1, 1], [1, 4], [3, 1], [3, 4]] {
            let mut whole = Picture::new(mbs);
            for _ in 0..400 {
                noise(&mut whole.tables, &mut random);
                let tables = &whole.tables.clone();
                let rows = &whole.rows(0..mbs[0]);
                let place = mbs.map(|n| random.within(0, n as i32 - 1) as usize);
                let number = tables.slice[place[0] * mbs[1] + place[1]];
                let mut field = MotionField::new(macroblock_at(place), number);
                field.mv.fill_with(|| [0; 2].map(|_| random.within(-2, 2) as i16));
                field.ref_idx.fill_with(|| [0, 1, 2, UNKNOWN, UNKNOWN][random.within(0, 4) as usize]);
                let size = [0; 2].map(|_| 4 << random.within(0, 2));
                let part = Part {
                    at: size.map(|side| side * random.within(0, 16 / side as i32 - 1) as usize),
                    size,
                };
                let of = |y: isize, x: isize| {
                    let [top, left] = part.at.map(|n| n as isize);
                    at(tables, place, number, &field, [top + y, left + x])
                };
                let found = field.predict(rows, part, 0..3);
                let c = of(-1, size[1] as isize);
                let d = if c.is_none() { of(-1, -1) } else { None };
                let [a, b] = [of(0, -1), of(-1, 0)];
                let wanted = [0, 1, 2].map(|ref_idx| mvp(part, ref_idx, [a, b, c, d]));
                assert_eq!(found.mvp[..3], wanted, "{part:?} beside {a:?}, {b:?}, {c:?}, {d:?}");
                assert_eq!(found.near, [a, b, c].map(|n| n.map_or([0; 2], |n| n.1)));
                assert_eq!(found.farther, [a, b, c, d].into_iter().flatten().any(|n| n.0 > 0));
                // (8.4.1.1)
                let rests = |n: Option<Motion>| n.is_none_or(|n| n == (0, [0; 2]));
                assert_eq!(found.skip, if rests(a) || rests(b) { [0; 2] } else { wanted[0] });
            }
        }
    }

    #[test]
    fn motion_is_stored_for_the_blocks_of_parts() {
        let (mut random, mbs) = (Random::new(18), [2, 3]);
        let mut whole = Picture::new(mbs);
        noise(&mut whole.tables, &mut random);
        let mut wanted = (whole.tables.mv.clone(), whole.tables.reference.clone());
        let mut field = MotionField::new(macroblock_at([1, 1]), 1);
        for (part, motion) in [
            (Part { at: [0, 0], size: [8, 16] }, (3, [7, -8])),
            (Part { at: [8, 0], size: [8, 8] }, (1, [1, 2])),
            (Part { at: [8, 8], size: [4, 8] }, (0, [3, 4])),
            (Part { at: [12, 8], size: [4, 4] }, (0, [5, 6])),
            (Part { at: [12, 12], size: [4, 4] }, (0, [-5, -6])),
        ] {
            field.set(part, motion.0, motion.1);
            for y in (16 + part.at[0]..).take(part.size[0]) {
                for x in (16 + part.at[1]..).take(part.size[1]) {
                    wanted.0[y / 4 * 12 + x / 4] = motion.1;
                    wanted.1[y / 8 * 6 + x / 8] = motion.0;
                }
            }
        }
        assert!(field.ref_idx.iter().all(|&ref_idx| ref_idx != UNKNOWN));
        field.store(&mut whole.rows(1..2));
        assert_eq!((whole.tables.mv, whole.tables.reference), wanted);
    }
}
