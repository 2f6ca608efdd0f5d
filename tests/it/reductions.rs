//! Reductions: each chain against the same chain on std's iterators.

use crate::common::{SHAPES, noise, panics_with};
use shim::prelude::*;

/// The indices of a box in row-major order, as the chains see them.
fn indices(h: usize, w: usize) -> impl Iterator<Item = [i32; 2]> + Clone {
    (0..h as i32).flat_map(move |y| (0..w as i32).map(move |x| [y, x]))
}

// --- consumers ------------------------------------------------------------------------------------------------

#[shim::kernel]
fn sums(t: &[i32], h: usize, w: usize) -> (i32, i64, i64, f64, i32) {
    let t = Block::external(t, [h, w]);
    let a = t.indices().map(|[y, x]| t[[y, x]]).sum::<i32>();
    let b: i64 = t.indices().map(|[y, x]| i64::from(t[[y, x]] * y)).sum();
    let c = t.indices().filter(|[y, x]| (x + y) % 2 == 0).map(|[y, x]| i64::from(t[[y, x]])).product::<i64>();
    let d = t.indices().map(|[y, x]| f64::from(t[[y, x]]) * 0.1).sum::<f64>();
    let e = t.indices().map(|[y, x]| (y, t[[y, x]])).filter(|&(y, v)| v > 3 * y).map(|(_, v)| v).sum::<i32>();
    (a, b, c, d, e)
}

#[test]
fn sums_and_products() {
    for &(h, w) in SHAPES {
        let t: Vec<i32> = noise(h * w, 4);
        let at = |[y, x]: [i32; 2]| t[y as usize * w + x as usize];
        let a = indices(h, w).map(at).sum::<i32>();
        let b: i64 = indices(h, w).map(|[y, x]| i64::from(at([y, x]) * y)).sum();
        let c = indices(h, w).filter(|[y, x]| (x + y) % 2 == 0).map(|i| i64::from(at(i))).product::<i64>();
        let d = indices(h, w).map(|i| f64::from(at(i)) * 0.1).sum::<f64>();
        let e = indices(h, w)
            .map(|[y, x]| (y, at([y, x])))
            .filter(|&(y, v)| v > 3 * y)
            .map(|(_, v)| v)
            .sum::<i32>();
        let found = sums(&t, h, w);
        assert_eq!((found.0, found.1, found.2, found.4), (a, b, c, e));
        assert_eq!(found.3.to_bits(), d.to_bits(), "floats are not reassociated, and an empty sum is std's");
    }
}

#[shim::kernel]
fn extremes(t: &[u8], h: usize, w: usize) -> [Option<u8>; 4] {
    let t = Block::external(t, [h, w]);
    [
        t.indices().map(|[y, x]| t[[y, x]]).min(),
        t.indices().map(|[y, x]| t[[y, x]]).max(),
        t.indices().filter(|&[y, _]| y > 0).map(|[y, x]| t[[y, x]]).min(),
        t.indices().map(|[y, x]| t[[y, x]]).filter(|v| v % 2 == 1).max(),
    ]
}

#[shim::kernel]
fn best(t: &[u8], h: usize, w: usize) -> [Option<[i32; 2]>; 4] {
    let t = Block::external(t, [h, w]);
    [
        t.indices().min_by_key(|&[y, x]| t[[y, x]]),
        t.indices().max_by_key(|&[y, x]| t[[y, x]]),
        t.indices().filter(|&[y, x]| t[[y, x]] > 2).min_by_key(|[y, x]| (t[[*y, *x]], -x)),
        t.indices().map(|[y, x]| [x, y]).max_by_key(|&[x, y]| t[[y, x]] / 2),
    ]
}

#[shim::kernel]
fn best_of_values(t: &[u8], h: usize, w: usize) -> (Option<(u8, i32)>, Option<(i32, u8)>) {
    let t = Block::external(t, [h, w]);
    let a = t.indices().map(|[y, x]| (t[[y, x]], 10 * y + x)).min_by_key(|&(v, _)| v);
    let b = t.indices().map(|[y, x]| (10 * y + x, t[[y, x]])).max_by_key(|best| best.1);
    (a, b)
}

