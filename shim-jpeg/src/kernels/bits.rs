//! The bits of a scan and its bytes (T.81 F.1.2 and B.1.1.5).
//!
//! [`put_words`] appends bits to raw memory, [`finish`] completes the last byte, and [`stuff`] turns raw bytes into
//! those of the file, where a zero follows every 0xFF so that none looks like a marker.

use shim::prelude::*;

/// Bytes past the end of the bits that [`put_words`] and [`finish`] may overwrite: bits are stored eight bytes at a
/// time.
pub const SLACK: usize = 8;

/// The low six bits of a word say how many bits the code above them has, additional bits included.
pub const LENGTH_BITS: u32 = 6;

/// Words that are joined in one go.
pub const GROUP: usize = 64;

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

/// Appends the codes of the first `count` words, of at most 26 bits each, to `raw` at `position`, which moves on.
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
    /// The bits that can be appended to seven pending ones.
    const MOST: u64 = 57;
    let words = Block::external(words, [words.len()]);
    let raw = Block::external(raw, [raw.len()]);
    let joined = Block::stack::<u64>([16]);
    let lengths = Block::stack::<u64>([16]);
    let BitPosition { bytes, pending, count: held } = *position;
    let (mut bytes, mut pending, mut held) = (bytes, pending, u64::from(held));
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
                pending = pending << length | joined[[i]];
                held += length;
                store(pending, held, raw, bytes);
                bytes += (held >> 3) as usize;
                held &= 7;
            } else {
                for k in 0..4 {
                    let word = words[[4 * i + k]];
                    pending = pending << (word & 63) | word >> 6;
                    held += word & 63;
                    store(pending, held, raw, bytes);
                    bytes += (held >> 3) as usize;
                    held &= 7;
                }
            }
        }
    }
    *position = BitPosition { bytes, pending: pending & ((1 << held) - 1), count: held as u32 };
}

/// Stores the low `held` bits of `pending` from byte `at` on, its highest bit first, and after them what fills eight
/// bytes; a template.
#[shim::kernel]
fn store(pending: u64, held: u64, raw: impl Tensor<u8, 1>, at: usize) {
    let word = (pending << ((64 - held) & 63)).to_be_bytes();
    #[unroll]
    for i in 0..8 {
        raw[[at + i]] = word[i];
    }
}

/// Completes the last byte with 1-bits (F.1.2.3), so that no bit is pending.
///
/// # Panics
///
/// When `raw` has less than [`SLACK`] bytes left.
pub fn finish(raw: &mut [u8], position: &mut BitPosition) {
    let mut words = [0; GROUP];
    let missing = (8 - position.count) & 7;
    words[0] = ((1 << missing) - 1) << LENGTH_BITS | missing;
    put_words(&mut words, 1, raw, position);
}

/// Appends bytes with a zero after every 0xFF; a template.
#[shim::kernel]
fn stuff_bytes(bytes: impl Tensor<u8, 1>, stuffed: impl Tensor<u8, 1>) {
    for [i] in bytes.indices() {
        stuffed.push(bytes[[i]]);
        stuffed.push_if(bytes[[i]] == 0xff, 0);
    }
}

/// Copies the first `length` bytes of `raw` to `stuffed` with a zero byte after every 0xFF (F.1.2.3 and B.1.1.5), and
/// returns how many bytes that made.
///
/// # Panics
///
/// When `raw` is shorter, or `stuffed` shorter than twice that.
#[shim::kernel(simd)]
pub fn stuff(raw: &[u8], length: usize, stuffed: &mut [u8]) -> usize {
    let raw = Block::external(raw, [length]);
    let stuffed = Block::external(stuffed, [2 * length]).list();
    // Most words hold no 0xFF.
    let words = length / 16;
    for word in 0..words {
        let word = raw[[16 * word..16 * word + 16]];
        if word.indices().map(|[i]| word[[i]]).max() == Some(0xff) {
            stuff_bytes(word, stuffed);
        } else {
            stuffed.extend((0..16).map(|i| word[[i]]));
        }
    }
    stuff_bytes(raw[[16 * words..]], stuffed);
    stuffed.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Words of all lengths, more and less than fit together, after any number of them.
    #[test]
    fn words_follow_one_another() {
        let mut seed = 1_u32;
        let mut next = move || {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            seed >> 8
        };
        for count in 0..150 {
            let longest = 1 + count as u32 % 26;
            let words: Vec<(u32, u32)> = (0..count)
                .map(|_| {
                    let length = 1 + next() % longest;
                    (next() & ((1 << length) - 1), length)
                })
                .collect();
            let wanted: Vec<u8> = words
                .iter()
                .flat_map(|(code, length)| (0..*length).rev().map(move |i| (code >> i & 1) as u8))
                .collect();
            let mut raw = vec![0; wanted.len() / 8 + 2 * SLACK];
            let mut position = BitPosition::default();
            // In two parts, the second of which starts inside a byte.
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

    #[test]
    fn a_zero_follows_every_ff() {
        for length in 0..40 {
            let raw: Vec<u8> = (0..length).map(|i| if i % 3 == 1 || i > 30 { 0xff } else { i }).collect();
            let mut stuffed = vec![0xaa; 2 * raw.len()];
            let made = stuff(&raw, raw.len(), &mut stuffed);
            let wanted: Vec<u8> =
                raw.iter().flat_map(|&b| [b, 0].into_iter().take(1 + usize::from(b == 0xff))).collect();
            assert_eq!(stuffed[..made], wanted);
        }
    }
}
