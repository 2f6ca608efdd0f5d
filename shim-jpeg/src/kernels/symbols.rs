//! Symbols: what is coded, before there are codes for it (T.81 F.1.2 and G.1.2 without their tables).
//!
//! A symbol is a value V of a Huffman table with its additional bits, in one word:
//!
//! ```text
//! bits 31..16     15..11               10..8       7..0
//! additional bits how many (0 to 16)   the table   V
//! ```
//!
//! Table 0 and 1 are for DC, 2 and 3 for AC, of luminance and of chrominance each; [`RAW`] has codes of no bits, for V
//! additional bits that follow no code. [`count`] finds how often a table's values are used, from which tables that fit
//! them can be made (K.2).
//!
//! Until then symbols are kept [packed](pack). A value implies the number of its additional bits ([`additional_bits`]),
//! so a half word holds table, value and up to five additional bits; more of them have a half word of their own in a
//! second list.
//! [`put_symbols`] writes packed symbols by tables.

use alloc::boxed::Box;
use core::ops::Range;

use shim::prelude::*;

use super::bits::{BitPosition, LENGTH_BITS};
use super::block::{Coding, words_of_block};
use super::codes::category;
use super::tile::{Blocks, Coefficients};

/// The table of additional bits that follow no code.
pub const RAW: u32 = 4;

/// Values of all tables.
pub const VALUES: usize = 5 * 256;

/// The most symbols of a block: DC, 63 coefficients and EOB.
pub const MAX_BLOCK_SYMBOLS: usize = 65;

/// Symbols past the end that may be overwritten: four are stored at a time.
pub const SYMBOL_SLACK: usize = 4;

/// The most additional bits of a packed symbol that are beside its value.
const BESIDE: u32 = 5;

/// One component of a scan whose symbols are wanted.
#[derive(Clone, Copy, Debug, Default)]
pub struct SymbolComponent {
    /// H: blocks of an MCU beside one another.
    pub h: usize,
    /// V: rows of blocks in an MCU.
    pub v: usize,
    /// Its blocks in the MCUs.
    pub blocks: Blocks,
    /// PRED: the DC of the component's last block (F.1.1.5.1).
    pub pred: i32,
    /// 0 for the tables of luminance, 1 for those of chrominance.
    pub table: u32,
}

