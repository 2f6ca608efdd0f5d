//! Sums of samples by weights, along rows and along columns.

use shim::prelude::*;

/// Sums along rows, `[h, to_w, n]`: of column `x`, those of the `k` samples from `first[x]` on by the weights of `x`; a
/// template.
#[shim::kernel]
fn sums_across(
    from: impl Tensor<f32, 3>,
    first: impl Tensor<usize, 1>,
    weights: impl Tensor<f32, 2>,
    to: impl Tensor<f32, 3>,
) {
    for y in 0..to.extent(0) {
        for x in 0..to.extent(1) {
            for c in 0..to.extent(2) {
                let mut sum = 0.0;
                for k in 0..weights.extent(1) {
                    sum += weights[[x, k]] * from[[y, first[[x]] + k, c]];
                }
                to[[y, x, c]] = sum;
            }
        }
    }
}

/// Resamples the rows of `h` by `w` pixels of `n` samples to `to_w` pixels.
///
/// # Panics
///
/// When the sums of a column reach beyond the last pixel, or an argument has too few elements.
#[shim::kernel(simd(v3))]
pub(crate) fn across_bytes(
    #[shape(h, w, n)] from: &[u8],
    h: usize,
    w: usize,
    n: usize,
    #[shape(to_w)] first: &[usize],
    taps: usize,
    #[shape(to_w, taps)] weights: &[f32],
    to_w: usize,
    #[shape(h, to_w, n)] to: &mut [f32],
) {
    sums_across(from.cast::<f32>(), first, weights, to);
}

/// As [`across_bytes`], of words.
///
/// # Panics
///
/// As `across_bytes`.
#[shim::kernel(simd(v3))]
pub(crate) fn across_words(
    #[shape(h, w, n)] from: &[u16],
    h: usize,
    w: usize,
    n: usize,
    #[shape(to_w)] first: &[usize],
    taps: usize,
    #[shape(to_w, taps)] weights: &[f32],
    to_w: usize,
    #[shape(h, to_w, n)] to: &mut [f32],
) {
    sums_across(from.cast::<f32>(), first, weights, to);
}

/// The sum of rows by weights, from `first` on, in a range from 0 to `most`; a template.
#[shim::kernel]
fn sum_of_rows(
    rows: impl Tensor<f32, 2>,
    first: usize,
    weights: impl Tensor<f32, 1>,
    sum: impl Tensor<f32, 1>,
    most: f32,
) {
    for x in 0..sum.extent(0) {
        sum[[x]] = 0.5;
    }
    for k in 0..weights.extent(0) {
        let row = rows.slice(0, first + k);
        for x in 0..sum.extent(0) {
            sum[[x]] += weights[[k]] * row[[x]];
        }
    }
    for x in 0..sum.extent(0) {
        sum[[x]] = sum[[x]].max(0.0).min(most);
    }
}

/// Resamples `h` rows of so many samples to `to_h` rows of bytes.
///
/// # Panics
///
/// When the sums of a row reach beyond the last row, or an argument has too few elements.
#[shim::kernel(simd(v3), checks = "hoisted")]
pub(crate) fn down_bytes(
    #[shape(h, row)] from: &[f32],
    h: usize,
    row: usize,
    #[shape(to_h)] first: &[usize],
    taps: usize,
    #[shape(to_h, taps)] weights: &[f32],
    to_h: usize,
    #[shape(row)] sum: &mut [f32],
    #[shape(to_h, row)] to: &mut [u8],
) {
    for y in 0..to_h {
        sum_of_rows(from, first[[y]], weights.slice(0, y), sum, 255.5);
        let to = to.slice(0, y);
        for x in 0..row {
            to[[x]] = sum[[x]] as u8;
        }
    }
}

/// As [`down_bytes`], to words up to `most`.
///
/// # Panics
///
/// As `down_bytes`.
#[shim::kernel(simd(v3), checks = "hoisted")]
pub(crate) fn down_words(
    #[shape(h, row)] from: &[f32],
    h: usize,
    row: usize,
    #[shape(to_h)] first: &[usize],
    taps: usize,
    #[shape(to_h, taps)] weights: &[f32],
    to_h: usize,
    most: f32,
    #[shape(row)] sum: &mut [f32],
    #[shape(to_h, row)] to: &mut [u16],
) {
    for y in 0..to_h {
        sum_of_rows(from, first[[y]], weights.slice(0, y), sum, most + 0.5);
        let to = to.slice(0, y);
        for x in 0..row {
            to[[x]] = sum[[x]] as u16;
        }
    }
}
