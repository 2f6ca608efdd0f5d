//! Red, green and blue to luma and chroma (E.2.1, `matrix_coefficients`), chroma at half the density.
//!
//! Weights have 16 fractional bits. Those of luma add up to the scale exactly and those of chroma to 0, so that gray
//! stays gray. Chroma is computed from the sums of two by two pixels, and rounded once; it is sited in their middle.

use shim::prelude::*;

/// The samples of a pixel, in the order in which they lie in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pixels {
    /// R, G, B.
    Rgb,
    /// B, G, R.
    Bgr,
    /// R, G, B, and a fourth that is not looked at.
    Rgba,
    /// B, G, R, and a fourth that is not looked at.
    Bgra,
    /// One sample, from black (0) to white (255).
    Gray,
}

impl Pixels {
    /// Bytes of a pixel.
    #[must_use]
    pub const fn bytes(self) -> usize {
        match self {
            Self::Rgb | Self::Bgr => 3,
            Self::Rgba | Self::Bgra => 4,
            Self::Gray => 1,
        }
    }
}

/// The equations, for samples R, G and B from 0 to 255.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Weights {
    /// Of R, G and B in Y, Cb and Cr, in 1/65536.
    pub of: [[i32; 3]; 3],
    /// Y of black.
    pub black: i32,
}

/// Two rows of pixels, `[3, w]` or `[4, w]`, as two of luma and one of Cb and Cr; a template.
#[shim::kernel]
fn two_rows<const R: usize, const G: usize, const B: usize>(
    pixels: impl Tensor<u8, 3>,
    upper: impl Tensor<i32, 1>,
    lower: impl Tensor<i32, 1>,
    blue: impl Tensor<i32, 1>,
    red: impl Tensor<i32, 1>,
    weights: Weights,
) {
    use shim_codec::squares::{sum_squares, take_apart};
    /// Pixels that are taken apart at once.
    const TILE: usize = 128;
    let ([[yr, yg, yb], [br, bg, bb], [rr, rg, rb]], w) = (weights.of, upper.extent(0));
    // One half, which rounds to the nearest.
    let black = (weights.black << 16) + (1 << 15);
    let center = (128 << 18) + (1 << 17);
    // Columns past the last pixel keep those of an earlier tile, and nothing reads their sums.
    let apart = Block::stack::<u8>([2, 3, TILE]);
    let (words, sums) = (Block::stack::<u16>([2, 3, TILE / 2]), Block::stack::<u16>([3, TILE / 2]));
    for tile in 0..w.div_ceil(TILE) {
        let start = tile * TILE;
        let n = (w - start).min(TILE);
        for y in 0..2 {
            let row = pixels.slice(0, y)[[.., start..start + n]];
            take_apart(row.slice(0, R), row.slice(0, G), row.slice(0, B), apart[[y, .., ..n]]);
        }
        let (above, below) = (apart.slice(0, 0).cast::<i32>(), apart.slice(0, 1).cast::<i32>());
        let (upper, lower) = (upper[[start..start + n]], lower[[start..start + n]]);
        for x in 0..n {
            upper[[x]] = (yr * above[[0, x]] + yg * above[[1, x]] + yb * above[[2, x]] + black) >> 16;
            lower[[x]] = (yr * below[[0, x]] + yg * below[[1, x]] + yb * below[[2, x]] + black) >> 16;
        }
        let (blue, red) = (blue[[start / 2..(start + n) / 2]], red[[start / 2..(start + n) / 2]]);
        sum_squares(apart, words, sums);
        let p = sums.cast::<i32>();
        for x in 0..n / 2 {
            let [r, g, b] = [p[[0, x]], p[[1, x]], p[[2, x]]];
            // The fullest blue and red of the full range are half a step beyond it.
            blue[[x]] = ((br * r + bg * g + bb * b + center) >> 18).min(255);
            red[[x]] = ((rr * r + rg * g + rb * b + center) >> 18).min(255);
        }
    }
}

/// Interleaved pixels in `h` rows of `w`, both even, which are `stride` bytes apart, as planes without gaps of Y, `[h,
/// w]`, and of Cb and Cr, `[h / 2, w / 2]`.
///
/// # Panics
///
/// When a plane does not have the memory.
#[shim::kernel(simd, checks = "hoisted")]
pub fn planes_of_pixels(
    samples: &[u8],
    stride: usize,
    h: usize,
    w: usize,
    pixels: Pixels,
    weights: Weights,
    #[shape(h, w)] y: &mut [u8],
    #[shape(h / 2, w / 2)] cb: &mut [u8],
    #[shape(h / 2, w / 2)] cr: &mut [u8],
) {
    let (luma, blue, red) = (y.cast::<i32>(), cb.cast::<i32>(), cr.cast::<i32>());
    for v in 0..h / 2 {
        let (upper, lower) = (luma.slice(0, 2 * v), luma.slice(0, 2 * v + 1));
        let (blue, red) = (blue.slice(0, v), red.slice(0, v));
        match pixels {
            Pixels::Rgb => {
                let rows = Block::external(samples, [h, w, 3]).strided([stride, 3, 1]);
                let rows = rows[[2 * v..2 * v + 2, .., ..]].permute([0, 2, 1]);
                two_rows::<0, 1, 2>(rows, upper, lower, blue, red, weights);
            }
            Pixels::Bgr => {
                let rows = Block::external(samples, [h, w, 3]).strided([stride, 3, 1]);
                let rows = rows[[2 * v..2 * v + 2, .., ..]].permute([0, 2, 1]);
                two_rows::<2, 1, 0>(rows, upper, lower, blue, red, weights);
            }
            Pixels::Rgba => {
                let rows = Block::external(samples, [h, w, 4]).strided([stride, 4, 1]);
                let rows = rows[[2 * v..2 * v + 2, .., ..]].permute([0, 2, 1]);
                two_rows::<0, 1, 2>(rows, upper, lower, blue, red, weights);
            }
            Pixels::Bgra => {
                let rows = Block::external(samples, [h, w, 4]).strided([stride, 4, 1]);
                let rows = rows[[2 * v..2 * v + 2, .., ..]].permute([0, 2, 1]);
                two_rows::<2, 1, 0>(rows, upper, lower, blue, red, weights);
            }
            Pixels::Gray => {
                let rows = Block::external(samples, [h, w]).strided([stride, 1]).cast::<i32>();
                let ([[r, g, b], ..], black) = (weights.of, (weights.black << 16) + (1 << 15));
                for x in 0..w {
                    upper[[x]] = ((r + g + b) * rows[[2 * v, x]] + black) >> 16;
                    lower[[x]] = ((r + g + b) * rows[[2 * v + 1, x]] + black) >> 16;
                }
                for x in 0..w / 2 {
                    blue[[x]] = 128;
                    red[[x]] = 128;
                }
            }
        }
    }
}
