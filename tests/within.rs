//! `within`: what a predicate excludes is outside.

mod common;

use common::{SHAPES, noise, panics_with};
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
