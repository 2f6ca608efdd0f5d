//! The tables of T.81: quantization (K.1, K.2) and standard Huffman tables (K.3 to K.6), with the procedures of Annex C
//! that turn a Huffman table into codes.

use alloc::borrow::Cow;
use alloc::vec::Vec;
use core::cmp::Reverse;

use crate::kernels::codes::{Codes, HuffmanCodes};

/// Table K.1: luminance quantization, row by row (v, then u).
#[rustfmt::skip]
pub(crate) const LUMINANCE_QUANTIZATION: [u16; 64] = [
    16, 11, 10, 16,  24,  40,  51,  61,
    12, 12, 14, 19,  26,  58,  60,  55,
    14, 13, 16, 24,  40,  57,  69,  56,
    14, 17, 22, 29,  51,  87,  80,  62,
    18, 22, 37, 56,  68, 109, 103,  77,
    24, 35, 55, 64,  81, 104, 113,  92,
    49, 64, 78, 87, 103, 121, 120, 101,
    72, 92, 95, 98, 112, 100, 103,  99,
];

/// Table K.2: chrominance quantization, row by row (v, then u).
#[rustfmt::skip]
pub(crate) const CHROMINANCE_QUANTIZATION: [u16; 64] = [
    17, 18, 24, 47, 99, 99, 99, 99,
    18, 21, 26, 66, 99, 99, 99, 99,
    24, 26, 56, 99, 99, 99, 99, 99,
    47, 66, 99, 99, 99, 99, 99, 99,
    99, 99, 99, 99, 99, 99, 99, 99,
    99, 99, 99, 99, 99, 99, 99, 99,
    99, 99, 99, 99, 99, 99, 99, 99,
    99, 99, 99, 99, 99, 99, 99, 99,
];

/// A table for all components by N. Robidoux, published on `ImageMagick`'s forum in 2012: as T.81's at low frequencies,
/// but growing more slowly at first and without exceptions.
#[rustfmt::skip]
pub(crate) const EVEN_QUANTIZATION: [u16; 64] = [
    16, 16, 16,  18,  25,  37,  56,  85,
    16, 17, 20,  27,  34,  40,  53,  75,
    16, 20, 24,  31,  43,  62,  91, 135,
    18, 27, 31,  40,  53,  74, 106, 156,
    25, 34, 43,  53,  69,  94, 131, 189,
    37, 40, 62,  74,  94, 124, 169, 238,
    56, 53, 91, 106, 131, 169, 226, 311,
    85, 75, 135, 156, 189, 238, 311, 418,
];

/// A Huffman table as a DHT segment carries it (T.81 B.2.4.2).
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct HuffmanSpecification {
    /// BITS: the number L of codes of each length 1 to 16.
    pub(crate) bits: [u8; 16],
    /// HUFFVAL: the values V, in the order of growing codes.
    pub(crate) values: Cow<'static, [u8]>,
}

impl HuffmanSpecification {
    const fn printed(bits: [u8; 16], values: &'static [u8]) -> Self {
        Self { bits, values: Cow::Borrowed(values) }
    }

    /// The codes of the table.
    pub(crate) const fn codes(&self) -> HuffmanCodes {
        match &self.values {
            Cow::Borrowed(values) => HuffmanCodes::new(&self.bits, values),
            Cow::Owned(values) => HuffmanCodes::new(&self.bits, values.as_slice()),
        }
    }
}

/// Table K.3: differences of luminance DC.
pub(crate) static LUMINANCE_DC: HuffmanSpecification =
    HuffmanSpecification::printed([0, 1, 5, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0], &DC_VALUES);

/// Table K.4: differences of chrominance DC.
pub(crate) static CHROMINANCE_DC: HuffmanSpecification =
    HuffmanSpecification::printed([0, 3, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0], &DC_VALUES);

