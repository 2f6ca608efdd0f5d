//! An 8x8 DCT from one function for eight samples, which is staged for rows and for columns.

use shim::prelude::*;

/// The 8-point DCT-II, orthonormal, in place. `v` is whatever the caller gives: a row, a column, one lane of many.
#[shim::kernel]
pub fn dct_1d(v: impl Tensor<f32, 1>) {
    // cos(k * pi / 16) / 2, and for k = 0 the factor of the mean.
    const C0: f32 = 0.353_553_4;
    const C1: f32 = 0.490_392_65;
    const C2: f32 = 0.461_939_78;
    const C3: f32 = 0.415_734_8;
    const C5: f32 = 0.277_785_12;
    const C6: f32 = 0.191_341_72;
    const C7: f32 = 0.097_545_16;
    let (s0, s1, s2, s3) = (v[[0]] + v[[7]], v[[1]] + v[[6]], v[[2]] + v[[5]], v[[3]] + v[[4]]);
    let (d0, d1, d2, d3) = (v[[0]] - v[[7]], v[[1]] - v[[6]], v[[2]] - v[[5]], v[[3]] - v[[4]]);
    v[[0]] = C0 * ((s0 + s3) + (s1 + s2));
    v[[4]] = C0 * ((s0 + s3) - (s1 + s2));
    v[[2]] = C2 * (s0 - s3) + C6 * (s1 - s2);
    v[[6]] = C6 * (s0 - s3) - C2 * (s1 - s2);
    v[[1]] = C1 * d0 + C3 * d1 + C5 * d2 + C7 * d3;
    v[[3]] = C3 * d0 - C7 * d1 - C1 * d2 - C5 * d3;
    v[[5]] = C5 * d0 - C1 * d1 + C7 * d2 + C3 * d3;
    v[[7]] = C7 * d0 - C5 * d1 + C3 * d2 - C1 * d3;
}

/// The two-dimensional DCT: rows first, then columns.
#[shim::kernel]
pub fn dct_8x8(block: &mut [f32; 64]) {
    let block = Block::external(block, [8, 8]);
    for y in 0..8 {
        dct_1d(block.slice(0, y));
    }
    for x in 0..8 {
        dct_1d(block.slice(1, x));
    }
}

/// The sum that defines a coefficient, to compare with.
fn coefficient(block: &[f32; 64], v: u8, u: u8) -> f64 {
    use std::f64::consts::{FRAC_1_SQRT_2, PI};
    let scale = |k: u8| if k == 0 { FRAC_1_SQRT_2 } else { 1.0 };
    let wave = |k: u8, n: u8| (PI * f64::from((2 * n + 1) * k) / 16.0).cos();
    let mut sum = 0.0;
    for (i, &sample) in (0..).zip(block) {
        sum += f64::from(sample) * wave(v, i / 8) * wave(u, i % 8);
    }
    sum * scale(u) * scale(v) / 4.0
}

fn main() {
    let samples: [f32; 64] = std::array::from_fn(|i| f32::from((i / 8 * 9 + (i % 8) * (i % 8)) as i16 - 64));
    let mut block = samples;
    dct_8x8(&mut block);
    for row in block.chunks(8) {
        for v in row {
            print!("{v:9.2}");
        }
        println!();
    }
    for (i, &found) in (0..).zip(&block) {
        let wanted = coefficient(&samples, i / 8, i % 8);
        assert!((f64::from(found) - wanted).abs() < 1e-3, "coefficient {i}: {found} instead of {wanted}");
    }
}
