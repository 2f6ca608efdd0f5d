//! Indices that stand on a `let` over plain integers: what they are worth, and when an access outside panics.

use crate::common::{SHAPES, noise, panics_with};
use shim::prelude::*;

#[shim::kernel]
fn by_fours(t: &[i32], h: usize, w: usize, rows: usize, out: &mut [i32]) {
    let t = Block::external(t, [h, w]);
    let out = Block::external(out, [h, w]);
    for row in 0..rows {
        for i in 0..4usize {
            let y = 4 * row + i;
            for x in 0..w {
                out[[y, x]] = t[[y, x]] + 1;
            }
        }
    }
}

#[test]
fn a_row_computed_in_the_nest() {
    for &(h, w) in SHAPES {
        let t: Vec<i32> = noise(h * w, 1000);
        for rows in 0..=h / 4 {
            let mut out = vec![-1; h * w];
            by_fours(&t, h, w, rows, &mut out);
            let expected: Vec<i32> =
                t.iter().enumerate().map(|(at, v)| if at < 4 * rows * w { v + 1 } else { -1 }).collect();
            assert_eq!(out, expected);
        }
        if w > 0 {
            let mut out = vec![-1; h * w];
            let wrong = || by_fours(&t, h, w, h / 4 + 1, &mut out);
            panics_with(wrong, &["by_fours", "axis 0"]);
            assert!(out.iter().all(|v| *v == -1), "nothing of the nest is written before its assertion");
        }
    }
}

#[shim::kernel]
fn quarter(t: &[i32], h: usize, w: usize, out: &mut [i32]) {
    let t = Block::external(t, [h, w]);
    let out = Block::external(out, [h / 2, w / 2]);
    for r in 0..h / 2 {
        for c in 0..w / 2 {
            let (y, x) = (2 * r, 2 * c);
            let below = y + 1;
            out[[r, c]] = t[[y, x]] + t[[y, x + 1]] + t[[below, x]] + t[[below, x + 1]];
        }
    }
}

#[test]
fn lets_of_a_tuple_and_of_another_let() {
    for &(h, w) in SHAPES {
        let t: Vec<i32> = noise(h * w, 1000);
        let mut out = vec![0; (h / 2) * (w / 2)];
        quarter(&t, h, w, &mut out);
        for r in 0..h / 2 {
            for c in 0..w / 2 {
                let at = 2 * r * w + 2 * c;
                assert_eq!(out[r * (w / 2) + c], t[at] + t[at + 1] + t[at + w] + t[at + w + 1]);
            }
        }
    }
}

#[shim::kernel]
fn renamed(t: &[i32], n: usize, row: usize) -> i32 {
    let t = Block::external(t, [n]);
    let mut sum = 0;
    for i in 0..3usize {
        let y = row + i;
        let row = 100 * i;
        let i = row;
        sum += t[[y]] + (row + i) as i32;
    }
    sum
}

#[test]
fn a_name_that_changes_hands_moves_no_index() {
    assert_eq!(renamed(&[1, 2, 3, 4, 5], 5, 1), 2 + 3 + 4 + 600);
    panics_with(|| renamed(&[1, 2, 3], 3, 1), &["renamed", "3"]);
}

#[shim::kernel]
fn narrow(t: &[i32], first: u8, n: usize) -> i32 {
    let t = Block::external(t, [n]);
    let mut sum = 0;
    for i in 0..4u8 {
        // May leave `u8`: Rust decides what that means.
        let at = first + i;
        sum += t[[at]];
        // Never does.
        let small = 2 * i + 1;
        sum += t[[small]];
    }
    sum
}

#[test]
fn small_types_keep_their_own_arithmetic() {
    let t: Vec<i32> = (0..300).collect();
    assert_eq!(narrow(&t, 250, 300), 250 + 251 + 252 + 253 + 1 + 3 + 5 + 7);
    if cfg!(debug_assertions) {
        panics_with(|| narrow(&t, 254, 300), &["overflow"]);
    } else {
        // Without overflow checks it wraps, and the element is there.
        assert_eq!(narrow(&t, 254, 300), 254 + 255 + 1 + 1 + 3 + 5 + 7);
    }
    panics_with(|| narrow(&t[..7], 0, 7), &["narrow", "7"]);
}

#[shim::kernel]
fn before(t: &[i32], n: isize) -> i32 {
    let t = Block::external(t, [t.len()]);
    let mut sum = 0;
    for i in 0..n {
        let at = i - 1;
        if at >= 0 {
            sum += t[[at]];
        }
    }
    sum
}

#[shim::kernel]
fn backwards(t: &[i32], n: usize, out: &mut [i32]) {
    let t = Block::external(t, [n]);
    let out = Block::external(out, [n]);
    for i in 0..n {
        let from = n - 1 - i;
        out[[i]] = t[[from]];
    }
}

#[test]
fn differences() {
    let t: Vec<i32> = (1..=5).collect();
    assert_eq!(before(&t, 6), 15);
    assert_eq!(before(&t, 0), 0);
    panics_with(|| before(&t, 7), &["before", "5"]);
    let mut out = [0; 5];
    backwards(&t, 5, &mut out);
    assert_eq!(out, [5, 4, 3, 2, 1]);
    backwards(&[], 0, &mut []);
}

#[shim::kernel]
fn tile(t: &[i32], h: usize, w: usize, f: usize) -> Vec<i32> {
    let t = Block::external(t, [h, w]);
    let mut sums = Vec::new();
    for m in 0..w / f {
        let mut sum = 0;
        for x in m * f..(m + 1) * f {
            sum += t[[0, x]];
        }
        sums.push(sum);
    }
    sums
}

#[shim::kernel]
fn coarse(t: &[i32], h: usize, w: usize, rows: u16) -> i32 {
    let t = Block::external(t, [h, w]).coarsened([2, 2]);
    let fine = Block::heap::<u8>([2 * h, 2 * w]);
    let t = t[fine];
    let mut sum = 0;
    for r in 0..rows {
        let y = r as usize * 3;
        for x in 0..2 * w {
            sum += t[[y, x]];
        }
    }
    sum
}

#[test]
fn products_in_bounds_and_through_coarse_views() {
    let t: Vec<i32> = noise(5 * 12, 1000);
    for f in 1..=12 {
        let expected: Vec<i32> = (0..12 / f).map(|m| t[m * f..(m + 1) * f].iter().sum()).collect();
        assert_eq!(tile(&t, 5, 12, f), expected);
    }
    for rows in 0..=3 {
        let expected: i32 =
            (0..rows as usize).map(|r| (0..24).map(|x| t[r * 3 / 2 * 12 + x / 2]).sum::<i32>()).sum();
        assert_eq!(coarse(&t, 5, 12, rows), expected);
    }
    panics_with(|| coarse(&t, 5, 12, 5), &["coarse", "`t`"]);
}

#[shim::kernel]
fn by_reference(t: &[i32], n: usize) -> i32 {
    let t = Block::external(t, [n]);
    let ref last: usize = n - 1;
    let second: &usize = &1;
    t[[last]] + t[[second]] + t[[*last - 1]]
}

#[test]
fn references_to_numbers() {
    assert_eq!(by_reference(&[1, 2, 3, 4], 4), 4 + 2 + 3);
}