#[test]
fn minima_and_maxima_with_ties() {
    for &(h, w) in SHAPES {
        for modulo in [1, 2, 5, 250] {
            let t: Vec<u8> = noise(h * w, modulo);
            let at = |[y, x]: [i32; 2]| t[y as usize * w + x as usize];
            let want = [
                indices(h, w).map(at).min(),
                indices(h, w).map(at).max(),
                indices(h, w).filter(|&[y, _]| y > 0).map(at).min(),
                indices(h, w).map(at).filter(|v| v % 2 == 1).max(),
            ];
            assert_eq!(extremes(&t, h, w), want);
            let want = [
                indices(h, w).min_by_key(|&i| at(i)),
                indices(h, w).max_by_key(|&i| at(i)),
                indices(h, w).filter(|&i| at(i) > 2).min_by_key(|&[y, x]| (at([y, x]), -x)),
                indices(h, w).map(|[y, x]| [x, y]).max_by_key(|&[x, y]| at([y, x]) / 2),
            ];
            assert_eq!(best(&t, h, w), want);
            let want = (
                indices(h, w).map(|[y, x]| (at([y, x]), 10 * y + x)).min_by_key(|&(v, _)| v),
                indices(h, w).map(|[y, x]| (10 * y + x, at([y, x]))).max_by_key(|best| best.1),
            );
            assert_eq!(best_of_values(&t, h, w), want);
        }
    }
}

#[shim::kernel]
fn searches(t: &[i32], h: usize, w: usize, v: i32, seen: &mut Vec<i32>) -> [bool; 4] {
    let t = Block::external(t, [h, w]);
    [
        t.indices().any(|[y, x]| {
            seen.push(t[[y, x]]);
            t[[y, x]] == v
        }),
        t.indices().all(|[y, x]| t[[y, x]] != v),
        t.indices().map(|[y, x]| t[[y, x]] + y).any(|u| u == v),
        t.indices().filter(|[y, _]| *y > 0).all(|[y, x]| t[[y - 1, x]] <= t[[y, x]]),
    ]
}

#[shim::kernel]
fn counts(t: &[i32], h: usize, w: usize, v: i32) -> [usize; 3] {
    let t = Block::external(t, [h, w]);
    [
        t.indices().count(),
        t.indices().filter(|&[y, x]| t[[y, x]] == v).count(),
        t.indices().map(|[y, x]| t[[y, x]]).filter(|&u| u < v).filter(|u| u % 2 == 0).count(),
    ]
}

#[test]
fn searches_stop_where_std_stops() {
    for &(h, w) in SHAPES {
        let t: Vec<i32> = noise(h * w, 12);
        let at = |[y, x]: [i32; 2]| t[y as usize * w + x as usize];
        for v in 0..13 {
            let (mut seen, mut want_seen) = (Vec::new(), Vec::new());
            let want = [
                indices(h, w).any(|i| {
                    want_seen.push(at(i));
                    at(i) == v
                }),
                indices(h, w).all(|i| at(i) != v),
                indices(h, w).map(|[y, x]| at([y, x]) + y).any(|u| u == v),
                indices(h, w).filter(|[y, _]| *y > 0).all(|[y, x]| at([y - 1, x]) <= at([y, x])),
            ];
            assert_eq!(searches(&t, h, w, v, &mut seen), want);
            assert_eq!(seen, want_seen);
            let want = [
                h * w,
                indices(h, w).filter(|&i| at(i) == v).count(),
                indices(h, w).map(at).filter(|&u| u < v).filter(|u| u % 2 == 0).count(),
            ];
            assert_eq!(counts(&t, h, w, v), want);
        }
    }
}

#[shim::kernel]
fn folds(t: &mut [i32], h: usize, w: usize, log: &mut Vec<[i32; 2]>) -> (i32, (i32, usize)) {
    let t = Block::external(t, [h, w]);
    let a = t.indices().fold(1, |hash: i32, [y, x]| hash.wrapping_mul(31).wrapping_add(t[[y, x]]));
    let b = t.indices().map(|[y, x]| t[[y, x]]).fold((0, 0usize), |(sum, count), v| (sum + v, count + 1));
    t.indices().for_each(|[y, x]| {
        log.push([y, x]);
        t[[y, x]] = -1;
    });
    (a, b)
}

