//! Programs over memory without padding: a band, a triangle that is factored, groups of rows and segments
//! (position-dependent arrays), beside the same loops in plain Rust with offsets by hand.

use shim::prelude::*;

use crate::case::Random;

/// The diagonals of a band below the main one, and above it.
pub const BAND: [usize; 2] = [24, 40];

/// The product of a band, row after row, with a vector.
#[shim::kernel(simd)]
#[inline(never)]
pub fn band(a: &[i32], #[shape(n)] x: &[i32], #[shape(n)] y: &mut [i32], n: usize, [p, q]: [usize; 2]) {
    let a = Block::external(a, [n, |i| (i + q + 1).min(n) - i.saturating_sub(p)]);
    for i in 0..n {
        let row = a[[i, ..]];
        let first = i.saturating_sub(p);
        let own = x[[first..first + row.extent(0)]];
        y[[i]] = row.indices().map(|[j]| row[[j]] * own[[j]]).sum();
    }
}

/// The columns of a row.
fn columns(i: usize, n: usize, [p, q]: [usize; 2]) -> core::ops::Range<usize> {
    i.saturating_sub(p)..(i + q + 1).min(n)
}

/// The product of a band, with offsets by hand.
///
/// # Panics
/// When a slice is too short.
#[inline(never)]
pub fn band_by_hand(a: &[i32], x: &[i32], y: &mut [i32], n: usize, diagonals: [usize; 2]) {
    band_in_versions(a, x, y, n, diagonals);
}

#[shim::kernel(simd)]
#[allow(unsafe_code, reason = "unchecked access is what the staged kernels are measured against")]
fn band_in_versions(a: &[i32], x: &[i32], y: &mut [i32], n: usize, diagonals: [usize; 2]) {
    assert!(a.len() >= (0..n).map(|i| columns(i, n, diagonals).len()).sum() && x.len() >= n && y.len() >= n);
    let mut start = 0;
    for (i, y) in y[..n].iter_mut().enumerate() {
        let columns = columns(i, n, diagonals);
        let mut sum = 0;
        for j in 0..columns.end - columns.start {
            // SAFETY: the lengths were asserted, and a row of the band lies in the matrix.
            sum += unsafe { a.get_unchecked(start + j) * x.get_unchecked(columns.start + j) };
        }
        start += columns.end - columns.start;
        *y = sum;
    }
}

/// Factors a symmetric matrix (Cholesky), whose lower triangle is packed by rows.
#[shim::kernel(simd)]
#[inline(never)]
pub fn factor(#[shape(n, |i| i + 1)] a: &mut [f32], n: usize) {
    for i in 0..n {
        for j in 0..i {
            let mut sum = a[[i, j]];
            for k in 0..j {
                sum -= a[[i, k]] * a[[j, k]];
            }
            a[[i, j]] = sum / a[[j, j]];
        }
        let mut sum = a[[i, i]];
        for k in 0..i {
            sum -= a[[i, k]] * a[[i, k]];
        }
        a[[i, i]] = sum.sqrt();
    }
}

/// The factors of a triangle, with offsets by hand.
///
/// # Panics
/// When the slice is too short.
#[inline(never)]
#[allow(unsafe_code, reason = "unchecked access is what the staged kernels are measured against")]
pub fn factor_by_hand(a: &mut [f32], n: usize) {
    assert!(a.len() >= n * (n + 1) / 2);
    let row = |i: usize| i * (i + 1) / 2;
    // SAFETY: each index is that of a column up to the diagonal of a row below n, and the length was asserted.
    let at = |a: &[f32], i: usize, j: usize| unsafe { *a.get_unchecked(row(i) + j) };
    for i in 0..n {
        for j in 0..i {
            let mut sum = at(a, i, j);
            for k in 0..j {
                sum -= at(a, i, k) * at(a, j, k);
            }
            a[row(i) + j] = sum / at(a, j, j);
        }
        let mut sum = at(a, i, i);
        for k in 0..i {
            sum -= at(a, i, k) * at(a, i, k);
        }
        a[row(i) + i] = sum.sqrt();
    }
}

/// Multiplies the rows of each group with the matrix of the group, `[D, D]`.
#[shim::kernel(simd)]
#[inline(never)]
pub fn grouped(rows: &[f32], starts: &[u32], matrices: &[f32], out: &mut [f32], groups: usize) {
    const D: usize = 64;
    let rows = Block::external(rows, [groups, |g| starts[g]..starts[g + 1], D]);
    let out = Block::external(out, [groups, |g| starts[g]..starts[g + 1], D]);
    let matrices = Block::external(matrices, [groups, D, D]);
    let [g, i, j] = iters();
    out[[g, i, j]] = 0.0;
    for [g, i, k] in rows.indices() {
        for j in 0..D {
            out[[g, i, j]] += rows[[g, i, k]] * matrices[[g, k, j]];
        }
    }
}

/// The products of groups, as slices.
///
/// # Panics
/// When a slice is too short.
#[inline(never)]
pub fn grouped_by_hand(rows: &[f32], starts: &[u32], matrices: &[f32], out: &mut [f32], groups: usize) {
    grouped_in_versions(rows, starts, matrices, out, groups);
}

