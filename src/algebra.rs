//! The operations of the Mathematics of Arrays that compute: templates for tensors of any rank.
//!
//! Operations that only give elements other indices are [views](crate::language::algebra): `take`, `drop`, `rev`,
//! `rotate`, `cat`, `permute`, `reshape` and their kin. What is here reads and writes elements, in the language of kernels, and
//! is staged into its callers. An operation `op` is a function or a closure of two elements, such as [`add`] or
//! `|a, b| a.max(b)`. A result is written to `out`, whose extents have to be those of the result.
//!
//! ```
//! use shim::algebra::{add, reduce, scan};
//! use shim::prelude::*;
//!
//! #[shim::kernel]
//! fn sums(#[shape(3, 4)] t: &[i32], #[shape(4)] columns: &mut [i32], #[shape(3, 4)] running: &mut [i32]) {
//!     reduce::<_, 0, _>(add, 0, t, columns);
//!     scan::<_, 1, _>(add, 0, t.rev(1), running.rev(1));
//! }
//!
//! let (mut columns, mut running) = ([0; 4], [0; 12]);
//! sums(&[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12], &mut columns, &mut running);
//! assert_eq!(columns, [15, 18, 21, 24]);
//! assert_eq!(running, [10, 9, 7, 4, 26, 21, 15, 8, 42, 33, 23, 12]);
//! ```

#![allow(
    clippy::inline_always,
    reason = "the operators have to be compiled for the instruction set of the kernel that calls them"
)]

use crate::kernel;
use crate::prelude::*;

/// `a + b`.
#[inline(always)]
pub fn add<T: core::ops::Add<Output = T>>(a: T, b: T) -> T {
    a + b
}

/// `a * b`.
#[inline(always)]
pub fn mul<T: core::ops::Mul<Output = T>>(a: T, b: T) -> T {
    a * b
}

/// The smaller of two elements.
#[inline(always)]
pub fn min<T: PartialOrd>(a: T, b: T) -> T {
    if b < a { b } else { a }
}

/// The greater of two elements.
#[inline(always)]
pub fn max<T: PartialOrd>(a: T, b: T) -> T {
    if b > a { b } else { a }
}

/// Asserts that two tensors have the same extents.
#[kernel(crate = crate)]
pub fn same_extents<T, U, const N: usize>(a: impl Tensor<T, N>, b: impl Tensor<U, N>) {
    #[unroll]
    for axis in 0..N {
        assert_eq!(a.extent(axis), b.extent(axis));
    }
}

/// Asserts that two tensors have the same extents but along an axis.
#[kernel(crate = crate)]
pub fn same_beside<T, U, const AXIS: usize, const N: usize>(a: impl Tensor<T, N>, b: impl Tensor<U, N>) {
    #[unroll]
    for axis in 0..N {
        if axis != AXIS {
            assert_eq!(a.extent(axis), b.extent(axis));
        }
    }
}

/// `op` of all elements, in row-major order, from `first`.
#[kernel(crate = crate)]
pub fn fold<T, const N: usize>(op: impl Fn(T, T) -> T, first: T, t: impl Tensor<T, N>) -> T {
    let mut total = first;
    for p in t.indices() {
        total = op(total, t[p]);
    }
    total
}

/// The sum of the absolute differences (SAD) of two tensors of bytes: the machine's instruction where there is one, as
/// in [any spelling](crate::language::iteration#reductions) of this sum.
///
/// ```
/// use shim::algebra::sad;
/// use shim::prelude::*;
///
/// #[shim::kernel]
/// fn differ(#[shape(4, 4)] a: &[u8], #[shape(4, 4)] b: &[u8]) -> u32 {
///     sad(a, b)
/// }
///
/// assert_eq!(differ(&[10; 16], &[7; 16]), 48);
/// ```
#[kernel(crate = crate)]
pub fn sad<const N: usize>(a: impl Tensor<u8, N>, b: impl Tensor<u8, N>) -> u32 {
    same_extents(a, b);
    a.indices().map(|p| u32::from(a[p].abs_diff(b[p]))).sum::<u32>()
}

/// `op` of the elements along an axis, from `first`.
#[kernel(crate = crate)]
pub fn reduce<T, const AXIS: usize, const N: usize>(
    op: impl Fn(T, T) -> T,
    first: T,
    t: impl Tensor<T, N>,
    out: impl Tensor<T, { N - 1 }>,
) {
    same_extents(t.slice(AXIS, 0), out);
    if AXIS == N - 1 {
        for p in out.indices() {
            let mut total = first;
            for k in 0..t.extent(AXIS) {
                total = op(total, t[p.insert(AXIS, k)]);
            }
            out[p] = total;
        }
    } else {
        // Elements next to each other are independent.
        for p in out.indices() {
            out[p] = first;
        }
        for p in t.indices() {
            let q = p.remove(AXIS);
            out[q] = op(out[q], t[p]);
        }
    }
}

