//! Logarithms and powers, without a library for them: QP is a logarithm, and models are easier there. They are the same on every
//! machine, and so are streams.

/// `log2(x)` for a positive number; within 1e-9.
pub(super) fn log2(x: f64) -> f64 {
    let bits = x.to_bits();
    let exponent = ((bits >> 52) & 0x7ff) as i32 - 1023;
    // From 1 to 2.
    let m = f64::from_bits((bits & ((1 << 52) - 1)) | (1023 << 52));
    // ln m = 2 artanh z, where z is at most 1/3.
    let z = (m - 1.0) / (m + 1.0);
    let square = z * z;
    let series = (0..11).rev().fold(0.0, |sum, k| sum * square + 1.0 / f64::from(2 * k + 1));
    f64::from(exponent) + 2.0 * z * series * core::f64::consts::LOG2_E
}

/// 2 to the power of x; within 1e-9 of it, for x between -1000 and 1000.
pub(super) fn exp2(x: f64) -> f64 {
    let x = x.clamp(-1000.0, 1000.0);
    // Towards zero, so that what is left is between -1 and 1.
    let whole = x as i32;
    let power = f64::from_bits(((whole + 1023) as u64) << 52);
    let y = (x - f64::from(whole)) * core::f64::consts::LN_2;
    power * (1..16).rev().fold(1.0, |sum, k| 1.0 + sum * y / f64::from(k))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn are_what_the_library_has() {
        for i in -4000..4000 {
            let x = f64::from(i) / 41.0;
            let (power, wanted) = (exp2(x), x.exp2());
            assert!((power / wanted - 1.0).abs() < 1e-9, "{x}");
            assert!((log2(wanted) - x).abs() < 1e-9, "{x}");
        }
        assert!(exp2(1e9).is_finite() && exp2(-1e9) > 0.0 && log2(f64::MAX) < 1024.1);
    }
}
