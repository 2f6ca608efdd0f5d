//! `mut` variables that a loop only reads, and those that look like it.

use crate::common::noise;
use shim::prelude::*;

/// Columns of consecutive runs of rows, each moved by the lengths of those before.
#[shim::kernel]
fn runs(#[shape(n, m)] a: &[u32], [n, m]: [usize; 2], lengths: &[usize; 4], #[shape(4, m)] out: &mut [u32]) {
    let mut first = 0;
    for g in 0..4 {
        #[reorder(x, y)]
        for y in 0..lengths[g] {
            for x in 0..m {
                out[[g, x]] = out[[g, x]].wrapping_mul(3).wrapping_add(a[[first + y, x]]);
            }
        }
        first += lengths[g];
    }
}

/// An offset that a loop moves in its body, by an operator, by a method, through a reference or by a pattern; one that it
/// hides; and one that it reads beside a closure.
#[shim::kernel]
fn changed(#[shape(n)] a: &[u32], n: usize, #[shape(7)] out: &mut [u32]) {
    fn advance(at: &mut usize) {
        *at += 1;
    }
    let (mut one, mut two, mut three, mut four, mut five, mut six) =
        (0usize, 0usize, 0usize, 0usize, 0usize, 1usize);
    for _ in 0..n {
        out[[0]] = out[[0]].wrapping_mul(3) + a[[one]];
        one += 1;
    }
    for _ in 0..n {
        out[[1]] = out[[1]].wrapping_mul(3) + a[[two]];
        std::ops::AddAssign::add_assign(&mut two, 1);
    }
    for _ in 0..n {
        out[[2]] = out[[2]].wrapping_mul(3) + a[[three]];
        advance(&mut three);
    }
    for i in 0..n {
        out[[3]] = out[[3]].wrapping_mul(3) + a[[four]];
        (four, _) = (i + 1, 0);
    }
    for i in 0..n {
        let five = i.max(five);
        out[[4]] = out[[4]].wrapping_mul(3) + a[[five]];
    }
    five += 1;
    for i in 0..n.saturating_sub(2) {
        let ahead = |by: usize| i + by;
        out[[5]] = out[[5]].wrapping_mul(3) + a[[ahead(six)]] + a[[i + six + five]];
        let six = i;
        out[[6]] += a[[six]];
    }
    six = 0;
    assert!(six == 0 && one + two + three + four == 4 * n);
}

/// The length of half a butterfly doubles in a `while` loop.
#[shim::kernel]
fn butterflies(#[shape(1 << bits)] a: &mut [u32], bits: u32) {
    let n = 1usize << bits;
    let mut half = 1;
    while half < n {
        for block in 0..n / (2 * half) {
            for k in 0..half {
                let (i, j) = (2 * half * block + k, 2 * half * block + k + half);
                (a[[i]], a[[j]]) = (a[[i]].wrapping_add(a[[j]]), a[[i]].wrapping_sub(a[[j]]));
            }
        }
        half *= 2;
    }
}

#[test]
fn offsets_of_runs() {
    let (n, m) = (9, 5);
    let a: Vec<u32> = noise(n * m, 1000);
    for lengths in [[0; 4], [1, 0, 3, 5], [9, 0, 0, 0], [2, 2, 2, 2]] {
        let (mut out, mut expected) = (vec![1; 4 * m], vec![1u32; 4 * m]);
        runs(&a, [n, m], &lengths, &mut out);
        let mut first = 0;
        for g in 0..4 {
            for y in 0..lengths[g] {
                for x in 0..m {
                    let to = &mut expected[g * m + x];
                    *to = to.wrapping_mul(3).wrapping_add(a[(first + y) * m + x]);
                }
            }
            first += lengths[g];
        }
        assert_eq!(out, expected);
    }
}

#[test]
#[should_panic(expected = "index 9 on axis 0")]
fn offsets_that_leave_the_tensor() {
    let a: Vec<u32> = noise(45, 1000);
    runs(&a, [9, 5], &[4, 4, 1, 1], &mut [0; 20]);
}

#[test]
fn offsets_that_change() {
    for n in [0, 1, 2, 3, 8] {
        let a: Vec<u32> = noise(n, 1000);
        let mut out = [0; 7];
        changed(&a, n, &mut out);
        let sum =
            |terms: &mut dyn Iterator<Item = u32>| terms.fold(0u32, |sum, term| sum.wrapping_mul(3) + term);
        let all = sum(&mut a.iter().copied());
        assert_eq!(out[..5], [all; 5]);
        let ahead = (0..n.saturating_sub(2)).map(|i| a[i + 1] + a[i + 2]);
        assert_eq!(out[5], sum(&mut ahead.clone()));
        assert_eq!(out[6], a.iter().take(n.saturating_sub(2)).sum());
    }
}

#[test]
fn lengths_that_double() {
    for bits in 0..6 {
        let mut a: Vec<u32> = noise(1 << bits, 1000);
        let b = a.clone();
        butterflies(&mut a, bits);
        // The Hadamard transform.
        for (i, value) in a.iter().enumerate() {
            let terms = b
                .iter()
                .enumerate()
                .map(|(j, own)| if (i & j).count_ones() % 2 == 0 { *own } else { own.wrapping_neg() });
            assert_eq!(*value, terms.fold(0u32, u32::wrapping_add));
        }
    }
}
