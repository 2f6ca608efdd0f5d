//! The tables of CAVLC (Tables 9-5, 9-7, 9-8, 9-9 and 9-10).

/// A codeword of a table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Codeword {
    /// Number of bits; 0 where the table has no such codeword.
    pub length: u8,
    /// The bits, right-aligned.
    pub bits: u16,
}

impl Codeword {
    /// The word with its bits and length packed, as [`shim_codec::bits`] takes it.
    #[inline]
    #[must_use]
    pub const fn word(self) -> u32 {
        shim_codec::bits::word(self.bits as u32, self.length as u32)
    }
}

/// The columns of Table 9-5.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenTable {
    /// 0 <= nC < 2.
    Few,
    /// 2 <= nC < 4.
    Some,
    /// 4 <= nC < 8.
    Many,
    /// 8 <= nC.
    Most,
    /// nC = -1: chroma DC.
    ChromaDc,
}

/// The column of Table 9-5 for nC from 0 to 16.
pub const TOKEN_TABLE: [u8; 17] = [0, 0, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3, 3];

/// The number of a token: `4 * TotalCoeff + TrailingOnes`.
#[inline]
#[must_use]
pub const fn token(total_coeff: usize, trailing_ones: usize) -> usize {
    4 * total_coeff + trailing_ones
}

/// Lengths and bits, by `TrailingOnes` and `TotalCoeff`, as words by token.
const fn tokens<const N: usize>(lengths: &[[u8; N]; 4], bits: &[[u8; N]; 4]) -> [Codeword; 68] {
    let mut words = [Codeword { length: 0, bits: 0 }; 68];
    let mut total = 0;
    while total < N {
        let mut ones = 0;
        while ones < 4 {
            words[token(total, ones)] =
                Codeword { length: lengths[ones][total], bits: bits[ones][total] as u16 };
            ones += 1;
        }
        total += 1;
    }
    words
}

/// The words of six bits for 8 <= nC.
const fn most() -> [Codeword; 68] {
    let mut words = [Codeword { length: 0, bits: 0 }; 68];
    words[0] = Codeword { length: 6, bits: 0b11 };
    let mut total = 1;
    while total <= 16 {
        let mut ones = 0;
        while ones <= 3 && ones <= total {
            words[token(total, ones)] = Codeword { length: 6, bits: ((total - 1) << 2 | ones) as u16 };
            ones += 1;
        }
        total += 1;
    }
    words
}

