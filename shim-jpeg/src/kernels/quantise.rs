//! Quantisation (T.81 A.3.4): `Sq[v, u] = round(S[v, u] / Q[v, u])`.

use shim::prelude::*;

/// The divisors of one component, with what replaces the division by a multiplication.
///
/// For a divisor d with `2^(l - 1) < d <= 2^l`, the reciprocal is `r = ceil(2^(15 + l) / d)`, and
/// `floor(n / d) = (n * r) >> (15 + l)` for every n below 2^15: r exceeds the exact quotient by less than 1, hence
/// the product the exact one by less than `2^15`, which after the shift is less than `1 / d`.
#[derive(Clone, Debug)]
pub struct Divisors {
    /// `floor(d / 2)`, added to round to the nearest.
    pub(crate) half: [u32; 64],
    /// `r`, at most 2^16.
    pub(crate) reciprocal: [u32; 64],
    /// `15 + l`, at most 26.
    pub(crate) shift: [u32; 64],
}

impl Divisors {
    /// The divisors 8 Q for the elements Q of a quantisation table, row by row, each at least 1: the transform
    /// delivers 8 S.
    ///
    /// # Panics
    ///
    /// When an element is 0.
    pub fn new(table: &[u8; 64]) -> Self {
        let divisor = table.map(|q| {
            assert!(q > 0, "an element of a quantisation table is 0");
            8 * u32::from(q)
        });
        let shift = divisor.map(|d| 15 + d.next_power_of_two().ilog2());
        Self {
            half: divisor.map(|d| d / 2),
            reciprocal: std::array::from_fn(|i| (1_u32 << shift[i]).div_ceil(divisor[i])),
            shift,
        }
    }
}

/// Divides the coefficients 8 S of a block by 8 Q, rounding to the nearest integer and halves away from zero; a
/// template.
///
/// The coefficients must be within -16384 and 16384, as those of an 8-bit image are.
#[shim::kernel]
pub(crate) fn quantise(
    s: impl Tensor<i32, 2>,
    divisors: &crate::kernels::quantise::Divisors,
    sq: impl Tensor<i32, 2>,
) {
    let half = Block::external(&divisors.half, [8, 8]);
    let reciprocal = Block::external(&divisors.reciprocal, [8, 8]);
    let shift = Block::external(&divisors.shift, [8, 8]);
    for [v, u] in half.indices() {
        let n = s[[v, u]].unsigned_abs() + half[[v, u]];
        let magnitude = ((n * reciprocal[[v, u]]) >> shift[[v, u]]) as i32;
        sq[[v, u]] = if s[[v, u]] < 0 { -magnitude } else { magnitude };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[shim::kernel]
    fn quantise_block(coefficients: &[i16; 64], divisors: &Divisors, quantised: &mut [i16; 64]) {
        let s = Block::external(coefficients, [8, 8]).cast::<i32>();
        quantise(s, divisors, Block::external(quantised, [8, 8]).cast::<i32>());
    }

    #[test]
    fn every_coefficient_by_every_divisor() {
        for q in 1..=255_u8 {
            let divisors = Divisors::new(&[q; 64]);
            let d = 8 * i32::from(q);
            for base in (-8192..=8192_i32).step_by(64) {
                let coefficients: [i16; 64] = std::array::from_fn(|i| (base + i as i32) as i16);
                let mut quantised = [0; 64];
                quantise_block(&coefficients, &divisors, &mut quantised);
                for (s, got) in coefficients.into_iter().zip(quantised) {
                    let s = i32::from(s);
                    let nearest = (s.abs() + d / 2) / d * s.signum();
                    assert_eq!(i32::from(got), nearest, "{s} / {d}");
                }
            }
        }
    }

    #[test]
    fn the_range_promised_does_not_overflow() {
        for q in [1, 2, 3, 127, 128, 129, 254, 255] {
            let mut quantised = [0; 64];
            quantise_block(&[16_384; 64], &Divisors::new(&[q; 64]), &mut quantised);
            assert_eq!(i32::from(quantised[0]), (16_384 + 4 * i32::from(q)) / (8 * i32::from(q)));
        }
    }

    #[test]
    fn each_place_has_its_own_divisor() {
        let table = std::array::from_fn(|i| i as u8 + 1);
        let mut quantised = [0; 64];
        quantise_block(&[800; 64], &Divisors::new(&table), &mut quantised);
        for (i, &got) in quantised.iter().enumerate() {
            let q = i as i16 + 1;
            assert_eq!(got, (100 + q / 2) / q);
        }
    }
}
