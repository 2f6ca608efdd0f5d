//! Motion vectors, and what they are predicted to be (8.4.1).

use shim::prelude::*;

use crate::kernels::Vector;
use crate::kernels::inter::Part;
use crate::kernels::picture::PictureRows;

/// The motion of a block: `refIdxL0`, -1 of one that is not Inter predicted, and `mvL0`.
type Motion = (i8, Vector);

/// The motion of a macroblock as far as it is known, among that of its neighbors.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MotionField {
    /// The macroblock's first sample of luma.
    at: [isize; 2],
    /// The number of its slice.
    slice: u16,
    /// The 4x4 blocks whose motion is known, bit `4 y + x`.
    known: u16,
    /// The motion around the whole macroblock, which stays the same while its parts become known.
    whole: Neighbors,
}

impl MotionField {
    /// The field of a macroblock without neighbors: those of a slice without references have no motion.
    pub(crate) const fn without_neighbors([row, column]: [usize; 2], slice: u16) -> Self {
        Self { at: [16 * row as isize, 16 * column as isize], slice, known: 0, whole: Neighbors::NONE }
    }

    /// The field of a macroblock of which nothing is known.
    pub(crate) fn new(picture: &PictureRows<'_>, at: [usize; 2], slice: u16) -> Self {
        let mut field = Self::without_neighbors(at, slice);
        field.whole = field.neighbors_of(picture, Part::WHOLE);
        field
    }

    const fn place(&self, part: Part) -> Place<2> {
        let [y, x] = part.at;
        Place::new([self.at[0] + y as isize, self.at[1] + x as isize], part.size)
    }

    /// The motion around a part, which is the whole macroblock, or one of two or more parts.
    pub(crate) fn neighbors(&self, picture: &PictureRows<'_>, part: Part) -> Neighbors {
        if part == Part::WHOLE { self.whole } else { self.neighbors_of(picture, part) }
    }

    fn neighbors_of(&self, picture: &PictureRows<'_>, part: Part) -> Neighbors {
        let [a, b, c, d] = around(picture, self.place(part), self.slice, self.known);
        Neighbors { part, a, b, c, d }
    }

    /// The vector of `P_Skip` (8.4.1.1).
    pub(crate) fn skipped(&self) -> Vector {
        match (self.whole.a, self.whole.b) {
            (None | Some((0, [0, 0])), _) | (_, None | Some((0, [0, 0]))) => [0; 2],
            _ => self.whole.predicted(0),
        }
    }

    /// Stores the motion of a part.
    pub(crate) fn store(&mut self, picture: &mut PictureRows<'_>, part: Part, ref_idx: i8, mv: Vector) {
        let [high, wide] = part.size;
        store(picture, high, wide, self.place(part), ref_idx, mv);
        let ([y, x], [high, wide]) = (part.at.map(|n| n / 4), part.size.map(|n| n / 4));
        let row = ((1 << wide) - 1) << x;
        for y in y..y + high {
            self.known |= row << (4 * y);
        }
    }
}

/// Whether a block comes before the one that is coded, where its first sample is in row y and column x of the macroblock
/// (6.4.11.7): blocks of the macroblock do once they are known, those above it and at its left always, those at its right never.
#[inline]
fn precedes(known: u16, y: isize, x: isize) -> bool {
    y < 0 || x < 0 || x < 16 && known >> (y / 4 * 4 + x / 4) & 1 != 0
}

/// The motion of the block that covers a sample, if it is available; a template.
#[shim::kernel]
fn motion_at(mv: impl Tensor<Vector, 2>, ref_idx: impl Tensor<i8, 2>, y: isize, x: isize) -> Option<Motion> {
    mv.get([y, x]).map(|mv| (ref_idx[[y, x]], mv))
}

/// The motion of the blocks A, B, C and D around a part (6.4.11.7), of D only where C is not available: those that cover the samples
/// beside its first one, above that, above at the right of the part, and above at the left.
#[shim::kernel]
fn around(
    #[located] picture: &PictureRows<'_>,
    part: Place<2>,
    number: u16,
    known: u16,
) -> [Option<Motion>; 4] {
    let (slice, ref_idx) = (picture.tables.slice[part], picture.tables.reference[part]);
    let (y0, x0) = (part.origin(0) as isize & 15, part.origin(1) as isize & 15);
    let mv =
        picture.tables.mv[part].within(|[y, x]| slice[[y, x]] == number && precedes(known, y0 + y, x0 + x));
    let c = motion_at(mv, ref_idx, -1, part.extent(1) as isize);
    let d = if c.is_none() { motion_at(mv, ref_idx, -1, -1) } else { None };
    [motion_at(mv, ref_idx, 0, -1), motion_at(mv, ref_idx, -1, 0), c, d]
}