/// Table 9-5: `coeff_token`, by [`TokenTable`] and [`token`].
#[rustfmt::skip]
pub const COEFF_TOKEN: [[Codeword; 68]; 5] = [
    tokens(
        &[
            [1, 6, 8, 9, 10, 11, 13, 13, 13, 14, 14, 15, 15, 16, 16, 16, 16],
            [0, 2, 6, 8, 9, 10, 11, 13, 13, 14, 14, 15, 15, 15, 16, 16, 16],
            [0, 0, 3, 7, 8, 9, 10, 11, 13, 13, 14, 14, 15, 15, 16, 16, 16],
            [0, 0, 0, 5, 6, 7, 8, 9, 10, 11, 13, 14, 14, 15, 15, 16, 16],
        ],
        &[
            [1, 5, 7, 7, 7, 7, 15, 11, 8, 15, 11, 15, 11, 15, 11, 7, 4],
            [0, 1, 4, 6, 6, 6, 6, 14, 10, 14, 10, 14, 10, 1, 14, 10, 6],
            [0, 0, 1, 5, 5, 5, 5, 5, 13, 9, 13, 9, 13, 9, 13, 9, 5],
            [0, 0, 0, 3, 3, 4, 4, 4, 4, 4, 12, 12, 8, 12, 8, 12, 8],
        ],
    ),
    tokens(
        &[
            [2, 6, 6, 7, 8, 8, 9, 11, 11, 12, 12, 12, 13, 13, 13, 14, 14],
            [0, 2, 5, 6, 6, 7, 8, 9, 11, 11, 12, 12, 13, 13, 14, 14, 14],
            [0, 0, 3, 6, 6, 7, 8, 9, 11, 11, 12, 12, 13, 13, 13, 14, 14],
            [0, 0, 0, 4, 4, 5, 6, 6, 7, 9, 11, 11, 12, 13, 13, 13, 14],
        ],
        &[
            [3, 11, 7, 7, 7, 4, 7, 15, 11, 15, 11, 8, 15, 11, 7, 9, 7],
            [0, 2, 7, 10, 6, 6, 6, 6, 14, 10, 14, 10, 14, 10, 11, 8, 6],
            [0, 0, 3, 9, 5, 5, 5, 5, 13, 9, 13, 9, 13, 9, 6, 10, 5],
            [0, 0, 0, 5, 4, 6, 8, 4, 4, 4, 12, 8, 12, 12, 8, 1, 4],
        ],
    ),
    tokens(
        &[
            [4, 6, 6, 6, 7, 7, 7, 7, 8, 8, 9, 9, 9, 10, 10, 10, 10],
            [0, 4, 5, 5, 5, 5, 6, 6, 7, 8, 8, 9, 9, 9, 10, 10, 10],
            [0, 0, 4, 5, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 10],
            [0, 0, 0, 4, 4, 4, 4, 4, 5, 6, 7, 8, 8, 9, 10, 10, 10],
        ],
        &[
            [15, 15, 11, 8, 15, 11, 9, 8, 15, 11, 15, 11, 8, 13, 9, 5, 1],
            [0, 14, 15, 12, 10, 8, 14, 10, 14, 14, 10, 14, 10, 7, 12, 8, 4],
            [0, 0, 13, 14, 11, 9, 13, 9, 13, 10, 13, 9, 13, 9, 11, 7, 3],
            [0, 0, 0, 12, 11, 10, 9, 8, 13, 12, 12, 12, 8, 12, 10, 6, 2],
        ],
    ),
    most(),
    tokens(
        &[[2, 6, 6, 6, 6], [0, 1, 6, 7, 8], [0, 0, 3, 7, 8], [0, 0, 0, 6, 7]],
        &[[1, 7, 4, 3, 2], [0, 1, 6, 3, 3], [0, 0, 1, 2, 2], [0, 0, 0, 5, 0]],
    ),
];

/// Lengths and bits as words.
const fn words<const N: usize>(lengths: &[u8], bits: &[u8]) -> [Codeword; N] {
    let mut words = [Codeword { length: 0, bits: 0 }; N];
    let mut i = 0;
    while i < lengths.len() {
        words[i] = Codeword { length: lengths[i], bits: bits[i] as u16 };
        i += 1;
    }
    words
}

/// Tables 9-7 and 9-8: `total_zeros`, by `tzVlcIndex` and its value; the first has no words.
pub const TOTAL_ZEROS: [[Codeword; 16]; 16] = [
    words(&[], &[]),
    words(
        &[1, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 9],
        &[1, 3, 2, 3, 2, 3, 2, 3, 2, 3, 2, 3, 2, 3, 2, 1],
    ),
    words(&[3, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 6, 6, 6, 6], &[7, 6, 5, 4, 3, 5, 4, 3, 2, 3, 2, 3, 2, 1, 0]),
    words(&[4, 3, 3, 3, 4, 4, 3, 3, 4, 5, 5, 6, 5, 6], &[5, 7, 6, 5, 4, 3, 4, 3, 2, 3, 2, 1, 1, 0]),
    words(&[5, 3, 4, 4, 3, 3, 3, 4, 3, 4, 5, 5, 5], &[3, 7, 5, 4, 6, 5, 4, 3, 3, 2, 2, 1, 0]),
    words(&[4, 4, 4, 3, 3, 3, 3, 3, 4, 5, 4, 5], &[5, 4, 3, 7, 6, 5, 4, 3, 2, 1, 1, 0]),
    words(&[6, 5, 3, 3, 3, 3, 3, 3, 4, 3, 6], &[1, 1, 7, 6, 5, 4, 3, 2, 1, 1, 0]),
    words(&[6, 5, 3, 3, 3, 2, 3, 4, 3, 6], &[1, 1, 5, 4, 3, 3, 2, 1, 1, 0]),
    words(&[6, 4, 5, 3, 2, 2, 3, 3, 6], &[1, 1, 1, 3, 3, 2, 2, 1, 0]),
    words(&[6, 6, 4, 2, 2, 3, 2, 5], &[1, 0, 1, 3, 2, 1, 1, 1]),
    words(&[5, 5, 3, 2, 2, 2, 4], &[1, 0, 1, 3, 2, 1, 1]),
    words(&[4, 4, 3, 3, 1, 3], &[0, 1, 1, 2, 1, 3]),
    words(&[4, 4, 2, 1, 3], &[0, 1, 1, 1, 1]),
    words(&[3, 3, 1, 2], &[0, 1, 1, 1]),
    words(&[2, 2, 1], &[0, 1, 1]),
    words(&[1, 1], &[0, 1]),
];

