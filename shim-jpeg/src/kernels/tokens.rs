//! Tokens: what is coded, before there are codes for it (T.81 F.1.2 and G.1.2 without their tables).
//!
//! A token is a value V of a Huffman table with its additional bits, in one word:
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
//! Until then tokens are kept [packed](pack). A value implies the number of its additional bits ([`additional_bits`]),
//! so a half word holds table, value and up to five additional bits; more of them have a half word of their own in a
//! second list.
//! [`put_tokens`] writes packed tokens by tables.

use alloc::boxed::Box;
use alloc::vec::Vec;

use shim::prelude::*;

use super::bits::{BitPosition, LENGTH_BITS, MAX_LENGTH, put_bits};
use super::block::Coding;
use super::codes::category;
use super::mcu::{Mcus, Predictions, dc_of_mcus, words_of_mcus};

/// The table of additional bits that follow no code.
pub const RAW: u32 = 4;

/// Values of all tables.
pub const VALUES: usize = 5 * 256;

/// The most tokens of a block: DC, 63 coefficients and EOB.
const MAX_BLOCK_TOKENS: usize = 65;

/// Tokens past the end that may be overwritten: one that is none is stored and not kept.
const TOKEN_SLACK: usize = 1;

/// No token.
const NONE: u32 = u32::MAX;

/// The most additional bits of a packed token that are beside its value.
const BESIDE: u32 = 5;

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
pub(crate) const fn token(table: u32, value: u32, count: u32, additional: u32) -> u32 {
    additional << 16 | count << 11 | table << 8 | value
}

/// The token of RRRR zeros and a number after them: the low SSSS bits of it, or of one less when it is negative
/// (F.1.2.1.1 and F.1.2.2.1).
#[inline]
pub(crate) const fn run_and_value(table: u32, rrrr: u32, value: i32) -> u32 {
    let ssss = category(value);
    let additional = (value + (value >> 31)) as u32 & ((1 << ssss) - 1);
    token(table, rrrr << 4 | ssss, ssss, additional)
}

/// `[16, 256]`: the tokens of table 0 of a run of RRRR zeros and a value of -127 to 127 after it.
static SHORT_WORDS: [u32; 4096] = {
    let mut short_words = [0; 4096];
    let mut place = 0;
    while place < 4096 {
        short_words[place] = run_and_value(0, place as u32 >> 8, place as u8 as i8 as i32);
        place += 1;
    }
    short_words
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
    fn short_words(&self) -> &[u32; 4096] {
        &SHORT_WORDS
    }

    #[inline]
    fn mark(&self) -> u32 {
        token(2 + self.0, 0, 0, 0)
    }

    #[inline]
    fn none(&self) -> u32 {
        NONE
    }

    #[inline]
    fn end_of_block(&self) -> u32 {
        token(2 + self.0, 0, 0, 0)
    }

    #[inline]
    fn bit(&self, bit: u32) -> u32 {
        token(RAW, 1, 1, bit)
    }
}

/// Appends three words to a list, any of which may be none; a template.
#[shim::kernel]
fn push_three(first: u32, second: u32, third: u32, words: impl Tensor<u32, 1>, _state: &mut ()) {
    words.push_if(first != NONE, first);
    words.push_if(second != NONE, second);
    words.push_if(third != NONE, third);
}

/// Appends two words to a list; a template.
#[shim::kernel]
fn push_two(first: u32, second: u32, words: impl Tensor<u32, 1>, _state: &mut ()) {
    words.extend((0..2).map(|i| if i == 0 { first } else { second }));
}

/// The tokens of whole blocks of MCUs (A.2.3 and F.1.2), from `end` of `out` on; returns where they end.
#[shim::kernel(simd(v3))]
pub fn tokens_of_mcus(
    mcus: &Mcus<'_>,
    predictions: &mut Predictions,
    out: &mut Vec<u32>,
    end: usize,
) -> usize {
    let out = Block::grown(out, [end + mcus.blocks() * MAX_BLOCK_TOKENS + TOKEN_SLACK]).list_from(end);
    let coding = [&Table(0), &Table(1)];
    words_of_mcus::<Table, u32, ()>(push_three, push_two, mcus, predictions, coding, out, &mut ());
    out.len()
}

/// The tokens of DC of MCUs, from `end` of `out` on; returns where they end. The first scan has the bits from Al up
/// (G.1.2.1: differences of values that are shifted to the right arithmetically), and one that `refines` it bit Al
/// (G.1.2.1.1).
#[shim::kernel(simd(v3))]
pub fn dc_tokens_of_mcus(
    mcus: &Mcus<'_>,
    predictions: &mut Predictions,
    al: u32,
    refines: bool,
    out: &mut Vec<u32>,
    end: usize,
) -> usize {
    let out = Block::grown(out, [end + mcus.blocks()]).list_from(end);
    let coding = [&Table(0), &Table(1)];
    if refines {
        dc_of_mcus::<Table, true>(mcus, predictions, al, coding, out);
    } else {
        dc_of_mcus::<Table, false>(mcus, predictions, al, coding, out);
    }
    out.len()
}