#[test]
fn folds_and_effects() {
    for &(h, w) in SHAPES {
        let t: Vec<i32> = noise(h * w, 1000);
        let at = |[y, x]: [i32; 2]| t[y as usize * w + x as usize];
        let a = indices(h, w).fold(1, |hash: i32, i| hash.wrapping_mul(31).wrapping_add(at(i)));
        let b = indices(h, w).map(at).fold((0, 0usize), |(sum, count), v| (sum + v, count + 1));
        let (mut changed, mut log) = (t.clone(), Vec::new());
        assert_eq!(folds(&mut changed, h, w, &mut log), (a, b));
        assert_eq!(log, indices(h, w).collect::<Vec<_>>());
        assert!(changed.iter().all(|&v| v == -1));
    }
}

// --- other items ----------------------------------------------------------------------------------------------

#[shim::kernel]
fn whole_indices(t: &[i32], h: usize, w: usize) -> (i32, Option<[i32; 2]>, Option<[i32; 2]>) {
    let t = Block::external(t, [h, w]);
    let a = t.indices().map(|i| i[0] * i[1] + t[[i[0], i[1]]]).sum::<i32>();
    (a, t.indices().min(), t.indices().filter(|i| i[0] != i[1]).max())
}

#[shim::kernel]
fn functions_as_closures(t: &[i32; 6]) -> (bool, bool, i32) {
    fn is_low(index: [i32; 2]) -> bool {
        index[0] + index[1] < 4
    }
    let t = Block::external(t, [2, 3]);
    let negative = |v: i32| v < 0;
    (
        t.indices().all(is_low),
        t.indices().map(|[y, x]| t[[y, x]]).any(negative),
        t.indices().map(|[y, x]| t[[y, x]]).map(i32::abs).sum::<i32>(),
    )
}

#[shim::kernel]
fn inner_reductions(t: &[i32], h: usize, w: usize, out: &mut [i32]) -> i32 {
    let t = Block::external(t, [h, w]);
    let out = Block::external(out, [h]);
    for [y] in out.indices() {
        let row = t.slice(0, y);
        out[[y]] = row.indices().map(|[x]| row[[x]] * (x + 1)).sum::<i32>();
    }
    // One reduction inside of another.
    let columns = t.slice(0, 0);
    columns.indices().map(|[x]| out.indices().map(|[y]| t[[y, x]]).max().unwrap_or(-1)).sum::<i32>()
}

#[test]
fn items_of_every_kind() {
    for &(h, w) in SHAPES {
        let t: Vec<i32> = noise(h * w, 50);
        let at = |[y, x]: [i32; 2]| t[y as usize * w + x as usize];
        let a = indices(h, w).map(|i| i[0] * i[1] + at(i)).sum::<i32>();
        assert_eq!(
            whole_indices(&t, h, w),
            (a, indices(h, w).min(), indices(h, w).filter(|i| i[0] != i[1]).max())
        );
        if h == 0 {
            continue;
        }
        let mut out = vec![0; h];
        let sum = inner_reductions(&t, h, w, &mut out);
        for y in 0..h {
            let want: i32 = t[y * w..(y + 1) * w].iter().zip(1..).map(|(v, k)| v * k).sum();
            assert_eq!(out[y], want);
        }
        let want: i32 = (0..w as i32).map(|x| (0..h as i32).map(|y| at([y, x])).max().unwrap_or(-1)).sum();
        assert_eq!(sum, want);
    }
    assert_eq!(functions_as_closures(&[1, -2, 3, -4, 5, 6]), (true, true, 21));
}

#[shim::kernel]
fn real_iterators(
    t: &[i32],
    h: usize,
    w: usize,
) -> (Vec<i32>, Vec<[i32; 2]>, i32, Option<[i32; 2]>, Vec<(i32, u8)>) {
    let t = Block::external(t, [h, w]);
    let a: Vec<i32> = t.indices().map(|[y, x]| t[[y, x]]).collect();
    let b: Vec<[i32; 2]> = t.indices().skip(1).step_by(2).take(5).collect();
    let c = t.indices().take_while(|&[y, x]| t[[y, x]] != 7).map(|[y, x]| t[[y, x]] * x).sum::<i32>();
    let d = t.indices().find(|&[y, x]| t[[y, x]] % 5 == 3);
    let e = t.indices().map(|[y, x]| t[[y, x]]).zip(1..4u8).collect();
    (a, b, c, d, e)
}

