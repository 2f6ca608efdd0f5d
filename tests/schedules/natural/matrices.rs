//! Programs on matrices, as their authors would write them first.

use crate::common::noise;
use shim::prelude::*;

use super::floats;

/// Solves `l x = b` for many sides, where `l` is a packed lower triangle.
#[shim::kernel]
fn solve(#[shape(n, |i| i + 1)] l: &[f32], #[shape(n, m)] x: &mut [f32], [n, m]: [usize; 2]) {
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

fn solve_plain(l: &[f32], x: &mut [f32], [n, m]: [usize; 2]) {
    for i in 0..n {
        let row = &l[i * (i + 1) / 2..][..=i];
        for j in 0..i {
            for k in 0..m {
                x[i * m + k] -= row[j] * x[j * m + k];
            }
        }
        for k in 0..m {
            x[i * m + k] /= row[i];
        }
    }
}

/// The LU factors of a band, `p` diagonals below the main one and `q` above it, without pivots.
#[shim::kernel]
fn band_factors(
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

fn band_factors_plain(a: &mut [f32], [n, p, q]: [usize; 3]) {
    let place = |i: usize, j: usize| {
        let before: usize = (0..i).map(|i| (i + q + 1).min(n) - i.saturating_sub(p)).sum();
        before + j - i.saturating_sub(p)
    };
    for k in 0..n {
        for i in k + 1..(k + p + 1).min(n) {
            let factor = a[place(i, k)] / a[place(k, k)];
            a[place(i, k)] = factor;
            for j in k + 1..(k + q + 1).min(n) {
                a[place(i, j)] -= factor * a[place(k, j)];
            }
        }
    }
}

/// A sparse matrix by rows times a vector.
#[shim::kernel]
fn sparse(
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
fn segments(
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
fn block_diagonal(
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
fn product(
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
fn factorize(#[shape(n, n)] a: &mut [f32], n: usize) {
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

fn factorize_plain(a: &mut [f32], n: usize) {
    for k in 0..n {
        let root = a[k * n + k].sqrt();
        a[k * n + k] = root;
        for i in k + 1..n {
            a[i * n + k] /= root;
        }
        for i in k + 1..n {
            for j in k + 1..=i {
                a[i * n + j] -= a[i * n + k] * a[j * n + k];
            }
        }
    }
}

/// The nearest center of each point, by the squares of the distances.
#[shim::kernel]
fn nearest(
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

const STARTS: [usize; 7] = [0, 3, 3, 4, 9, 9, 17];

#[test]
fn triangles_and_bands() {
    for n in [0, 1, 2, 5, 9, 17] {
        let mut l = floats(n * (n + 1) / 2);
        (0..n).for_each(|i| l[i * (i + 3) / 2] = 3.0 + i as f32);
        let mut one = floats(n * 3);
        let mut other = one.clone();
        solve(&l, &mut one, [n, 3]);
        solve_plain(&l, &mut other, [n, 3]);
        assert_eq!(one, other, "{n}");
        for [p, q] in [[0, 0], [1, 2], [3, 1], [20, 20]] {
            let count = (0..n).map(|i| (i + q + 1).min(n) - i.saturating_sub(p)).sum();
            let mut one: Vec<f32> = floats(count).iter().map(|value| value.abs() + 1.0).collect();
            let mut other = one.clone();
            band_factors(&mut one, [n, p, q]);
            band_factors_plain(&mut other, [n, p, q]);
            assert!(
                one.iter().zip(&other).all(|(one, other)| one.to_bits() == other.to_bits()),
                "{n} {p} {q}"
            );
        }
        let mut one = floats(n * n);
        (0..n).for_each(|i| one[i * n + i] = 1000.0);
        let mut other = one.clone();
        factorize(&mut one, n);
        factorize_plain(&mut other, n);
        assert!(one.iter().zip(&other).all(|(one, other)| one.to_bits() == other.to_bits()), "{n}");
    }
}

#[test]
fn rows_of_any_length() {
    let (n, count) = (STARTS.len() - 1, STARTS[STARTS.len() - 1]);
    let (values, x) = (floats(count), floats(11));
    let columns: Vec<u32> = noise(count, 11);
    let mut y = vec![7.0; n];
    sparse(&values, &columns, &STARTS, &x, &mut y, n);
    let numbers: Vec<u32> = noise(count, 1000);
    let [mut most, mut sums] = [vec![7; n], vec![7; n]];
    segments(&numbers, &STARTS, &mut most, &mut sums, n);
    for i in 0..n {
        let row = STARTS[i]..STARTS[i + 1];
        assert_eq!(y[i], row.clone().map(|k| values[k] * x[columns[k] as usize]).fold(0.0, |a, b| a + b));
        assert_eq!(most[i], row.clone().map(|k| numbers[k]).max().unwrap_or(0));
        assert_eq!(sums[i], row.map(|k| numbers[k]).sum::<u32>());
    }
}

#[test]
fn products() {
    for sizes in [[0; 8], [1, 2, 0, 3, 4, 1, 0, 5], [2; 8]] {
        let (n, m) = (sizes.iter().sum(), 3);
        let a = floats(sizes.iter().map(|size: &usize| size * size).sum());
        let x = floats(n * m);
        let [mut one, mut other] = [vec![1.0; n * m], vec![1.0; n * m]];
        block_diagonal(&a, &x, &sizes, [n, m], &mut one);
        let (mut first, mut place) = (0, 0);
        for size in sizes {
            for i in 0..size {
                for j in 0..size {
                    for k in 0..m {
                        other[(first + i) * m + k] += a[place + i * size + j] * x[(first + j) * m + k];
                    }
                }
            }
            (first, place) = (first + size, place + size * size);
        }
        assert_eq!(one, other, "{sizes:?}");
    }
    for [h, n, w] in [[0, 1, 2], [1, 0, 1], [3, 2, 5], [9, 7, 33], [17, 130, 40]] {
        let (a, b) = (floats(h * n), floats(n * w));
        let [mut one, mut other] = [vec![0.0; h * w], vec![0.0; h * w]];
        product(&a, &b, &mut one, [h, n, w]);
        for i in 0..h {
            for j in 0..w {
                for k in 0..n {
                    other[i * w + j] += a[i * n + k] * b[k * w + j];
                }
            }
        }
        assert_eq!(one, other, "{h} {n} {w}");
    }
    for [n, k, d] in [[0, 1, 1], [5, 1, 0], [20, 4, 3]] {
        let (points, centers) = (floats(n * d), floats(k * d));
        let mut out = vec![7; n];
        nearest(&points, &centers, [n, k, d], &mut out);
        for i in 0..n {
            let distance = |c: usize| -> f32 {
                (0..d).map(|j| points[i * d + j] - centers[c * d + j]).map(|apart| apart * apart).sum()
            };
            let best = (0..k).fold(0, |best, c| if distance(c) < distance(best) { c } else { best });
            assert_eq!(out[i] as usize, best);
        }
    }
}