/// How many additional bits follow value V of a table: V of them in DC tables and after [`RAW`], n after `EOBn`, and
/// otherwise SSSS (F.1.2.1.1, F.1.2.2.1 and G.1.2.2).
#[inline]
pub const fn additional_bits(table: u32, value: u32) -> u32 {
    let (rrrr, ssss) = (value >> 4, value & 15);
    match (table, rrrr, ssss) {
        (0 | 1 | RAW, ..) => value,
        (_, 15, 0) => 0,
        (_, n, 0) => n,
        _ => ssss,
    }
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

/// The tables of a component: 0 for those of luminance, 1 for those of chrominance.
struct Table(u32);

impl Coding for Table {
    #[inline]
    fn difference(&self, difference: i32) -> u32 {
        run_and_value(self.0, 0, difference)
    }

    #[inline]
    fn coefficient(&self, rrrr: u32, value: i32) -> u32 {
        run_and_value(2 + self.0, rrrr, value)
    }

    #[inline]
    fn usual(&self) -> &[u32; 4096] {
        &USUAL
    }

    #[inline]
    fn mark(&self) -> u32 {
        symbol(2 + self.0, 0, 0, 0)
    }

    #[inline]
    fn end_of_block(&self) -> u32 {
        symbol(2 + self.0, 0, 0, 0)
    }
}

/// The symbols of MCUs of a row (A.2.3 and F.1.2), to the beginning of `out`; returns how many.
///
/// # Panics
///
/// When `out` has less than [`MAX_BLOCK_SYMBOLS`] for each block and [`SYMBOL_SLACK`], and the blocks need them.
#[shim::kernel]
pub fn symbols_of_mcus(
    components: &mut [SymbolComponent],
    #[located] coefficients: &Coefficients,
    mcus: Range<usize>,
    out: &mut [u32],
) -> usize {
    let Range { start, end: stop } = mcus;
    let out = Block::external(out, [out.len()]).list();
    for mcu in start..stop {
        for SymbolComponent { h, v, blocks, pred, table } in components.iter_mut() {
            for row in 0..*v {
                for column in mcu * *h..(mcu + 1) * *h {
                    if row < blocks.high && column < blocks.wide {
                        let (c, row) = (blocks.component, blocks.row + row);
                        let block = coefficients.zz[[c, row, column, ..]];
                        let coded = coefficients.coded[[c, row, column]];
                        let unusual = coefficients.unusual[[c, row, column]];
                        words_of_block(block, coded, unusual, *pred, &Table(*table), out);
                        *pred = i32::from(block[[0]]);
                    } else {
                        out.push(Table(*table).difference(0));
                        out.push(Table(*table).end_of_block());
                    }
                }
            }
        }
    }
    out.len()
}

/// Adds to `counts`, `[2, VALUES]`, how often the tables' values occur: in one half those of every other symbol, so
/// that equal ones in a row do not wait for each other.
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

/// Packs symbols to `packed`, and those additional bits that have no place there to the beginning of `apart`; returns
/// how many half words these are.
///
/// # Panics
///
/// When `packed` has less than a half word for each symbol, or `apart` less than one for each and one more.
#[shim::kernel(simd)]
pub fn pack(symbols: &[u32], packed: &mut [u16], apart: &mut [u16]) -> usize {
    let n = symbols.len();
    let symbols = Block::external(symbols, [n]);
    let packed = Block::external(packed, [n]);
    let apart = Block::external(apart, [n + 1]).list();
    for i in 0..n {
        let symbol = symbols[[i]];
        packed[[i]] = (symbol & 0x7ff | symbol >> 16 << 11) as u16;
    }
    for i in 0..n {
        let symbol = symbols[[i]];
        apart.push_if((symbol >> 11 & 31) > BESIDE, (symbol >> 16) as u16);
    }
    apart.len()
}

/// Appends packed symbols to `raw` at `position`, which moves on, by the codes of [`Assigned`]; what `raw` holds up to
/// eight bytes past them is lost. Returns how many half words of `apart` the symbols have used.
///
/// # Panics
///
/// When `raw` has less than four bytes for each symbol and eight left, `apart` has not one half word more than is used,
/// or a symbol is of no table.
#[shim::kernel(simd)]
pub fn put_symbols(
    packed: &[u16],
    apart: &[u16],
    assigned: &Assigned,
    raw: &mut [u8],
    position: &mut BitPosition,
) -> usize {
    let n = packed.len();
    let packed = Block::external(packed, [n]);
    let apart = Block::external(apart, [apart.len()]);
    let codes = Block::external(&assigned.codes, [VALUES]);
    let raw = Block::external(raw, [raw.len()]);
    let BitPosition { bytes, pending, count } = *position;
    let (mut bytes, mut pending, mut held) = (bytes, pending, u64::from(count));
    let mut used = 0;
    for i in 0..n {
        let symbol = packed[[i]];
        let code = codes[[(symbol & 0x7ff) as usize]];
        let count = code >> LENGTH_BITS & 31;
        let far = u64::from(apart[[used]]);
        let additional = if count > BESIDE { far } else { u64::from(symbol >> 11) };
        used += usize::from(count > BESIDE);
        let bits = u64::from(code >> (LENGTH_BITS + 5)) << count | additional;
        let length = u64::from((code & 63) + count);
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
    used
}

/// The codes of all values of all tables.
#[derive(Clone, Debug)]
pub struct Assigned {
    /// Each code above five bits that say how many additional bits follow it, and these above [`LENGTH_BITS`] bits with
    /// its length.
    codes: Box<[u32; VALUES]>,
}

impl Default for Assigned {
    /// Codes of no bits.
    fn default() -> Self {
        let mut own = Self { codes: Box::new([0; VALUES]) };
        for table in 0..=RAW {
            own.assign(table, &[0; 256], &[0; 256]);
        }
        own
    }
}

impl Assigned {
    /// Assigns codes and their lengths to the values of a table.
    ///
    /// # Panics
    ///
    /// When `table` is above [`RAW`].
    pub fn assign(&mut self, table: u32, codes: &[u16; 256], lengths: &[u8; 256]) {
        let own = &mut self.codes[256 * table as usize..][..256];
        for (value, own) in (0..).zip(own) {
            let count = additional_bits(table, value) & 31;
            let (code, length) = (codes[value as usize], lengths[value as usize]);
            *own = (u32::from(code) << 5 | count) << LENGTH_BITS | u32::from(length);
        }
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec;
    use alloc::vec::Vec;

    use super::*;
    use crate::kernels::bits::SLACK;

    /// Every value of every table, with additional bits that are all 0 and all 1.
    fn symbols() -> Vec<u32> {
        let tables = (0..=RAW).flat_map(|table| (0..256).map(move |value| (table, value)));
        let countable = tables.filter(|&(table, value)| additional_bits(table, value) <= 16);
        let each = |(table, value)| {
            let count = additional_bits(table, value);
            [0, (1 << count) - 1].map(|additional| symbol(table, value, count, additional))
        };
        countable.flat_map(each).collect()
    }

    #[test]
    fn symbols_are_coded_from_half_words() {
        let symbols = symbols();
        let (mut packed, mut apart) = (vec![0; symbols.len()], vec![0; symbols.len() + 1]);
        let used = pack(&symbols, &mut packed, &mut apart);
        let mut assigned = Assigned::default();
        let codes = core::array::from_fn(|value| value as u16 % 32);
        for table in 0..RAW {
            assigned.assign(table, &codes, &[5; 256]);
        }
        // In two parts, the second of which starts inside a byte.
        let (first, second) = packed.split_at(symbols.len() / 3);
        let mut raw = vec![0; 4 * symbols.len() + SLACK];
        let mut position = BitPosition::default();
        let middle = put_symbols(first, &apart, &assigned, &mut raw, &mut position);
        let rest = put_symbols(second, &apart[middle..], &assigned, &mut raw, &mut position);
        assert_eq!(middle + rest, used);

        let mut bits = Vec::new();
        let mut push = |word: u32, count: u32| bits.extend((0..count).rev().map(|bit| word >> bit & 1));
        for symbol in symbols {
            if symbol >> 8 & 7 != RAW {
                push(symbol & 31, 5);
            }
            push(symbol >> 16, symbol >> 11 & 31);
        }
        assert_eq!(8 * position.bytes + position.count as usize, bits.len());
        for (byte, bits) in raw.iter().zip(bits.as_chunks::<8>().0) {
            assert_eq!(u32::from(*byte), bits.iter().fold(0, |byte, bit| 2 * byte + bit));
        }
    }
}
