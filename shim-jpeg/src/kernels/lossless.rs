//! The lossless process (T.81 Annex H): differences to a prediction, how many there are of each category, and their
//! bits.
//!
//! Rows are in the order of the scan: sample after sample of a pixel, pixel after pixel (A.2.3 with H = V = 1). The
//! neighbor Ra of a sample stands `n` samples before it then, n being the components, Rb above it, and Rc above Ra:
//!
//! ```text
//! Rc Rb
//! Ra Px
//! ```
//!
//! Differences are modulo 2^16 (H.1.2.1) and as `i16`, in which 32768 is -32768: SSSS of its magnitude is 16 as it is.

use alloc::boxed::Box;

use shim::prelude::*;

use super::bits::{BitPosition, LENGTH_BITS, put_bits};
use super::codes::HuffmanCodes;
use super::element::Element;

/// Categories SSSS (Table H.2): 0 to 16.
pub const CATEGORIES: usize = 17;

/// The most bytes of a difference before stuffing: a code of 16 bits with 15 additional ones.
pub const DIFFERENCE_BYTES: usize = 4;

/// The prediction of the samples of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Prediction {
    /// The first line of a scan or of a restart interval: by Ra, and its first sample by this, `2^(P - Pt - 1)`.
    First(i32),
    /// Any other line: by the predictor of this number of Table H.1, and its first sample by Rb.
    By(u8),
}

/// The differences of a row of `n` components to their predictions (H.1.2.1), after the point transform Pt (H.1.1 and
/// A.4). `above` is the row before it, or of the first line any of this length.
///
/// # Panics
///
/// When a row or `differences` is shorter than `row`, or that shorter than a pixel.
#[shim::kernel(simd(v2, v3, v4), checks = "hoisted")]
pub fn differences<T: Element>(
    above: &[T],
    row: &[T],
    n: usize,
    prediction: Prediction,
    pt: u32,
    differences: &mut [i16],
) {
    let length = row.len();
    let out = Block::external(differences, [length]);
    let lines = [above, row];
    differences_of_row::<T>(Block::rows(&lines, [2, length]), n, prediction, pt, out);
}

/// The differences of the second of two rows, a template.
#[shim::kernel]
fn differences_of_row<T>(
    samples: impl Tensor<T, 2>,
    n: usize,
    prediction: Prediction,
    pt: u32,
    out: impl Tensor<i16, 1>,
) {
    let (first, others) = (out[[..n]], out[[n..]]);
    let line = samples[[1..2, n..]];
    match prediction {
        Prediction::First(middle) => {
            for [c] in first.indices() {
                let sample: i32 = samples[[1, c]].into();
                first[[c]] = ((sample >> pt) - middle) as i16;
            }
            predict::<T, 1>(line, n, pt, others);
        }
        Prediction::By(predictor) => {
            for [c] in first.indices() {
                let (above, sample): (i32, i32) = (samples[[0, c]].into(), samples[[1, c]].into());
                first[[c]] = ((sample >> pt) - (above >> pt)) as i16;
            }
            match predictor {
                1 => predict::<T, 1>(line, n, pt, others),
                2 => predict::<T, 2>(line, n, pt, others),
                3 => predict::<T, 3>(line, n, pt, others),
                4 => predict::<T, 4>(line, n, pt, others),
                5 => predict::<T, 5>(line, n, pt, others),
                6 => predict::<T, 6>(line, n, pt, others),
                _ => predict::<T, 7>(line, n, pt, others),
            }
        }
    }
}

