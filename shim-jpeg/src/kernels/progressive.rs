//! The tokens of the scans of a progressive file (T.81 G.1.2), of [`tokens`](super::tokens).

use alloc::vec::Vec;
use core::ops::Range;

use shim::prelude::*;

use super::tile::{Blocks, Coefficients};
use super::tokens::{RAW, run_and_value, token};

/// The most tokens that a block adds in a scan of AC coefficients: one each, ZRL, an `EOBn` before and one after them,
/// and its correction bits.
const MAX_AC_TOKENS: usize = 63 + 4 + 2 + 63 + 4;

/// The band of coefficients of a scan, and its bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SpectralBand {
    /// Ss, the first coefficient.
    pub ss: usize,
    /// Se, the last.
    pub se: usize,
    /// Al, the bits of a coefficient that are left for later scans.
    pub al: u32,
}

/// Blocks that have ended since the last token (G.1.2.2).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EndOfBand {
    /// EOBRUN: how many.
    pub run: u32,
    /// Where the token will stand that tells: before their correction bits.
    pub place: usize,
    /// Number of correction bits that follow it.
    pub corrections: u32,
}

/// The longest run of ended blocks that a token can tell.
const MAX_RUN: u32 = 0x7fff;

/// The most correction bits after an `EOBn`, as libjpeg has it, whose memory for them holds a thousand.
const MAX_CORRECTIONS: u32 = 1000 - 63;

/// For each of the coefficients of tile `t` of row `v` of component `c`, by lanes, whether its magnitude has one of some
/// bits.
#[shim::kernel(simd(v2, v3, v4), checks = "hoisted")]
pub(super) fn having(
    #[located] coefficients: &Coefficients,
    [c, v, t]: [usize; 3],
    bits: u16,
    masks: &mut [u64; 32],
) {
    let masks = Block::external(masks, [32]);
    let parts = Block::stack::<u16>([4, 32]);
    let zz = coefficients.zz[[c, v, 32 * t..32 * t + 32, ..]];
    #[unroll]
    for part in 0..4 {
        for l in 0..32 {
            #[unroll]
            parts[[part, l]] = (0..16).mask::<u16>(|k| zz[[l, 16 * part + k]].unsigned_abs() & bits != 0);
        }
    }
    let parts = parts.cast::<u64>();
    for l in 0..32 {
        masks[[l]] = parts[[0, l]] | parts[[1, l]] << 16 | parts[[2, l]] << 32 | parts[[3, l]] << 48;
    }
}

/// The coefficients Ss to Se.
#[inline]
pub(super) const fn mask(ss: usize, se: usize) -> u64 {
    (u64::MAX >> (63 - se)) & (u64::MAX << ss)
}

/// Ends a run of ended blocks: its token `EOBn` with n additional bits (G.1.2.2), of AC table `table`, at its place.
#[shim::kernel]
fn flush(eob: &mut EndOfBand, table: u32, out: impl Tensor<u32, 1>) {
    let EndOfBand { run, place, .. } = *eob;
    if run > 0 {
        let n = 31 - run.leading_zeros();
        out[[place]] = token(table, n << 4, n, run & ((1 << n) - 1));
        *eob = EndOfBand { run: 0, place: 0, corrections: 0 };
    }
}

/// Tokens of the first scan of AC coefficients (G.1.2.2 and Figure G.3) of the first row of some blocks, from `end` of
/// `out` on; returns where they end. A run of ended blocks goes on in `eob`.
#[shim::kernel(simd(v3))]
pub fn ac_first(
    blocks: Blocks,
    columns: Range<usize>,
    #[located] coefficients: &Coefficients,
    band: SpectralBand,
    table: u32,
    eob: &mut EndOfBand,
    out: &mut Vec<u32>,
    end: usize,
) -> usize {
    let Range { start, end: stop } = columns;
    let SpectralBand { ss, se, al } = band;
    let Blocks { component: c, row, .. } = blocks;
    let band = mask(ss, se);
    let out = Block::grown(out, [end + (stop - start) * MAX_AC_TOKENS]).list_from(end);
    let mut masks = [0; 32];
    for t in start / 32..stop.div_ceil(32) {
        let zz = coefficients.zz[[c, row, 32 * t..32 * t + 32, ..]];
        having(coefficients, [c, row, t], u16::MAX << al, &mut masks);
        for lane in start.max(32 * t) - 32 * t..stop.min(32 * t + 32) - 32 * t {
            let mut left = masks[lane] & band;
            let mut next = ss as isize;
            if left != 0 {
                flush(eob, table, out);
            }
            while left != 0 {
                let k = left.trailing_zeros() as isize;
                left &= left - 1;
                let mut rrrr = (k - next) as u32;
                while rrrr > 15 {
                    out.push(token(table, 0xf0, 0, 0));
                    rrrr -= 16;
                }
                let value = i32::from(zz[[lane, k & 63]]);
                let magnitude = (value.unsigned_abs() >> al) as i32;
                out.push(run_and_value(table, rrrr, if value < 0 { -magnitude } else { magnitude }));
                next = k + 1;
            }
            if next <= se as isize {
                if eob.run == 0 {
                    // Known when the run ends.
                    eob.place = out.len();
                    out.push(0);
                }
                eob.run += 1;
                if eob.run == MAX_RUN {
                    flush(eob, table, out);
                }
            }
        }
    }
    out.len()
}

