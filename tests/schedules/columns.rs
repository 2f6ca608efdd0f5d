//! Columns that a loop reads again in each iteration of the loop around it.

use crate::common::noise;
use shim::prelude::*;

macro_rules! factorizations {
    ($($name:ident, $given:ident, $first:expr => $(#[$word:meta])*;)*) => { $(
        /// The step of a factorization: a column times a row, subtracted from what lies behind both.
        #[shim::kernel]
        fn $name(#[shape(n, n)] a: &mut [f32], n: usize, $given: usize) {
            for k in 0..n {
                $(#[$word])*
                for i in k + 1..n {
                    for j in k + $first..i + 1 {
                        a[[i, j]] -= a[[i, k]] * a[[j, k]];
                    }
                }
            }
        }
    )* };
}

factorizations! {
    behind, first, 1 => ;
    in_tasks, first, 1 => #[parallel];
    in_tiles, first, 1 => #[tile([8, 16], peel)] #[lanes(16)];
    // The column changes on the way.
    with_the_column, first, 0 => ;
    not_shown, first, first => ;
}

type Factorization = fn(&mut [f32], usize, usize);

#[test]
fn columns_of_a_factorization() {
    let kernels: [(Factorization, usize); 6] =
        [(behind, 1), (in_tasks, 1), (in_tiles, 1), (with_the_column, 0), (not_shown, 0), (not_shown, 2)];
    for n in [0, 1, 2, 33, 50] {
        let a: Vec<f32> = noise::<u8>(n * n, 7).into_iter().map(|own| f32::from(own) / 16.0).collect();
        for (kernel, first) in kernels {
            let (mut own, mut expected) = (a.clone(), a.clone());
            kernel(&mut own, n, first);
            for k in 0..n {
                for i in k + 1..n {
                    for j in k + first..=i {
                        expected[i * n + j] -= expected[i * n + k] * expected[j * n + k];
                    }
                }
            }
            assert!(own.iter().zip(&expected).all(|(a, b)| a.to_bits() == b.to_bits()));
        }
    }
}

/// A column added to all rows, and its mirror; one of another tensor in a condition.
#[shim::kernel]
fn add(
    #[shape(n, m)] a: &[u32],
    #[shape(h, n)] t: &mut [u32],
    #[shape(n, 2)] b: &[u32],
    [h, n, m]: [usize; 3],
) {
    for y in 0..h {
        for x in 0..n {
            t[[y, x]] += a[[x, m - 1]] * 3 + a[[n - 1 - x, 0]] + a[[x, m - 1]];
            if y % 2 == 0 {
                t[[y, x]] ^= b[[x, 1]];
            }
        }
    }
}

#[test]
fn columns_of_others() {
    for [h, n, m] in [[0, 3, 1], [2, 1, 1], [3, 40, 5]] {
        let (a, b): (Vec<u32>, Vec<u32>) = (noise(n * m, 100), noise(2 * n, 50));
        let (mut own, mut expected): (Vec<u32>, Vec<u32>) = (noise(h * n, 30), noise(h * n, 30));
        add(&a, &mut own, &b, [h, n, m]);
        for (y, x) in (0..h).flat_map(|y| (0..n).map(move |x| (y, x))) {
            let t = &mut expected[y * n + x];
            *t += a[x * m + m - 1] * 4 + a[(n - 1 - x) * m];
            if y % 2 == 0 {
                *t ^= b[2 * x + 1];
            }
        }
        assert_eq!(own, expected);
    }
}

/// Columns below words that bring loops together, where no statement may be between them.
#[shim::kernel]
fn below_words(
    #[shape(n, n)] a: &[u32],
    #[shape(n, n)] t: &mut [u32],
    #[shape(n, n)] u: &mut [u32],
    n: usize,
) {
    #[tile([2, 4, 8])]
    for k in 0..n {
        for y in 0..n {
            for x in 0..n {
                t[[y, x]] += a[[x, k]];
            }
        }
    }
    #[fuse]
    for y in 0..n {
        for x in 0..n {
            t[[y, x]] += a[[x, 1]];
        }
    }
    for y in 0..n {
        for x in 0..n {
            u[[y, x]] += t[[y, x]] * a[[x, 2]];
        }
    }
    #[parallel]
    for y in 0..n {
        for i in 0..3 {
            for x in 0..n {
                u[[y, x]] += a[[x, y]] * i as u32;
            }
        }
    }
}

#[test]
fn columns_below_words() {
    let n = 33;
    let a: Vec<u32> = noise(n * n, 100);
    let (mut t, mut u): (Vec<u32>, Vec<u32>) = (noise(n * n, 30), noise(n * n, 40));
    let (mut expected_t, mut expected_u) = (t.clone(), u.clone());
    below_words(&a, &mut t, &mut u, n);
    for (y, x) in (0..n).flat_map(|y| (0..n).map(move |x| (y, x))) {
        let at = y * n + x;
        expected_t[at] += a[x * n..][..n].iter().sum::<u32>() + a[x * n + 1];
        expected_u[at] += expected_t[at] * a[x * n + 2];
        expected_u[at] += a[x * n + y] * 3;
    }
    assert_eq!((t, u), (expected_t, expected_u));
}

/// The ranges of cuts: inclusive ones, of other types, and loops in tiles.
#[shim::kernel]
fn ranges(#[shape(n)] t: &mut [u32], n: usize, k: usize, #[shape(200)] s: &mut [u32]) {
    for j in 0..=n - 1 {
        t[[j]] += t[[k]];
    }
    for j in 3..n {
        t[[j - 3]] += t[[k]];
    }
    for j in 0..200_u8 {
        s[[j]] ^= s[[7]] + 1;
    }
    for j in 0..200 {
        s[[j]] += s[[190]];
    }
}

#[test]
fn cuts_of_ranges() {
    for (n, k) in [(1, 0), (3, 2), (50, 0), (50, 31), (50, 49)] {
        let (mut t, mut s): (Vec<u32>, Vec<u32>) = (noise(n, 10), noise(200, 10));
        let (mut expected, mut sums) = (t.clone(), s.clone());
        ranges(&mut t, n, k, &mut s);
        // The sums double at most twice.
        for j in 0..n {
            expected[j] += expected[k];
        }
        for j in 3..n {
            expected[j - 3] += expected[k];
        }
        for j in 0..200 {
            sums[j] ^= sums[7] + 1;
        }
        for j in 0..200 {
            sums[j] += sums[190];
        }
        assert_eq!((t, s), (expected, sums));
    }
}