/// The differences of a line to predictor P of Table H.1, a template.
#[shim::kernel]
fn predict<T, const P: u8>(line: impl Tensor<T, 2>, n: usize, pt: u32, out: impl Tensor<i16, 1>) {
    for [x] in out.indices() {
        let (ra, rb): (i32, i32) = (line[[0, x - n]].into(), line[[-1, x]].into());
        let (rc, sample): (i32, i32) = (line[[-1, x - n]].into(), line[[0, x]].into());
        let (ra, rb, rc) = (ra >> pt, rb >> pt, rc >> pt);
        let px = match P {
            1 => ra,
            2 => rb,
            3 => rc,
            4 => ra + rb - rc,
            5 => ra + ((rb - rc) >> 1),
            6 => rb + ((ra - rc) >> 1),
            _ => (ra + rb) >> 1,
        };
        out[[x]] = ((sample >> pt) - px) as i16;
    }
}

/// Adds to `counts[k]` how many differences of component `c` of `n` have a magnitude of at least `2^k`, that is an SSSS
/// above k.
///
/// # Panics
///
/// When n is not 1, 3 or 4, there is no such component, or there are more than 65535 pixels.
#[shim::kernel(simd(v2, v3, v4), checks = "hoisted")]
pub fn count(differences: &[i16], n: usize, c: usize, counts: &mut [u32]) {
    let w = differences.len() / n;
    let counts = Block::external(counts, [counts.len()]);
    match n {
        1 => count_of(Block::external(differences, [w]), counts),
        3 => count_of(Block::external(differences, [w, 3]).slice(1, c), counts),
        _ => count_of(Block::external(differences, [w, 4]).slice(1, c), counts),
    }
}

/// Counts of magnitudes, a template.
#[shim::kernel]
fn count_of(differences: impl Tensor<i16, 1>, counts: impl Tensor<u32, 1>) {
    for [k] in counts.indices() {
        let reached =
            differences.indices().map(|[x]| (differences[[x]].unsigned_abs() >> k).min(1)).sum::<u16>();
        counts[[k]] += u32::from(reached);
    }
}

/// The greatest sample of a row of `columns` pixels of `step` samples, of four the first three.
///
/// # Panics
///
/// When the row is shorter, or `step` is not 1 or 4.
#[shim::kernel(simd(v2, v3), checks = "hoisted")]
pub fn greatest(row: &[u16], columns: usize, #[specialize(1 | 4)] step: usize) -> u16 {
    let row = Block::external(row, [columns, step])[[.., ..step.min(3)]];
    row.indices().map(|[x, c]| row[[x, c]]).fold(0, |a, b| a.max(b))
}

/// Rows of planes, `[rows, w]` each, in the order of the scan: `[rows, w, n]` with n planes.
///
/// # Panics
///
/// When a plane or `packed` has less memory.
#[shim::kernel(simd(v2, v3, v4), checks = "hoisted")]
pub fn interleave<T: Element>(planes: &[&[T]], rows: usize, w: usize, packed: &mut [T]) {
    let n = planes.len();
    let packed = Block::external(packed, [rows, w, n]);
    for c in 0..n {
        let plane = Block::external(planes[c], [rows, w]);
        for [y, x] in plane.indices() {
            packed[[y, x, c]] = plane[[y, x]];
        }
    }
}

/// The codes of differences, of the tables of all components.
#[derive(Clone, Debug)]
pub struct DifferenceCodes {
    /// `[2, 1024]`: for each table the words of differences of -512 to 511, by their low ten bits. A word is a code
    /// with its additional bits above their length.
    short_words: Box<[[u32; 1024]; 2]>,
    /// `[2, 32]`: for each table the codes of the categories, without additional bits, above their length.
    categories: [u32; 2 * 32],
    /// The table of each component.
    tables: [usize; 4],
}

impl DifferenceCodes {
    /// The codes of two tables, and which of them each component has.
    pub fn new(codes: [&HuffmanCodes; 2], tables: [usize; 4]) -> Self {
        let category = |i: usize| {
            let (codes, ssss) = (codes[i / 32], i % 32);
            u32::from(codes.ehufco[ssss]) << LENGTH_BITS | u32::from(codes.ehufsi[ssss])
        };
        Self {
            short_words: Box::new(codes.map(|codes| codes.short_words(10, 0))),
            categories: core::array::from_fn(category),
            tables,
        }
    }
}

