//! A bit writer and a bit reader.

use alloc::vec;
use alloc::vec::Vec;

use super::exp_golomb;
use shim_codec::bits::{BitPosition, CODE_BITS, GROUP, SLACK, lengths, put_words, word};

/// Words that are kept before bits are made of them.
const WORDS: usize = 4096;

/// A bit writer into a reusable buffer.
#[derive(Clone, Debug)]
pub struct BitWriter {
    /// Codewords that are not in `raw` yet.
    words: Vec<u32>,
    count: usize,
    raw: Vec<u8>,
    position: BitPosition,
}

/// An end of the bits of a [`BitWriter`].
#[derive(Clone, Copy, Debug)]
pub struct Checkpoint(BitPosition);

impl Default for BitWriter {
    fn default() -> Self {
        Self { words: vec![0; WORDS + GROUP], count: 0, raw: Vec::new(), position: BitPosition::default() }
    }
}

impl BitWriter {
    /// Appends the low `length` bits of a code, of which there are at most [`CODE_BITS`], and zeros above them count as
    /// bits.
    #[inline]
    pub fn put(&mut self, code: u32, length: u32) {
        self.words[self.count] = word(code, length);
        self.count += 1;
        if self.count == WORDS {
            self.join();
        }
    }

    /// Appends u(n).
    #[inline]
    pub fn u(&mut self, value: u32, length: u32) {
        if length > CODE_BITS {
            self.put(value >> 16, length - 16);
            self.put(value & 0xffff, 16);
        } else {
            self.put(value, length);
        }
    }

    /// Appends ue(v).
    ///
    /// # Panics
    ///
    /// When the value is `u32::MAX`, which has no code.
    #[inline]
    pub fn ue(&mut self, code_num: u32) {
        let code = code_num.checked_add(1).expect("codeNum is at most 2^32 - 2");
        if code < 1 << CODE_BITS {
            self.put(code, 2 * code.ilog2() + 1);
        } else {
            self.put(0, code.ilog2());
            self.u(code, code.ilog2() + 1);
        }
    }

    /// Room for so many words, at most 2048, and how many of it are in use from its beginning on: what a kernel writes
    /// its words to. [`wrote`](Self::wrote) says how far it came.
    ///
    /// # Panics
    ///
    /// When more words are asked for.
    #[inline]
    pub fn room(&mut self, most: usize) -> (&mut [u32], usize) {
        assert!(most <= WORDS / 2, "a kernel wants room for {most} words");
        if self.count + most > WORDS {
            self.join();
        }
        (&mut self.words, self.count)
    }

    /// The words are in use up to here.
    #[inline]
    pub fn wrote(&mut self, end: usize) {
        self.count = end;
    }

    /// A place to [`rewind`](Self::rewind) to, until as many words as there is [`room`](Self::room) for are appended.
    #[inline]
    pub fn mark(&mut self) -> usize {
        self.room(WORDS / 2).1
    }

    /// Number of bits appended since a mark.
    #[must_use]
    pub fn bits_since(&self, mark: usize) -> usize {
        lengths(&self.words, mark, self.count) as usize
    }

    /// Removes the bits appended since a mark.
    pub const fn rewind(&mut self, mark: usize) {
        self.count = mark;
    }

    /// The current end, to [`restore`](Self::restore) however many bits follow; a mark holds only while they are words.
    pub fn checkpoint(&mut self) -> Checkpoint {
        self.join();
        Checkpoint(self.position)
    }

    /// Removes the bits appended since a checkpoint of this writer.
    pub const fn restore(&mut self, checkpoint: Checkpoint) {
        (self.count, self.position) = (0, checkpoint.0);
    }

    /// The complete bytes up to the last checkpoint; its bits beyond a byte boundary are left out.
    #[must_use]
    pub fn complete_bytes(&self) -> &[u8] {
        &self.raw[..self.position.bytes]
    }

    /// Makes bits of all words.
    fn join(&mut self) {
        let bits = lengths(&self.words, 0, self.count) as usize;
        let needed = self.position.bytes + bits / 8 + 2 * SLACK;
        if self.raw.len() < needed {
            self.raw.resize(needed.next_power_of_two(), 0);
        }
        put_words(&mut self.words, self.count, &mut self.raw, &mut self.position);
        self.count = 0;
    }

    /// Number of bits.
    pub fn bits(&mut self) -> usize {
        self.join();
        8 * self.position.bytes + self.position.count as usize
    }

    /// Appends `rbsp_trailing_bits` (7.3.2.11): a one, and zeros up to a byte boundary.
    pub fn trailing_bits(&mut self) {
        let held = self.bits() as u32 & 7;
        self.put(1 << (7 - held), 8 - held);
    }

    /// The bytes of all bits so far.
    ///
    /// # Panics
    ///
    /// When the last is not complete.
    pub fn bytes(&mut self) -> &[u8] {
        self.join();
        assert_eq!(self.position.count, 0, "the last byte has bits to come");
        &self.raw[..self.position.bytes]
    }

    /// Removes all bits, and keeps the memory.
    pub fn clear(&mut self) {
        self.count = 0;
        self.position = BitPosition::default();
    }
}

