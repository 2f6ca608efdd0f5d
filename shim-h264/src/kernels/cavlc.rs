//! CAVLC: the levels of a macroblock as codes (9.2).

use shim::prelude::*;

use super::codes::{
    COEFF_TOKEN, Codeword, RUN_BEFORE, TOTAL_ZEROS, TOTAL_ZEROS_CHROMA_DC, TokenTable, token,
};
use super::picture::TableRows;
use super::residual::Residual;
use super::total_coeff::{Near, near};
use shim_codec::bits::{CODE_BITS, word};

/// The most words that [`residual_words`] writes: 27 blocks, each with a token, sixteen levels, and two words for its
/// zeros; and what is written past them.
pub const WORDS: usize = 27 * 19 + 2;

/// The lists of levels that a macroblock has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ResidualShape {
    /// Whether its prediction mode is `Intra_16x16`.
    pub intra16x16: bool,
    /// `CodedBlockPatternLuma`: a bit for each 8x8 block, or of `Intra_16x16` 0 or 15.
    pub luma: u8,
    /// `CodedBlockPatternChroma`: 0, or 1 with DC, or 2 with AC also.
    pub chroma: u8,
}

/// The word of a level with the suffix length that it has to be coded with, and `levelCode` of 9.2.2.1: twice its
/// magnitude less 2, and 1 more if it is negative, less 2 where it cannot be a trailing one.
#[must_use]
pub const fn level_word(level_code: u32, suffix_length: u32) -> u32 {
    // Prefixes below 15, of which the last without a suffix otherwise gets one of four bits.
    if suffix_length == 0 && level_code < 14 {
        return word(1, level_code + 1);
    }
    if suffix_length == 0 && level_code < 30 {
        return word(1 << 4 | (level_code - 14), 15 + 4);
    }
    let escape = if suffix_length == 0 { 30 } else { 15 << suffix_length };
    if level_code < escape {
        let suffix = level_code & ((1 << suffix_length) - 1);
        return word(1 << suffix_length | suffix, (level_code >> suffix_length) + 1 + suffix_length);
    }
    // From 15 on the suffix has three bits less than the prefix zeros; each prefix goes on where the last one ended.
    let mut prefix = 15;
    let mut first = escape;
    while level_code - first >= 1 << (prefix - 3) {
        first += 1 << (prefix - 3);
        prefix += 1;
    }
    let size = prefix - 3;
    word(1 << size | (level_code - first), prefix + 1 + size)
}

/// `levelCode` of a level, but for the 2 less of one that follows fewer than three trailing ones (9.2.2.1).
#[inline]
#[must_use]
pub const fn level_code(level: i32) -> u32 {
    2 * level.unsigned_abs() - 2 + (level < 0) as u32
}

/// The levels of a block that have a word in a table: -64 to 63.
const USUAL: usize = 128;

/// Words of levels by `suffixLength` and the level + 64.
const LEVELS: [[u32; USUAL]; 7] = {
    let mut words = [[0; USUAL]; 7];
    let mut suffix_length = 0;
    while suffix_length < 7 {
        let mut i = 0;
        while i < USUAL {
            let level = i as i32 - 64;
            if level != 0 {
                words[suffix_length][i] = level_word(level_code(level), suffix_length as u32);
            }
            i += 1;
        }
        suffix_length += 1;
    }
    words
};

/// The magnitude above which `suffixLength` is incremented, by what it is; that of 0 becomes 1 before (9.2.2.1).
const LIMIT: [u32; 7] = [3, 3, 6, 12, 24, 48, u32::MAX];

/// The words of a table of codes.
const fn table<const N: usize, const M: usize>(codes: &[[Codeword; N]; M]) -> [[u32; N]; M] {
    let mut words = [[0; N]; M];
    let mut row = 0;
    while row < M {
        let mut i = 0;
        while i < N {
            words[row][i] = codes[row][i].word();
            i += 1;
        }
        row += 1;
    }
    words
}

