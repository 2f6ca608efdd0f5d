//! Closures that a `let` binds: the same values in the place of a call as in a function.

use crate::common::{SHAPES, noise};
use shim::prelude::*;

#[shim::kernel]
fn blurred(#[shape(h, w)] from: &[u8], #[shape(h, w)] to: &mut [u16], h: usize, w: usize) {
    let from = from.boundary(Clamp);
    for [y, x] in to.indices() {
        let row = |y: i32| from[[y, x - 1]] as u16 + 2 * from[[y, x]] as u16 + from[[y, x + 1]] as u16;
        to[[y, x]] = row(y - 1) + 2 * row(y) + row(y + 1);
    }
}

/// Closures in closures, constants as arguments, names that mean something else where the call is, and recursion
/// through a `let`.
#[shim::kernel]
fn scopes(#[shape(n)] t: &[i32], n: usize, by: i32) -> [i32; 6] {
    let k = 2;
    let at = |i: i32| t[[i + k]];
    let pair = |i: i32, j: i32| at(i) * 10 + at(j);
    let same = at(1);
    let hidden = {
        let k = 5;
        // The closure keeps its own `k`.
        at(k)
    };
    let both = pair(0, 3);
    let t2 = by;
    let by = 7;
    let outer = |i: i32| i * by + t2;
    let by = outer(2);
    let mut sum = 0;
    for i in 0..4 {
        let twice = |j: i32| t[[i]] + j;
        sum += twice(t[[i + 1]]) + twice(i as i32);
    }
    let lazily = |i: i32| if i < n as i32 { t[[i]] } else { -1 };
    [same, hidden, both, by, sum, lazily(3) + lazily(1000)]
}

/// Arguments are evaluated once and in their order, before the body.
#[shim::kernel]
fn order(#[shape(n)] t: &mut [i32], n: usize) -> i32 {
    let mut next = 0;
    let mut take = || {
        next += 1;
        next
    };
    let weigh = |a: i32, b: i32| 10 * a + b + a;
    weigh(take(), take())
}

#[test]
fn closures_are_functions() {
    for (h, w) in SHAPES.iter().copied() {
        let from: Vec<u8> = noise(h * w, 256);
        let mut to = vec![0; h * w];
        blurred(&from, &mut to, h, w);
        for (i, value) in to.iter().enumerate() {
            let (y, x) = (i / w, i % w);
            let at = |y: usize, x: usize| u16::from(from[y.min(h - 1) * w + x.min(w - 1)]);
            let row = |y: usize| at(y, x.saturating_sub(1)) + 2 * at(y, x) + at(y, x + 1);
            assert_eq!(*value, row(y.saturating_sub(1)) + 2 * row(y) + row(y + 1), "{h} x {w}: {y}, {x}");
        }
    }
}

/// Closures that call one another twice: so many calls are not written out.
#[shim::kernel]
fn doubled(#[shape(n)] t: &[i64], n: usize) -> i64 {
    let a = |i: i64| t[[i]];
    let b = |i: i64| a(i) + a(i);
    let c = |i: i64| b(i) + b(i);
    let d = |i: i64| c(i) + c(i);
    let e = |i: i64| d(i) + d(i);
    let f = |i: i64| e(i) + e(i);
    let g = |i: i64| f(i) + f(i);
    let h = |i: i64| g(i) + g(i);
    let j = |i: i64| h(i) + h(i);
    let k = |i: i64| j(i) + j(i);
    let l = |i: i64| k(i) + k(i);
    let m = |i: i64| l(i) + l(i);
    let o = |i: i64| m(i) + m(i);
    o(3)
}

#[test]
fn closures_that_double() {
    assert_eq!(doubled(&[0, 1, 2, 7], 4), 7 << 12);
}

#[test]
fn names_in_closures_keep_their_meaning() {
    let t = [3, 1, 4, 1, 5, 9, 2, 6, 5, 3];
    let twice: i32 = (0..4).map(|i| t[i] + t[i + 1] + t[i] + i as i32).sum();
    assert_eq!(scopes(&t, 10, 100), [1, 6, 49, 114, twice, 0]);
    assert_eq!(order(&mut [0; 4], 4), 13);
}

/// A closure whose calls are not replaced has the name of one whose scope has ended.
#[shim::kernel]
fn of_one_name(#[shape(n)] t: &[u32], n: usize) -> [u32; 2] {
    let first = {
        let at = |i: usize| t[[i + 1]];
        at(1)
    };
    let at = |i: usize| {
        const FROM: usize = 3;
        t[[i + FROM]]
    };
    [first, at(1)]
}

#[test]
fn closures_of_one_name_are_two() {
    assert_eq!(of_one_name(&[0, 1, 2, 3, 4], 5), [2, 4]);
}
