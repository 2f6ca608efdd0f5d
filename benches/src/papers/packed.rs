//! The product of a lower triangle with a vector: packed without padding, and as half of a square (position-dependent
//! arrays, section on triangular matrices).

use crate::case::Random;

/// The side of the triangle that is measured.
pub const SIDE: usize = 2048;

/// The triangle as half of a square.
#[shim::kernel(simd)]
#[inline(never)]
pub fn dense(#[shape(n, n)] a: &[i32], #[shape(n)] x: &[i32], #[shape(n)] y: &mut [i32], n: usize) {
    for i in 0..n {
        y[[i]] = (0..i + 1).map(|j| a[[i, j]] * x[[j]]).sum();
    }
}

/// The whole square, zeros above the diagonal.
#[shim::kernel(simd)]
#[inline(never)]
pub fn square(#[shape(n, n)] a: &[i32], #[shape(n)] x: &[i32], #[shape(n)] y: &mut [i32], n: usize) {
    for i in 0..n {
        y[[i]] = (0..n).map(|j| a[[i, j]] * x[[j]]).sum();
    }
}

/// Row after row.
#[shim::kernel(simd)]
#[inline(never)]
pub fn packed(#[shape(n, |i| i + 1)] a: &[i32], #[shape(n)] x: &[i32], #[shape(n)] y: &mut [i32], n: usize) {
    for i in 0..n {
        y[[i]] = (0..i + 1).map(|j| a[[i, j]] * x[[j]]).sum();
    }
}

/// Row after row, by hand, with the instruction sets of the kernels.
///
/// # Panics
/// When a slice is too short.
#[inline(never)]
pub fn packed_by_hand(a: &[i32], x: &[i32], y: &mut [i32], n: usize) {
    multiversioned(a, x, y, n);
}

/// Packing by hand: unchecked offsets in closed form.
#[shim::kernel(simd)]
#[allow(unsafe_code, reason = "unchecked access is what the staged kernels are measured against")]
fn multiversioned(a: &[i32], x: &[i32], y: &mut [i32], n: usize) {
    assert!(a.len() >= n * (n + 1) / 2 && x.len() >= n && y.len() >= n);
    for (i, y) in y[..n].iter_mut().enumerate() {
        let row = i * (i + 1) / 2;
        let mut sum = 0;
        for j in 0..=i {
            // SAFETY: `row + i` is below the length that was asserted, and `j` at most `i`.
            sum += unsafe { a.get_unchecked(row + j) * x.get_unchecked(j) };
        }
        *y = sum;
    }
}

/// The signature of the versions.
pub type Version = fn(&[i32], &[i32], &mut [i32], usize);

/// A triangle in both forms, and vectors.
#[derive(Clone, Debug)]
pub struct Packed {
    n: usize,
    square: Vec<i32>,
    rows: Vec<i32>,
    x: Vec<i32>,
    y: Vec<i32>,
}

impl Packed {
    /// A triangle of small integers.
    #[must_use]
    pub fn new(random: &mut Random, n: usize) -> Self {
        let rows: Vec<i32> = random.bytes(n * (n + 1) / 2).into_iter().map(i32::from).collect();
        let mut square = vec![0; n * n];
        for i in 0..n {
            square[i * n..=i * n + i].copy_from_slice(&rows[i * (i + 1) / 2..][..=i]);
        }
        let x = random.bytes(n).into_iter().map(i32::from).collect();
        Self { n, square, rows, x, y: vec![0; n] }
    }

    /// Runs a version over the square.
    pub fn run_dense(&mut self, version: Version) {
        version(&self.square, &self.x, &mut self.y, self.n);
    }

    /// Runs a version over the packed rows.
    pub fn run_packed(&mut self, version: Version) {
        version(&self.rows, &self.x, &mut self.y, self.n);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_agree() {
        for n in [0, 1, 2, 17, 64] {
            let mut data = Packed::new(&mut Random::new(1), n);
            data.run_dense(dense);
            let wanted = data.y.clone();
            data.run_dense(square);
            assert_eq!(data.y, wanted);
            for version in [packed as Version, packed_by_hand] {
                data.y.fill(0);
                data.run_packed(version);
                assert_eq!(data.y, wanted);
            }
        }
    }
}
