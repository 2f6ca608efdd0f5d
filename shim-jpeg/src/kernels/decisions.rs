//! The binary decisions of coefficients and their contexts (T.81 F.1.4 and G.1.3), with the conditioning of the
//! standard: L = 0, U = 1 and Kx = 5.
//!
//! A decision is the number of its context above the bit. The contexts of DC of both tables come first, then those of
//! AC, and then the one whose decisions are equally probable.

use alloc::vec::Vec;
use core::ops::Range;

use shim::prelude::*;

use super::mcu::{McuBlock, Mcus, Predictions};
use super::progressive::{SpectralBand, having, mask};
use super::tile::{Blocks, Coefficients};

/// Contexts of a table for DC, and of one for AC (Tables F.4 and F.5).
const DC_CONTEXTS: usize = 64;
const AC_CONTEXTS: usize = 256;

/// The first context of AC.
const AC: usize = 2 * DC_CONTEXTS;

/// The context of signs of AC coefficients (F.1.4.4.2) and of bits of DC (G.1.3.1).
pub const FIXED: usize = AC + 2 * AC_CONTEXTS;

/// Number of contexts.
pub const BINS: usize = FIXED + 1;

/// The most decisions of a block: for each coefficient whether it is the last, whether it is zero, its sign, and twice
/// the bits of its magnitude.
const MAX_BLOCK_DECISIONS: usize = 64 * (3 + 2 * 16);

/// The contexts of DC after the blocks that were coded.
#[derive(Clone, Copy, Debug, Default)]
pub struct DcContexts {
    /// For each component, the context of its next difference (F.1.4.4.1.2): that of the class of the one before it.
    pub(crate) of: [usize; 4],
}

/// The decision for a bit in a context.
#[inline]
const fn decision(context: usize, bit: bool) -> u16 {
    (context as u16) << 1 | bit as u16
}

/// Appends the decisions of the bits of `v` below its highest of `n`, from the highest on, in one context; a template.
#[shim::kernel]
fn low_bits(v: u32, n: u32, context: usize, out: impl Tensor<u16, 1>) {
    let mut left = n;
    while left > 1 {
        left -= 1;
        out.push(decision(context, v >> (left - 1) & 1 != 0));
    }
}

/// Appends the decisions of a difference of DC (Figures F.4 and F.6 to F.9) of table `table`; a template. `context` is
/// the one of its class, and becomes that of the next difference.
#[shim::kernel]
fn difference(v: i32, table: usize, context: &mut usize, out: impl Tensor<u16, 1>) {
    // X1, the first context of magnitudes above 1.
    let x1 = table * DC_CONTEXTS + 20;
    let s0 = table * DC_CONTEXTS + *context;
    out.push(decision(s0, v != 0));
    let mut class = 0;
    if v != 0 {
        out.push(decision(s0 + 1, v < 0));
        let sz = v.unsigned_abs() - 1;
        let n = 32 - sz.leading_zeros();
        let first = s0 + if v < 0 { 3 } else { 2 };
        out.push(decision(first, n > 0));
        if n > 0 {
            let x = x1 + n as usize - 1;
            for own in x1..x {
                out.push(decision(own, true));
            }
            out.push(decision(x, false));
            low_bits(sz, n, x + 14, out);
        }
        class = if v < 0 { 8 } else { 4 } + if n > 1 { 8 } else { 0 };
    }
    *context = class;
}

/// Appends the decisions of the sign and the magnitude of AC coefficient k (Figures F.6 to F.9), with the contexts of
/// the table from `base` on; a template.
#[shim::kernel]
fn coefficient(negative: bool, magnitude: u32, base: usize, k: usize, out: impl Tensor<u16, 1>) {
    out.push(decision(FIXED, negative));
    let own = base + 3 * (k - 1) + 2;
    let sz = magnitude - 1;
    let n = 32 - sz.leading_zeros();
    out.push(decision(own, n > 0));
    if n > 0 {
        out.push(decision(own, n > 1));
        if n > 1 {
            let x2 = base + if k <= 5 { 189 } else { 217 };
            let x = x2 + n as usize - 2;
            for own in x2..x {
                out.push(decision(own, true));
            }
            out.push(decision(x, false));
            low_bits(sz, n, x + 14, out);
        }
    }
}

