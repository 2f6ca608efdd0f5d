//! Quantization (T.81 A.3.4).

use shim_core::{Block, Located};

/// Divides coefficients 8 S by 8 Q in place, rounding to the nearest integer and halves away from zero.
pub fn quantize(coefficients: &mut Block<i32, 2>, table: &Block<i32, 2>) {
    for index in coefficients.indices() {
        let (s, d) = (coefficients[index], 8 * table[index]);
        coefficients[index] = (s.abs() + d / 2) / d * s.signum();
    }
}