/// Appends the bits of differences of `n` components (H.1.2.2) to `raw` at `position`, which moves on; what `raw` holds
/// up to
/// [`SLACK`](super::bits::SLACK) bytes past them is lost.
///
/// # Panics
///
/// When `raw` has less than [`DIFFERENCE_BYTES`] for each and that many bytes left, and they are needed.
#[shim::kernel]
pub fn put_differences(
    differences: &[i16],
    n: usize,
    codes: &DifferenceCodes,
    raw: &mut [u8],
    position: &mut BitPosition,
) {
    let differences = Block::external(differences, [differences.len()]);
    let raw = Block::external(raw, [raw.len()]);
    let short_words = Block::external(codes.short_words.as_flattened(), [2, 1024]);
    let categories = Block::external(&codes.categories, [2, 32]);
    let mut end = *position;
    // With one table for all, components are alike.
    let n = if codes.tables == [0; 4] { 1 } else { n };
    match n {
        1 => put_row::<1, 6>(differences, codes.tables, short_words, categories, raw, &mut end),
        3 => put_row::<3, 6>(differences, codes.tables, short_words, categories, raw, &mut end),
        _ => put_row::<4, 4>(differences, codes.tables, short_words, categories, raw, &mut end),
    }
    end.pending &= (1 << end.count) - 1;
    *position = end;
}

/// The bits of differences of N components, GROUP of them together if they fit, a template.
#[shim::kernel]
fn put_row<const N: usize, const GROUP: usize>(
    differences: impl Tensor<i16, 1>,
    tables: [usize; 4],
    short_words: impl Tensor<u32, 2>,
    categories: impl Tensor<u32, 2>,
    raw: impl Tensor<u8, 1>,
    end: &mut BitPosition,
) {
    /// Groups whose differences are all in `short_words` or are not.
    const CHUNK: usize = 32;
    let n = differences.extent(0);
    let groups = n / GROUP;
    for first in (0..groups).step_by(CHUNK) {
        let last = groups.min(first + CHUNK);
        let chunk = differences[[GROUP * first..GROUP * last]];
        if chunk.indices().map(|[i]| (chunk[[i]] as u16).wrapping_add(512)).max() < Some(1024) {
            for group in first..last {
                let own = differences[[GROUP * group..GROUP * group + GROUP]];
                let (mut bits, mut length) = (0_u64, 0_u64);
                #[unroll]
                for i in 0..GROUP {
                    let word = u64::from(short_words[[tables[i % N] & 1, own[[i]] & 0x3ff]]);
                    bits = bits << (word & 63) | word >> 6;
                    length += word & 63;
                }
                if length <= 57 {
                    put_bits(bits, length, raw, end);
                } else {
                    #[unroll]
                    for i in 0..GROUP {
                        let word = u64::from(short_words[[tables[i % N] & 1, own[[i]] & 0x3ff]]);
                        put_bits(word >> 6, word & 63, raw, end);
                    }
                }
            }
        } else {
            put_any::<N>(chunk, tables, categories, raw, end);
        }
    }
    put_any::<N>(differences[[GROUP * groups..]], tables, categories, raw, end);
}

