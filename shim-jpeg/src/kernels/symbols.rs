//! Symbols: what is coded, before there are codes for it (T.81 F.1.2 and G.1.2 without their tables).
//!
//! A symbol is a value V of a Huffman table with its additional bits, in one word:
//!
//! ```text
//! bits 31..16     15..11               10..8       7..0
//! additional bits how many (0 to 16)   the table   V
//! ```
//!
//! Table 0 and 1 are for DC, 2 and 3 for AC, of luminance and of chrominance each; [`RAW`] has a code of no bits, for
//! additional bits that follow no code. [`count`] finds how often a table's values are used, from which tables that fit them
//! can be made (K.2), and [`put_symbols`] writes them by tables.

use alloc::boxed::Box;
use core::ops::Range;

use shim::prelude::*;

use super::bits::{BitPosition, LENGTH_BITS};
use super::codes::category;
use super::tile::{Coefficients, Part};

/// The table of additional bits that follow no code.
pub const RAW: u32 = 4;

/// Values of all tables.
pub const VALUES: usize = 5 * 256;

/// The most symbols of a block: DC, 63 coefficients and EOB.
pub const MAX_BLOCK_SYMBOLS: usize = 65;

/// Symbols past the end that may be overwritten: four are stored at a time.
pub const SYMBOL_SLACK: usize = 4;

/// One component of a scan whose symbols are wanted.
#[derive(Clone, Copy, Debug, Default)]
pub struct SymbolComponent {
    /// H: blocks of an MCU beside one another.
    pub h: usize,
    /// V: rows of blocks in an MCU.
    pub v: usize,
    /// Its blocks in the MCUs.
    pub part: Part,
    /// PRED: the DC of the component's last block (F.1.1.5.1).
    pub pred: i32,
    /// 0 for the tables of luminance, 1 for those of chrominance.
    pub table: u32,
}

/// A value of a table with `count` additional bits.
#[inline]
pub(crate) const fn symbol(table: u32, value: u32, count: u32, additional: u32) -> u32 {
    additional << 16 | count << 11 | table << 8 | value
}

/// The symbol of RRRR zeros and a number after them: the low SSSS bits of it, or of one less when it is negative
/// (F.1.2.1.1 and F.1.2.2.1).
#[inline]
pub(crate) const fn run_and_value(table: u32, rrrr: u32, value: i32) -> u32 {
    let ssss = category(value);
    let additional = (value + (value >> 31)) as u32 & ((1 << ssss) - 1);
    symbol(table, rrrr << 4 | ssss, ssss, additional)
}

/// `[16, 256]`: the symbols of table 0 of a run of RRRR zeros and a value of -127 to 127 after it.
static USUAL: [u32; 4096] = {
    let mut usual = [0; 4096];
    let mut place = 0;
    while place < 4096 {
        usual[place] = run_and_value(0, place as u32 >> 8, place as u8 as i8 as i32);
        place += 1;
    }
    usual
};

/// The symbols of one block from `end` of `out` on, as [`huffman`](super::huffman) has its words, a template. Returns where
/// they end.
#[shim::kernel]
fn symbols_of_block(
    zz: impl Tensor<i16, 1>,
    coded: u64,
    unusual: u64,
    pred: i32,
    table: u32,
    out: impl Tensor<u32, 1>,
    end: usize,
) -> usize {
    use crate::kernels::symbols::{USUAL, run_and_value, symbol};
    let mut end = end;
    out[[end]] = run_and_value(table, 0, i32::from(zz[[0]]) - pred);
    end += 1;
    let mut left = coded & !1;
    let mut previous = 0_isize;
    let ac = (2 + table) << 8;
    if unusual == 0 {
        let usual = Block::external(&USUAL, [16, 256]);
        let stop = end + left.count_ones() as usize;
        // Four at a time: what is past the last of them is written over.
        while end < stop {
            let at = end;
            #[unroll]
            for i in 0..4 {
                let k = left.trailing_zeros() as isize;
                left &= left.wrapping_sub(1);
                out[[at + i]] = ac | usual[[(k - previous - 1) & 15, zz[[k & 63]] & 0xff]];
                previous = k;
            }
            end += 4;
        }
        end = stop;
    } else {
        while left != 0 {
            let k = left.trailing_zeros() as isize;
            left &= left - 1;
            let mut rrrr = (k - previous - 1) as u32;
            while rrrr > 15 {
                out[[end]] = symbol(2 + table, 0xf0, 0, 0);
                end += 1;
                rrrr -= 16;
            }
            out[[end]] = run_and_value(2 + table, rrrr, i32::from(zz[[k & 63]]));
            end += 1;
            previous = k;
        }
    }
    out[[end]] = ac;
    end + (coded & 1) as usize
}