static LEVEL_WORDS: [[u32; USUAL]; 7] = LEVELS;
pub(crate) static TOKENS: [[u32; 68]; 5] = table(&COEFF_TOKEN);
pub(crate) static ZEROS: [[u32; 16]; 16] = table(&TOTAL_ZEROS);
pub(crate) static ZEROS_CHROMA_DC: [[u32; 16]; 4] = table(&TOTAL_ZEROS_CHROMA_DC);
static RUNS: [[u32; 16]; 8] = table(&RUN_BEFORE);

/// Appends a word to a list; a template.
#[shim::kernel]
fn append(words: impl Tensor<u32, 1>, word: u32) {
    words.push(word);
}

/// Appends a word to a list unless it is empty; a template.
#[shim::kernel]
fn append_any(words: impl Tensor<u32, 1>, word: u32) {
    words.push_if(word & 63 > 0, word);
}

/// Adds the length of a word to `bits[0]`; a template.
#[shim::kernel]
fn count(bits: impl Tensor<u32, 1>, word: u32) {
    bits[[0]] += word & 63;
}

/// `residual_block_cavlc` (7.3.5.3.2, 9.2) of the levels whose bits are set in `mask`, with a column of Table 9-5 and
/// the words of `total_zeros` by their number; a template. Each word, of which the last two may be empty, goes to `put`
/// or to `put_any` with `out`.
#[shim::kernel]
fn block(
    put: impl Template,
    put_any: impl Template,
    levels: impl Tensor<i16, 1>,
    mask: u32,
    tokens: &[u32; 68],
    zeros: &[[u32; 16]],
    out: impl Tensor<u32, 1>,
) {
    if mask == 0 {
        put(out, tokens[0]);
    } else {
        let total_coeff = mask.count_ones() as usize;
        // 9.2.2: up to three levels of 1 or -1, from the highest frequency down.
        let mut left = mask;
        let (mut trailing_ones, mut signs) = (0, 0);
        while left != 0 && trailing_ones < 3 {
            let k = (31 - left.leading_zeros()) as usize;
            let level = levels[[k]];
            if level.unsigned_abs() != 1 {
                break;
            }
            signs = signs << 1 | u32::from(level < 0);
            trailing_ones += 1;
            left ^= 1 << k;
        }
        let code = tokens[token(total_coeff, trailing_ones)];
        let length = (code & 63) + trailing_ones as u32;
        put(out, shim_codec::bits::word(code >> 6 << trailing_ones | signs, length));
        // 9.2.2.1: the others.
        let mut suffix_length = usize::from(total_coeff > 10 && trailing_ones < 3);
        let mut less = if trailing_ones < 3 { 1_i32 } else { 0 };
        while left != 0 {
            let k = (31 - left.leading_zeros()) as usize;
            left ^= 1 << k;
            let level = i32::from(levels[[k]]);
            // One that cannot be 1 or -1 is coded as if it were nearer to zero by 1.
            let coded = level - less * level.signum();
            less = 0;
            let usual = (coded + 64) as usize;
            let word = if usual < USUAL {
                LEVEL_WORDS[suffix_length][usual]
            } else {
                level_word(level_code(coded), suffix_length as u32)
            };
            put(out, word);
            let more = level.unsigned_abs() > LIMIT[suffix_length];
            suffix_length = suffix_length.max(1) + usize::from(more);
        }
        // 9.2.3: zeros before the last level, in all and before each.
        let mut last = 31 - mask.leading_zeros();
        let mut zeros_left = last as usize + 1 - total_coeff;
        let (mut bits, mut length) = (0_u64, 0);
        if total_coeff < zeros.len() {
            let code = zeros[total_coeff][zeros_left & 15];
            (bits, length) = (u64::from(code >> 6), code & 63);
        }
        let mut left = mask ^ 1 << last;
        while zeros_left > 0 && left != 0 {
            let k = 31 - left.leading_zeros();
            let run = (last - k - 1) as usize;
            let code = RUNS[zeros_left.min(7)][run & 15];
            bits = bits << (code & 63) | u64::from(code >> 6);
            length += code & 63;
            zeros_left -= run;
            last = k;
            left ^= 1 << k;
        }
        const MOST: u32 = 26;
        let (behind, beyond) = (length.min(MOST), length.saturating_sub(MOST));
        put_any(out, shim_codec::bits::word((bits >> behind) as u32, beyond));
        put_any(out, shim_codec::bits::word((bits & ((1 << behind) - 1)) as u32, behind));
    }
}

