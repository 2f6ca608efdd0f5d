//! Motion vectors, and what they are predicted to be (8.4.1).

use crate::kernels::inter::Part;
use crate::kernels::intra::Available;
use crate::picture::TableRows;

/// A motion vector, to the right and down, in quarters of a sample.
pub(crate) type Vector = [i16; 2];

/// The motion of a block: `refIdxL0`, -1 of one that is not Inter predicted, and `mvL0`.
type Motion = (i8, Vector);

/// The motion of a macroblock as far as it is known, among that of its neighbors.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MotionField {
    /// Row and column of the macroblock.
    at: [usize; 2],
    available: Available,
    /// The 4x4 blocks whose motion is known, bit `4 y + x`.
    known: u16,
}

impl MotionField {
    /// The field of a macroblock of which nothing is known.
    pub(crate) const fn new(at: [usize; 2], available: Available) -> Self {
        Self { at, available, known: 0 }
    }

    /// The motion at a 4x4 block, from the macroblock's first; none if it is not available, or comes later (6.4.11.7).
    fn of(&self, tables: &TableRows<'_>, y: isize, x: isize) -> Option<Motion> {
        let there = match (y, x) {
            (..0, ..0) => self.available.d,
            (..0, 4..) => self.available.c,
            (..0, _) => self.available.b,
            (_, ..0) => self.available.a,
            (_, 4..) => false,
            (y, x) => self.known >> (4 * y + x) & 1 != 0,
        };
        let place = |factor: usize, shift: u32| {
            let row = (4 * self.at[0]).wrapping_add_signed(y) >> shift;
            let column = (4 * self.at[1]).wrapping_add_signed(x) >> shift;
            row * factor * tables.mbs[1] + column
        };
        there.then(|| (tables.reference[place(2, 1)], tables.mv[place(4, 0)]))
    }

    /// The motion around a part, which stands alone, or is one of two or more in the macroblock.
    pub(crate) fn neighbors(&self, tables: &TableRows<'_>, part: Part) -> Neighbors {
        let [y, x] = part.at.map(|n| n as isize / 4);
        let wide = part.size[1] as isize / 4;
        let (a, b) = (self.of(tables, y, x - 1), self.of(tables, y - 1, x));
        let c = self.of(tables, y - 1, x + wide);
        let d = if c.is_none() { self.of(tables, y - 1, x - 1) } else { None };
        Neighbors { part, a, b, c, d }
    }

    /// Vectors of the picture before: of the macroblock itself, and of those at its right and below. They stand in the tables until
    /// the macroblocks are coded.
    pub(crate) fn collocated(tables: &TableRows<'_>, [row, column]: [usize; 2]) -> [Vector; 3] {
        let [high, wide] = tables.mbs;
        let of = |row: usize, column: usize| {
            let [row, column] = [row.min(high - 1), column.min(wide - 1)];
            tables.mv[(4 * row + 1) * 4 * wide + 4 * column + 1]
        };
        [of(row, column), of(row, column + 1), of(row + 1, column)]
    }

    /// Whether one of these has another picture than the nearest.
    pub(crate) fn collocated_farther(tables: &TableRows<'_>, [row, column]: [usize; 2]) -> bool {
        let [high, wide] = tables.mbs;
        let of = |row: usize, column: usize| {
            let [row, column] = [row.min(high - 1), column.min(wide - 1)];
            tables.reference[2 * row * 2 * wide + 2 * column] > 0
        };
        of(row, column) || of(row, column + 1) || of(row + 1, column)
    }

    /// The vector of `P_Skip` (8.4.1.1).
    pub(crate) fn skipped(&self, tables: &TableRows<'_>) -> Vector {
        match (self.of(tables, 0, -1), self.of(tables, -1, 0)) {
            (None | Some((0, [0, 0])), _) | (_, None | Some((0, [0, 0]))) => [0; 2],
            _ => self.neighbors(tables, Part::WHOLE).predicted(0),
        }
    }

    /// Stores the motion of a part.
    pub(crate) fn store(&mut self, tables: &mut TableRows<'_>, part: Part, ref_idx: i8, mv: Vector) {
        match part.size[1] {
            16 => self.store_rows::<4>(tables, part, ref_idx, mv),
            8 => self.store_rows::<2>(tables, part, ref_idx, mv),
            _ => self.store_rows::<1>(tables, part, ref_idx, mv),
        }
    }

    /// The same for a part of `WIDE` 4x4 blocks in a row.
    fn store_rows<const WIDE: usize>(
        &mut self,
        tables: &mut TableRows<'_>,
        part: Part,
        ref_idx: i8,
        mv: Vector,
    ) {
        let ([y, x], high) = (part.at.map(|n| n / 4), part.size[0] / 4);
        let stride = 4 * tables.mbs[1];
        let first = (4 * self.at[0] + y) * stride + 4 * self.at[1] + x;
        for row in tables.mv[first..].chunks_mut(stride).take(high) {
            row[..WIDE].copy_from_slice(&[mv; WIDE]);
        }
        let (first, wide) =
            ((2 * self.at[0] + y / 2) * stride / 2 + 2 * self.at[1] + x / 2, WIDE.div_ceil(2));
        for row in tables.reference[first..].chunks_mut(stride / 2).take(high.div_ceil(2)) {
            row[..wide].fill(ref_idx);
        }
        let row = ((1 << WIDE) - 1) << x;
        for y in y..y + high {
            self.known |= row << (4 * y);
        }
    }
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