/// Adds to `counts`, `[2, VALUES]`, how often the tables' values occur: in one half those of every other token, so
/// that equal ones in a row do not wait for each other.
///
/// # Panics
///
/// When a word is not a token.
#[shim::kernel]
pub fn count(tokens: &[u32], counts: &mut [u32; 2 * VALUES]) {
    let n = tokens.len();
    let tokens = Block::external(tokens, [n]);
    let counts = Block::external(counts, [2, VALUES]);
    for pair in 0..n / 2 {
        let (first, second) = (tokens[[2 * pair]] & 0x7ff, tokens[[2 * pair + 1]] & 0x7ff);
        counts[[0, first as usize]] += 1;
        counts[[1, second as usize]] += 1;
    }
    for last in n - n % 2..n {
        counts[[0, (tokens[[last]] & 0x7ff) as usize]] += 1;
    }
}

/// Appends tokens to `packed`, and those additional bits that have no place there to the half words of `apart` before
/// its last one; returns how many half words these are then.
#[shim::kernel(simd(v3))]
pub fn pack(tokens: &[u32], packed: &mut Vec<u16>, apart: &mut Vec<u16>) -> usize {
    let (n, first, end) = (tokens.len(), packed.len(), apart.len().saturating_sub(1));
    let tokens = Block::external(tokens, [n]);
    let packed = Block::grown(packed, [first + n]);
    let apart = Block::grown(apart, [end + n + 1]).list_from(end);
    for i in 0..n {
        let token = tokens[[i]];
        packed[[first + i]] = (token & 0x7ff | token >> 16 << 11) as u16;
    }
    for i in 0..n {
        let token = tokens[[i]];
        apart.push_if((token >> 11 & 31) > BESIDE, (token >> 16) as u16);
    }
    apart.len()
}

/// The bits of a packed token and their number, a template. `used` half words of `apart` belong to tokens before it.
#[shim::kernel]
fn bits_of(
    token: u16,
    codes: impl Tensor<u32, 1>,
    apart: impl Tensor<u16, 1>,
    used: &mut usize,
) -> (u64, u64) {
    let code = codes[[(token & 0x7ff) as usize]];
    let count = code >> LENGTH_BITS & 31;
    let far = u64::from(apart[[*used]]);
    let additional = if count > BESIDE { far } else { u64::from(token >> 11) };
    *used += usize::from(count > BESIDE);
    (u64::from(code >> (LENGTH_BITS + 5)) << count | additional, u64::from((code & 63) + count))
}

/// Appends packed tokens to `raw` at `position`, which moves on, by the codes of [`Assigned`]; what `raw` holds up to
/// eight bytes past them is lost. Returns how many half words of `apart` the tokens have used.
///
/// # Panics
///
/// When `raw` has less than four bytes for each token and eight left, `apart` has not one half word more than is used,
/// or a token is of no table.
#[shim::kernel(simd(v3))]
pub fn put_tokens(
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
    let (mut end, mut used) = (*position, 0);
    for pair in 0..n / 2 {
        let (first, a) = bits_of(packed[[2 * pair]], codes, apart, &mut used);
        let (second, b) = bits_of(packed[[2 * pair + 1]], codes, apart, &mut used);
        if a + b <= u64::from(MAX_LENGTH) {
            put_bits(first << b | second, a + b, raw, &mut end);
        } else {
            put_bits(first, a, raw, &mut end);
            put_bits(second, b, raw, &mut end);
        }
    }
    for last in n - n % 2..n {
        let (bits, length) = bits_of(packed[[last]], codes, apart, &mut used);
        put_bits(bits, length, raw, &mut end);
    }
    end.pending &= (1 << end.count) - 1;
    *position = end;
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
    fn tokens() -> Vec<u32> {
        let tables = (0..=RAW).flat_map(|table| (0..256).map(move |value| (table, value)));
        let countable = tables.filter(|&(table, value)| additional_bits(table, value) <= 16);
        let each = |(table, value)| {
            let count = additional_bits(table, value);
            [0, (1 << count) - 1].map(|additional| token(table, value, count, additional))
        };
        countable.flat_map(each).collect()
    }

    #[test]
    fn tokens_are_coded_from_half_words() {
        let tokens = tokens();
        let (mut packed, mut apart) = (Vec::new(), Vec::new());
        let used = pack(&tokens, &mut packed, &mut apart);
        assert_eq!(packed.len(), tokens.len());
        let mut assigned = Assigned::default();
        let codes = core::array::from_fn(|value| value as u16 % 32);
        for table in 0..RAW {
            assigned.assign(table, &codes, &[5; 256]);
        }
        // In two parts, the second of which starts inside a byte.
        let (first, second) = packed.split_at(tokens.len() / 3);
        let mut raw = vec![0; 4 * tokens.len() + SLACK];
        let mut position = BitPosition::default();
        let middle = put_tokens(first, &apart, &assigned, &mut raw, &mut position);
        let rest = put_tokens(second, &apart[middle..], &assigned, &mut raw, &mut position);
        assert_eq!(middle + rest, used);

        let mut bits = Vec::new();
        let mut push = |word: u32, count: u32| bits.extend((0..count).rev().map(|bit| word >> bit & 1));
        for token in tokens {
            if token >> 8 & 7 != RAW {
                push(token & 31, 5);
            }
            push(token >> 16, token >> 11 & 31);
        }
        assert_eq!(8 * position.bytes + position.count as usize, bits.len());
        for (byte, bits) in raw.iter().zip(bits.as_chunks::<8>().0) {
            assert_eq!(u32::from(*byte), bits.iter().fold(0, |byte, bit| 2 * byte + bit));
        }
    }
}
