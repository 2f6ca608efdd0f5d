//! Quantization (T.81 A.3.4): `Sq[v, u] = round(S[v, u] / Q[v, u])`.

use alloc::boxed::Box;

use shim::prelude::*;

use super::dct::SCALE;
pub(super) use super::dct::high;
use super::tile::LANES;
use super::zigzag::zigzag_table;

/// The divisors of one component, with what replaces the division by a multiplication.
///
/// For a divisor d with `2^(l - 1) < d <= 2^l`, the reciprocal is `r = ceil(2^(15 + l) / d)`, and
/// `floor(n / d) = (n * r) >> (15 + l)` for every n below 2^15: r exceeds the exact quotient by less than 1, hence
/// the product the exact one by less than `2^15`, which after the shift is less than `1 / d`.
#[derive(Clone, Debug)]
pub struct Divisors {
    /// `floor(d / 2)`, added to round to the nearest; `r`, at most 2^16; and `15 + l`, at most 30.
    pub(crate) terms: [[u32; 64]; 3],
    /// See [`beyond_table`].
    pub(crate) beyond_table: usize,
}

/// Of four parts of sixteen coefficients in zigzag order, how many hold all that are ever quantized to more than 127:
/// no coefficient of 8-bit samples is beyond 1024, so that only those are whose Q is 8 or less.
fn beyond_table(table: &[u16; 64]) -> usize {
    let mut zz = [0; 64];
    zigzag_table(table, &mut zz);
    zz.iter().rposition(|&q| q <= 8).map_or(0, |k| k / 16 + 1)
}

impl Divisors {
    /// The divisors 8 Q for the elements Q of a quantization table, row by row, each at least 1: the transform
    /// delivers 8 S.
    ///
    /// With `half` added, a coefficient of 8 S of 8-bit samples stays below 2^15 for every divisor up to that. From
    /// twice the greatest S on every quotient is 0, and so it is for all elements above 4096.
    ///
    /// # Panics
    ///
    /// When an element is 0.
    pub fn new(table: &[u16; 64]) -> Self {
        let mut own = Self { terms: [[0; 64]; 3], beyond_table: beyond_table(table) };
        divisors_of(table, &mut own.terms);
        own
    }
}

/// Finds the terms of [`Divisors`].
#[shim::kernel]
fn divisors_of(table: &[u16; 64], terms: &mut [[u32; 64]; 3]) {
    let (table, terms) = (Block::external(table, [64]), Block::external(terms.as_flattened_mut(), [3, 64]));
    for [k] in table.indices() {
        assert!(table[[k]] > 0, "an element of a quantization table is 0");
        let d = 8 * u32::from(table[[k]].min(4096));
        let shift = 15 + d.next_power_of_two().ilog2();
        terms[[0, k]] = d / 2;
        terms[[1, k]] = (1_u32 << shift).div_ceil(d);
        terms[[2, k]] = shift;
    }
}

/// The factors of the fast transform's coefficients.
///
/// They are `16 SCALE[v] SCALE[u] S[v, u]`. With d that times Q, `2^(l + 1) <= d < 2^(l + 2)`, the upper half of the
/// product with `2^(16 + l) / d` is `2^l S / Q` rounded down; half of `2^l` is added, and l bits are shifted away,
/// which rounds `S / Q` to the nearest.
///
/// Each number stands there once for every block of a tile, `[64, LANES]`: a vector of them is a load, which costs less
/// than to make it from one number, and of which none lies across two cache lines.
#[repr(C, align(64))]
#[derive(Clone, Debug)]
pub struct Reciprocals {
    /// The factor; what is added; and `2^(16 - l)`: the upper half of a product with it is shifted right by l bits.
    pub(crate) terms: [[i16; 64 * LANES]; 3],
    /// See [`beyond_table`].
    pub(crate) beyond_table: usize,
}

impl Reciprocals {
    /// The reciprocals for the elements Q of a quantization table, row by row, each at least 1; none for a table so
    /// fine that some quotient would have fewer than two bits to be rounded by, as those of a quality above 96.
    ///
    /// # Panics
    ///
    /// When an element is 0.
    pub fn new(table: &[u16; 64]) -> Option<Box<Self>> {
        let mut own = Box::new(Self { terms: [[0; 64 * LANES]; 3], beyond_table: beyond_table(table) });
        reciprocals_of(table, &mut own.terms).then_some(own)
    }
}

/// Finds the terms of [`Reciprocals`]; false if there are none.
#[shim::kernel]
fn reciprocals_of(#[shape(8, 8)] table: &[u16; 64], terms: &mut [[i16; 64 * LANES]; 3]) -> bool {
    // The mean error of the transform's multiplications, which round down, by the row of the coefficient.
    const BIAS: [f64; 8] = [0.0, -1.5, -0.5, 1.5, 0.0, -0.5, 0.5, 0.5];
    let terms = Block::external(terms.as_flattened_mut(), [3, 8, 8, 32]);
    for [v, u] in table.indices() {
        let d = 16.0 * f64::from(table[[v, u]]) * SCALE[v] * SCALE[u];
        let l = (d as u16).ilog2() - 1;
        if l < 2 {
            return false;
        }
        let factor = 65_536.0 * f64::from(1 << l) / d;
        let bias = BIAS[v] + if v == 0 { 8.0 * BIAS[u] } else { 0.0 };
        let half = f64::from(1 << (l - 1)) - bias * factor / 65_536.0;
        for lane in 0..32 {
            terms[[0, v, u, lane]] = nearest(factor);
            terms[[1, v, u, lane]] = nearest(half);
            terms[[2, v, u, lane]] = 1 << (16 - l);
        }
    }
    true
}