/// Table K.5: luminance AC.
#[rustfmt::skip]
pub(crate) static LUMINANCE_AC: HuffmanSpecification = HuffmanSpecification::printed(
    [0, 2, 1, 3, 3, 2, 4, 3, 5, 5, 4, 4, 0, 0, 1, 125],
    &[
        0x01, 0x02, 0x03, 0x00, 0x04, 0x11, 0x05, 0x12, 0x21, 0x31, 0x41, 0x06, 0x13, 0x51, 0x61, 0x07,
        0x22, 0x71, 0x14, 0x32, 0x81, 0x91, 0xa1, 0x08, 0x23, 0x42, 0xb1, 0xc1, 0x15, 0x52, 0xd1, 0xf0,
        0x24, 0x33, 0x62, 0x72, 0x82, 0x09, 0x0a, 0x16, 0x17, 0x18, 0x19, 0x1a, 0x25, 0x26, 0x27, 0x28,
        0x29, 0x2a, 0x34, 0x35, 0x36, 0x37, 0x38, 0x39, 0x3a, 0x43, 0x44, 0x45, 0x46, 0x47, 0x48, 0x49,
        0x4a, 0x53, 0x54, 0x55, 0x56, 0x57, 0x58, 0x59, 0x5a, 0x63, 0x64, 0x65, 0x66, 0x67, 0x68, 0x69,
        0x6a, 0x73, 0x74, 0x75, 0x76, 0x77, 0x78, 0x79, 0x7a, 0x83, 0x84, 0x85, 0x86, 0x87, 0x88, 0x89,
        0x8a, 0x92, 0x93, 0x94, 0x95, 0x96, 0x97, 0x98, 0x99, 0x9a, 0xa2, 0xa3, 0xa4, 0xa5, 0xa6, 0xa7,
        0xa8, 0xa9, 0xaa, 0xb2, 0xb3, 0xb4, 0xb5, 0xb6, 0xb7, 0xb8, 0xb9, 0xba, 0xc2, 0xc3, 0xc4, 0xc5,
        0xc6, 0xc7, 0xc8, 0xc9, 0xca, 0xd2, 0xd3, 0xd4, 0xd5, 0xd6, 0xd7, 0xd8, 0xd9, 0xda, 0xe1, 0xe2,
        0xe3, 0xe4, 0xe5, 0xe6, 0xe7, 0xe8, 0xe9, 0xea, 0xf1, 0xf2, 0xf3, 0xf4, 0xf5, 0xf6, 0xf7, 0xf8,
        0xf9, 0xfa,
    ],
);

/// Table K.6: chrominance AC.
#[rustfmt::skip]
pub(crate) static CHROMINANCE_AC: HuffmanSpecification = HuffmanSpecification::printed(
    [0, 2, 1, 2, 4, 4, 3, 4, 7, 5, 4, 4, 0, 1, 2, 119],
    &[
        0x00, 0x01, 0x02, 0x03, 0x11, 0x04, 0x05, 0x21, 0x31, 0x06, 0x12, 0x41, 0x51, 0x07, 0x61, 0x71,
        0x13, 0x22, 0x32, 0x81, 0x08, 0x14, 0x42, 0x91, 0xa1, 0xb1, 0xc1, 0x09, 0x23, 0x33, 0x52, 0xf0,
        0x15, 0x62, 0x72, 0xd1, 0x0a, 0x16, 0x24, 0x34, 0xe1, 0x25, 0xf1, 0x17, 0x18, 0x19, 0x1a, 0x26,
        0x27, 0x28, 0x29, 0x2a, 0x35, 0x36, 0x37, 0x38, 0x39, 0x3a, 0x43, 0x44, 0x45, 0x46, 0x47, 0x48,
        0x49, 0x4a, 0x53, 0x54, 0x55, 0x56, 0x57, 0x58, 0x59, 0x5a, 0x63, 0x64, 0x65, 0x66, 0x67, 0x68,
        0x69, 0x6a, 0x73, 0x74, 0x75, 0x76, 0x77, 0x78, 0x79, 0x7a, 0x82, 0x83, 0x84, 0x85, 0x86, 0x87,
        0x88, 0x89, 0x8a, 0x92, 0x93, 0x94, 0x95, 0x96, 0x97, 0x98, 0x99, 0x9a, 0xa2, 0xa3, 0xa4, 0xa5,
        0xa6, 0xa7, 0xa8, 0xa9, 0xaa, 0xb2, 0xb3, 0xb4, 0xb5, 0xb6, 0xb7, 0xb8, 0xb9, 0xba, 0xc2, 0xc3,
        0xc4, 0xc5, 0xc6, 0xc7, 0xc8, 0xc9, 0xca, 0xd2, 0xd3, 0xd4, 0xd5, 0xd6, 0xd7, 0xd8, 0xd9, 0xda,
        0xe2, 0xe3, 0xe4, 0xe5, 0xe6, 0xe7, 0xe8, 0xe9, 0xea, 0xf2, 0xf3, 0xf4, 0xf5, 0xf6, 0xf7, 0xf8,
        0xf9, 0xfa,
    ],
);