/// `op` of the elements up to each one along an axis, from `first`. `out` may be `t`.
#[kernel(crate = crate)]
pub fn scan<T, const AXIS: usize, const N: usize>(
    op: impl Fn(T, T) -> T,
    first: T,
    t: impl Tensor<T, N>,
    out: impl Tensor<T, N>,
) {
    same_extents(t, out);
    if N == 1 {
        let mut total = first;
        for p in t.indices() {
            total = op(total, t[p]);
            out[p] = total;
        }
    } else if AXIS == N - 1 {
        for q in t.slice(AXIS, 0).indices() {
            let mut total = first;
            for k in 0..t.extent(AXIS) {
                let p = q.insert(AXIS, k);
                total = op(total, t[p]);
                out[p] = total;
            }
        }
    } else {
        let before = out.boundary(Fill(first));
        for p in t.indices() {
            out[p] = op(before[p.back(AXIS, 1)], t[p]);
        }
    }
}

/// The elements of those indices of an axis where `mask` is true.
///
/// The extent of `out` along the axis is the number of these.
#[kernel(crate = crate)]
pub fn compress<T, const AXIS: usize, const N: usize>(
    mask: impl Tensor<bool, 1>,
    t: impl Tensor<T, N>,
    out: impl Tensor<T, N>,
) {
    assert_eq!(mask.extent(0), t.extent(AXIS));
    same_beside::<_, _, AXIS, _>(t, out);
    let mut count = 0;
    for k in 0..t.extent(AXIS) {
        if mask[[k]] {
            if N == 1 {
                out[[count]] = t[[k]];
            } else {
                let (from, to) = (t.slice(AXIS, k), out.slice(AXIS, count));
                for p in from.indices() {
                    to[p] = from[p];
                }
            }
            count += 1;
        }
    }
    assert_eq!(count, out.extent(AXIS), "the number of indices where the mask is true");
}

/// The elements at those indices of an axis where `mask` is true, and `fill` at the others.
///
/// The extent of `t` along the axis is the number of the former.
#[kernel(crate = crate)]
pub fn expand<T, const AXIS: usize, const N: usize>(
    mask: impl Tensor<bool, 1>,
    fill: T,
    t: impl Tensor<T, N>,
    out: impl Tensor<T, N>,
) {
    assert_eq!(mask.extent(0), out.extent(AXIS));
    same_beside::<_, _, AXIS, _>(t, out);
    let mut count = 0;
    for k in 0..out.extent(AXIS) {
        if N == 1 {
            out[[k]] = if mask[[k]] { t[[count]] } else { fill };
        } else if mask[[k]] {
            let (from, to) = (t.slice(AXIS, count), out.slice(AXIS, k));
            for p in to.indices() {
                to[p] = from[p];
            }
        } else {
            let to = out.slice(AXIS, k);
            for p in to.indices() {
                to[p] = fill;
            }
        }
        if mask[[k]] {
            count += 1;
        }
    }
    assert_eq!(count, t.extent(AXIS), "the number of indices where the mask is true");
}

/// `op` of each pair of an element of `a` and one of `b`.
#[kernel(crate = crate)]
pub fn outer<A, B, C, const N: usize, const M: usize>(
    op: impl Fn(A, B) -> C,
    a: impl Tensor<A, N>,
    b: impl Tensor<B, M>,
    out: impl Tensor<C, { N + M }>,
) {
    #[unroll]
    for axis in 0..N {
        assert_eq!(out.extent(axis), a.extent(axis));
    }
    #[unroll]
    for axis in 0..M {
        assert_eq!(out.extent(N + axis), b.extent(axis));
    }
    for p in a.indices() {
        let own = a[p];
        for q in b.indices() {
            out[p.join(q)] = op(own, b[q]);
        }
    }
}

