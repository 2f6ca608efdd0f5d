//! Loops that are fused with a lag: the second one is some iterations behind the first.

use crate::common::noise;
use shim::prelude::*;

/// A filter in place along columns, rows padded on both sides, and means of three rows of that, a few rows apart.
#[shim::kernel(schedules(by_rows))]
fn pipeline(
    #[shape(h, w)] picture: &mut [u16],
    h: usize,
    w: usize,
    #[shape(h, w + 2)] padded: &mut [u16],
    #[shape(h, w)] means: &mut [u16],
) {
    #[schedule(by_rows, fuse(lag = 1))]
    for y in 1..h {
        for x in 0..w {
            // A row is changed once more by the row below it.
            picture[[y - 1, x]] = (3 * picture[[y - 1, x]] + picture[[y, x]]) / 4;
            picture[[y, x]] = (picture[[y - 1, x]] + 3 * picture[[y, x]]) / 4;
        }
    }
    #[schedule(by_rows, fuse(lag = 1))]
    for y in 0..h {
        for x in 0..w {
            padded[[y, x + 1]] = picture[[y, x]];
        }
        padded[[y, 0]] = picture[[y, 0]];
        padded[[y, w + 1]] = picture[[y, w - 1]];
    }
    for y in 2..h {
        for x in 0..w {
            means[[y - 1, x]] = (padded[[y - 2, x + 1]] + padded[[y - 1, x]] + padded[[y, x + 2]]) / 3;
        }
    }
}

/// Loops over indices of other lengths, and one that does not run.
#[shim::kernel(schedules(fused))]
fn of_other_lengths(#[shape(n)] a: &mut [u32], n: usize, #[shape(m)] b: &mut [u32], m: usize) -> u32 {
    let mut sum = 0;
    #[schedule(fused, fuse(lag = 3))]
    for [i] in a.indices() {
        a[[i]] = a[[i]] * 5 + 1;
    }
    #[schedule(fused, fuse(lag = 2))]
    for [i] in b.indices() {
        b[[i]] ^= 7;
    }
    for i in 4..m {
        sum += b[[i]] * 2;
    }
    sum
}

/// A bound that is bound between the loops, and one that the first loop changes.
#[shim::kernel(schedules(fused))]
fn bounds_between(#[shape(n)] a: &mut [u32], n: usize, #[shape(n)] b: &mut [u32]) {
    #[schedule(fused, fuse(lag = 2))]
    for i in 0..n {
        a[[i]] = a[[i]] * 3 + 1;
    }
    let end = n - 2;
    for i in 1..end + 1 {
        b[[i]] = a[[i - 1]] + a[[i + 1]];
    }
}

#[test]
fn loops_lag_behind_one_another() {
    for [h, w] in [[0, 1], [1, 1], [2, 3], [3, 2], [17, 9]] {
        let run = |pipeline: fn(&mut [u16], usize, usize, &mut [u16], &mut [u16])| {
            let (mut picture, mut padded, mut means) =
                (noise(h * w, 4000), vec![0; h * (w + 2)], vec![0; h * w]);
            pipeline(&mut picture, h, w, &mut padded, &mut means);
            (picture, padded, means)
        };
        assert_eq!(run(pipeline), run(pipeline::by_rows), "{h}x{w}");
    }
    for n in [2, 3, 20] {
        let run = |kernel: fn(&mut [u32], usize, &mut [u32])| {
            let (mut a, mut b) = (noise(n, 100), noise(n, 100));
            kernel(&mut a, n, &mut b);
            (a, b)
        };
        assert_eq!(run(bounds_between), run(bounds_between::fused), "{n}");
    }
    for [n, m] in [[0, 0], [0, 5], [5, 0], [4, 9], [9, 4], [30, 31]] {
        let run = |kernel: fn(&mut [u32], usize, &mut [u32], usize) -> u32| {
            let (mut a, mut b) = (noise(n, 100), noise(m, 100));
            let sum = kernel(&mut a, n, &mut b, m);
            (a, b, sum)
        };
        assert_eq!(run(of_other_lengths), run(of_other_lengths::fused), "{n}, {m}");
    }
}
