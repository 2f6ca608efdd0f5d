//! Whole indices: one body for every rank.

use crate::common::noise;
use shim::Located;
use shim::prelude::*;

/// The integral image: each element becomes the sum of all that come before it on every axis, itself included.
#[shim::kernel]
fn integral<T, const N: usize>(t: impl Tensor<T, N>) {
    #[unroll]
    for axis in 0..N {
        let sums = t.boundary(Fill(T::default()));
        for p in t.indices() {
            t[p] += sums[p.back(axis, 1)];
        }
    }
}

/// The greatest of an element and its neighbors on each axis; outside lies nothing.
#[shim::kernel]
fn dilate<T, const N: usize>(from: impl Tensor<T, N>, to: impl Tensor<T, N>) {
    let from = from.boundary(Fill(T::MIN));
    let p = iters();
    to[p] = from[p];
    #[unroll]
    for axis in 0..N {
        let p = iters();
        to[p] = to[p].max(from[p.back(axis, 1)]).max(from[p.ahead(axis, 1)]);
    }
}

/// The sum of absolute differences at a distance along the last axis.
#[shim::kernel]
fn difference<const N: usize>(a: impl Tensor<i32, N>, b: impl Tensor<i32, N>, by: usize) -> i32 {
    let b = b.boundary(Clamp);
    a.indices().map(|p| (a[p] - b[p.ahead(N - 1, by)]).abs()).sum::<i32>()
}

/// Points as arrays, their numbers, and points of other tensors.
#[shim::kernel]
fn told<const N: usize>(t: impl Tensor<i32, N>, u: impl Tensor<i32, N>) -> i32 {
    let mut sum = 0;
    for p in t.indices() {
        let [first, ..] = p;
        let last = p[N - 1];
        if u.contains(p.ahead(0, 1)) && last % 2 == 0 {
            sum += t[p] * (first + 1) + p.ahead(0, 2)[0] + i32::from(p == [0; N]);
        }
    }
    sum + t.indices().filter(|&p| t[p] > 500).map(|p| p[0]).sum::<i32>()
}

macro_rules! kernels {
    ($($rank:literal: $integral:ident $dilated:ident $differs:ident $tells:ident;)*) => {$(
        #[shim::kernel]
        fn $integral(t: &mut Block<i32, $rank>) {
            integral(t);
        }

        #[shim::kernel]
        fn $dilated(from: &Block<i32, $rank>, to: &mut Block<i32, $rank>) {
            dilate(from, to);
        }

        #[shim::kernel]
        fn $differs(a: &Block<i32, $rank>, b: &Block<i32, $rank>, by: usize) -> i32 {
            difference(a, b, by)
        }

        #[shim::kernel]
        fn $tells(t: &Block<i32, $rank>, u: &Block<i32, $rank>) -> i32 {
            told(t, u)
        }
    )*};
}

kernels! {
    1: integral_1 dilate_1 difference_1 told_1;
    2: integral_2 dilate_2 difference_2 told_2;
    3: integral_3 dilate_3 difference_3 told_3;
    4: integral_4 dilate_4 difference_4 told_4;
}

fn block<const N: usize>(extents: [usize; N], seed: usize) -> Block<i32, N> {
    let count: usize = extents.iter().product();
    let elements = noise::<i32>(count + seed, 1000)[seed..].to_vec();
    Block::from_vec(extents, elements).expect("as many elements")
}

fn moved<const N: usize>(mut p: [isize; N], axis: usize, by: isize) -> [isize; N] {
    p[axis] += by;
    p
}

fn check<const N: usize>(
    extents: [usize; N],
    integral: fn(&mut Block<i32, N>),
    dilated: fn(&Block<i32, N>, &mut Block<i32, N>),
    differs: fn(&Block<i32, N>, &Block<i32, N>, usize) -> i32,
    tells: fn(&Block<i32, N>, &Block<i32, N>) -> i32,
) {
    let (t, u) = (block(extents, 0), block(extents, 5));
    let mut sums = t.clone();
    integral(&mut sums);
    let mut wide = Block::new(extents);
    dilated(&t, &mut wide);
    let (mut difference, mut told) = (0, 0);
    for p in t.indices() {
        let before = |q: &[isize; N]| q.iter().zip(&p).all(|(q, p)| q <= p);
        let wanted: i32 = t.indices().filter(before).map(|q| t[q]).sum();
        assert_eq!(sums[p], wanted, "{extents:?} at {p:?}");
        let near = (0..N).flat_map(|axis| [moved(p, axis, -1), moved(p, axis, 1)]);
        let wanted = near.filter_map(|q| t.get(q).copied()).chain([t[p]]).max();
        assert_eq!(Some(wide[p]), wanted, "{extents:?} at {p:?}");
        let mut there = moved(p, N - 1, 2);
        there[N - 1] = there[N - 1].min(extents[N - 1] as isize - 1);
        difference += (t[p] - u[there]).abs();
        if u.contains(moved(p, 0, 1)) && p[N - 1] % 2 == 0 {
            let first = p[0] as i32;
            told += t[p] * (first + 1) + first + 2 + i32::from(p == [0; N]);
        }
        told += if t[p] > 500 { p[0] as i32 } else { 0 };
    }
    assert_eq!(differs(&t, &u, 2), difference);
    assert_eq!(tells(&t, &u), told);
}

#[test]
fn one_body_serves_ranks_one_to_four() {
    for n in [1, 2, 5] {
        check([7 * n], integral_1, dilate_1, difference_1, told_1);
        check([n, 3], integral_2, dilate_2, difference_2, told_2);
        check([3, n, 2], integral_3, dilate_3, difference_3, told_3);
        check([2, n, 1, 4], integral_4, dilate_4, difference_4, told_4);
    }
    check([0], integral_1, dilate_1, difference_1, told_1);
    check([3, 0, 2], integral_3, dilate_3, difference_3, told_3);
}

/// A static point, in an unrolled loop.
#[shim::kernel]
fn weights(#[shape(2, 3)] t: &[i32]) -> i32 {
    const WEIGHTS: [[i32; 3]; 2] = [[1, 10, 100], [1000, 10_000, 100_000]];
    let mut sum = 0;
    let t = t[[0..2, 0..3]];
    #[unroll]
    for p in t.indices() {
        sum += t[p] * WEIGHTS[p[0] as usize][p[1] as usize];
    }
    sum
}

#[test]
fn points_of_unrolled_loops_are_static() {
    assert_eq!(weights(&[1, 2, 3, 4, 5, 6]), 654_321);
}
