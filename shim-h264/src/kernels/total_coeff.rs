//! `total_coeff` of the blocks of a picture, and nC (9.2.1).

use shim::prelude::*;

use super::codes::TOKEN_TABLE;
use super::picture::TableRows;

/// `total_coeff` of a macroblock's blocks of one component, 0 until they are set, and of the available blocks at the
/// left and above: that of the block in row y and column x is `counts[y + 1][x + 1]`.
#[derive(Clone, Copy, Debug)]
pub struct Near<const N: usize> {
    pub(super) counts: [[u8; N]; N],
    pub(super) left: bool,
    pub(super) above: bool,
}

impl<const N: usize> Near<N> {
    /// No block is counted, and none is available.
    pub const NONE: Self = Self { counts: [[0; N]; N], left: false, above: false };

    /// nC of the block in row y and column x (9.2.1): the mean of nA and nB, or the one that is available.
    #[inline]
    #[must_use]
    pub const fn n_c(&self, y: usize, x: usize) -> u8 {
        let sum = self.counts[y + 1][x] + self.counts[y][x + 1];
        let both = ((self.left || x > 0) && (self.above || y > 0)) as u8;
        (sum + both) >> both
    }

    /// The column of Table 9-5 for the block in row y and column x.
    #[inline]
    #[must_use]
    pub const fn token_table(&self, y: usize, x: usize) -> usize {
        TOKEN_TABLE[self.n_c(y, x) as usize] as usize
    }

    /// Sets `total_coeff` of the block in row y and column x.
    #[inline]
    pub const fn set(&mut self, y: usize, x: usize, total_coeff: u8) {
        self.counts[y + 1][x + 1] = total_coeff;
    }
}

/// The counts around a macroblock, of which no block is counted yet; a template. `counts` and `slice` begin at the
/// macroblock.
#[shim::kernel]
pub(crate) fn near<const N: usize>(counts: impl Tensor<u8, 2>, slice: impl Tensor<u16, 2>) -> Near<N> {
    let number = slice[[0, 0]];
    let available = slice.within(|p| slice[p] == number);
    let (left, above) = (available.contains([0, -1]), available.contains([-1, 0]));
    let mut near = Near { counts: [[0; N]; N], left, above };
    if left {
        for y in 0..N - 1 {
            near.counts[y + 1][0] = counts[[y, -1]];
        }
    }
    if above {
        for x in 0..N - 1 {
            near.counts[0][x + 1] = counts[[-1, x]];
        }
    }
    near
}

/// The counts of luma around a macroblock; a neighbor of another slice is not available (6.4.9).
#[shim::kernel]
pub fn near_luma(#[located] tables: &TableRows<'_>, #[shape(16, 16)] macroblock: Place<2>) -> Near<5> {
    let slice = tables.slice[macroblock].coarsen([16, 16]);
    near::<5>(tables.luma_total[macroblock].coarsen([4, 4]), slice)
}

/// The counts of Cb and Cr around a macroblock.
#[shim::kernel]
pub fn near_chroma(#[located] tables: &TableRows<'_>, #[shape(16, 16)] macroblock: Place<2>) -> [Near<3>; 2] {
    let slice = tables.slice[macroblock].coarsen([16, 16]);
    [
        near::<3>(tables.chroma_total[0][macroblock].coarsen([8, 8]), slice),
        near::<3>(tables.chroma_total[1][macroblock].coarsen([8, 8]), slice),
    ]
}

/// Stores the counts of a macroblock's blocks; a template.
#[shim::kernel]
pub(crate) fn store<const N: usize>(near: &Near<N>, to: impl Tensor<u8, 2>) {
    for y in 0..N - 1 {
        for x in 0..N - 1 {
            to[[y, x]] = near.counts[y + 1][x + 1];
        }
    }
}

/// Stores the counts of a macroblock.
#[shim::kernel]
pub fn store_counts(
    #[located] tables: &mut TableRows<'_>,
    #[shape(16, 16)] macroblock: Place<2>,
    luma: &Near<5>,
    chroma: &[Near<3>; 2],
) {
    store::<5>(luma, tables.luma_total.footprint(macroblock));
    store::<3>(&chroma[0], tables.chroma_total[0].footprint(macroblock));
    store::<3>(&chroma[1], tables.chroma_total[1].footprint(macroblock));
}