/// Appends the decisions of AC coefficients Ss to Se of a block (Figure F.5), without their bits below Al; a template.
/// `nonzero` says which are not zero then.
#[shim::kernel]
fn band_of_block(
    zz: impl Tensor<i16, 1>,
    nonzero: u64,
    ss: usize,
    se: usize,
    al: u32,
    base: usize,
    out: impl Tensor<u16, 1>,
) {
    let mut left = nonzero;
    let mut next = ss;
    while left != 0 {
        let k = left.trailing_zeros() as usize & 63;
        left &= left - 1;
        // It is not the end of the block.
        out.push(decision(base + 3 * (next - 1), false));
        for zero in next..k {
            out.push(decision(base + 3 * (zero - 1) + 1, false));
        }
        out.push(decision(base + 3 * (k - 1) + 1, true));
        let value = zz[[k]];
        coefficient(value < 0, u32::from(value.unsigned_abs()) >> al, base, k, out);
        next = k + 1;
    }
    if next <= se {
        out.push(decision(base + 3 * (next - 1), true));
    }
}

/// The decisions of whole blocks of MCUs (A.2.3, F.1.4.1 and F.1.4.2), to the beginning of `out`; returns how many.
#[shim::kernel]
pub fn decisions_of_mcus(
    mcus: &Mcus<'_>,
    predictions: &mut Predictions,
    contexts: &mut DcContexts,
    out: &mut Vec<u16>,
) -> usize {
    let Mcus { blocks, coefficients, range, .. } = mcus;
    let coded = Block::external(&coefficients.coded, [coefficients.coded.len()]);
    let zz = Block::external(&coefficients.zz, [coefficients.coded.len(), 64]).stored(tile([32, 1]));
    let out = Block::grown(out, [mcus.blocks() * MAX_BLOCK_DECISIONS]).list();
    for mcu in range.start..range.end {
        let last = mcus.is_last(mcu);
        for McuBlock { first, step, component, table, inside } in blocks.iter() {
            let (context, base) = (&mut contexts.of[*component & 3], AC + *table * AC_CONTEXTS);
            if inside[usize::from(last)] {
                let block = *first + *step * mcu;
                let (dc, pred) = (i32::from(zz[[block, 0]]), &mut predictions[*component & 3]);
                difference(dc - *pred, *table, context, out);
                band_of_block(zz[[block, ..]], coded[[block]] & !1, 1, 63, 0, base, out);
                *pred = dc;
            } else {
                difference(0, *table, context, out);
                out.push(decision(base, true));
            }
        }
    }
    out.len()
}

/// The decisions of DC of MCUs, to the beginning of `out`; returns how many. The first scan has differences of the bits
/// from Al up (G.1.3.1), and one that `refines` it bit Al.
#[shim::kernel]
pub fn dc_decisions_of_mcus(
    mcus: &Mcus<'_>,
    predictions: &mut Predictions,
    contexts: &mut DcContexts,
    al: u32,
    refines: bool,
    out: &mut Vec<u16>,
) -> usize {
    let Mcus { blocks, coefficients, range, .. } = mcus;
    let zz = Block::external(&coefficients.zz, [coefficients.zz.len() / 64, 64]).stored(tile([32, 1]));
    let out = Block::grown(out, [mcus.blocks() * MAX_BLOCK_DECISIONS]).list();
    for mcu in range.start..range.end {
        let last = mcus.is_last(mcu);
        for McuBlock { first, step, component, table, inside } in blocks.iter() {
            let pred = &mut predictions[*component & 3];
            let mut dc = *pred;
            if inside[usize::from(last)] {
                dc = i32::from(zz[[*first + *step * mcu, 0]]) >> al;
            }
            if refines {
                out.push(decision(FIXED, dc & 1 != 0));
            } else {
                difference(dc - *pred, *table, &mut contexts.of[*component & 3], out);
            }
            *pred = dc;
        }
    }
    out.len()
}