/// Stores the motion of a part for the 4x4 and 8x8 blocks that it covers.
#[shim::kernel]
fn store(
    #[located] picture: &mut PictureRows<'_>,
    #[specialize(4 | 8 | 16)] high: usize,
    #[specialize(4 | 8 | 16)] wide: usize,
    #[shape(high, wide)] part: Place<2>,
    new_ref_idx: i8,
    new_mv: Vector,
) {
    let (mv, ref_idx) = (picture.tables.mv.footprint(part), picture.tables.reference.footprint(part));
    let [y, x] = iters();
    mv[[y, x]] = new_mv;
    let [y, x] = iters();
    ref_idx[[y, x]] = new_ref_idx;
}

/// Vectors of the picture before: of a macroblock, and of those at its right and below, or its own where there is none. They are in the tables
/// until the macroblocks are coded.
#[shim::kernel]
pub(crate) fn collocated(
    #[located] picture: &PictureRows<'_>,
    #[shape(16, 16)] macroblock: Place<2>,
) -> [Vector; 3] {
    let mv = picture.tables.mv[macroblock];
    let own = mv[[4, 4]];
    [own, mv.get([4, 20]).unwrap_or(own), mv.get([20, 4]).unwrap_or(own)]
}

/// Whether one of these has another picture than the nearest.
#[shim::kernel]
pub(crate) fn collocated_farther(
    #[located] picture: &PictureRows<'_>,
    #[shape(16, 16)] macroblock: Place<2>,
) -> bool {
    let ref_idx = picture.tables.reference[macroblock];
    let is_farther = |ref_idx: i8| ref_idx > 0;
    is_farther(ref_idx[[0, 0]])
        || ref_idx.get([0, 16]).is_some_and(is_farther)
        || ref_idx.get([16, 0]).is_some_and(is_farther)
}

/// The motion of the blocks A, B and C around a part, and of D where C is not available (6.4.11.7).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Neighbors {
    part: Part,
    a: Option<Motion>,
    b: Option<Motion>,
    c: Option<Motion>,
    d: Option<Motion>,
}

impl Neighbors {
    /// None of the macroblock is available.
    const NONE: Self = Self { part: Part::WHOLE, a: None, b: None, c: None, d: None };

    /// `mvpLX` (8.4.1.3) of the part.
    pub(crate) fn predicted(&self, ref_idx: u8) -> Vector {
        let ref_idx = ref_idx as i8;
        // (8-214): D in place of a C that is not available.
        let (a, b, c) = (self.a, self.b, self.c.or(self.d));
        let same = |motion: Option<Motion>| motion.filter(|motion| motion.0 == ref_idx);
        // 16x8 and 8x16 (8.4.1.3).
        let directed = match (self.part.size, self.part.at) {
            ([8, 16], [0, _]) => same(b),
            ([8, 16], _) | ([16, 8], [_, 0]) => same(a),
            ([16, 8], _) => same(c),
            _ => None,
        };
        if let Some((_, mv)) = directed {
            return mv;
        }
        // 8.4.1.3.1: only A is available.
        if let (Some((_, mv)), None, None) = (a, b, c) {
            return mv;
        }
        let mut equal = [a, b, c].into_iter().filter_map(same);
        if let (Some((_, mv)), None) = (equal.next(), equal.next()) {
            return mv;
        }
        let [a, b, c] = [a, b, c].map(|motion| motion.map_or([0; 2], |motion| motion.1));
        core::array::from_fn(|i| median(a[i], b[i], c[i]))
    }

    /// Whether one of them has another picture than the nearest.
    pub(crate) fn farther(&self) -> bool {
        [self.a, self.b, self.c, self.d].iter().flatten().any(|there| there.0 > 0)
    }

    /// The vectors at the left, above, and above at the right of the part, or none.
    pub(crate) fn near(&self) -> [Vector; 3] {
        [self.a, self.b, self.c].map(|there| there.map_or([0; 2], |there| there.1))
    }
}