#[shim::kernel]
fn backwards(t: &[i32; 6]) -> Vec<i32> {
    let t = Block::external(t, [2, 3]);
    let mut out: Vec<i32> = t.indices().rev().map(|[y, x]| t[[y, x]]).collect();
    for [y, x] in t.indices().rev() {
        out.push(t[[y, x]] + 10 * y);
    }
    out.push(t.indices().map(|[y, x]| t[[y, x]]).rev().take(2).sum());
    out.push(t.indices().len() as i32);
    out
}

#[test]
fn other_adaptors_are_stds() {
    for &(h, w) in SHAPES {
        let t: Vec<i32> = noise(h * w, 30);
        let at = |[y, x]: [i32; 2]| t[y as usize * w + x as usize];
        let want = (
            t.clone(),
            indices(h, w).skip(1).step_by(2).take(5).collect(),
            indices(h, w).take_while(|&i| at(i) != 7).map(|[y, x]| at([y, x]) * x).sum(),
            indices(h, w).find(|&i| at(i) % 5 == 3),
            indices(h, w).map(at).zip(1..4u8).collect(),
        );
        assert_eq!(real_iterators(&t, h, w), want);
    }
    assert_eq!(backwards(&[1, 2, 3, 4, 5, 6]), [6, 5, 4, 3, 2, 1, 16, 15, 14, 3, 2, 1, 11, 6]);
}

// --- staging --------------------------------------------------------------------------------------------------

#[shim::kernel]
fn best_match(cur: &[u8; 16], frame: &[u8], h: usize, w: usize) -> Option<([i32; 2], i32)> {
    let cur = Block::external(cur, [4, 4]).cast::<i32>();
    let frame = Block::external(frame, [h, w]).cast::<i32>();
    let places = frame[[0..h - 3, 0..w - 3]];
    places
        .indices()
        .map(|[r, c]| {
            let cost = cur.indices().map(|[y, x]| (cur[[y, x]] - frame[[r + y, c + x]]).abs()).sum::<i32>();
            ([r, c], cost)
        })
        .min_by_key(|&(_, cost)| cost)
}

#[test]
fn a_motion_search() {
    let (h, w) = (9, 11);
    let frame: Vec<u8> = noise(h * w, 256);
    for (r, c) in [(0, 0), (5, 7), (2, 3)] {
        let cur: [u8; 16] = std::array::from_fn(|i| frame[(r + i / 4) * w + c + i % 4]);
        assert_eq!(best_match(&cur, &frame, h, w), Some(([r as i32, c as i32], 0)));
    }
}

#[shim::kernel]
fn outside(t: &[i32], h: usize, w: usize, by: usize) -> i32 {
    let t = Block::external(t, [h, w]);
    t.indices().map(|[y, x]| t[[y + by, x]]).sum::<i32>()
}

#[shim::kernel]
fn returns_from_a_closure(t: &[i32; 5]) -> i32 {
    let t = Block::external(t, [5]);
    // `return` leaves the closure, as it does in Rust.
    t.indices()
        .map(|[i]| {
            if i > 2 {
                return 100;
            }
            t[[i]]
        })
        .sum::<i32>()
}

#[shim::kernel]
fn question_in_a_closure(t: &[i32; 3]) -> Vec<Option<i32>> {
    let t = Block::external(t, [3]);
    let mut out = Vec::new();
    t.indices()
        .map(|[i]| -> Option<i32> { Some(t[[i]].checked_sub(2)?.checked_mul(2)?) })
        .for_each(|v| out.push(v));
    out
}

#[test]
fn closures_of_chains() {
    assert_eq!(outside(&[1, 2, 3, 4], 2, 2, 0), 10);
    panics_with(|| outside(&[1, 2, 3, 4], 2, 2, 1), &["outside", "`t`", "2", "[2, 2]"]);
    assert_eq!(outside(&[], 0, 2, 9), 0);
    assert_eq!(returns_from_a_closure(&[1, 2, 3, 4, 5]), 206);
    assert_eq!(question_in_a_closure(&[i32::MIN, 5, i32::MAX]), [None, Some(6), None]);
}

// --- ranges ---------------------------------------------------------------------------------------------------