/// The macroblock is in the slice of this number; says whether it was not before.
#[shim::kernel]
pub fn enter_slice(
    #[located] tables: &mut TableRows<'_>,
    #[shape(16, 16)] macroblock: Place<2>,
    number: u16,
) -> bool {
    let slice = tables.slice.footprint(macroblock);
    let is_new = slice[[0, 0]] != number;
    slice[[0, 0]] = number;
    is_new
}

/// Stores one `total_coeff` for all blocks of a macroblock: 16 for `I_PCM`, 0 without levels (9.2.1).
#[shim::kernel]
pub fn store_total_coeff(
    #[located] tables: &mut TableRows<'_>,
    #[shape(16, 16)] macroblock: Place<2>,
    value: u8,
) {
    let luma = tables.luma_total.footprint(macroblock);
    for [y, x] in luma.indices() {
        luma[[y, x]] = value;
    }
    let (cb, cr) =
        (tables.chroma_total[0].footprint(macroblock), tables.chroma_total[1].footprint(macroblock));
    for [y, x] in cb.indices() {
        cb[[y, x]] = value;
        cr[[y, x]] = value;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels::macroblock_at;
    use crate::kernels::picture::Tables;
    use crate::kernels::testing::Random;

    /// nC by 9.2.1, with no location: `blkN` from rows and columns of blocks, `each` to a macroblock.
    fn n_c(table: &[u8], slice: &[u16], wide: usize, each: usize, [y, x]: [usize; 2]) -> u8 {
        let own = slice[y / each * wide + x / each];
        let of = |y: usize, x: usize| {
            (slice[y / each * wide + x / each] == own).then(|| table[y * each * wide + x])
        };
        let n_a = if x > 0 { of(y, x - 1) } else { None };
        let n_b = if y > 0 { of(y - 1, x) } else { None };
        match (n_a, n_b) {
            (Some(a), Some(b)) => (a + b).div_ceil(2),
            (one, other) => one.or(other).unwrap_or(0),
        }
    }

    #[test]
    fn n_c_is_the_mean_of_available_neighbors() {
        let mut random = Random::new(29);
        for [high, wide] in [[1, 1], [1, 4], [3, 1], [3, 4]] {
            for _ in 0..50 {
                let mut tables = Tables::new([high, wide]);
                let [cb, cr] = &mut tables.chroma_total;
                for table in [&mut tables.luma_total, cb, cr] {
                    table.fill_with(|| random.within(0, 16) as u8);
                }
                tables.slice.fill_with(|| random.within(1, 2) as u16);
                let [row, column] = [high, wide].map(|n| random.within(0, n as i32 - 1) as usize);
                let (place, whole) = (macroblock_at([row, column]), tables.clone());
                let mut rows = tables.rows(0..high);
                let mut luma = near_luma(&rows, place);
                let mut chroma = near_chroma(&rows, place);
                for y in 0..4 {
                    for x in 0..4 {
                        let at = [4 * row + y, 4 * column + x];
                        assert_eq!(luma.n_c(y, x), n_c(&whole.luma_total, &whole.slice, wide, 4, at));
                        luma.set(y, x, whole.luma_total[at[0] * 4 * wide + at[1]]);
                    }
                }
                for (chroma, total) in chroma.iter_mut().zip(&whole.chroma_total) {
                    for y in 0..2 {
                        for x in 0..2 {
                            let at = [2 * row + y, 2 * column + x];
                            assert_eq!(chroma.n_c(y, x), n_c(total, &whole.slice, wide, 2, at));
                            chroma.set(y, x, total[at[0] * 2 * wide + at[1]]);
                        }
                    }
                }
                store_total_coeff(&mut rows, place, 77);
                store_counts(&mut rows, place, &luma, &chroma);
                assert_eq!(tables, whole);
            }
        }
    }
}