/// The symbols of MCUs of a row (A.2.3 and F.1.2), to the beginning of `out`; returns how many.
///
/// # Panics
///
/// When `out` has less than [`MAX_BLOCK_SYMBOLS`] for each block and [`SYMBOL_SLACK`], and the blocks need them.
#[shim::kernel(simd)]
pub fn symbols_of_mcus(
    components: &mut [SymbolComponent],
    coefficients: &Coefficients,
    mcus: Range<usize>,
    out: &mut [u32],
) -> usize {
    let Range { start, end: stop } = mcus;
    let out = Block::external(out, [out.len()]);
    let zz = Block::external(&coefficients.zz, [coefficients.tiles, 64, 32]);
    let coded = Block::external(&coefficients.coded, [coefficients.tiles, 32]);
    let unusual = Block::external(&coefficients.unusual, [coefficients.tiles, 32]);
    let mut end = 0;
    for mcu in start..stop {
        for SymbolComponent { h, v, part, pred, table } in components.iter_mut() {
            for row in 0..*v {
                for column in mcu * *h..(mcu + 1) * *h {
                    if row < part.blocks_high && column < part.blocks_wide {
                        let tile = part.first + row * part.tiles + column / 32;
                        let lane = column % 32;
                        let block = zz[[tile, .., lane]];
                        let (coded, unusual) = (coded[[tile, lane]], unusual[[tile, lane]]);
                        end = symbols_of_block(block, coded, unusual, *pred, *table, out, end);
                        *pred = i32::from(block[[0]]);
                    } else {
                        out[[end]] = symbol(*table, 0, 0, 0);
                        out[[end + 1]] = symbol(2 + *table, 0, 0, 0);
                        end += 2;
                    }
                }
            }
        }
    }
    end
}

/// Adds to `counts`, `[2, VALUES]`, how often the tables' values occur: in one half those of every other symbol, so that
/// equal ones in a row do not wait for each other.
///
/// # Panics
///
/// When a word is no symbol.
#[shim::kernel]
pub fn count(symbols: &[u32], counts: &mut [u32; 2 * VALUES]) {
    let n = symbols.len();
    let symbols = Block::external(symbols, [n]);
    let counts = Block::external(counts, [2, VALUES]);
    for pair in 0..n / 2 {
        let (first, second) = (symbols[[2 * pair]] & 0x7ff, symbols[[2 * pair + 1]] & 0x7ff);
        counts[[0, first as usize]] += 1;
        counts[[1, second as usize]] += 1;
    }
    for last in n - n % 2..n {
        counts[[0, (symbols[[last]] & 0x7ff) as usize]] += 1;
    }
}

/// The additional bits of all symbols.
#[shim::kernel(simd)]
pub fn additional_bits(symbols: &[u32]) -> u64 {
    let symbols = Block::external(symbols, [symbols.len()]);
    symbols.indices().map(|[i]| u64::from(symbols[[i]] >> 11 & 31)).sum::<u64>()
}

/// Appends symbols to `raw` at `position`, which moves on, by the codes of [`Assigned`]; what `raw` holds up to eight bytes
/// past them is lost.
///
/// # Panics
///
/// When `raw` has less than four bytes for each symbol and eight left, or a word is no symbol.
#[shim::kernel(simd)]
pub fn put_symbols(symbols: &[u32], assigned: &Assigned, raw: &mut [u8], position: &mut BitPosition) {
    let n = symbols.len();
    let symbols = Block::external(symbols, [n]);
    let codes = Block::external(&assigned.codes, [VALUES]);
    let raw = Block::external(raw, [raw.len()]);
    let BitPosition { bytes, pending, count } = *position;
    let (mut bytes, mut pending, mut held) = (bytes, pending, u64::from(count));
    for i in 0..n {
        let symbol = u64::from(symbols[[i]]);
        let code = u64::from(codes[[(symbol & 0x7ff) as usize]]);
        let additional = symbol >> 11 & 31;
        let bits = (code >> LENGTH_BITS) << additional | symbol >> 16;
        let length = (code & 63) + additional;
        pending = pending << length | bits;
        held += length;
        // The first bit to the top of the word.
        let word = (pending << ((64 - held) & 63)).to_be_bytes();
        let at = bytes;
        #[unroll]
        for i in 0..8 {
            raw[[at + i]] = word[i];
        }
        bytes += (held >> 3) as usize;
        held &= 7;
    }
    *position = BitPosition { bytes, pending: pending & ((1 << held) - 1), count: held as u32 };
}

/// The codes of all values of all tables, each with its length in the low bits.
#[derive(Clone, Debug)]
pub struct Assigned {
    pub(crate) codes: Box<[u32; VALUES]>,
}

impl Assigned {
    /// The code of each value of each table, `[5, 256]`, above [`LENGTH_BITS`] bits with its length; those of [`RAW`] are 0.
    pub fn new(codes: [u32; VALUES]) -> Self {
        Self { codes: Box::new(codes) }
    }
}
