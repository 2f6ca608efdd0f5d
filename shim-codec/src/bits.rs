//! From codewords to bits.
//!
//! A code is kept as a *word* until there are many: its bits, and below them their number. [`put_words`] joins words
//! and appends their bits to memory.

use shim::prelude::*;

/// Bytes past the end of the bits that [`put_words`] may overwrite: bits are stored eight bytes at a time.
pub const SLACK: usize = 8;

/// The low six bits of a word say how many bits its code has.
pub const LENGTH_BITS: u32 = 6;

/// The greatest number of bits of a code from its highest one on; zeros before it are only counted.
pub const CODE_BITS: u32 = 32 - LENGTH_BITS;

/// The most bits of a word, zeros included.
pub const MAX_LENGTH: u32 = 57;

/// Words that are joined in one go.
pub const GROUP: usize = 64;

/// The word of a code of so many bits.
#[inline]
#[must_use]
pub const fn word(code: u32, length: u32) -> u32 {
    code << LENGTH_BITS | length
}

/// The end of a sequence of bits in raw memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BitPosition {
    /// Whole bytes written.
    pub bytes: usize,
    /// The bits after them, in the low `count` bits.
    pub pending: u64,
    /// Number of pending bits, 0 to 7.
    pub count: u32,
}

/// Appends the codes of the first `count` words, of at most [`MAX_LENGTH`] bits each, to `raw` at `position`, which
/// moves on.
///
/// Four words are joined at a time, in loops that run on vectors: what is left to be done one after the other is a
/// shift for each four.
///
/// # Panics
///
/// When `words` is not as long as `count + 3` rounded up to groups of [`GROUP`], or `raw` has no room for the bits and
/// [`SLACK`] bytes.
#[shim::kernel(simd)]
pub fn put_words(words: &mut [u32], count: usize, raw: &mut [u8], position: &mut BitPosition) {
    /// The bits that can be appended to seven pending ones: 64 - 7.
    const MOST: u64 = MAX_LENGTH as u64;
    let words = Block::external(words, [words.len()]);
    let raw = Block::external(raw, [raw.len()]);
    let joined = Block::stack::<u64>([16]);
    let lengths = Block::stack::<u64>([16]);
    let mut end = *position;
    // Words of no bits complete the last four.
    for i in 0..3 {
        words[[count + i]] = 0;
    }
    let fours = count.div_ceil(4);
    for group in 0..fours.div_ceil(16) {
        let words = words[[64 * group..64 * group + 64]].cast::<u64>();
        for i in 0..16 {
            let [a, b, c, d] = [words[[4 * i]], words[[4 * i + 1]], words[[4 * i + 2]], words[[4 * i + 3]]];
            let front = a >> 6 << (b & 63) | b >> 6;
            let back = c >> 6 << (d & 63) | d >> 6;
            let behind = (c & 63) + (d & 63);
            // Too long for its 64 bits, it is not used.
            joined[[i]] = front << (behind & 63) | back;
            lengths[[i]] = (a & 63) + (b & 63) + behind;
        }
        for i in 0..fours.min(16 * group + 16) - 16 * group {
            let length = lengths[[i]];
            if length <= MOST {
                put_bits(joined[[i]], length, raw, &mut end);
            } else {
                for k in 0..4 {
                    let word = words[[4 * i + k]];
                    put_bits(word >> 6, word & 63, raw, &mut end);
                }
            }
        }
    }
    end.pending &= (1 << end.count) - 1;
    *position = end;
}

/// Appends so many bits, at most [`MAX_LENGTH`], to `raw` at `position`, which moves on; a template.
#[shim::kernel]
pub fn put_bits(bits: u64, length: u64, raw: impl Tensor<u8, 1>, position: &mut BitPosition) {
    position.pending = position.pending << length | bits;
    position.count += length as u32;
    // The first bit to the top of the word; behind the last one there are zeros.
    let word = (position.pending << ((64 - u64::from(position.count)) & 63)).to_be_bytes();
    let at: usize = position.bytes;
    #[unroll]
    for i in 0..8 {
        raw[[at + i]] = word[i];
    }
    position.bytes += (position.count >> 3) as usize;
    position.count &= 7;
}