/// The bits of differences of N components one by one, a template.
#[shim::kernel]
fn put_any<const N: usize>(
    differences: impl Tensor<i16, 1>,
    tables: [usize; 4],
    categories: impl Tensor<u32, 2>,
    raw: impl Tensor<u8, 1>,
    end: &mut BitPosition,
) {
    for i in 0..differences.extent(0) {
        let difference = i32::from(differences[[i]]);
        let ssss = 32 - difference.unsigned_abs().leading_zeros();
        let code = u64::from(categories[[tables[i % N] & 1, (ssss & 31) as usize]]);
        // 32768 is known without additional bits.
        let count = ssss & 15;
        let additional = (difference + (difference >> 31)) as u64 & ((1 << count) - 1);
        put_bits(code >> 6 << count | additional, (code & 63) + u64::from(count), raw, end);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels::bits::SLACK;
    use crate::kernels::tables::default_differences;

    #[test]
    fn each_predictor_of_the_table() {
        // Rc, Rb and Ra, and a sample of zero.
        let (above, row) = ([200_u8, 90], [31, 0]);
        for (number, px) in (1..).zip([31, 90, 200, -79, 31 - 55, 90 - 85, 60]) {
            let mut found = [0; 2];
            differences(&above, &row, 1, Prediction::By(number), 0, &mut found);
            assert_eq!(found, [31 - 200, -px], "{number}");
        }
    }

    #[test]
    fn a_first_line_is_predicted_by_ra_after_the_point_transform() {
        let row = [[40_000_u16, 7], [40_007, 4], [1, 65_535]].concat();
        let mut found = [0; 6];
        differences(&row, &row, 2, Prediction::First(1 << 13), 2, &mut found);
        assert_eq!(found, [10_000 - 8192, 1 - 8192, 1, 0, -10_001, 16_382]);
    }

    #[test]
    fn magnitudes_are_counted_by_category_and_component() {
        let row = [0, 1, -2, -1, 3, 4, i16::MIN, 0, 0];
        for (c, wanted) in [[2, 1, 1, 1], [2, 1, 0, 0], [2, 2, 1, 0]].into_iter().enumerate() {
            let mut counts = [0; 16];
            count(&row, 3, c, &mut counts);
            assert_eq!([counts[0], counts[1], counts[2], counts[15]], wanted);
        }
    }

    /// The bits of differences as text.
    fn bits(differences: &[i16], n: usize, tables: [usize; 4]) -> String {
        let codes = [8, 16].map(|bits| default_differences(bits).codes());
        let codes = DifferenceCodes::new(codes.each_ref(), tables);
        let mut raw = vec![0; DIFFERENCE_BYTES * differences.len() + SLACK];
        let mut end = BitPosition::default();
        put_differences(differences, n, &codes, &mut raw, &mut end);
        let pending = (0..end.count).rev().map(|i| end.pending >> i & 1 == 1);
        let whole = raw[..end.bytes].iter().flat_map(|byte| (0..8).rev().map(move |i| byte >> i & 1 == 1));
        whole.chain(pending).map(|bit| if bit { '1' } else { '0' }).collect()
    }

    #[test]
    fn codes_and_additional_bits() {
        // 1, 2 and 0 have two bits, and each further category has one more.
        assert_eq!(bits(&[0, 1, -1, 3, -3, 4], 1, [0; 4]), "10 001 000 0111 0100 110100".replace(' ', ""));
        let longest = format!("{}0", "1".repeat(15));
        assert_eq!(bits(&[i16::MIN], 1, [0; 4]), longest, "no additional bits");
        // The second component by the table for 16 bits: 9, 10 and 8 have two.
        assert_eq!(bits(&[1, 256, 1], 3, [0, 1, 0, 0]), "001 00100000000 001".replace(' ', ""));
    }

    #[test]
    fn groups_are_the_same_bits_as_single_differences() {
        // Few of the words of long groups fit one store, and some chunks hold differences beyond ten bits.
        let row = (0..3000_i32)
            .map(|i| if i > 2000 && i % 97 == 0 { i * 11 } else { (i * i % 1023 - 511) >> (i / 100 % 10) });
        let row = row.map(|difference| difference as i16).collect::<Vec<_>>();
        for (n, tables) in [(1, [0; 4]), (3, [0, 1, 1, 0]), (4, [0, 1, 1, 0])] {
            for length in [0, n, 5 * n, 600 * n] {
                let single = (0..length).map(|i| bits(&row[i..=i], 1, [tables[i % n]; 4]));
                assert_eq!(bits(&row[..length], n, tables), single.collect::<String>());
            }
        }
    }
}
