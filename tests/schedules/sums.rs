//! Sums in a local inside of a loop, whose loops change places, and those that must not.

#![allow(clippy::cast_precision_loss)]

use crate::common::noise;
use shim::prelude::*;

/// Products of rows with columns.
#[shim::kernel]
fn product(
    #[shape(h, n)] a: &[f32],
    #[shape(n, w)] b: &[f32],
    #[shape(h, w)] c: &mut [f32],
    [h, n, w]: [usize; 3],
) {
    for i in 0..h {
        for j in 0..w {
            let mut sum = 0.0;
            for k in 0..n {
                sum += a[[i, k]] * b[[k, j]];
            }
            c[[i, j]] = sum;
        }
    }
}

/// Two sums in lanes that begin at one, with taps that a rule mirrors, a condition and a `let`; what follows reads and
/// updates.
#[shim::kernel]
fn filters(
    #[shape(n)] a: &[f32],
    #[shape(m)] taps: &[f32],
    [n, m]: [usize; 2],
    #[shape(n)] sharp: &mut [f32],
    #[shape(n)] smooth: &mut [f32],
) {
    let near = a.boundary(Mirror);
    for x in 1..n {
        let mut sum = 0.5;
        let mut most: f32 = -1.0;
        for k in 0..m {
            let value = near[[x + k - 2]];
            if value > 0.0 {
                sum += value * taps[[k]];
            }
            most *= value - x as f32;
        }
        sharp[[x]] = 2.0 * a[[x]] - sum;
        smooth[[x]] += if sum > 1.0 { most } else { sum };
    }
}

/// Sums of integers, with a short loop around a long one, and with one before it.
#[shim::kernel]
fn counts(#[shape(c, h, w)] a: &[u8], [c, h, w]: [usize; 3], #[shape(h, w)] out: &mut [u32]) {
    for y in 0..h {
        for x in 0..w {
            let mut count: u32 = 0;
            for dy in 0..2 {
                let row = (y + dy).min(h - 1);
                for k in 0..c {
                    for dx in 0..1 {
                        count += a[[k, row, x + dx]] as u32;
                    }
                }
            }
            out[[y, x]] = count + (x as u32);
        }
    }
}

/// What the loop writes is read by the sums of later iterations.
#[shim::kernel]
fn running(#[shape(n, w)] t: &mut [f32], [n, w]: [usize; 2]) {
    for x in 1..w {
        let mut sum = 0.0;
        for k in 0..n {
            sum += t[[k, x - 1]];
        }
        t[[0, x]] = sum / 2.0;
    }
}

/// The same through a view.
#[shim::kernel]
fn running_in_views(#[shape(n, w)] t: &mut [f32], [n, w]: [usize; 2]) {
    let before = t.boundary(Fill(1.0));
    for x in 0..w {
        let mut sum = 0.0;
        for k in 0..n {
            sum += before[[k, x - 1]];
        }
        t[[0, x]] = sum / 2.0;
    }
}

/// Sums over rows, and over lengths that the iteration decides; neither moves.
#[shim::kernel]
fn rows(
    #[shape(h, w)] a: &[f32],
    [h, w]: [usize; 2],
    #[shape(h)] whole: &mut [f32],
    #[shape(w)] part: &mut [f32],
) {
    for y in 0..h {
        let mut sum = 0.0;
        for x in 0..w {
            sum += a[[y, x]];
        }
        whole[[y]] = sum;
    }
    for x in 0..w {
        let mut sum = 0.0;
        for y in 0..h.min(x) {
            sum += a[[y, x]];
        }
        part[[x]] = sum;
    }
}

/// Jumps, a sum that is read while it grows, and names that hide others.
#[shim::kernel]
fn others(#[shape(n, w)] a: &[u32], [n, w]: [usize; 2], #[shape(3, w)] out: &mut [u32]) {
    for x in 0..w {
        let mut sum = 0u32;
        for k in 0..n {
            if a[[k, x]] == 7 {
                break;
            }
            sum += a[[k, x]];
        }
        out[[0, x]] = sum;
    }
    for x in 0..w {
        let mut sum = 1u32;
        for k in 0..n {
            sum += (sum & 3) * a[[k, x]] % 16;
        }
        out[[1, x]] = sum;
    }
    for x in 0..w {
        let mut sum = 1u32;
        for k in 0..n {
            let x = w - 1 - x;
            sum += a[[k, x]] * (k as u32 + 1);
        }
        out[[2, x]] = sum;
    }
}

fn floats(count: usize) -> Vec<f32> {
    noise::<u16>(count, 1000).into_iter().map(|value| f32::from(value) / 100.0 - 4.0).collect()
}

