//! Products with triangular and banded matrices: loops whose bounds mention outer variables, in tiles.

use crate::case::Random;

/// The side of the matrices.
pub const SIDE: usize = 768;

/// The numbers of diagonals on each side that a banded matrix has.
pub const BAND: usize = 96;

/// A product with the words of an order; `$from..$to` are the columns of row `$i` that are not zero.
macro_rules! products {
    ($($(#[doc = $doc:literal])* $name:ident $(#[$word:meta])*: |$i:ident, $n:ident| $columns:expr;)*) => { $(
        $(#[doc = $doc])*
        #[shim::kernel(simd)]
        #[inline(never)]
        pub fn $name(#[shape($n, $n)] a: &[f32], #[shape($n, $n)] b: &[f32], #[shape($n, $n)] c: &mut [f32], $n: usize) {
            $(#[$word])*
            for $i in 0..$n {
                for k in $columns {
                    for j in 0..$n {
                        c[[$i, j]] += a[[$i, k]] * b[[k, j]];
                    }
                }
            }
        }
    )* };
}

products! {
    /// The product with a lower triangle, row by row.
    lower: |i, n| 0..=i;
    /// By panels of 64 rows of `b`.
    lower_in_tiles #[tile([_, 64, 256])]: |i, n| 0..=i;
    /// Tiles of `c` in registers, over panels of `b`.
    lower_in_registers #[tile([_, 64, 256])] #[tile([8, _, 32], peel)] #[reorder(k, i, j)] #[unroll(i)] #[lanes(32)]: |i, n| 0..=i;
    /// The product with a band, row by row.
    band: |i, n| i.saturating_sub(96)..(i + 96 + 1).min(n);
    /// By panels of 64 rows of `b`.
    band_in_tiles #[tile([_, 64, 256])]: |i, n| i.saturating_sub(96)..(i + 96 + 1).min(n);
}

/// The lower triangle in the same tiles, as plain Rust over slices of rows.
#[shim::kernel(simd)]
#[inline(never)]
pub fn lower_by_hand(a: &[f32], b: &[f32], c: &mut [f32], n: usize) {
    in_tiles(a, b, c, n, |i| 0..i + 1);
}

/// The band in the same tiles, as plain Rust over slices of rows.
#[shim::kernel(simd)]
#[inline(never)]
pub fn band_by_hand(a: &[f32], b: &[f32], c: &mut [f32], n: usize) {
    in_tiles(a, b, c, n, |i| i.saturating_sub(BAND)..(i + BAND + 1).min(n));
}

#[inline(always)]
#[allow(clippy::many_single_char_names, reason = "the names of the formula")]
fn in_tiles(
    a: &[f32],
    b: &[f32],
    c: &mut [f32],
    n: usize,
    columns: impl Fn(usize) -> std::ops::Range<usize>,
) {
    for first in (0..n).step_by(64) {
        for left in (0..n).step_by(256) {
            let right = n.min(left + 256);
            for i in 0..n {
                let columns = columns(i);
                let (a, c) = (&a[i * n..][..n], &mut c[i * n..][left..right]);
                for k in columns.start.max(first)..columns.end.min(first + 64) {
                    let b = &b[k * n..][left..right];
                    for (c, b) in c.iter_mut().zip(b) {
                        *c += a[k] * b;
                    }
                }
            }
        }
    }
}

/// The signature of the versions.
pub type Version = fn(&[f32], &[f32], &mut [f32], usize);

/// Two matrices, and their product.
#[derive(Clone, Debug)]
pub struct Triangle {
    a: Vec<f32>,
    b: Vec<f32>,
    c: Vec<f32>,
    n: usize,
}

impl Triangle {
    /// Matrices of small integers, whose products and sums are exact.
    #[must_use]
    pub fn new(random: &mut Random, n: usize) -> Self {
        let mut matrix = || random.bytes(n * n).into_iter().map(|value| f32::from(value % 16)).collect();
        Self { a: matrix(), b: matrix(), c: vec![0.0; n * n], n }
    }

    /// Runs a version.
    pub fn run(&mut self, version: Version) {
        version(&self.a, &self.b, &mut self.c, self.n);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_agree() {
        for n in [0, 1, 9, 64, 130] {
            let mut triangle = Triangle::new(&mut Random::new(n as u64), n);
            let mut product = |version: Version| {
                triangle.c.fill(0.0);
                triangle.run(version);
                triangle.c.clone()
            };
            let (of_lower, of_band) = (product(lower), product(band));
            for version in [lower_in_tiles, lower_in_registers, lower_by_hand] {
                assert_eq!(product(version), of_lower, "{n}");
            }
            for version in [band_in_tiles, band_by_hand] {
                assert_eq!(product(version), of_band, "{n}");
            }
        }
    }
}