/// Table 9-9 (a): `total_zeros` of chroma DC, by `tzVlcIndex` and its value.
pub const TOTAL_ZEROS_CHROMA_DC: [[Codeword; 16]; 4] = [
    words(&[], &[]),
    words(&[1, 2, 3, 3], &[1, 1, 1, 0]),
    words(&[1, 2, 2], &[1, 1, 0]),
    words(&[1, 1], &[1, 0]),
];

/// Table 9-10: `run_before`, by `zerosLeft` (more than 6 are as 7) and its value.
pub const RUN_BEFORE: [[Codeword; 16]; 8] = [
    words(&[], &[]),
    words(&[1, 1], &[1, 0]),
    words(&[1, 2, 2], &[1, 1, 0]),
    words(&[2, 2, 2, 2], &[3, 2, 1, 0]),
    words(&[2, 2, 2, 3, 3], &[3, 2, 1, 1, 0]),
    words(&[2, 2, 3, 3, 3, 3], &[3, 2, 3, 2, 1, 0]),
    words(&[2, 3, 3, 3, 3, 3, 3], &[3, 0, 1, 3, 2, 5, 4]),
    words(&[3, 3, 3, 3, 3, 3, 3, 4, 5, 6, 7, 8, 9, 10, 11], &[7, 6, 5, 4, 3, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1]),
];

#[cfg(test)]
mod tests {
    use super::*;

    /// That no word is the beginning of another, and how much of the space of words is used, in 2^-16.
    fn used(words: &[Codeword]) -> u32 {
        let words: Vec<Codeword> = words.iter().copied().filter(|word| word.length > 0).collect();
        for (i, a) in words.iter().enumerate() {
            assert!(u32::from(a.bits) < 1 << a.length);
            for b in &words[i + 1..] {
                let (short, long) = if a.length < b.length { (a, b) } else { (b, a) };
                assert_ne!(
                    long.bits >> (long.length - short.length),
                    short.bits,
                    "{short:?} begins {long:?}"
                );
            }
        }
        words.iter().map(|word| 1 << (16 - word.length)).sum()
    }

    #[test]
    fn no_word_begins_another() {
        let unused: Vec<u32> = COEFF_TOKEN.iter().map(|table| 65536 - used(table)).collect();
        // Those are words of zeros alone, and two of six bits.
        assert_eq!(unused, [2, 8, 64, 2048, 0]);
        for table in &TOTAL_ZEROS[1..] {
            let whole = used(table);
            assert!(whole == 65536 || whole == 65536 - 128, "{whole}");
        }
        for table in &TOTAL_ZEROS_CHROMA_DC[1..] {
            assert_eq!(used(table), 65536);
        }
        for (zeros_left, table) in RUN_BEFORE.iter().enumerate().skip(1) {
            let whole = used(table);
            assert_eq!(whole, if zeros_left < 7 { 65536 } else { 65536 - 32 });
        }
    }

    #[test]
    fn each_value_has_a_word() {
        for (number, table) in COEFF_TOKEN.iter().enumerate() {
            let most = if number == 4 { 4 } else { 16 };
            for total in 0..=16 {
                for ones in 0..4 {
                    let there = total <= most && ones <= total;
                    assert_eq!(table[token(total, ones)].length > 0, there, "{number} {total} {ones}");
                }
            }
        }
        for (index, table) in TOTAL_ZEROS.iter().enumerate().skip(1) {
            assert_eq!(table.iter().filter(|word| word.length > 0).count(), 17 - index);
        }
        for (zeros_left, table) in RUN_BEFORE.iter().enumerate().skip(1) {
            let wanted = if zeros_left < 7 { zeros_left + 1 } else { 15 };
            assert_eq!(table.iter().filter(|word| word.length > 0).count(), wanted);
        }
    }
}