/// The categories SSSS of DC differences, shared by Tables K.3 and K.4.
const DC_VALUES: [u8; 12] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11];

/// A table of all categories SSSS of the lossless process (Table H.2), for images of so many bits that are not looked
/// at first; the standard has none.
///
/// In photographs of 8 bits, 0, 1 and 2 are as frequent as one another, and each category above them half as frequent
/// as the one before it. Each further bit makes differences twice as great.
pub(crate) fn default_differences(bits: u8) -> HuffmanSpecification {
    let middle = bits.saturating_sub(8) + 1;
    let mut values: Vec<u8> = (0..=16).collect();
    values.sort_by_key(|&v| (v.abs_diff(middle), Reverse(v)));
    let mut lengths = [1; 16];
    (lengths[0], lengths[1]) = (0, 3);
    HuffmanSpecification { bits: lengths, values: Cow::Owned(values) }
}

/// The codes of luminance and of chrominance by the tables of Annex K.
pub static STANDARD_CODES: [Codes; 2] = [
    Codes::new(LUMINANCE_DC.codes(), LUMINANCE_AC.codes()),
    Codes::new(CHROMINANCE_DC.codes(), CHROMINANCE_AC.codes()),
];

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [&HuffmanSpecification; 4] = [&LUMINANCE_DC, &CHROMINANCE_DC, &LUMINANCE_AC, &CHROMINANCE_AC];

    #[test]
    fn every_table_lists_as_many_values_as_codes() {
        for table in ALL {
            assert_eq!(table.bits.iter().map(|&l| usize::from(l)).sum::<usize>(), table.values.len());
        }
    }

    #[test]
    fn the_ac_tables_code_every_run_and_size_of_baseline() {
        for table in [&LUMINANCE_AC, &CHROMINANCE_AC] {
            let codes = table.codes();
            let coded = (0..256).filter(|&v| codes.ehufsi[v] != 0).collect::<Vec<_>>();
            let wanted = (0..256_usize)
                .filter(|v| matches!(v, 0x00 | 0xf0) || (1..=10).contains(&(v & 15)))
                .collect::<Vec<_>>();
            assert_eq!(coded, wanted);
        }
    }

    #[test]
    fn no_code_is_the_beginning_of_another_nor_all_ones() {
        for table in ALL {
            let codes = table.codes();
            let bits = |v: usize| (u32::from(codes.ehufco[v]), u32::from(codes.ehufsi[v]));
            for &a in table.values.iter() {
                let (code, size) = bits(usize::from(a));
                assert!(code < (1 << size) - 1, "all ones is reserved (C.2)");
                for &b in table.values.iter() {
                    let (longer, length) = bits(usize::from(b));
                    assert!(a == b || length < size || longer >> (length - size) != code, "{a:#x} {b:#x}");
                }
            }
        }
    }

    #[test]
    fn codes_printed_in_the_standard() {
        // Tables K.3 and K.5: DC category 0 is 00 and 11 is 111111110; EOB is 1010, ZRL 11111111001.
        let dc = LUMINANCE_DC.codes();
        assert_eq!((dc.ehufco[0], dc.ehufsi[0]), (0b00, 2));
        assert_eq!((dc.ehufco[11], dc.ehufsi[11]), (0b1_1111_1110, 9));
        let ac = LUMINANCE_AC.codes();
        assert_eq!((ac.ehufco[0], ac.ehufsi[0]), (0b1010, 4));
        assert_eq!((ac.ehufco[0xf0], ac.ehufsi[0xf0]), (0b111_1111_1001, 11));
        let ac = CHROMINANCE_AC.codes();
        assert_eq!((ac.ehufco[0], ac.ehufsi[0]), (0b00, 2));
        assert_eq!((ac.ehufco[0xf0], ac.ehufsi[0xf0]), (0b11_1111_1010, 10));
    }
}