#[shim::kernel]
fn over_ranges(p: &[u8], h: usize, w: usize, x: u32) -> (u32, Option<usize>, u64, bool, u32, usize) {
    let p = Block::external(p, [h, w]);
    (
        (0..w).map(|x| u32::from(p[[h - 1, x]])).filter(|v| *v > x).sum::<u32>(),
        (0..w).filter(|&i| p[[0, i]] > 3).map(|i| i * 2).max(),
        (0..=h - 1).rev().fold(0, |s, i| s * 3 + u64::from(p[[i, 0]])),
        (0..w).step_by(2).any(|i| p[[0, i]] == 7),
        (1..h).map(|y| (0..w).map(|x| u32::from(p[[y, x]].abs_diff(p[[y - 1, x]]))).sum::<u32>()).sum(),
        (0..h).filter(|y| (0..w).all(|x| p[[*y, x]] != 0)).count(),
    )
}

#[test]
fn chains_over_ranges_are_loops_with_the_values_of_std() {
    for (h, w) in [(1, 1), (1, 9), (3, 5), (8, 17)] {
        let p: Vec<u8> = (0..h * w).map(|at| (at * 37 % 11) as u8).collect();
        let at = |y: usize, x: usize| p[y * w + x];
        for x in [0, 4, 200] {
            let wanted = (
                (0..w).map(|x| u32::from(at(h - 1, x))).filter(|v| *v > x).sum::<u32>(),
                (0..w).filter(|&i| at(0, i) > 3).map(|i| i * 2).max(),
                (0..h).rev().fold(0, |s, i| s * 3 + u64::from(at(i, 0))),
                (0..w).step_by(2).any(|i| at(0, i) == 7),
                (1..h).map(|y| (0..w).map(|x| u32::from(at(y, x).abs_diff(at(y - 1, x)))).sum::<u32>()).sum(),
                (0..h).filter(|y| (0..w).all(|x| at(*y, x) != 0)).count(),
            );
            assert_eq!(over_ranges(&p, h, w, x), wanted, "{h}x{w}, {x}");
        }
    }
}

/// One assertion for all 16 taps.
#[shim::kernel]
fn row_above(p: &[u8], stride: usize, y: isize) -> u32 {
    let p = Block::external(p, [p.len() / stride, stride]);
    (0..16).map(|x| u32::from(p[[y - 1, x]])).sum::<u32>()
}

#[test]
fn a_chain_over_a_range_is_asserted_before_it() {
    let p: Vec<u8> = (0..60).collect();
    assert_eq!(row_above(&p, 20, 2), (20..36).sum());
    panics_with(|| row_above(&p, 20, 0), &["outside", "`p`"]);
    panics_with(|| row_above(&p, 15, 1), &["outside", "`p`"]);
}

/// Names of loop variables that mean something else in the rest of the chain.
#[shim::kernel]
fn names_of_the_kernel(t: &[i32], y: i32, i: usize) -> (usize, usize, i32) {
    let t = Block::external(t, [t.len()]);
    let twice = |v: i32| v * 2;
    (
        t.indices().map(|[y]| t[[y]]).filter(|v| *v > y).count(),
        (0..t.extent(0)).map(|i| t[[i]]).filter(|v| *v as usize > i).count(),
        t.indices().map(|[twice]| t[[twice]]).map(|v| twice(v)).sum::<i32>(),
    )
}

/// The same in a format string.
#[shim::kernel]
fn name_in_a_format_string(t: &[i32], y: i32) -> Vec<String> {
    let t = Block::external(t, [t.len()]);
    let mut found = Vec::new();
    t.indices().map(|[y]| t[[y]]).for_each(|v| found.push(format!("{v} {y}")));
    found
}

#[test]
fn a_closure_sees_its_own_names_alone() {
    let t = [5, 1, 4, 2, 3];
    assert_eq!(name_in_a_format_string(&t[..2], 9), ["5 9", "1 9"]);
    assert_eq!(names_of_the_kernel(&t, 3, 1), (2, 4, 30));
}

/// A sum of a type whose `Sum` is its own.
#[shim::kernel]
fn of_another_type(t: &[u8; 4]) -> std::time::Duration {
    let t = Block::external(t, [4]);
    (0..4).map(|i| std::time::Duration::from_secs(t[[i]].into())).sum::<std::time::Duration>()
}

#[test]
fn sums_of_other_types_are_theirs() {
    assert_eq!(of_another_type(&[1, 2, 3, 250]).as_secs(), 256);
}

