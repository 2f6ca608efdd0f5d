//! Quantisation (T.81 A.3.4): `Sq[v, u] = round(S[v, u] / Q[v, u])`.

/// The divisors of one component, with what replaces the division by a multiplication.
///
/// For a divisor d with `2^(l - 1) < d <= 2^l`, the reciprocal is `r = ceil(2^(15 + l) / d)`, and
/// `floor(n / d) = (n * r) >> (15 + l)` for every n below 2^15: r exceeds the exact quotient by less than 1, hence
/// the product the exact one by less than `2^15`, which after the shift is less than `1 / d`.
#[derive(Clone, Debug)]
pub struct Divisors {
    /// `floor(d / 2)`, added to round to the nearest.
    half: [u32; 64],
    /// `r`, at most 2^16.
    reciprocal: [u32; 64],
    /// `15 + l`, at most 26.
    shift: [u32; 64],
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

/// Divides the coefficients 8 S by 8 Q, rounding to the nearest integer and halves away from zero; all 64 lie row by
/// row (v, then u).
///
/// The coefficients must be within -16384 and 16384, as those of an 8-bit image are.
pub fn quantise(coefficients: &[i16; 64], divisors: &Divisors, quantised: &mut [i16; 64]) {
    for i in 0..64 {
        let n = u32::from(coefficients[i].unsigned_abs()) + divisors.half[i];
        let magnitude = ((n * divisors.reciprocal[i]) >> divisors.shift[i]) as i16;
        quantised[i] = if coefficients[i] < 0 { -magnitude } else { magnitude };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_coefficient_by_every_divisor() {
        for q in 1..=255_u8 {
            let divisors = Divisors::new(&[q; 64]);
            let d = 8 * i32::from(q);
            for base in (-8192..=8192_i32).step_by(64) {
                let coefficients: [i16; 64] = std::array::from_fn(|i| (base + i as i32) as i16);
                let mut quantised = [0; 64];
                quantise(&coefficients, &divisors, &mut quantised);
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
            quantise(&[16_384; 64], &Divisors::new(&[q; 64]), &mut quantised);
            assert_eq!(i32::from(quantised[0]), (16_384 + 4 * i32::from(q)) / (8 * i32::from(q)));
        }
    }

    #[test]
    fn each_place_has_its_own_divisor() {
        let table = std::array::from_fn(|i| i as u8 + 1);
        let mut quantised = [0; 64];
        quantise(&[800; 64], &Divisors::new(&table), &mut quantised);
        for (i, &got) in quantised.iter().enumerate() {
            let q = i as i16 + 1;
            assert_eq!(got, (100 + q / 2) / q);
        }
    }
}
