//! Programs on matrices, as their authors would write them first.

use shim::prelude::*;

/// Solves `l x = b` for many sides, where `l` is a packed lower triangle.
#[shim::kernel]
pub(crate) fn solve(#[shape(n, |i| i + 1)] l: &[f32], #[shape(n, m)] x: &mut [f32], [n, m]: [usize; 2]) {
    for i in 0..n {
        for j in 0..i {
            for k in 0..m {
                x[[i, k]] -= l[[i, j]] * x[[j, k]];
            }
        }
        for k in 0..m {
            x[[i, k]] /= l[[i, i]];
        }
    }
}

/// The LU factors of a band, `p` diagonals below the main one and `q` above it, without pivots.
#[shim::kernel]
pub(crate) fn band_factors(
    #[shape(n, |i| (i + q + 1).min(n) - i.saturating_sub(p))] a: &mut [f32],
    [n, p, q]: [usize; 3],
) {
    for k in 0..n {
        for i in k + 1..(k + p + 1).min(n) {
            let factor = a[[i, k - i.saturating_sub(p)]] / a[[k, k - k.saturating_sub(p)]];
            a[[i, k - i.saturating_sub(p)]] = factor;
            for j in k + 1..(k + q + 1).min(n) {
                a[[i, j - i.saturating_sub(p)]] -= factor * a[[k, j - k.saturating_sub(p)]];
            }
        }
    }
}

/// A sparse matrix by rows times a vector.
#[shim::kernel]
pub(crate) fn sparse(
    #[shape(n, |i| starts[i]..starts[i + 1])] values: &[f32],
    #[shape(n, |i| starts[i]..starts[i + 1])] columns: &[u32],
    starts: &[usize],
    x: &[f32],
    #[shape(n)] y: &mut [f32],
    n: usize,
) {
    let x = Block::external(x, [x.len()]);
    for i in 0..n {
        let mut sum = 0.0;
        for k in 0..starts[i + 1] - starts[i] {
            sum += values[[i, k]] * x[[columns[[i, k]] as usize]];
        }
        y[[i]] = sum;
    }
}

/// The largest element and the sum of each segment.
#[shim::kernel]
pub(crate) fn segments(
    #[shape(n, |i| starts[i]..starts[i + 1])] values: &[u32],
    starts: &[usize],
    #[shape(n)] most: &mut [u32],
    #[shape(n)] sums: &mut [u32],
    n: usize,
) {
    for i in 0..n {
        let segment = values[[i, ..]];
        let mut largest = 0;
        let mut sum = 0;
        for [k] in segment.indices() {
            largest = largest.max(segment[[k]]);
            sum += segment[[k]];
        }
        most[[i]] = largest;
        sums[[i]] = sum;
    }
}

/// The product of a block-diagonal matrix of up to 64 squares of any sizes with `m` columns.
#[shim::kernel]
pub(crate) fn block_diagonal(
    #[shape(8, |g| sizes[g], |g| sizes[g])] a: &[f32],
    x: &[f32],
    sizes: &[usize; 8],
    [n, m]: [usize; 2],
    y: &mut [f32],
) {
    let x = Block::external(x, [n, m]);
    let y = Block::external(y, [n, m]);
    let mut first = 0;
    for g in 0..8 {
        for i in 0..sizes[g] {
            for j in 0..sizes[g] {
                for k in 0..m {
                    y[[first + i, k]] += a[[g, i, j]] * x[[first + j, k]];
                }
            }
        }
        first += sizes[g];
    }
}

/// The product of matrices, with the words of the guide.
#[shim::kernel]
pub(crate) fn product(
    #[shape(h, n)] a: &[f32],
    #[shape(n, w)] b: &[f32],
    #[shape(h, w)] c: &mut [f32],
    [h, n, w]: [usize; 3],
) {
    #[tile([_, 128, 512])]
    #[tile([8, 32, _], peel)]
    #[reorder(k, i, j)]
    #[unroll(i)]
    #[lanes(32)]
    for [i, j] in c.indices() {
        for k in 0..n {
            c[[i, j]] += a[[i, k]] * b[[k, j]];
        }
    }
}

/// Cholesky's factorization by columns, each on many threads.
#[shim::kernel]
pub(crate) fn factorize(#[shape(n, n)] a: &mut [f32], n: usize) {
    for k in 0..n {
        let root = a[[k, k]].sqrt();
        a[[k, k]] = root;
        for i in k + 1..n {
            a[[i, k]] /= root;
        }
        #[parallel]
        for i in k + 1..n {
            for j in k + 1..=i {
                a[[i, j]] -= a[[i, k]] * a[[j, k]];
            }
        }
    }
}

/// The nearest center of each point, by the squares of the distances.
#[shim::kernel]
pub(crate) fn nearest(
    #[shape(n, d)] points: &[f32],
    #[shape(k, d)] centers: &[f32],
    [n, k, d]: [usize; 3],
    #[shape(n)] out: &mut [u32],
) {
    for i in 0..n {
        let mut best = f32::MAX;
        let mut found = 0;
        for c in 0..k {
            let distance: f32 = (0..d)
                .map(|j| {
                    let apart = points[[i, j]] - centers[[c, j]];
                    apart * apart
                })
                .sum();
            if distance < best {
                best = distance;
                found = c as u32;
            }
        }
        out[[i]] = found;
    }
}
