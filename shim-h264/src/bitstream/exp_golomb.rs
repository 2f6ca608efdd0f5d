//! Exp-Golomb codes (9.1): mappings between values and `codeNum`, and code lengths.

/// `codeNum` of a signed value (Table 9-3).
#[inline]
#[must_use]
pub const fn of_signed(value: i32) -> u32 {
    if value > 0 { 2 * (value as u32) - 1 } else { 2 * value.unsigned_abs() }
}

/// Length of se(v) of a value in bits. `codeNum + 1` is `2 |value|` or one more, which have equal numbers of bits.
#[inline]
#[must_use]
pub const fn signed_length(value: i32) -> u32 {
    2 * ((2 * value.unsigned_abs()) | 1).ilog2() + 1
}

/// The signed value of `codeNum`.
#[must_use]
pub const fn to_signed(code_num: u32) -> i32 {
    let magnitude = code_num.div_ceil(2) as i32;
    if code_num & 1 == 1 { magnitude } else { -magnitude }
}

/// Table 9-4 for `ChromaArrayType` 1 and 2: `coded_block_pattern` of `Intra_4x4` and of Inter by `codeNum`.
const PATTERNS: [[u8; 48]; 2] = [
    [
        47, 31, 15, 0, 23, 27, 29, 30, 7, 11, 13, 14, 39, 43, 45, 46, 16, 3, 5, 10, 12, 19, 21, 26, 28, 35,
        37, 42, 44, 1, 2, 4, 8, 17, 18, 20, 24, 6, 9, 22, 25, 32, 33, 34, 36, 40, 38, 41,
    ],
    [
        0, 16, 1, 2, 4, 8, 32, 3, 5, 10, 12, 15, 47, 7, 11, 13, 14, 6, 9, 31, 35, 37, 42, 44, 33, 34, 36, 40,
        39, 43, 45, 46, 17, 18, 20, 24, 19, 21, 26, 28, 23, 27, 29, 30, 22, 25, 38, 41,
    ],
];

/// `codeNum` by `coded_block_pattern`.
const CODE_NUMS: [[u8; 48]; 2] = {
    let mut numbers = [[0; 48]; 2];
    let mut table = 0;
    while table < 2 {
        let mut code_num = 0;
        while code_num < 48 {
            numbers[table][PATTERNS[table][code_num] as usize] = code_num as u8;
            code_num += 1;
        }
        table += 1;
    }
    numbers
};

/// `codeNum` of `coded_block_pattern` (9.1.2); `None` if the pattern is above 47.
#[inline]
#[must_use]
pub fn of_pattern(pattern: u8, intra: bool) -> Option<u32> {
    CODE_NUMS[usize::from(!intra)].get(usize::from(pattern)).copied().map(u32::from)
}

/// `coded_block_pattern` of `codeNum` (9.1.2); `None` if `code_num` is above 47.
#[must_use]
pub fn to_pattern(code_num: u32, intra: bool) -> Option<u8> {
    PATTERNS[usize::from(!intra)].get(code_num as usize).copied()
}

/// Length of ue(v) of `codeNum`, in bits.
#[inline]
#[must_use]
pub const fn length(code_num: u32) -> u32 {
    2 * (code_num as u64 + 1).ilog2() + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mappings_are_one_to_one() {
        for value in -1000..1000 {
            assert_eq!(to_signed(of_signed(value)), value);
        }
        assert_eq!([0, 1, 2, 3, 4].map(to_signed), [0, 1, -1, 2, -2]);
        assert_eq!(of_signed(i32::MAX), u32::MAX - 2);
        for intra in [false, true] {
            for pattern in 0..48 {
                assert_eq!(to_pattern(of_pattern(pattern, intra).unwrap(), intra), Some(pattern));
            }
            assert_eq!(of_pattern(48, intra), None);
            assert_eq!(to_pattern(48, intra), None);
        }
    }

    #[test]
    fn lengths() {
        assert_eq!([0, 1, 2, 3, 6, 7, u32::MAX - 1].map(length), [1, 3, 3, 5, 5, 7, 63]);
        for value in -70_000..70_000 {
            assert_eq!(signed_length(value), length(of_signed(value)), "{value}");
        }
    }
}