/// The number of bits of a block (7.3.5.3.2): of levels from index `first` on, which is 0 or 1, whose bits in `mask`
/// begin with that of the first.
#[shim::kernel]
pub(crate) fn block_bits(
    #[shape(16)] levels: &[i16; 16],
    first: usize,
    mask: u32,
    tokens: &[u32; 68],
    zeros: &[[u32; 16]],
) -> u32 {
    let bits = Block::stack::<u32>([1]);
    if first == 0 {
        block(count, count, levels, mask, tokens, zeros, bits);
    } else {
        block(count, count, levels[[1..16]], mask, tokens, zeros, bits);
    }
    bits[[0]]
}

/// The words of a macroblock's levels (7.3.5.3), from `end` of `words` on; returns where they end.
///
/// A neighbor of another slice is not available (6.4.9).
///
/// # Panics
///
/// When the macroblock is outside of the picture, or `words` has less than [`WORDS`] behind `end`.
#[shim::kernel(simd(v3))]
pub fn residual_words(
    residual: &Residual,
    shape: ResidualShape,
    #[located] tables: &TableRows<'_>,
    #[shape(16, 16)] macroblock: Place<2>,
    words: &mut [u32],
    end: usize,
) -> usize {
    let words = Block::external(words, [words.len()]).list_from(end);
    let slice = tables.slice[macroblock].coarsen([16, 16]);
    let mut counts = near::<5>(tables.luma_total[macroblock].coarsen([4, 4]), slice);
    let luma = Block::external(&residual.luma, [16, 4, 4]);
    let nonzero = Block::external(&residual.luma_nonzero, [4, 4]);
    if shape.intra16x16 {
        let dc = Block::external(&residual.luma_dc, [16]);
        let mask = u32::from(residual.luma_dc_nonzero);
        block(append, append_any, dc, mask, &TOKENS[counts.token_table(0, 0)], &ZEROS, words);
    }
    if shape.luma != 0 {
        let first = u32::from(shape.intra16x16);
        // luma4x4BlkIdx (6.4.3), of which four have one bit of the pattern.
        for [y, x] in nonzero.scan(tile([2, 2])) {
            if shape.luma >> (y / 2 * 2 + x / 2) & 1 == 0 {
                continue;
            }
            let tokens = &TOKENS[counts.token_table(y as usize, x as usize)];
            let mask = u32::from(nonzero[[y, x]]) >> first;
            counts.set(y as usize, x as usize, mask.count_ones() as u8);
            // The first of them is not coded with Intra_16x16, of which a block has fifteen.
            if first == 0 {
                block(append, append_any, luma[[.., y, x]], mask, tokens, &ZEROS, words);
            } else {
                block(append, append_any, luma[[1..16, y, x]], mask, tokens, &ZEROS[..15], words);
            }
        }
    }

    if shape.chroma != 0 {
        let dc = Block::external(&residual.chroma_dc, [2, 4]);
        for c in 0..2 {
            let dc = dc.slice(0, c);
            let mask = u32::from(residual.chroma_dc_nonzero[c]);
            block(
                append,
                append_any,
                dc,
                mask,
                &TOKENS[TokenTable::ChromaDc as usize],
                &ZEROS_CHROMA_DC,
                words,
            );
        }
    }
    let mut counts = [Near::<3>::NONE; 2];
    if shape.chroma > 1 {
        let cb = near::<3>(tables.chroma_total[0][macroblock].coarsen([8, 8]), slice);
        let cr = near::<3>(tables.chroma_total[1][macroblock].coarsen([8, 8]), slice);
        counts = [cb, cr];
        let ac = Block::external(&residual.chroma, [16, 2, 2, 2]);
        let nonzero = Block::external(&residual.chroma_nonzero, [2, 2, 2]);
        for (c, counts) in counts.iter_mut().enumerate() {
            for [y, x] in nonzero.slice(0, c).scan(row_major) {
                let tokens = &TOKENS[counts.token_table(y as usize, x as usize)];
                let mask = u32::from(nonzero[[c, y, x]]) >> 1;
                counts.set(y as usize, x as usize, mask.count_ones() as u8);
                block(append, append_any, ac[[1..16, c, y, x]], mask, tokens, &ZEROS[..15], words);
            }
        }
    }
    words.len()
}