/// Appends the codes of three words, of at most [`MAX_LENGTH`] bits together, as [`put_bits`]; a template.
#[shim::kernel]
pub fn put_three(a: u32, b: u32, c: u32, raw: impl Tensor<u8, 1>, position: &mut BitPosition) {
    let (a, b, c) = (u64::from(a), u64::from(b), u64::from(c));
    let joined = (a >> 6 << (b & 63) | b >> 6) << (c & 63) | c >> 6;
    // Lengths are the low bits of the words, and that of all three is in those of their sum.
    put_bits(joined, (a + b + c) & 63, raw, position);
}

/// Appends the codes of two words as [`put_three`] does; a template.
#[shim::kernel]
pub fn put_two(first: u32, second: u32, raw: impl Tensor<u8, 1>, position: &mut BitPosition) {
    put_three(0, first, second, raw, position);
}

/// Number of bits of the words from `start` to `end`.
///
/// # Panics
///
/// When there are fewer words, or `end` is before `start`.
#[shim::kernel(simd, checks = "hoisted")]
pub fn lengths(words: &[u32], start: usize, end: usize) -> u32 {
    let words = Block::external(words, [words.len()])[[start..end]];
    words.indices().map(|[i]| words[[i]] & 63).sum::<u32>()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;
    use std::vec;
    use std::vec::Vec;

    #[shim::kernel]
    fn put_threes(words: &[[u32; 3]], raw: &mut [u8], position: &mut BitPosition) {
        let raw = Block::external(raw, [raw.len()]);
        let mut end = *position;
        for [a, b, c] in words {
            put_three(*a, *b, *c, raw, &mut end);
            put_two(*c, *a, raw, &mut end);
        }
        *position = end;
    }

    #[test]
    fn words_are_put_at_once() {
        let mut random = Random::new(2);
        let mut next = |limit: u32| (random.bits() >> 8) % limit;
        let words: Vec<[u32; 3]> = (0..200)
            .map(|_| [0; 3].map(|_| next(20)).map(|length| word(next(1 << length), length)))
            .collect();
        let one_by_one: Vec<u32> = words.iter().flat_map(|&[a, b, c]| [a, b, c, c, a]).collect();
        let (mut raw, mut position) = (vec![0; 3000], BitPosition::default());
        put_threes(&words, &mut raw, &mut position);
        let (mut wanted, mut end) = (vec![0; 3000], BitPosition::default());
        let mut memory = one_by_one.clone();
        memory.resize((one_by_one.len() + 3).next_multiple_of(GROUP), 0);
        put_words(&mut memory, one_by_one.len(), &mut wanted, &mut end);
        position.pending &= (1 << position.count) - 1;
        assert_eq!((&raw[..position.bytes], position), (&wanted[..end.bytes], end));
    }

    /// Words of all lengths, more and less than fit together, after any number of them.
    #[test]
    fn words_follow_one_another() {
        let mut random = Random::new(1);
        let mut next = move || random.bits() >> 8;
        for count in 0..150 {
            let longest = 1 + count as u32 % 57;
            let words: Vec<(u32, u32)> = (0..count)
                .map(|_| {
                    let length = 1 + next() % longest;
                    (next() & ((1 << length.min(CODE_BITS - 2)) - 1), length)
                })
                .collect();
            let wanted: Vec<u8> = words
                .iter()
                .flat_map(|(code, length)| (0..*length).rev().map(move |i| (u64::from(*code) >> i & 1) as u8))
                .collect();
            let mut raw = vec![0; wanted.len() / 8 + 2 * SLACK];
            let mut position = BitPosition::default();
            // In two parts, the second of which starts inside of a byte.
            for part in [&words[..count / 3], &words[count / 3..]] {
                let mut memory: Vec<u32> =
                    part.iter().map(|(code, length)| code << LENGTH_BITS | length).collect();
                let used = memory.len();
                memory.resize((used + 3).next_multiple_of(GROUP), 99);
                put_words(&mut memory, used, &mut raw, &mut position);
            }
            assert_eq!(8 * position.bytes + position.count as usize, wanted.len());
            let pending = (0..position.count).rev().map(|i| (position.pending >> i & 1) as u8);
            let whole =
                raw[..position.bytes].iter().flat_map(|byte| (0..8).rev().map(move |i| byte >> i & 1));
            assert_eq!(whole.chain(pending).collect::<Vec<_>>(), wanted);
        }
    }
}