/// What takes a closure takes a function as well.
#[shim::kernel]
fn of_functions(t: &[f32; 6], u: &[i32; 6], made: &mut Vec<u32>) -> (f32, i32, Option<i32>, bool, i32) {
    fn alternate(sum: i32, item: i32) -> i32 {
        item - sum
    }
    fn positive(item: i32) -> bool {
        item > 0
    }
    fn odd(item: &i32) -> i32 {
        item & 1
    }
    let t = Block::external(t, [2, 3]);
    let u = Block::external(u, [6]);
    let mut make = || {
        made.push(7);
        i32::wrapping_sub
    };
    (
        t.indices().map(|[y, x]| t[[y, x]]).fold(f32::MIN, f32::max),
        u.indices().map(|[i]| u[[i]]).filter(|v| *v != 4).fold(1, alternate),
        (0..6).map(|i| u[[i]]).max_by_key(odd),
        u.indices().map(|[i]| u[[i]]).all(positive),
        (0..3).map(|i| u[[i]]).fold(0, make()),
    )
}

#[test]
fn functions_reduce_as_closures_do() {
    let (t, u) = ([1.0, -2.0, 8.5, 3.0, 0.0, 8.0], [3, 4, 1, 6, 5, 2]);
    let mut made = Vec::new();
    let alternating = [3, 1, 6, 5, 2].into_iter().fold(1, |sum, item| item - sum);
    assert_eq!(of_functions(&t, &u, &mut made), (8.5, alternating, Some(5), true, -8));
    assert_eq!(made, [7]);
}

// --- masks and unrolled reductions ----------------------------------------------------------------------------

#[shim::constant]
const SCAN: [usize; 16] = [0, 1, 4, 8, 5, 2, 3, 6, 9, 12, 13, 10, 7, 11, 14, 15];

#[shim::kernel]
fn masks(t: &[i16; 16], first: usize) -> (u16, u32, u64, u16, u16) {
    #[staged]
    use crate::reductions::SCAN;
    let t = Block::external(t, [16]);
    let all = (0..16).mask::<u16>(|k| t[[k]] != 0);
    let from: u32 = (first..16).mask(|k| t[[k]] > 1);
    let odd = t.indices().filter(|[k]| k % 2 == 1).mask::<u64>(|[k]| t[[k]] != 0);
    #[unroll]
    let scanned = (0..16).mask::<u16>(|k| t[[SCAN[k]]] != 0);
    let mut listed = 0;
    #[unroll]
    listed |= (2..16).step_by(3).rev().mask::<u16>(|k| t[[k]] != 0);
    (all, from, odd, scanned, listed)
}

#[test]
fn masks_have_the_bits_of_their_conditions() {
    for modulo in [1, 2, 3, 200] {
        let t: [i16; 16] = noise::<i16>(16, modulo).try_into().unwrap();
        for first in [0, 5, 16, 20] {
            let all = (0..16).map(|k| u16::from(t[k] != 0) << k).sum::<u16>();
            let from = (first..16).map(|k| u32::from(t[k] > 1) << k).sum::<u32>();
            let scanned = (0..16).map(|k| u16::from(t[SCAN[k]] != 0) << k).sum::<u16>();
            let listed = (2..16).step_by(3).rev().map(|k| u16::from(t[k] != 0) << k).sum::<u16>();
            assert_eq!(masks(&t, first), (all, from, u64::from(all & 0xaaaa), scanned, listed));
        }
    }
}

#[shim::kernel]
fn long_mask(t: &[u8]) -> u8 {
    let t = Block::external(t, [t.len()]);
    t.indices().mask(|[k]| t[[k]] != 0)
}

#[test]
fn a_bit_beyond_the_mask_panics() {
    assert_eq!(long_mask(&[1, 0, 1, 0, 0, 0, 0, 1]), 0x85);
    assert_eq!(long_mask(&[]), 0);
    panics_with(|| long_mask(&[0; 9]), &["the number of a bit is out of range for a mask of 8 bits"]);
}

#[shim::kernel]
fn unrolled(t: &[i32; 16]) -> (i32, bool, Option<[i32; 2]>, i32) {
    #[staged]
    use crate::reductions::SCAN;
    let t = Block::external(t, [4, 4]);
    #[unroll]
    let weighted =
        (0..16).filter(|k| k % 2 == 0).map(|k| SCAN[k] as i32 * t[[SCAN[k] / 4, SCAN[k] % 4]]).sum::<i32>();
    #[unroll]
    let any = t.indices().any(|[y, x]| t[[y, x]] == y + x);
    #[unroll]
    let least = t.indices().min_by_key(|&[y, x]| t[[x, y]]);
    #[unroll]
    let constant = (0..4).map(|k| SCAN[k] as i32).sum::<i32>();
    (weighted, any, least, constant)
}