/// Appends the correction bits of some coefficients, a template: of each its bit in `low`.
#[shim::kernel]
fn corrections(coefficients: u64, low: u64, out: impl Tensor<u32, 1>) {
    let (mut bits, mut count) = (0, 0);
    let mut left = coefficients;
    while left != 0 {
        bits = bits << 1 | (low >> left.trailing_zeros()) as u32 & 1;
        count += 1;
        left &= left - 1;
        if count == 16 || left == 0 {
            out.push(token(RAW, count, count, bits));
            (bits, count) = (0, 0);
        }
    }
}

/// Tokens of a later scan of AC coefficients (G.1.2.3 and Figure G.7), otherwise as [`ac_first`].
#[shim::kernel(simd(v3))]
pub fn ac_refine(
    blocks: Blocks,
    columns: Range<usize>,
    #[located] coefficients: &Coefficients,
    band: SpectralBand,
    table: u32,
    eob: &mut EndOfBand,
    out: &mut Vec<u32>,
    end: usize,
) -> usize {
    let Range { start, end: stop } = columns;
    let SpectralBand { ss, se, al } = band;
    let Blocks { component: c, row, .. } = blocks;
    let band = mask(ss, se);
    let out = Block::grown(out, [end + (stop - start) * MAX_AC_TOKENS]).list_from(end);
    let (mut lows, mut before) = ([0; 32], [0; 32]);
    for t in start / 32..stop.div_ceil(32) {
        let zz = coefficients.zz[[c, row, 32 * t..32 * t + 32, ..]];
        having(coefficients, [c, row, t], 1 << al, &mut lows);
        having(coefficients, [c, row, t], u16::MAX << 1 << al, &mut before);
        for lane in start.max(32 * t) - 32 * t..stop.min(32 * t + 32) - 32 * t {
            let (low, mut known) = (lows[lane], before[lane] & band);
            // Those that become other than zero.
            let mut new = low & band & !known;
            let mut next = ss as isize;
            while new != 0 {
                let k = new.trailing_zeros() as isize;
                new &= new - 1;
                flush(eob, table, out);
                let mut between = known & ((1 << k) - 1);
                known &= !between;
                let mut rrrr = (k - next) as u32 - between.count_ones();
                // The scan has ZRL before the first coefficient that more than fifteen zeros precede.
                while rrrr > 15 {
                    let mut left = between;
                    let mut zeros = 0;
                    while left != 0 && zeros + (left.trailing_zeros() as isize - next) as u32 <= 15 {
                        zeros += (left.trailing_zeros() as isize - next) as u32;
                        next = left.trailing_zeros() as isize + 1;
                        left &= left - 1;
                    }
                    out.push(token(table, 0xf0, 0, 0));
                    corrections(between & !left, low, out);
                    next += 16 - zeros as isize;
                    rrrr -= 16;
                    between = left;
                }
                out.push(token(table, rrrr << 4 | 1, 1, u32::from(zz[[lane, k & 63]] > 0)));
                corrections(between, low, out);
                next = k + 1;
            }
            if next <= se as isize {
                if eob.run == 0 {
                    // Known when the run ends.
                    eob.place = out.len();
                    out.push(0);
                }
                eob.run += 1;
                eob.corrections += known.count_ones();
                corrections(known, low, out);
                if eob.run == MAX_RUN || eob.corrections > MAX_CORRECTIONS {
                    flush(eob, table, out);
                }
            }
        }
    }
    out.len()
}

/// Ends the run of ended blocks before a restart and at the end of a scan.
///
/// # Panics
///
/// When its place is not in `out`.
#[shim::kernel]
pub fn end_of_band(eob: &mut EndOfBand, table: u32, out: &mut [u32]) {
    let out = Block::external(out, [out.len()]);
    flush(eob, table, out);
}