#[shim::kernel(simd)]
fn grouped_in_versions(rows: &[f32], starts: &[u32], matrices: &[f32], out: &mut [f32], groups: usize) {
    const D: usize = 64;
    for g in 0..groups {
        let matrix = &matrices[g * D * D..][..D * D];
        for i in starts[g] as usize..starts[g + 1] as usize {
            let (row, out) = (&rows[D * i..][..D], &mut out[D * i..][..D]);
            out.fill(0.0);
            for (value, matrix) in row.iter().zip(matrix.chunks_exact(D)) {
                for (out, factor) in out.iter_mut().zip(matrix) {
                    *out += value * factor;
                }
            }
        }
    }
}

/// The sum of each segment.
#[shim::kernel(simd)]
#[inline(never)]
pub fn segments(values: &[i32], starts: &[u32], #[shape(n)] sums: &mut [i32], n: usize) {
    let values = Block::external(values, [n, |i| starts[i]..starts[i + 1]]);
    for i in 0..n {
        let segment = values[[i, ..]];
        sums[[i]] = segment.indices().map(|[k]| segment[[k]]).sum();
    }
}

/// Sums of segments as slices.
///
/// # Panics
/// When a slice is too short.
#[inline(never)]
pub fn segments_by_hand(values: &[i32], starts: &[u32], sums: &mut [i32], n: usize) {
    segments_in_versions(values, starts, sums, n);
}

#[shim::kernel(simd)]
fn segments_in_versions(values: &[i32], starts: &[u32], sums: &mut [i32], n: usize) {
    for (i, sum) in sums[..n].iter_mut().enumerate() {
        let mut own = 0;
        for value in &values[starts[i] as usize..starts[i + 1] as usize] {
            own += value;
        }
        *sum = own;
    }
}

/// Memory of the programs.
#[derive(Clone, Debug)]
pub struct Shapes {
    n: usize,
    band: Vec<i32>,
    x: Vec<i32>,
    y: Vec<i32>,
    symmetric: Vec<f32>,
    factors: Vec<f32>,
    starts: Vec<u32>,
    rows: Vec<f32>,
    matrices: Vec<f32>,
    products: Vec<f32>,
    values: Vec<i32>,
    sums: Vec<i32>,
}

/// The signature of the products with a vector.
pub type Product = fn(&[i32], &[i32], &mut [i32], usize, [usize; 2]);
/// That of the factors.
pub type Factor = fn(&mut [f32], usize);
/// That of the products of groups.
pub type Grouped = fn(&[f32], &[u32], &[f32], &mut [f32], usize);
/// That of the sums of segments.
pub type Segments = fn(&[i32], &[u32], &mut [i32], usize);

impl Shapes {
    /// Small numbers: `n` rows of a band and of a triangle, and `groups` groups and segments of 0 to 255 rows.
    #[must_use]
    pub fn new(random: &mut Random, n: usize, groups: usize) -> Self {
        let mut numbers = |count: usize| random.bytes(count).into_iter().map(i32::from).collect::<Vec<_>>();
        let band = numbers((0..n).map(|i| columns(i, n, BAND).len()).sum());
        let (x, lengths) = (numbers(n), numbers(groups));
        let starts: Vec<u32> = [0]
            .into_iter()
            .chain(lengths.iter().scan(0, |end, length| {
                *end += length.unsigned_abs();
                Some(*end)
            }))
            .collect();
        let count = starts[groups] as usize;
        let values = numbers(count);
        let floats = |numbers: Vec<i32>| numbers.into_iter().map(|number| number as f32).collect::<Vec<_>>();
        // Large on the diagonal, so that there are factors.
        let lower = (0..n).flat_map(|i| (0..=i).map(move |j| if i == j { n as f32 } else { 0.5 }));
        let symmetric: Vec<f32> = lower.collect();
        let (rows, matrices) = (floats(numbers(64 * count)), floats(numbers(64 * 64 * groups)));
        let (factors, products) = (symmetric.clone(), vec![0.0; rows.len()]);
        let (y, sums) = (vec![0; n], vec![0; groups]);
        Self { n, band, x, y, symmetric, factors, starts, rows, matrices, products, values, sums }
    }

    /// Multiplies the band.
    pub fn multiply(&mut self, version: Product) {
        version(&self.band, &self.x, &mut self.y, self.n, BAND);
    }

    /// Factors the triangle.
    pub fn factor(&mut self, version: Factor) {
        self.factors.copy_from_slice(&self.symmetric);
        version(&mut self.factors, self.n);
    }

    /// Multiplies the groups.
    pub fn multiply_groups(&mut self, version: Grouped) {
        version(&self.rows, &self.starts, &self.matrices, &mut self.products, self.starts.len() - 1);
    }

    /// Adds the segments up.
    pub fn add(&mut self, version: Segments) {
        version(&self.values, &self.starts, &mut self.sums, self.starts.len() - 1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_agree() {
        for (n, groups) in [(1, 0), (2, 1), (17, 3), (150, 9)] {
            let mut data = Shapes::new(&mut Random::new(1), n, groups);
            let mut other = data.clone();
            data.multiply(band);
            other.multiply(band_by_hand);
            data.factor(factor);
            other.factor(factor_by_hand);
            data.multiply_groups(grouped);
            other.multiply_groups(grouped_by_hand);
            data.add(segments);
            other.add(segments_by_hand);
            assert_eq!((data.y, data.sums), (other.y, other.sums));
            let bits = |floats: Vec<f32>| floats.into_iter().map(f32::to_bits).collect::<Vec<_>>();
            assert_eq!(bits(data.factors), bits(other.factors));
            assert_eq!(bits(data.products), bits(other.products));
        }
    }
}