/// Stores `total_coeff` of the blocks of a macroblock whose levels are coded like that.
///
/// # Panics
///
/// When the macroblock is outside of the picture.
#[shim::kernel]
pub fn store_totals(
    residual: &Residual,
    shape: ResidualShape,
    #[located] tables: &mut TableRows<'_>,
    #[shape(16, 16)] macroblock: Place<2>,
) {
    let first = u32::from(shape.intra16x16);
    let nonzero = Block::external(&residual.luma_nonzero, [4, 4]);
    let total = tables.luma_total.footprint(macroblock);
    for [y, x] in total.indices() {
        let coded = shape.luma >> (y / 2 * 2 + x / 2) & 1 != 0;
        total[[y, x]] = if coded { (nonzero[[y, x]] >> first).count_ones() as u8 } else { 0 };
    }
    let nonzero = Block::external(&residual.chroma_nonzero, [2, 2, 2]);
    let (cb, cr) =
        (tables.chroma_total[0].footprint(macroblock), tables.chroma_total[1].footprint(macroblock));
    for [y, x] in cb.indices() {
        let count = |nonzero: u16| if shape.chroma > 1 { (nonzero >> 1).count_ones() as u8 } else { 0 };
        cb[[y, x]] = count(nonzero[[0, y, x]]);
        cr[[y, x]] = count(nonzero[[1, y, x]]);
    }
}

const _: () = assert!(CODE_BITS == 26, "block divides bits there");

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels::testing::Random;
    use shim_codec::bits::lengths;

    #[shim::kernel]
    fn own_words(
        levels: &[i16; 16],
        first: usize,
        mask: u32,
        tokens: &[u32; 68],
        zeros: &[[u32; 16]],
        words: &mut [u32],
    ) -> usize {
        let levels = Block::external(levels, [16]);
        let words = Block::external(words, [words.len()]).list();
        if first == 0 {
            block(append, append_any, levels, mask, tokens, zeros, words);
        } else {
            block(append, append_any, levels[[1..16]], mask >> 1, tokens, zeros, words);
        }
        words.len()
    }

    #[test]
    fn bits_are_those_of_the_words() {
        let (mut random, mut words) = (Random::new(5), [0; 64]);
        for round in 0..20_000 {
            let first = round % 2;
            let (often, most) = (random.within(1, 8), [1, 3, 40, 2000][round / 2 % 4]);
            let mut levels = [0_i16; 16];
            for level in &mut levels[first..] {
                *level = if random.within(0, 7) < often { random.within(-most, most) as i16 } else { 0 };
            }
            let mask = (first..16).map(|k| u32::from(levels[k] != 0) << k).sum::<u32>();
            let tokens = &TOKENS[random.within(0, 3) as usize];
            let end = own_words(&levels, first, mask, tokens, &ZEROS[..16 - first], &mut words);
            let bits = block_bits(&levels, first, mask >> first, tokens, &ZEROS[..16 - first]);
            assert_eq!(bits, lengths(&words, 0, end), "{levels:?}");
        }
    }
}