/// End of the data, or an invalid code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("end of data or invalid code at bit {0}")]
pub struct EndOfBits(pub usize);

/// A bit reader.
#[derive(Clone, Debug)]
pub struct BitReader<'b> {
    bytes: &'b [u8],
    position: usize,
}

impl<'b> BitReader<'b> {
    /// A reader of the bits of an RBSP.
    #[must_use]
    pub const fn new(bytes: &'b [u8]) -> Self {
        Self { bytes, position: 0 }
    }

    /// Number of bits read.
    #[must_use]
    pub const fn position(&self) -> usize {
        self.position
    }

    /// Reads one bit.
    ///
    /// # Errors
    ///
    /// At the end of the data.
    pub fn bit(&mut self) -> Result<u32, EndOfBits> {
        let byte = self.bytes.get(self.position / 8).ok_or(EndOfBits(self.position))?;
        let bit = byte >> (7 - self.position % 8) & 1;
        self.position += 1;
        Ok(u32::from(bit))
    }

    /// Reads u(n).
    ///
    /// # Errors
    ///
    /// When fewer bits are left.
    pub fn u(&mut self, length: u32) -> Result<u32, EndOfBits> {
        (0..length).try_fold(0, |value, _| Ok(value << 1 | self.bit()?))
    }

    /// Reads zeros up to and including a one, and returns the number of zeros.
    ///
    /// # Errors
    ///
    /// When there is no one within 32 bits.
    pub fn prefix(&mut self) -> Result<u32, EndOfBits> {
        let start = self.position;
        for zeros in 0..32 {
            if self.bit()? == 1 {
                return Ok(zeros);
            }
        }
        Err(EndOfBits(start))
    }

    /// Reads ue(v).
    ///
    /// # Errors
    ///
    /// When the data ends within the code.
    pub fn ue(&mut self) -> Result<u32, EndOfBits> {
        let zeros = self.prefix()?;
        Ok(((1_u64 << zeros) - 1 + u64::from(self.u(zeros)?)) as u32)
    }

    /// Reads se(v).
    ///
    /// # Errors
    ///
    /// When the data ends within the code.
    pub fn se(&mut self) -> Result<i32, EndOfBits> {
        self.ue().map(exp_golomb::to_signed)
    }

    /// `more_rbsp_data()` (7.2): whether the last one is not the next bit.
    #[must_use]
    pub fn more_rbsp_data(&self) -> bool {
        let Some(last) = self.bytes.iter().rposition(|&byte| byte != 0) else { return false };
        self.position < 8 * last + 7 - self.bytes[last].trailing_zeros() as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    proptest::proptest! {
        #[test]
        fn what_is_put_is_taken(values in proptest::collection::vec((0_u8..3, proptest::prelude::any::<u32>(), 0_u32..32), 0..300)) {
            let mut writer = BitWriter::default();
            for &(kind, value, less) in &values {
                let value = value >> less;
                match kind {
                    0 => writer.u(value, 32 - less),
                    1 => writer.ue(value.min(u32::MAX - 1)),
                    _ => writer.ue(exp_golomb::of_signed((value >> 1) as i32)),
                }
            }
            writer.trailing_bits();
            let bytes = writer.bytes().to_vec();
            let mut reader = BitReader::new(&bytes);
            for &(kind, value, less) in &values {
                assert!(reader.more_rbsp_data());
                let value = value >> less;
                match kind {
                    0 => assert_eq!(reader.u(32 - less), Ok(value)),
                    1 => assert_eq!(reader.ue(), Ok(value.min(u32::MAX - 1))),
                    _ => assert_eq!(reader.se(), Ok((value >> 1) as i32)),
                }
            }
            assert!(!reader.more_rbsp_data());
        }
    }

    #[test]
    fn a_checkpoint_is_restored_across_joined_words() {
        let mut writer = BitWriter::default();
        for before in [0, 3, 8, 4095, 4096, 9001] {
            writer.clear();
            (0..before).for_each(|i| writer.put(i & 1, 1));
            let checkpoint = writer.checkpoint();
            assert_eq!(writer.complete_bytes().len(), before as usize / 8);
            (0..10_000).for_each(|_| writer.put(0x155, 9));
            assert!(writer.bits() >= 90_000);
            writer.restore(checkpoint);
            assert_eq!(writer.bits(), before as usize);
            writer.trailing_bits();
            let mut plain = BitWriter::default();
            (0..before).for_each(|i| plain.put(i & 1, 1));
            plain.trailing_bits();
            assert_eq!(writer.bytes(), plain.bytes());
        }
    }

    #[test]
    fn more_bits_than_words_are_kept() {
        let mut writer = BitWriter::default();
        for i in 0..100_000 {
            writer.put(i & 1, 1);
        }
        assert_eq!(writer.bits(), 100_000);
        assert!(writer.bytes().iter().all(|&byte| byte == 0b0101_0101));
        writer.clear();
        writer.trailing_bits();
        assert_eq!(writer.bytes(), [0x80]);
    }
}