/// The one in the middle.
fn median(a: i16, b: i16, c: i16) -> i16 {
    a.max(b).min(a.min(b).max(c))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels::picture::{Picture, Tables};
    use crate::kernels::testing::Random;

    /// The motion at a sample by 6.4.11.7, with no location: `mbAddrN` from the row and the column, then whether it is available.
    fn at(
        tables: &Tables,
        [row, column]: [usize; 2],
        number: u16,
        known: u16,
        [y, x]: [isize; 2],
    ) -> Option<Motion> {
        let [y, x] = [16 * row as isize + y, 16 * column as isize + x];
        let [high, wide] = [16 * tables.mbs_high as isize, 16 * tables.mbs_wide as isize];
        if y < 0 || x < 0 || y >= high || x >= wide {
            return None;
        }
        let [y, x] = [y as usize, x as usize];
        let there = [y / 16, x / 16];
        let block = y % 16 / 4 * 4 + x % 16 / 4;
        let before = there < [row, column] || there == [row, column] && known >> block & 1 != 0;
        let same = tables.slice[there[0] * tables.mbs_wide + there[1]] == number;
        let motion = (
            tables.reference[y / 8 * 2 * tables.mbs_wide + x / 8],
            tables.mv[y / 4 * 4 * tables.mbs_wide + x / 4],
        );
        (before && same).then_some(motion)
    }

    fn noise(tables: &mut Tables, random: &mut Random) {
        tables.slice.fill_with(|| random.within(0, 2) as u16);
        tables.reference.fill_with(|| random.within(-1, 2) as i8);
        tables.mv.fill_with(|| [0; 2].map(|_| random.within(-50, 49) as i16));
    }

    #[test]
    fn motion_around_parts_is_that_of_their_neighbors() {
        let mut random = Random::new(17);
        for mbs in [[1, 1], [1, 4], [3, 1], [3, 4]] {
            let mut whole = Picture::new(mbs);
            for _ in 0..200 {
                noise(&mut whole.tables, &mut random);
                let tables = &whole.tables.clone();
                let rows = &whole.rows(0..mbs[0]);
                let place = mbs.map(|n| random.within(0, n as i32 - 1) as usize);
                let number = tables.slice[place[0] * mbs[1] + place[1]];
                let mut field = MotionField::new(rows, place, number);
                field.known = random.bits() as u16;
                let size = [0; 2].map(|_| 4 << random.within(0, 2));
                let part = Part {
                    at: size.map(|side| side * random.within(0, 16 / side as i32 - 1) as usize),
                    size,
                };
                let of = |y: isize, x: isize| {
                    let [top, left] = part.at.map(|n| n as isize);
                    at(tables, place, number, field.known, [top + y, left + x])
                };
                let found = field.neighbors(rows, part);
                let c = of(-1, size[1] as isize);
                let d = if c.is_none() { of(-1, -1) } else { None };
                assert_eq!([found.a, found.b, found.c, found.d], [of(0, -1), of(-1, 0), c, d], "{part:?}");
            }
        }
    }

    #[test]
    fn motion_is_stored_for_the_blocks_of_a_part() {
        let mut random = Random::new(18);
        let mbs = [2, 3];
        for high in [4, 8, 16] {
            for wide in [4, 8, 16] {
                let mut whole = Picture::new(mbs);
                noise(&mut whole.tables, &mut random);
                let mut wanted = (whole.tables.mv.clone(), whole.tables.reference.clone());
                let rows = &mut whole.rows(0..mbs[0]);
                let part = Part { at: [16 - high, 16 - wide], size: [high, wide] };
                for y in (32 - high)..32 {
                    for x in (32 - wide)..32 {
                        wanted.0[y / 4 * 12 + x / 4] = [7, -8];
                        wanted.1[y / 8 * 6 + x / 8] = 3;
                    }
                }
                let mut field = MotionField::new(rows, [1, 1], 1);
                field.store(rows, part, 3, [7, -8]);
                assert_eq!((whole.tables.mv.clone(), whole.tables.reference.clone()), wanted, "{part:?}");
                let known = |y: usize, x: usize| field.known >> (4 * y + x) & 1 != 0;
                for y in 0..4 {
                    for x in 0..4 {
                        assert_eq!(known(y, x), 4 * y >= 16 - high && 4 * x >= 16 - wide);
                    }
                }
            }
        }
    }
}
