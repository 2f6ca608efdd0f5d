//! `within`: what a predicate excludes is outside.

use crate::common::{SHAPES, noise, panics_with};
use shim::prelude::*;

/// Nonzero counts left of and above a block in the same slice (9.2.1): counts stand for 4x4 samples, slices for 16x16.
#[shim::kernel]
fn counts(
    #[shape(4 * h, 4 * w)]
    #[coarsened(4, 4)]
    counts: &[u8],
    #[shape(h, w)]
    #[coarsened(16, 16)]
    slices: &[u16],
    h: usize,
    w: usize,
    block: Place<2>,
    number: u16,
) -> [i32; 3] {
    let slice = slices[block];
    let same = counts[block].within(|p| slice[p] == number).boundary(Fill(0)).cast::<i32>();
    [same[[0, -1]], same[[-1, 0]], i32::from(same.contains([-1, 0]))]
}

#[test]
fn other_slices_are_outside() {
    for &(h, w) in SHAPES {
        let (found, slices) = (noise::<u8>(16 * h * w, 16), noise::<u16>(h * w, 3));
        let at = |y: isize, x: isize, number: u16| -> Option<i32> {
            let inside = (0..16 * h as isize).contains(&y) && (0..16 * w as isize).contains(&x);
            let slice = inside.then(|| slices[y as usize / 16 * w + x as usize / 16])?;
            (slice == number).then(|| i32::from(found[y as usize / 4 * 4 * w + x as usize / 4]))
        };
        for y in (0..16 * h as isize).step_by(4) {
            for x in (0..16 * w as isize).step_by(4) {
                for number in 0..3 {
                    let block = Place::new([y, x], [4, 4]);
                    let (left, above) = (at(y, x - 1, number), at(y - 1, x, number));
                    let wanted = [left.unwrap_or(0), above.unwrap_or(0), i32::from(above.is_some())];
                    assert_eq!(counts(&found, &slices, h, w, block, number), wanted);
                }
            }
        }
    }
}

/// A predicate on numbers of the index, a view moved after it, a loop, and a block above the one that it concerns.
#[shim::kernel]
fn checkered(#[shape(h, w)] t: &[i32], h: usize, w: usize, #[shape(h, w)] to: &mut [i32]) {
    let black = t.within(|[y, x]| (y + x) % 2 == 0).boundary(Fill(-1));
    let moved = black[[1.., ..]];
    for [y, x] in to.indices() {
        to[[y, x]] = black[[y, x]] + 1000 * moved[[y, x]];
    }
}

#[test]
fn predicates_keep_their_indices() {
    for &(h, w) in SHAPES {
        let t = noise::<i32>(h * w, 900);
        let mut to = vec![0; h * w];
        checkered(&t, h, w, &mut to);
        let at = |y: usize, x: usize| if y < h && (y + x).is_multiple_of(2) { t[y * w + x] } else { -1 };
        for (k, found) in to.iter().enumerate() {
            assert_eq!(*found, at(k / w, k % w) + 1000 * at(k / w + 1, k % w), "{h}x{w}: {k}");
        }
    }
}

#[shim::kernel]
fn above(#[shape(8)] t: &[i32], asked: &mut Vec<isize>) -> i32 {
    let copy = t[[2..6]].to_block();
    let [i] = iters();
    copy[[i]] = 100;
    let some = copy.within(|[i]| {
        asked.push(i);
        i != 1
    });
    some[[0]] + some[[1]] + some[[-1]] + some[[5]]
}

#[test]
fn what_is_excluded_is_found_above() {
    let mut asked = Vec::new();
    assert_eq!(above(&[0, 1, 2, 3, 4, 5, 6, 7], &mut asked), 100 + 3 + 1 + 7);
    assert_eq!(asked, [0, 1], "the predicate is asked of elements of the block alone");
}

/// `+=` is of the element itself: neither the predicate nor the rule is asked.
#[shim::kernel]
fn updated(#[shape(4)] t: &mut [i32]) -> [i32; 2] {
    let even = t.within(|[i]| i % 2 == 0).boundary(Fill(50));
    even[[0]] += 5;
    even[[1]] += 7;
    [even[[0]], even[[1]]]
}

#[test]
fn updates_ask_no_predicate() {
    let mut t = [1, 2, 3, 4];
    assert_eq!(updated(&mut t), [6, 50]);
    assert_eq!(t, [6, 9, 3, 4]);
}

#[shim::kernel]
fn excluded(#[shape(4)] t: &[i32], i: usize) -> i32 {
    t.within(|[i]| i != 2)[[i]]
}

#[test]
fn without_a_rule_what_is_excluded_panics() {
    assert_eq!(excluded(&[1, 2, 3, 4], 3), 4);
    panics_with(|| excluded(&[1, 2, 3, 4], 2), &["`excluded`", "`t`", "`within` excludes"]);
    panics_with(|| excluded(&[1, 2, 3, 4], 4), &["reaches outside of `t`"]);
}

/// The element at the left, the one above if it is bright, and the one above that with a rule, which is always there.
#[shim::kernel]
fn some(#[shape(h, w)] t: &[u8], h: usize, w: usize, least: u8, y: usize, x: usize) -> [Option<i32>; 3] {
    let p = t[[y.., x..]];
    let bright = p.within(|q| p[q] >= least).cast::<i32>();
    [p.cast::<i32>().get([0, -1]), bright.get([-1, 0]), bright.boundary(Fill(-1)).get([-1, -1])]
}

/// A copy asks the block above; an element that is certain is asked for as well.
#[shim::kernel]
fn some_of_a_copy(#[shape(8)] t: &[u16], i: isize) -> [Option<u16>; 5] {
    let copy = t[[2..6]].to_block();
    copy[[0]] = 7;
    [copy.get([0]), copy.get([-1]), copy.get([-3]), t.get([3]), t.get([i])]
}

/// The tensor and its index are evaluated once, with a rule and without.
#[shim::kernel]
fn counted(#[shape(8)] t: &[u16], calls: &mut usize) -> [Option<u16>; 2] {
    let mut next = || {
        *calls += 1;
        *calls
    };
    let first = t[[next()..]].get([next()]);
    let second = t[[next()..]].boundary(Fill(9)).get([next()]);
    [first, second]
}

#[test]
fn elements_are_there_or_not() {
    for &(h, w) in SHAPES {
        let t = noise::<u8>(h * w, 9);
        let at = |y: isize, x: isize| (y >= 0 && x >= 0).then(|| i32::from(t[y as usize * w + x as usize]));
        for y in 0..h as isize {
            for x in 0..w as isize {
                let bright = |y: isize, x: isize| at(y, x).filter(|value| *value >= 4);
                let wanted = [at(y, x - 1), bright(y - 1, x), Some(bright(y - 1, x - 1).unwrap_or(-1))];
                assert_eq!(some(&t, h, w, 4, y as usize, x as usize), wanted, "{h}x{w} at {y}, {x}");
            }
        }
    }
    let t = [0, 1, 2, 3, 4, 5, 6, 8];
    assert_eq!(some_of_a_copy(&t, 7), [Some(7), Some(1), None, Some(3), Some(8)]);
    assert_eq!(some_of_a_copy(&t, 8)[4], None);
    assert_eq!(some_of_a_copy(&t, isize::MIN)[4], None);
    let mut calls = 0;
    assert_eq!((counted(&t, &mut calls), calls), ([Some(3), Some(8)], 4));
}