/// The decisions of AC coefficients of the first row of some blocks, by AC table `table`, to the beginning of `out`;
/// returns how many. A scan that `refines` another has bit Al of the coefficients (G.1.3.3), the first one all bits
/// from there up (G.1.3.2).
#[shim::kernel]
pub fn ac_decisions(
    blocks: Blocks,
    places: Range<usize>,
    #[located] coefficients: &Coefficients,
    band: SpectralBand,
    refines: bool,
    table: usize,
    out: &mut Vec<u16>,
) -> usize {
    let Range { start, end: stop } = places;
    let SpectralBand { ss, se, al } = band;
    let Blocks { component: c, row, .. } = blocks;
    let (band, base) = (mask(ss, se), AC + table * AC_CONTEXTS);
    let out = Block::grown(out, [(stop - start) * MAX_BLOCK_DECISIONS]).list();
    let (mut now, mut before) = ([0; 32], [0; 32]);
    for t in start / 32..stop.div_ceil(32) {
        let zz = coefficients.zz[[c, row, 32 * t..32 * t + 32, ..]];
        having(coefficients, [c, row, t], u16::MAX << al, &mut now);
        having(coefficients, [c, row, t], u16::MAX << 1 << al, &mut before);
        for lane in start.max(32 * t) - 32 * t..stop.min(32 * t + 32) - 32 * t {
            let mut left = now[lane] & band;
            if refines {
                let known = before[lane] & band;
                // No block ends before the last coefficient that was not zero in an earlier scan.
                let end = 64 - known.leading_zeros() as usize;
                let mut next = ss;
                while left != 0 {
                    let k = left.trailing_zeros() as usize & 63;
                    left &= left - 1;
                    if next >= end {
                        out.push(decision(base + 3 * (next - 1), false));
                    }
                    for zero in next..k {
                        out.push(decision(base + 3 * (zero - 1) + 1, false));
                    }
                    let value = zz[[lane, k]];
                    if known >> k & 1 != 0 {
                        out.push(decision(base + 3 * (k - 1) + 2, value.unsigned_abs() >> al & 1 != 0));
                    } else {
                        out.push(decision(base + 3 * (k - 1) + 1, true));
                        out.push(decision(FIXED, value < 0));
                    }
                    next = k + 1;
                }
                if next <= se {
                    out.push(decision(base + 3 * (next - 1), true));
                }
            } else {
                band_of_block(zz[[lane, ..]], left, ss, se, al, base, out);
            }
        }
    }
    out.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The decisions of an AC coefficient as context and bit, without its sign.
    fn coefficient_of(magnitude: u32, k: usize) -> Vec<(u16, u16)> {
        #[shim::kernel]
        fn of(magnitude: u32, k: usize, out: &mut [u16]) -> usize {
            let out = Block::external(out, [out.len()]).list();
            coefficient(false, magnitude, 128, k, out);
            out.len()
        }
        let mut out = [0; 64];
        let count = of(magnitude, k, &mut out);
        out[1..count].iter().map(|decision| (decision >> 1, decision & 1)).collect()
    }

    #[test]
    fn magnitudes_have_the_contexts_of_table_f_5() {
        // SN, SP and X1 of k are one context; X2 is 189 up to Kx, 217 behind it; M2 is 14 above X2.
        assert_eq!(coefficient_of(1, 3), [(128 + 8, 0)]);
        assert_eq!(coefficient_of(2, 3), [(136, 1), (136, 0)]);
        assert_eq!(coefficient_of(3, 3), [(136, 1), (136, 1), (128 + 189, 0), (128 + 203, 0)]);
        assert_eq!(coefficient_of(4, 6), [(128 + 17, 1), (145, 1), (128 + 217, 0), (128 + 231, 1)]);
        let wanted = [(145, 1), (145, 1), (345, 1), (346, 0), (360, 0), (360, 1)];
        assert_eq!(coefficient_of(6, 6), wanted);
    }
}
