//! Transposes of matrices larger than the last-level cache: one formula, in rows and in tiles.

use crate::case::Random;

/// The side of the matrix that is measured: 64 MiB.
pub const SIDE: usize = 4096;

/// In row-major order.
#[shim::kernel(simd)]
#[inline(never)]
pub fn rows(#[shape(h, w)] a: &[f32], h: usize, w: usize, #[shape(w, h)] out: &mut [f32]) {
    for [y, x] in a.indices() {
        out[[x, y]] = a[[y, x]];
    }
}

/// In tiles.
#[shim::kernel(simd)]
#[inline(never)]
pub fn tiles(#[shape(h, w)] a: &[f32], h: usize, w: usize, #[shape(w, h)] out: &mut [f32]) {
    #[tile([16, 16])]
    for [y, x] in a.indices() {
        out[[x, y]] = a[[y, x]];
    }
}

/// In tiles, by hand.
///
/// # Panics
/// When a matrix is too small.
#[inline(never)]
#[allow(unsafe_code, reason = "unchecked access is what the staged kernels are measured against")]
pub fn tiles_by_hand(a: &[f32], h: usize, w: usize, out: &mut [f32]) {
    assert!(a.len() >= h * w && out.len() >= h * w);
    for top in (0..h).step_by(16) {
        for left in (0..w).step_by(16) {
            for y in top..h.min(top + 16) {
                for x in left..w.min(left + 16) {
                    // SAFETY: `y` is below `h`, and `x` below `w`.
                    unsafe { *out.get_unchecked_mut(x * h + y) = *a.get_unchecked(y * w + x) };
                }
            }
        }
    }
}

/// The signature of the versions.
pub type Version = fn(&[f32], usize, usize, &mut [f32]);

/// A matrix and its transpose.
#[derive(Clone, Debug)]
pub struct Transpose {
    extents: [usize; 2],
    a: Vec<f32>,
    out: Vec<f32>,
}

impl Transpose {
    /// A matrix of small integers.
    #[must_use]
    pub fn new(random: &mut Random, extents: [usize; 2]) -> Self {
        let a: Vec<f32> = random.bytes(extents[0] * extents[1]).into_iter().map(f32::from).collect();
        Self { extents, out: vec![0.0; a.len()], a }
    }

    /// Runs a version.
    pub fn run(&mut self, version: Version) {
        version(&self.a, self.extents[0], self.extents[1], &mut self.out);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_agree() {
        for extents in [[0, 3], [1, 1], [16, 16], [17, 5], [40, 33]] {
            let mut transpose = Transpose::new(&mut Random::new(1), extents);
            let mut result = |version: Version| {
                transpose.out.fill(-1.0);
                transpose.run(version);
                transpose.out.clone()
            };
            let wanted = result(rows);
            assert_eq!(result(tiles), wanted);
            assert_eq!(result(tiles_by_hand), wanted);
            for y in 0..extents[0] {
                for x in 0..extents[1] {
                    assert!((wanted[x * extents[0] + y] - transpose.a[y * extents[1] + x]).abs() < 0.5);
                }
            }
        }
    }
}
