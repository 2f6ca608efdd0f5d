//! The 8-point transform of H.265 (8.6.4.2, forward, with the shift of its first stage), on the rows and on the
//! columns of an 8x8 block: sums of what lies symmetrically give the even coefficients, differences the odd ones.

use std::hint::black_box;

use shim::prelude::*;
use shim_core::{LocationError, TensorOps};

use crate::case::{Case, Random};

/// One transform, for rows and for columns.
#[shim::kernel]
fn dct8(s: impl Tensor<i32, 1>, d: impl Tensor<i32, 1>) {
    let [a, b, c, e] = [s[[0]] + s[[7]], s[[1]] + s[[6]], s[[2]] + s[[5]], s[[3]] + s[[4]]];
    let [p, q, r, t] = [s[[0]] - s[[7]], s[[1]] - s[[6]], s[[2]] - s[[5]], s[[3]] - s[[4]]];
    d[[0]] = (64 * (a + b + c + e) + 2) >> 2;
    d[[1]] = (89 * p + 75 * q + 50 * r + 18 * t + 2) >> 2;
    d[[2]] = (83 * (a - e) + 36 * (b - c) + 2) >> 2;
    d[[3]] = (75 * p - 18 * q - 89 * r - 50 * t + 2) >> 2;
    d[[4]] = (64 * (a - b - c + e) + 2) >> 2;
    d[[5]] = (50 * p - 89 * q + 18 * r + 75 * t + 2) >> 2;
    d[[6]] = (36 * (a - e) - 83 * (b - c) + 2) >> 2;
    d[[7]] = (18 * p - 50 * q + 75 * r - 89 * t + 2) >> 2;
}

/// The staged kernel on rows.
#[shim::kernel]
#[inline(never)]
pub fn staged_rows(samples: &[i16; 64], coefficients: &mut [i16; 64]) {
    let samples = Block::external(samples, [8, 8]).cast::<i32>();
    let coefficients = Block::external(coefficients, [8, 8]).cast::<i32>();
    for y in 0..8 {
        dct8(samples.slice(0, y), coefficients.slice(0, y));
    }
}

/// The staged kernel on columns.
#[shim::kernel]
#[inline(never)]
pub fn staged_columns(samples: &[i16; 64], coefficients: &mut [i16; 64]) {
    let samples = Block::external(samples, [8, 8]).cast::<i32>();
    let coefficients = Block::external(coefficients, [8, 8]).cast::<i32>();
    for x in 0..8 {
        dct8(samples.slice(1, x), coefficients.slice(1, x));
    }
}

/// The transform of eight values.
#[inline(always)]
fn transform(s: [i32; 8]) -> [i16; 8] {
    let [a, b, c, e] = [s[0] + s[7], s[1] + s[6], s[2] + s[5], s[3] + s[4]];
    let [p, q, r, t] = [s[0] - s[7], s[1] - s[6], s[2] - s[5], s[3] - s[4]];
    [
        64 * (a + b + c + e),
        89 * p + 75 * q + 50 * r + 18 * t,
        83 * (a - e) + 36 * (b - c),
        75 * p - 18 * q - 89 * r - 50 * t,
        64 * (a - b - c + e),
        50 * p - 89 * q + 18 * r + 75 * t,
        36 * (a - e) - 83 * (b - c),
        18 * p - 50 * q + 75 * r - 89 * t,
    ]
    .map(|sum| ((sum + 2) >> 2) as i16)
}

/// The hand-written version on rows: the sizes are static, so plain indexing needs no check.
#[inline(never)]
pub fn hand_rows(samples: &[i16; 64], coefficients: &mut [i16; 64]) {
    for y in 0..8 {
        let row = transform(std::array::from_fn(|x| i32::from(samples[8 * y + x])));
        for x in 0..8 {
            coefficients[8 * y + x] = row[x];
        }
    }
}

/// The hand-written version on columns.
#[inline(never)]
pub fn hand_columns(samples: &[i16; 64], coefficients: &mut [i16; 64]) {
    for x in 0..8 {
        let column = transform(std::array::from_fn(|y| i32::from(samples[8 * y + x])));
        for y in 0..8 {
            coefficients[8 * y + x] = column[y];
        }
    }
}

/// The version on the runtime library; `dimension` is 0 for rows, 1 for columns.
///
/// # Errors
/// None for an 8x8 block.
#[inline(never)]
pub fn library(
    samples: &Block<i16, 2>,
    coefficients: &mut Block<i16, 2>,
    dimension: usize,
) -> Result<(), LocationError> {
    for line in 0..8 {
        let s = samples.slice::<1>(dimension, line)?;
        let mut d = coefficients.view_mut().slice::<1>(dimension, line)?;
        let values = transform(std::array::from_fn(|i| i32::from(s[[i as isize]])));
        for (i, value) in (0..).zip(values) {
            d[[i]] = value;
        }
    }
    Ok(())
}

/// A block of residuals and its coefficients.
#[derive(Debug)]
struct Data {
    samples: Block<i16, 2>,
    coefficients: Block<i16, 2>,
}

impl Data {
    fn new(random: &mut Random) -> Self {
        let samples = Block::from_fn([8, 8], |_| random.within(0, 510) as i16 - 255);
        Self { samples, coefficients: Block::new([8, 8]) }
    }

    fn arrays(&mut self) -> (&[i16; 64], &mut [i16; 64]) {
        let samples = self.samples.as_slice().as_array().expect("an 8x8 block");
        let coefficients = self.coefficients.as_mut_slice().as_mut_array().expect("an 8x8 block");
        (black_box(samples), black_box(coefficients))
    }

    fn library(&mut self, dimension: usize) {
        library(black_box(&self.samples), black_box(&mut self.coefficients), dimension)
            .expect("an 8x8 block");
    }

    fn take(&mut self) -> Vec<i16> {
        std::mem::replace(&mut self.coefficients, Block::new([8, 8])).into_vec()
    }
}

/// The transform of rows.
#[derive(Debug)]
pub struct Rows(Data);

impl Case for Rows {
    const NAME: &'static str = "8-point DCT, rows";
    type Output = Vec<i16>;

    fn measured(random: &mut Random) -> Self {
        Self(Data::new(random))
    }

    fn staged(&mut self) {
        let (samples, coefficients) = self.0.arrays();
        staged_rows(samples, coefficients);
    }

    fn hand(&mut self) {
        let (samples, coefficients) = self.0.arrays();
        hand_rows(samples, coefficients);
    }

    fn library(&mut self) {
        self.0.library(0);
    }

    fn take(&mut self) -> Vec<i16> {
        self.0.take()
    }
}

/// The transform of columns.
#[derive(Debug)]
pub struct Columns(Data);

impl Case for Columns {
    const NAME: &'static str = "8-point DCT, columns";
    type Output = Vec<i16>;

    fn measured(random: &mut Random) -> Self {
        Self(Data::new(random))
    }

    fn staged(&mut self) {
        let (samples, coefficients) = self.0.arrays();
        staged_columns(samples, coefficients);
    }

    fn hand(&mut self) {
        let (samples, coefficients) = self.0.arrays();
        hand_columns(samples, coefficients);
    }

    fn library(&mut self) {
        self.0.library(1);
    }

    fn take(&mut self) -> Vec<i16> {
        self.0.take()
    }
}