fn bits(values: &[f32]) -> Vec<u32> {
    values.iter().map(|value| value.to_bits()).collect()
}

#[test]
fn sums_of_products() {
    for [h, n, w] in [[0, 1, 2], [1, 0, 3], [2, 3, 0], [3, 5, 7], [2, 9, 511], [2, 2, 512], [1, 3, 1500]] {
        let (a, b) = (floats(h * n), floats(n * w));
        let mut c = vec![7.0; h * w];
        product(&a, &b, &mut c, [h, n, w]);
        let sum = |i: usize, j: usize| (0..n).fold(0.0, |sum, k| sum + a[i * n + k] * b[k * w + j]);
        let expected: Vec<f32> = (0..h * w).map(|at| sum(at / w, at % w)).collect();
        assert_eq!(bits(&c), bits(&expected), "{h} {n} {w}");
    }
}

#[test]
fn several_sums() {
    for [n, m] in [[1, 0], [2, 3], [40, 5], [700, 4]] {
        let (a, taps) = (floats(n), floats(m));
        let [mut sharp, mut smooth] = [vec![7.0; n], vec![3.0; n]];
        filters(&a, &taps, [n, m], &mut sharp, &mut smooth);
        for x in 1..n {
            let (mut sum, mut most): (f32, f32) = (0.5, -1.0);
            for (k, tap) in taps.iter().enumerate() {
                let folded = (x as isize + k as isize - 2).rem_euclid(2 * n as isize) as usize;
                let value = a[folded.min(2 * n - 1 - folded)];
                if value > 0.0 {
                    sum += value * tap;
                }
                most *= value - x as f32;
            }
            assert_eq!(sharp[x].to_bits(), (2.0 * a[x] - sum).to_bits());
            assert_eq!(smooth[x].to_bits(), (3.0 + if sum > 1.0 { most } else { sum }).to_bits());
        }
        assert_eq!(bits(&[sharp[0], smooth[0]]), bits(&[7.0, 3.0]));
    }
}

#[test]
fn sums_of_integers() {
    for [c, h, w] in [[0, 2, 3], [3, 1, 5], [4, 3, 600]] {
        let a: Vec<u8> = noise(c * h * w, 256);
        let mut out = vec![7; h * w];
        counts(&a, [c, h, w], &mut out);
        for (at, count) in out.iter().enumerate() {
            let (y, x) = (at / w, at % w);
            let rows = [y, (y + 1).min(h - 1)];
            let own = |y: usize| (0..c).map(|k| u32::from(a[(k * h + y) * w + x])).sum::<u32>();
            assert_eq!(*count, rows.map(own).iter().sum::<u32>() + x as u32);
        }
    }
}

#[test]
fn sums_that_stay() {
    let (n, w) = (3, 20);
    let mut t = floats(n * w);
    let mut views = t.clone();
    let [mut one, mut other] = [t.clone(), t.clone()];
    running(&mut t, [n, w]);
    running_in_views(&mut views, [n, w]);
    for x in 0..w {
        if x > 0 {
            one[x] = (0..n).fold(0.0, |sum, k| sum + one[k * w + x - 1]) / 2.0;
        }
        let before = |k: usize| if x == 0 { 1.0 } else { other[k * w + x - 1] };
        other[x] = (0..n).fold(0.0, |sum, k| sum + before(k)) / 2.0;
    }
    assert_eq!(bits(&t), bits(&one));
    assert_eq!(bits(&views), bits(&other));
    let (h, w) = (5, 9);
    let a = floats(h * w);
    let [mut whole, mut part] = [vec![0.0; h], vec![0.0; w]];
    rows(&a, [h, w], &mut whole, &mut part);
    for y in 0..h {
        assert_eq!(whole[y].to_bits(), a[y * w..][..w].iter().fold(0.0, |sum, own| sum + own).to_bits());
    }
    for x in 0..w {
        let sum = (0..h.min(x)).fold(0.0, |sum, y| sum + a[y * w + x]);
        assert_eq!(part[x].to_bits(), sum.to_bits());
    }
    let a: Vec<u32> = noise(n * w, 9);
    let mut out = vec![0; 3 * w];
    others(&a, [n, w], &mut out);
    for x in 0..w {
        let column = || (0..n).map(|k| a[k * w + x]);
        assert_eq!(out[x], column().take_while(|own| *own != 7).sum());
        assert_eq!(out[w + x], column().fold(1, |sum, own| sum + (sum & 3) * own % 16));
        assert_eq!(out[2 * w + x], 1 + (0..n).map(|k| a[k * w + w - 1 - x] * (k as u32 + 1)).sum::<u32>());
    }
}