/// `sum` of `product` of the elements along the last axis of `a` and the first of `b`, from `first`: for matrices their
/// product. The operations only compute.
#[kernel(crate = crate)]
pub fn inner<A, B, C, const N: usize, const M: usize>(
    sum: impl Fn(C, C) -> C,
    product: impl Fn(A, B) -> C,
    first: C,
    a: impl Tensor<A, N>,
    b: impl Tensor<B, M>,
    out: impl Tensor<C, { N + M - 2 }>,
) {
    assert_eq!(a.extent(N - 1), b.extent(0));
    #[unroll]
    for axis in 0..N - 1 {
        assert_eq!(out.extent(axis), a.extent(axis));
    }
    #[unroll]
    for axis in 1..M {
        assert_eq!(out.extent(N + axis - 2), b.extent(axis));
    }
    if M == 1 {
        for p in out.indices() {
            let mut total = first;
            for k in 0..b.extent(0) {
                total = sum(total, product(a[p.join([k])], b[[k]]));
            }
            out[p] = total;
        }
    } else {
        for p in out.indices() {
            out[p] = first;
        }
        if N == 2 && M == 2 {
            #[pure(sum, product)]
            #[tile([_, 128, 512])]
            #[tile([8, 32, _], peel)]
            #[reorder(k, i, j)]
            #[unroll(i)]
            #[lanes(32)]
            for [i, j] in out.indices() {
                for k in 0..a.extent(1) {
                    out[[i, j]] = sum(out[[i, j]], product(a[[i, k]], b[[k, j]]));
                }
            }
        } else {
            for p in a.indices() {
                let own = a[p];
                let row = b.psi([p[N - 1]]);
                let to = p.first(N - 1);
                for q in row.indices() {
                    out[to.join(q)] = sum(out[to.join(q)], product(own, row[q]));
                }
            }
        }
    }
}

/// `sum` of `product` of the elements of two lists, from `first`: the inner product of vectors.
#[kernel(crate = crate)]
pub fn dot<A, B, C>(
    sum: impl Fn(C, C) -> C,
    product: impl Fn(A, B) -> C,
    first: C,
    a: impl Tensor<A, 1>,
    b: impl Tensor<B, 1>,
) -> C {
    assert_eq!(a.extent(0), b.extent(0));
    let mut total = first;
    for p in a.indices() {
        total = sum(total, product(a[p], b[p]));
    }
    total
}

/// `op` of cells of `a` of rank `CELL_A` and cells of `b` of rank `CELL_B`, element by element.
///
/// The axes before those of a cell are its frame. A frame that is shorter than the other one stands for the last axes
/// of that, as a cell of the lower rank does for those of the other cell; the result has the axes of the longer frame,
/// and behind them those of the cell of the higher rank.
#[kernel(crate = crate)]
pub fn omega<
    A,
    B,
    C,
    const CELL_A: usize,
    const CELL_B: usize,
    const N: usize,
    const M: usize,
    const R: usize,
>(
    op: impl Fn(A, B) -> C,
    a: impl Tensor<A, N>,
    b: impl Tensor<B, M>,
    out: impl Tensor<C, R>,
) {
    let rank = CELL_A.max(CELL_B);
    for p in out.indices() {
        let (frame, cell) = (p.first(R - rank), p.last(rank));
        let own = frame.last(N - CELL_A).join(cell.last(CELL_A));
        let other = frame.last(M - CELL_B).join(cell.last(CELL_B));
        out[p] = op(a[own], b[other]);
    }
}

/// The tensor `t` at index `k` of a further axis of `out`: the item of a pack.
#[kernel(crate = crate)]
pub fn pack<T, const AXIS: usize, const N: usize>(
    k: usize,
    t: impl Tensor<T, N>,
    out: impl Tensor<T, { N + 1 }>,
) {
    let to = out.slice(AXIS, k);
    same_extents(t, to);
    for p in t.indices() {
        to[p] = t[p];
    }
}

/// The indices of a list in the order of its elements, the least first; equal ones keep their order.
#[kernel(crate = crate)]
pub fn grade_up<T>(keys: impl Tensor<T, 1>, out: impl Tensor<usize, 1>) {
    grade(|a, b| b < a, keys, out);
}

/// The indices of a list in the order of its elements, the greatest first; equal ones keep their order.
#[kernel(crate = crate)]
pub fn grade_down<T>(keys: impl Tensor<T, 1>, out: impl Tensor<usize, 1>) {
    grade(|a, b| a < b, keys, out);
}

/// Sorts the indices of a list by a stable merge sort. `is_behind` says whether the first of two elements comes after the
/// second.
#[kernel(crate = crate)]
pub fn grade<T>(is_behind: impl Fn(T, T) -> bool, keys: impl Tensor<T, 1>, out: impl Tensor<usize, 1>) {
    same_extents(keys, out);
    let n = keys.extent(0);
    for i in 0..n {
        out[[i]] = i;
    }
    let merged = Block::heap::<usize>([n]);
    let mut width = 1;
    while width < n {
        let mut start = 0;
        while start < n {
            let (middle, end) = ((start + width).min(n), (start + 2 * width).min(n));
            let (mut left, mut right) = (start, middle);
            for to in start..end {
                let takes_right =
                    left == middle || right < end && is_behind(keys[[out[[left]]]], keys[[out[[right]]]]);
                if takes_right {
                    merged[[to]] = out[[right]];
                    right += 1;
                } else {
                    merged[[to]] = out[[left]];
                    left += 1;
                }
            }
            start = end;
        }
        for i in 0..n {
            out[[i]] = merged[[i]];
        }
        width *= 2;
    }
}