#[test]
fn unrolled_reductions_are_those_of_loops() {
    for modulo in [1, 2, 9, 250] {
        let t: [i32; 16] = noise::<i32>(16, modulo).try_into().unwrap();
        let weighted = (0..16).step_by(2).map(|k| SCAN[k] as i32 * t[SCAN[k]]).sum();
        let any = indices(4, 4).any(|[y, x]| t[(4 * y + x) as usize] == y + x);
        let least = indices(4, 4).min_by_key(|&[y, x]| t[(4 * x + y) as usize]);
        assert_eq!(unrolled(&t), (weighted, any, least, 13));
    }
}

#[shim::kernel]
fn partial_sums(#[shape(h, w)] t: &[f32], h: usize, w: usize, first: usize) -> (f32, f32, f32, f64, i32) {
    let from_zero = (0..w).map(|x| t[[0, x]]).sum_in::<f32, 8>();
    let from_three = (3..w).map(|x| x - 3).map(|x| t[[0, x]]).sum_in::<f32, 4>();
    let inclusive = (first..=w - 1).map(|x| t[[h - 1, x]]).sum_in::<f32, 2>();
    let of_indices =
        t.indices().map(|[y, x]| f64::from(t[[y, x]])).map(|value| value * value).sum_in::<f64, 4>();
    let of_integers = (0..h).map(|y| y as i32).sum_in::<i32, 16>();
    (from_zero, from_three, inclusive, of_indices, of_integers)
}

/// The closures of a sum return early, and mean a local by the name of another closure's parameter.
#[shim::kernel]
fn partial_sums_of_closures(#[shape(n)] t: &[f32], n: usize) -> [f32; 3] {
    let i = 0.5;
    let of_range = (0..n)
        .map(|i| {
            if t[[i]] > 3.0 {
                return 3.0;
            }
            t[[i]]
        })
        .map(|value| value + i)
        .sum_in::<f32, 2>();
    let of_indices = t.indices().map(|[i]| t[[i]]).map(|value| value + i).sum_in::<f32, 2>();
    let among = t.indices().map(|[_]| return i).sum_in::<f32, 4>();
    [of_range, of_indices, among]
}

#[test]
fn closures_of_partial_sums_are_closures() {
    let sums = partial_sums_of_closures(&[1.0, 5.0, 2.0], 3);
    assert_eq!(sums.map(f32::to_bits), [7.5, 9.5, 1.5].map(f32::to_bits));
}

/// Sums of every n-th item, added up as a tree.
fn in_a_tree<T: Copy + std::ops::Add<Output = T>>(items: impl Iterator<Item = T>, zero: T, n: usize) -> T {
    let mut sums = vec![zero; n];
    items.enumerate().for_each(|(i, item)| sums[i % n] = sums[i % n] + item);
    while sums.len() > 1 {
        let half = sums.len() / 2;
        sums = (0..half).map(|i| sums[i] + sums[i + half]).collect();
    }
    sums[0]
}

#[test]
fn sums_whose_order_is_their_meaning() {
    for (h, w) in [(1, 1), (1, 3), (2, 8), (3, 29), (5, 64)] {
        let t: Vec<f32> =
            noise::<u16>(h * w, 60000).into_iter().map(|value| f32::from(value) / 7.0).collect();
        for first in [0, 1, w - 1] {
            let squares = t.iter().map(|value| f64::from(*value) * f64::from(*value));
            let wanted = (
                in_a_tree(t[..w].iter().copied(), -0.0, 8),
                in_a_tree(t[..w.max(3) - 3].iter().copied(), -0.0, 4),
                in_a_tree(t[(h - 1) * w + first..].iter().copied(), -0.0, 2),
                in_a_tree(squares, -0.0, 4),
                (0..h as i32).sum::<i32>(),
            );
            assert_eq!(partial_sums(&t, h, w, first), wanted, "{h} x {w} from {first}");
        }
    }
    let bits = |value: f32| value.to_bits();
    assert_eq!(bits(partial_sums(&[-0.0], 1, 1, 0).0), bits(-0.0));
}
