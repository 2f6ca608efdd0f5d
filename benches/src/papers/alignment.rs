//! Alignment of two sequences (Needleman and Wunsch), for which LEGO keeps the scores in antidiagonals.
//!
//! The score of two prefixes is the best of three: that of both without their last symbols, plus 3 if those are equal
//! and minus 1 if not, and that of one prefix without its last symbol, minus 2.

use shim::prelude::*;

use crate::case::Random;

/// The length of the sequences.
pub const SIDE: usize = 128;

/// The scores of all prefixes, and what they are made of.
#[derive(Clone, Debug)]
pub struct Alignment {
    a: Vec<u8>,
    b: Vec<u8>,
    scores: Vec<i32>,
}

/// A kernel with the scores in a layout, filled in an order.
macro_rules! kernels {
    ($($(#[doc = $doc:literal])* $name:ident: $(#[$order:meta])* in $layout:expr;)*) => { $(
        $(#[doc = $doc])*
        #[shim::kernel(simd)]
        #[inline(never)]
        #[allow(deprecated, reason = "how slow lanes are whose elements are apart is measured")]
        pub fn $name(#[shape(n)] a: &[u8], #[shape(n)] b: &[u8], n: usize, scores: &mut [i32]) {
            let scores = Block::external(scores, [n + 1, n + 1]).stored($layout);
            for i in 0..n + 1 {
                scores[[i, 0]] = -2 * i as i32;
                scores[[0, i]] = -2 * i as i32;
            }
            let inner = scores[[1.., 1..]];
            $(#[$order])*
            for [i, j] in inner.indices() {
                let both = inner[[i - 1, j - 1]] + if a[[i]] == b[[j]] { 3 } else { -1 };
                inner[[i, j]] = both.max(inner[[i - 1, j]] - 2).max(inner[[i, j - 1]] - 2);
            }
        }
    )* };
}

kernels! {
    /// In row-major order, in row-major memory.
    rows: in row_major;
    /// By antidiagonals, in row-major memory.
    fronts_of_rows: #[order(antidiagonal)] in row_major;
    /// By antidiagonals, which are contiguous.
    fronts: #[order(antidiagonal)] in antidiagonal;
    /// By antidiagonals, which are contiguous, sixteen scores at a time.
    lanes: #[wavefront(i + j)] #[lanes(16)] in antidiagonal;
    /// By antidiagonals in row-major memory, sixteen of a front at a time.
    lanes_of_rows: #[wavefront(i + j)] #[lanes(16)] in row_major;
    /// By antidiagonals of tiles, and within each by its own, sixteen of them at a time, in row-major memory.
    tiles_of_lanes: #[wavefront(i + j)] #[tile([32, 32])] #[wavefront(i + j)] #[lanes(16)] in row_major;
    /// By antidiagonals of tiles, in row-major memory.
    tiles: #[order(tile([16, 16]).outer(antidiagonal))] in row_major;
}

/// By antidiagonals, which are contiguous, by hand, compiled for the same instruction sets.
#[shim::kernel(simd)]
#[inline(never)]
pub fn fronts_by_hand(a: &[u8], b: &[u8], n: usize, scores: &mut [i32]) {
    by_hand(a, b, n, scores);
}

#[inline(always)]
#[allow(unsafe_code, reason = "unchecked access is what the staged kernels are measured against")]
#[allow(clippy::many_single_char_names, reason = "the names of the formula")]
fn by_hand(a: &[u8], b: &[u8], n: usize, scores: &mut [i32]) {
    assert!(a.len() >= n && b.len() >= n && scores.len() >= (n + 1) * (n + 1));
    // The position of the first element of an antidiagonal, and its row.
    let start = |d: usize| {
        let triangle = |side: usize| side * (side + 1) / 2;
        triangle(d) - 2 * triangle(d.saturating_sub(n + 1))
    };
    let top = |d: usize| d.saturating_sub(n);
    for d in 0..=n {
        scores[start(d)] = -2 * d as i32;
        scores[start(d) + d] = -2 * d as i32;
    }
    for d in 2..=2 * n {
        let (first, last) = (top(d).max(1), n.min(d - 1));
        for i in first..=last {
            let j = d - i;
            // SAFETY: `i` and `j` are in `1..=n`, and the positions of the four elements below `(n + 1)^2`.
            unsafe {
                let score = |d: usize, i: usize| *scores.get_unchecked(start(d) + i - top(d));
                let equal = *a.get_unchecked(i - 1) == *b.get_unchecked(j - 1);
                let both = score(d - 2, i - 1) + if equal { 3 } else { -1 };
                let best = both.max(score(d - 1, i - 1) - 2).max(score(d - 1, i) - 2);
                *scores.get_unchecked_mut(start(d) + i - top(d)) = best;
            }
        }
    }
}

/// Row by row in row-major memory, as good plain Rust: slices of rows, with the last score and the one above it in
/// locals.
#[shim::kernel(simd)]
#[inline(never)]
pub fn rows_by_hand(a: &[u8], b: &[u8], n: usize, scores: &mut [i32]) {
    rows_in_rust(a, b, n, scores);
}

#[inline(always)]
fn rows_in_rust(a: &[u8], b: &[u8], n: usize, scores: &mut [i32]) {
    let (a, b, side) = (&a[..n], &b[..n], n + 1);
    for (j, score) in scores[..side].iter_mut().enumerate() {
        *score = -2 * j as i32;
    }
    for (i, symbol) in a.iter().enumerate() {
        let (above, row) = scores[i * side..].split_at_mut(side);
        let (mut corner, mut last) = (above[0], -2 * (i + 1) as i32);
        row[0] = last;
        for ((score, up), other) in row[1..side].iter_mut().zip(&above[1..]).zip(b) {
            let both = corner + if symbol == other { 3 } else { -1 };
            last = both.max(up - 2).max(last - 2);
            corner = *up;
            *score = last;
        }
    }
}

/// The signature of the versions.
pub type Version = fn(&[u8], &[u8], usize, &mut [i32]);

impl Alignment {
    /// Sequences of four symbols.
    #[must_use]
    pub fn new(random: &mut Random, n: usize) -> Self {
        let mut sequence = || random.bytes(n).into_iter().map(|symbol| symbol % 4).collect();
        Self { a: sequence(), b: sequence(), scores: vec![0; (n + 1) * (n + 1)] }
    }

    /// Runs a version.
    pub fn run(&mut self, version: Version) {
        version(&self.a, &self.b, self.a.len(), &mut self.scores);
    }

    /// The score of both sequences, which every layout has at its end.
    #[must_use]
    pub fn score(&self) -> i32 {
        self.scores.last().copied().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_agree() {
        for n in [0, 1, 2, 15, 16, 33, SIDE] {
            let mut alignment = Alignment::new(&mut Random::new(n as u64), n);
            let mut score = |version: Version| {
                alignment.scores.fill(0);
                alignment.run(version);
                alignment.score()
            };
            let wanted = score(rows);
            let versions: [Version; 8] = [
                fronts_of_rows,
                fronts,
                lanes,
                lanes_of_rows,
                tiles,
                tiles_of_lanes,
                fronts_by_hand,
                rows_by_hand,
            ];
            for version in versions {
                assert_eq!(score(version), wanted, "{n}");
            }
        }
    }
}
