//! Huffman codes as the entropy coder looks them up (T.81 Annex C).

use super::bits::LENGTH_BITS;
use super::block::Coding;

/// EHUFCO and EHUFSI: the code of every value and its length in bits (T.81 Annex C).
#[derive(Clone, Debug)]
pub struct HuffmanCodes {
    /// EHUFCO(V): the code of value V, in its low EHUFSI(V) bits.
    pub(crate) ehufco: [u16; 256],
    /// EHUFSI(V): the length of the code, 1 to 16; 0 where V has no code.
    pub(crate) ehufsi: [u8; 256],
}

impl HuffmanCodes {
    /// The procedures of Figures C.1, C.2 and C.3 in one pass: codes of one length count upwards, and a zero is
    /// appended where the length grows.
    pub(crate) const fn new(bits: &[u8; 16], values: &[u8]) -> Self {
        let mut codes = Self { ehufco: [0; 256], ehufsi: [0; 256] };
        let (mut code, mut k, mut size) = (0, 0, 1);
        while size <= 16 {
            let mut i = 0;
            while i < bits[size - 1] {
                let value = values[k] as usize;
                codes.ehufco[value] = code;
                codes.ehufsi[value] = size as u8;
                code += 1;
                k += 1;
                i += 1;
            }
            code <<= 1;
            size += 1;
        }
        codes
    }
}

/// The codes of a component, with additional bits and as words.
#[derive(Clone, Debug)]
pub struct Codes {
    /// EHUFCO and EHUFSI of DC differences.
    differences: HuffmanCodes,
    /// EHUFCO and EHUFSI of AC coefficients.
    coefficients: HuffmanCodes,
    /// The word of EOB.
    end_of_block: u32,
    /// The words of differences of -512 to 511, from the least on.
    short_differences: [u32; 1024],
    /// `[16, 256]`: the word of a run of RRRR zeros and a value of -128 to 127 after it, by both, the value without its
    /// sign extension.
    short_words: [u32; 4096],
}

impl Codes {
    /// The codes of a table for DC differences, and of one for AC coefficients.
    ///
    /// # Panics
    ///
    /// When the code of EOB has more than seven bits: with a coefficient of up to 16 + 7 bits before it and a difference
    /// of up to 16 + 11 bits after it, it would not be put at once.
    pub const fn new(differences: HuffmanCodes, coefficients: HuffmanCodes) -> Self {
        let end_of_block = coefficients.word(0, 0);
        assert!(end_of_block & ((1 << LENGTH_BITS) - 1) <= 7, "the code of EOB has more than seven bits");
        Self {
            end_of_block,
            short_differences: differences.short_words(10, 512),
            short_words: coefficients.short_words(8, 0),
            differences,
            coefficients,
        }
    }
}

impl Coding for Codes {
    #[inline]
    fn difference(&self, difference: i32) -> u32 {
        let short = difference.wrapping_sub(-512) as usize;
        self.short_differences.get(short).copied().unwrap_or_else(|| self.differences.word(0, difference))
    }

    #[inline]
    fn coefficient(&self, rrrr: u32, value: i32) -> u32 {
        self.coefficients.word(rrrr, value)
    }

    #[inline]
    fn short_words(&self) -> &[u32; 4096] {
        &self.short_words
    }

    #[inline]
    fn mark(&self) -> u32 {
        0
    }

    #[inline]
    fn none(&self) -> u32 {
        0
    }

    #[inline]
    fn end_of_block(&self) -> u32 {
        self.end_of_block
    }

    #[inline]
    fn bit(&self, bit: u32) -> u32 {
        bit << LENGTH_BITS | 1
    }
}

impl HuffmanCodes {
    /// The code for RRRR zeros and `value` after them, with the additional bits: the low SSSS bits of the value, or of
    /// `value - 1` when it is negative (F.1.2.1.1 and F.1.2.2.1).
    #[inline]
    pub(crate) const fn word(&self, rrrr: u32, value: i32) -> u32 {
        let ssss = category(value);
        let symbol = (rrrr << 4 | ssss) as usize & 0xff;
        let additional = (value + (value >> 31)) as u32 & ((1 << ssss) - 1);
        let code = (self.ehufco[symbol] as u32) << ssss | additional;
        code << LENGTH_BITS | (self.ehufsi[symbol] as u32 + ssss)
    }

    /// `[N >> bits, 1 << bits]`: the words of runs of zeros and of values of so many bits after them. A value is at the
    /// low bits of its sum with `bias`.
    pub(super) const fn short_words<const N: usize>(&self, bits: u32, bias: i32) -> [u32; N] {
        let (mut words, mut place) = ([0; N], 0);
        while place < N {
            let value = (place as i32 - bias) << (32 - bits) >> (32 - bits);
            words[place] = self.word(place as u32 >> bits, value);
            place += 1;
        }
        words
    }
}

/// SSSS, the number of bits of a magnitude (T.81 Tables F.1 and F.2).
#[inline]
pub(crate) const fn category(value: i32) -> u32 {
    32 - value.unsigned_abs().leading_zeros()
}