/// The nearest integer of 16 bits to one of the numbers of [`Reciprocals`], all of which are above -32.
fn nearest(x: f64) -> i16 {
    ((x + 32.5) as i32 - 32).min(i16::MAX.into()) as i16
}

/// The divisors of one component for samples of 12 bits: 8 Q, of any Q.
#[derive(Clone, Debug)]
pub struct WideDivisors {
    pub(crate) divisor: [i32; 64],
}

impl WideDivisors {
    /// The divisors for the elements Q of a quantization table, row by row, each at least 1.
    ///
    /// # Panics
    ///
    /// When an element is 0.
    pub fn new(table: &[u16; 64]) -> Self {
        let divisor = table.map(|q| {
            assert!(q > 0, "an element of a quantization table is 0");
            8 * i32::from(q)
        });
        Self { divisor }
    }
}

/// Divides a column of coefficients 8 S by 8 Q, rounding to the nearest integer and halves away from zero; a template.
/// A quotient of integers of 32 bits is exact in as many places of an `f64` as matter.
#[shim::kernel]
pub(crate) fn quantize_wide(s: impl Tensor<i32, 1>, divisor: impl Tensor<i32, 2>, out: impl Tensor<i32, 1>) {
    #[unroll]
    for v in 0..8 {
        let d = divisor[[0, v]];
        let magnitude = (f64::from(s[[v]].abs() + d / 2) / f64::from(d)) as i32;
        out[[v]] = if s[[v]] < 0 { -magnitude } else { magnitude };
    }
}

/// Divides a column of coefficients 8 S by 8 Q, rounding to the nearest integer and halves away from zero; a template.
///
/// The coefficients must be within -16384 and 16384, as those of an 8-bit image are.
#[shim::kernel]
pub(crate) fn quantize(s: impl Tensor<i32, 1>, divisors: impl Tensor<u32, 2>, out: impl Tensor<i32, 1>) {
    #[unroll]
    for v in 0..8 {
        let [half, reciprocal, shift] = [divisors[[0, v]], divisors[[1, v]], divisors[[2, v]]];
        let magnitude = (((s[[v]].unsigned_abs() + half) * reciprocal) >> shift) as i32;
        out[[v]] = if s[[v]] < 0 { -magnitude } else { magnitude };
    }
}

/// Divides a column of coefficients of the fast transform, a template.
#[shim::kernel]
pub(crate) fn quantize_fast(
    s: impl Tensor<i16, 1>,
    reciprocals: impl Tensor<i16, 2>,
    out: impl Tensor<i16, 1>,
) {
    #[unroll]
    for v in 0..8 {
        let [factor, half, scale] = [reciprocals[[0, v]], reciprocals[[1, v]], reciprocals[[2, v]]];
        // One less below zero, so that halves are rounded away from it on both sides.
        let away = s[[v]].wrapping_add(s[[v]] >> 15);
        out[[v]] = high(high(away, factor).wrapping_add(half), scale);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[shim::kernel]
    fn quantize_block(coefficients: &[i16; 64], divisors: &Divisors, quantized: &mut [i16; 64]) {
        let given = Block::external(coefficients, [8, 8]).cast::<i32>();
        let out = Block::external(quantized, [8, 8]).cast::<i32>();
        let divisors = Block::external(divisors.terms.as_flattened(), [3, 8, 8]);
        for u in 0..8 {
            quantize(given.slice(1, u), divisors.slice(2, u), out.slice(1, u));
        }
    }

    #[test]
    fn every_coefficient_by_every_divisor() {
        for q in 1..=255_u16 {
            let divisors = Divisors::new(&[q; 64]);
            let d = 8 * i32::from(q);
            for base in (-8192..=8192_i32).step_by(64) {
                let coefficients: [i16; 64] = std::array::from_fn(|i| (base + i as i32) as i16);
                let mut quantized = [0; 64];
                quantize_block(&coefficients, &divisors, &mut quantized);
                for (s, got) in coefficients.into_iter().zip(quantized) {
                    let s = i32::from(s);
                    let nearest = (s.abs() + d / 2) / d * s.signum();
                    assert_eq!(i32::from(got), nearest, "{s} / {d}");
                }
            }
        }
    }

    #[test]
    fn quotients_of_tables_of_16_bits_are_rounded() {
        let all: [u16; 64] = core::array::from_fn(|i| match i {
            0..32 => 1 + 9 * i as u16 * i as u16,
            32..48 => 4000 + 12 * i as u16,
            _ => u16::MAX >> (i % 5),
        });
        let [half, reciprocal, shift] = Divisors::new(&all).terms;
        for coefficient in 0..=8200_u32 {
            for (i, &q) in all.iter().enumerate() {
                // As the kernel does it, on magnitudes.
                let quotient = ((coefficient + half[i]) * reciprocal[i]) >> shift[i];
                let d = 8 * u32::from(q);
                assert_eq!(quotient, (coefficient + d / 2) / d, "{coefficient} / {d}");
            }
        }
    }

    #[test]
    fn the_range_promised_does_not_overflow() {
        for q in [1, 2, 3, 127, 128, 129, 254, 255] {
            let mut quantized = [0; 64];
            quantize_block(&[16_384; 64], &Divisors::new(&[q; 64]), &mut quantized);
            assert_eq!(i32::from(quantized[0]), (16_384 + 4 * i32::from(q)) / (8 * i32::from(q)));
        }
    }

    #[test]
    fn each_place_has_its_own_divisor() {
        let table = std::array::from_fn(|i| i as u16 + 1);
        let mut quantized = [0; 64];
        quantize_block(&[800; 64], &Divisors::new(&table), &mut quantized);
        for (i, &got) in quantized.iter().enumerate() {
            let q = i as i16 + 1;
            assert_eq!(got, (100 + q / 2) / q);
        }
    }
}
