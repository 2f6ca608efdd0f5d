//! Sums of bytes, and of their absolute differences (SAD): `psadbw` on x86, `uabal` and
//! pairwise additions on Arm.

use super::Runtime;
use super::sixteen::{Sixteen, Sum, number};
use super::transpose::Bytes;

#[allow(unsafe_code, reason = "the callers are expansions, which have shown that all elements are inside")]
impl Runtime {
    /// The sum of the absolute differences of two boxes of `PLANES` planes of `ROWS` rows of `COLUMNS` bytes, a multiple
    /// of four. Each box begins at offset `at`, its planes are `plane` bytes apart, and their rows `row`.
    ///
    /// # Safety
    /// Both hold the bytes `at + k * plane + j * row + i` for all `k` below `PLANES`, all `j` below `ROWS` and all `i`
    /// below `COLUMNS`, and no other task writes them.
    #[inline(always)]
    pub unsafe fn sad<const PLANES: usize, const ROWS: usize, const COLUMNS: usize>(
        self,
        a: impl Bytes,
        [a_at, a_plane, a_row]: [isize; 3],
        b: impl Bytes,
        [b_at, b_plane, b_row]: [isize; 3],
    ) -> u32 {
        let (a, b) = (a.first(), b.first());
        let mut sum = Sum::default();
        for k in 0..PLANES as isize {
            // SAFETY: the caller's, for each row.
            let [a, b] = unsafe { [a.offset(a_at + k * a_plane), b.offset(b_at + k * b_plane)] };
            sum.add_plane::<ROWS, COLUMNS>(|group, j| unsafe {
                // SAFETY: the same.
                [row::<COLUMNS>(a, a_row, group, j), row::<COLUMNS>(b, b_row, group, j)]
            });
        }
        sum.total()
    }

    /// The sum of a box of bytes.
    ///
    /// # Safety
    /// As for [`Runtime::sad`].
    #[inline(always)]
    pub unsafe fn byte_sum<const PLANES: usize, const ROWS: usize, const COLUMNS: usize>(
        self,
        a: impl Bytes,
        [at, plane, step]: [isize; 3],
    ) -> u32 {
        let a = a.first();
        let mut sum = Sum::default();
        for k in 0..PLANES as isize {
            // SAFETY: the caller's, for each row.
            let a = unsafe { a.offset(at + k * plane) };
            sum.add_plane::<ROWS, COLUMNS>(|group, j| unsafe {
                // SAFETY: the same.
                [row::<COLUMNS>(a, step, group, j), &[0; COLUMNS]]
            });
        }
        sum.total()
    }
}

/// Rows that are added up together: those of four bytes fill a vector.
const GROUP: usize = 4;

/// Row `j` of a group of rows. Counted from the first row of all, LLVM would keep the multiples of `step` for all rows.
///
/// # Safety
/// The row is where the pointer points to.
#[allow(unsafe_code, reason = "the callers have shown that the row is inside")]
#[inline(always)]
unsafe fn row<'r, const COLUMNS: usize>(
    first: *const u8,
    step: isize,
    group: usize,
    j: usize,
) -> &'r [u8; COLUMNS] {
    let start = (0..group).fold(first, |start, _| start.wrapping_offset(GROUP as isize * step));
    // SAFETY: the caller's.
    unsafe { &*start.offset(j as isize * step).cast() }
}

impl Sum {
    /// Adds the differences of `ROWS` pairs of rows, each of a group.
    #[inline(always)]
    fn add_plane<'r, const ROWS: usize, const COLUMNS: usize>(
        &mut self,
        row: impl Fn(usize, usize) -> [&'r [u8; COLUMNS]; 2],
    ) {
        for group in 0..ROWS.div_ceil(GROUP) {
            let count = GROUP.min(ROWS - GROUP * group);
            for j in 0..count {
                let [a, b] = row(group, j);
                for (a, b) in a.as_chunks::<16>().0.iter().zip(b.as_chunks::<16>().0) {
                    self.add(sixteen(a), sixteen(b));
                }
            }
            // A part of a row; bytes that no row has are zero in both.
            let part = |j: usize, at: usize, size: usize| {
                if j < count { row(group, j).map(|row| number(&row[at..at + size])) } else { [0; 2] }
            };
            if COLUMNS % 16 >= 8 {
                let at = COLUMNS / 16 * 16;
                for j in (0..count).step_by(2) {
                    let [[a, b], [c, d]] = [part(j, at, 8), part(j + 1, at, 8)];
                    self.add(Sixteen::new([a, c]), Sixteen::new([b, d]));
                }
            }
            if COLUMNS % 8 >= 4 {
                let parts = [0, 1, 2, 3].map(|j| part(j, COLUMNS / 8 * 8, 4));
                let [a, b] = [0, 1].map(|side| Sixteen::fours(parts.map(|part| part[side])));
                self.add(a, b);
            }
        }
    }
}

/// Sixteen bytes.
#[inline(always)]
fn sixteen(bytes: &[u8; 16]) -> Sixteen {
    Sixteen::new([number(&bytes[..8]), number(&bytes[8..])])
}

#[cfg(test)]
mod tests {
    extern crate std;

    use std::vec::Vec;

    use super::*;

    fn check<const PLANES: usize, const ROWS: usize, const COLUMNS: usize>() {
        #[allow(unsafe_code, reason = "as an expansion does")]
        // SAFETY: what is called of it below is shown to be inside.
        let runtime = unsafe { Runtime::new([]) };
        let ([row, other_row], gap) = ([COLUMNS + 3, COLUMNS], 5);
        let [plane, other_plane] = [row, other_row].map(|row| ROWS * row + gap);
        for (seed, constant) in [(37, None), (101, None), (0, Some([0, 255])), (0, Some([255, 255]))] {
            let bytes = |size: usize, which: usize| -> Vec<u8> {
                let byte = |i: usize| (i * (seed + 2 * which) % 251 * 17) as u8;
                (0..size).map(|i| constant.map_or_else(|| byte(i), |own| own[which])).collect()
            };
            let (a, b) = (bytes(2 + PLANES * plane, 0), bytes(1 + PLANES * other_plane, 1));
            let (mut wanted, mut total) = (0, 0);
            for k in 0..PLANES {
                for j in 0..ROWS {
                    for i in 0..COLUMNS {
                        let own = a[2 + k * plane + j * row + i];
                        wanted += u32::from(own.abs_diff(b[1 + k * other_plane + j * other_row + i]));
                        total += u32::from(own);
                    }
                }
            }
            let (at, from) = ([2, plane, row].map(|n| n as isize), [1, other_plane, other_row]);
            #[allow(unsafe_code, reason = "all rows are inside")]
            // SAFETY: the planes and the rows are so far apart, and shorter.
            let found = unsafe {
                let of = runtime.byte_sum::<PLANES, ROWS, COLUMNS>(&a[..], at);
                (runtime.sad::<PLANES, ROWS, COLUMNS>(&a[..], at, &b[..], from.map(|n| n as isize)), of)
            };
            assert_eq!(found, (wanted, total), "{PLANES}x{ROWS}x{COLUMNS}");
        }
    }

    #[test]
    fn sums_are_those_of_their_bytes() {
        check::<1, 16, 16>();
        check::<1, 1, 64>();
        check::<1, 3, 32>();
        check::<2, 8, 8>();
        check::<3, 5, 8>();
        check::<1, 4, 4>();
        check::<1, 7, 4>();
        check::<2, 3, 12>();
        check::<1, 5, 28>();
        check::<1, 9, 60>();
        check::<1, 64, 64>();
        check::<0, 4, 4>();
        check::<1, 0, 4>();
    }
}
