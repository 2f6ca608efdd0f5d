//! Coefficients before they are rounded, for what chooses between integers and measures errors.

use alloc::vec;
use alloc::vec::Vec;

use shim::prelude::*;

use super::dct::separable;
use super::tile::{Blocks, Coefficients};
use super::transform::{WideScratch, wide_row};
use super::zigzag::{zigzag_sequence, zigzag_table};
use crate::kernels::dct::{BITS, fdct_1d};

/// Quotients `S / Q` of tiles before they are rounded, laid out as `Coefficients`.
#[shim::located]
#[derive(Clone, Debug, Default)]
pub struct Spectra {
    pub(crate) rows: [usize; 4],
    pub(crate) tiles: [usize; 4],
    #[shape(4, |c| rows[c], |c| 32 * tiles[c], 64)]
    #[stored(tile([1, 1, 32, 1]))]
    pub(crate) quotients: Vec<f32>,
}

impl Spectra {
    /// Memory for the quotients of coefficients.
    pub fn of(coefficients: &Coefficients) -> Self {
        let Coefficients { rows, tiles, zz, .. } = coefficients;
        Self { rows: *rows, tiles: *tiles, quotients: vec![0.0; zz.len()] }
    }

    /// Makes this memory for the quotients of `coefficients`.
    pub(crate) fn lay_out_as(&mut self, coefficients: &Coefficients) {
        if (self.rows, self.tiles) != (coefficients.rows, coefficients.tiles) {
            *self = Self::of(coefficients);
        }
    }
}

/// Reciprocals of a quantization table for [`divided`]: 1 / (8 Q), row by row.
#[derive(Clone, Debug)]
pub struct Inverses {
    inverse: [f32; 64],
}

impl Inverses {
    /// The inverses for the elements Q of a quantization table, row by row, each at least 1.
    pub fn new(table: &[u16; 64]) -> Self {
        Self { inverse: table.map(|q| 0.125 / f32::from(q)) }
    }
}

/// The accurate transform of a column and its division, a template.
#[shim::kernel]
fn divided_column(
    s: impl Tensor<i32, 1>,
    kept: u32,
    inverses: impl Tensor<f32, 2>,
    quotients: impl Tensor<f32, 1>,
) {
    fdct_1d(s, BITS + kept);
    #[unroll]
    for v in 0..8 {
        quotients[[v]] = s[[v]] as f32 * inverses[[0, v]];
    }
}

/// Transforms (A.3.3) the blocks of the tile of `scratch` by the accurate integer transform, and divides by Q without
/// rounding. Of the rows' results, `kept` fractional bits are kept for the columns: 2 fit with samples of 8 bits, 1
/// with those of 12.
///
/// It is one function for samples of all kinds: the trellis behind it takes many times as long as what that costs.
///
/// # Panics
///
/// When there is no memory for the tile.
#[shim::kernel(simd(v2, v3, v4), checks = "hoisted")]
pub fn divided(
    inverses: &Inverses,
    kept: u32,
    scratch: &mut WideScratch,
    [c, v, t]: [usize; 3],
    #[located] out: &mut Spectra,
) {
    let tile = Block::external(&scratch.tile, [8, 32, 8]).permute([2, 0, 1]);
    let inverses = Block::external(&inverses.inverse, [1, 8, 8, 32]).strided([64, 8, 1, 0]);
    let spectra = Block::external(&mut scratch.spectra, [8, 8, 32]);
    let quotients = Block::external(&mut scratch.quotients, [8, 8, 32]);
    separable::<i32, _, _, _>(wide_row, divided_column, tile, inverses, kept, spectra, quotients);
    let natural = Block::external(&scratch.quotients, [8, 8, 32]);
    zigzag_sequence(natural, out.quotients[[c, v, 32 * t..32 * t + 32, ..]].permute([1, 0]));
}

/// The sum of the squares of what quantization took from the samples of some blocks: of `(S / Q - Sq) Q`, the transform
/// being orthonormal.
///
/// # Panics
///
/// When there are no such tiles.
#[shim::kernel(simd(v2, v3, v4), checks = "hoisted")]
pub fn distortion(
    #[located] spectra: &Spectra,
    #[located] coefficients: &Coefficients,
    table: &[u16; 64],
    blocks: Blocks,
) -> f64 {
    let mut zigzag = [0; 64];
    zigzag_table(table, &mut zigzag);
    let q = Block::external(&zigzag, [64]);
    let mut sum = 0.0;
    let Blocks { component: c, row, high, wide, .. } = blocks;
    for v in row..row + high {
        for t in 0..wide.div_ceil(32) {
            let own = Block::stack::<f32>([32]);
            for k in 0..64 {
                for l in 0..32 {
                    let error = (spectra.quotients[[c, v, 32 * t + l, k]]
                        - f32::from(coefficients.zz[[c, v, 32 * t + l, k]]))
                        * f32::from(q[[k]]);
                    own[[l]] += error * error;
                }
            }
            for l in 0..wide.min(32 * t + 32) - 32 * t {
                sum += f64::from(own[[l]]);
            }
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::super::planes::Plane;
    use super::super::quantize::Divisors;
    use super::super::transform::{Scratch, samples, transform};
    use super::*;
    use shim_codec::random::Random;

    #[test]
    fn quotients_are_those_of_the_exact_transform() {
        let mut random = Random::new(3);
        let samples_of = |(): ()| random.byte();
        let plane = Plane { rows: 21, columns: 131, samples: [(); 21 * 131].map(samples_of).to_vec() };
        let table = core::array::from_fn(|i| i as u16 % 7 + 1);
        let blocks = Blocks { high: 3, wide: 17, ..Blocks::default() };
        let mut out = Coefficients::new([3, 0, 0, 0], [2, 0, 0, 0]);
        transform(&plane, &Divisors::new(&table), blocks, &mut Scratch::default(), &mut out);
        let mut quotients = Spectra::of(&out);
        let (inverses, mut own) = (Inverses::new(&table), WideScratch::default());
        for v in 0..3 {
            samples(&plane, [v, 0], 128, &mut own.tile);
            divided(&inverses, 2, &mut own, [0, v, 0], &mut quotients);
        }
        // Lanes past the last block hold nothing that is coded.
        let coded = |place: &usize| place % 32 < blocks.wide;
        for place in (0..out.zz.len()).filter(coded) {
            let (value, quotient) = (out.zz[place], quotients.quotients[place]);
            assert!((quotient - f32::from(value)).abs() < 0.5 + 1e-3, "{value} for {quotient}");
        }
        let words = plane.samples.iter().map(|&s| 16 * u16::from(s)).collect();
        let words = Plane { rows: 21, columns: 131, samples: words };
        let mut wide = Spectra::of(&out);
        for v in 0..3 {
            samples(&words, [v, 0], 2048, &mut own.tile);
            divided(&inverses, 1, &mut own, [0, v, 0], &mut wide);
        }
        for (wide, narrow) in wide.quotients.iter().zip(&quotients.quotients) {
            assert!((wide / 16.0 - narrow).abs() < 0.4, "{wide} for {narrow}");
        }
    }
}
