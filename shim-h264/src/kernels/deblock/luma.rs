//! The filter of luma (8.7.1, 8.7.2), an edge of 16 samples at a time, each in a lane.
//!
//! A macroblock is copied, with the four samples before it, to a tile `t[[4 + i, l]]`: sample i across the edges of lane l.
//! For vertical edges it is permuted first, so that the copy is a transposition.

use core::ops::Range;

use shim::prelude::*;

use super::{Macroblocks, Thresholds};

/// Filters an edge with a bS below 4 (8.7.2.3), a template: p0 is `t[[3, l]]`, q0 `t[[4, l]]`.
///
/// What changes is added under a mask. A choice between the new sample and the old would become a branch around a store.
#[shim::kernel]
fn normal(t: impl Tensor<i16, 2>, tc0: impl Tensor<i16, 1>, alpha: i16, beta: i16) {
    use crate::kernels::deblock::mask;
    for l in 0..16 {
        let [p0, p1, p2] = [t[[3, l]], t[[2, l]], t[[1, l]]];
        let [q0, q1, q2] = [t[[4, l]], t[[5, l]], t[[6, l]]];
        let tc0 = tc0[[l]];
        let filter_samples_flag = mask(
            (tc0 >= 0) & ((p0 - q0).abs() < alpha) & ((p1 - p0).abs() < beta) & ((q1 - q0).abs() < beta),
        );
        let (ap, aq) = (mask((p2 - p0).abs() < beta), mask((q2 - q0).abs() < beta));
        let tc = tc0 - ap - aq;
        let delta = ((((q0 - p0) << 2) + (p1 - q1) + 4) >> 3).max(-tc).min(tc) & filter_samples_flag;
        let middle = (p0 + q0 + 1) >> 1;
        let p = ((p2 + middle - (p1 << 1)) >> 1).max(-tc0).min(tc0);
        let q = ((q2 + middle - (q1 << 1)) >> 1).max(-tc0).min(tc0);
        t[[2, l]] = p1 + (p & filter_samples_flag & ap);
        t[[3, l]] = (p0 + delta).clamp(0, 255);
        t[[4, l]] = (q0 - delta).clamp(0, 255);
        t[[5, l]] = q1 + (q & filter_samples_flag & aq);
    }
}

/// Filters an edge with a bS of 4 (8.7.2.4), a template.
#[shim::kernel]
fn strong(t: impl Tensor<i16, 2>, alpha: i16, beta: i16) {
    use crate::kernels::deblock::mask;
    for l in 0..16 {
        let [p0, p1, p2, p3] = [t[[3, l]], t[[2, l]], t[[1, l]], t[[0, l]]];
        let [q0, q1, q2, q3] = [t[[4, l]], t[[5, l]], t[[6, l]], t[[7, l]]];
        let filter_samples_flag =
            mask(((p0 - q0).abs() < alpha) & ((p1 - p0).abs() < beta) & ((q1 - q0).abs() < beta));
        let near = filter_samples_flag & mask((p0 - q0).abs() < (alpha >> 2) + 2);
        let p = near & mask((p2 - p0).abs() < beta);
        let q = near & mask((q2 - q0).abs() < beta);
        let weak = ((2 * p1 + p0 + q1 + 2) >> 2) - p0;
        let full = ((p2 + 2 * p1 + 2 * p0 + 2 * q0 + q1 + 4) >> 3) - p0;
        t[[3, l]] = p0 + (full & p | weak & filter_samples_flag & !p);
        t[[2, l]] = p1 + (((p2 + p1 + p0 + q0 + 2) >> 2) - p1 & p);
        t[[1, l]] = p2 + (((2 * p3 + 3 * p2 + p1 + p0 + q0 + 4) >> 3) - p2 & p);
        let weak = ((2 * q1 + q0 + p1 + 2) >> 2) - q0;
        let full = ((p1 + 2 * p0 + 2 * q0 + 2 * q1 + q2 + 4) >> 3) - q0;
        t[[4, l]] = q0 + (full & q | weak & filter_samples_flag & !q);
        t[[5, l]] = q1 + (((p0 + q0 + q1 + q2 + 2) >> 2) - q1 & q);
        t[[6, l]] = q2 + (((2 * q3 + 3 * q2 + q1 + q0 + p0 + 4) >> 3) - q2 & q);
    }
}

/// Filters an edge of a macroblock, whose four strengths are `bs`; a template.
#[shim::kernel]
fn edge(t: impl Tensor<u8, 2>, bs: impl Tensor<u8, 1>, thresholds: Thresholds) {
    let [a, b, c, d] = [bs[[0]], bs[[1]], bs[[2]], bs[[3]]];
    if (a | b | c | d) != 0 && thresholds.filter() {
        let (alpha, beta) = (thresholds.alpha, thresholds.beta);
        let t = t.cast::<i16>();
        // Two macroblocks of which one is Intra coded: all four are 4, or none.
        if a == 4 {
            strong(t, alpha, beta);
        } else {
            let tc0 = Block::stack::<i16>([4, 4]);
            #[unroll]
            for [i, j] in tc0.indices() {
                tc0[[i, j]] = thresholds.tc0[usize::from(bs[[i]])];
            }
            normal(t, tc0.reshape([16]), alpha, beta);
        }
    }
}

/// Filters the three edges within a macroblock; a template.
#[shim::kernel]
fn inner_edges(t: impl Tensor<u8, 2>, bs: impl Tensor<u8, 2>, thresholds: Thresholds) {
    #[unroll]
    for e in 1..4 {
        edge(t[[4 * e..4 * e + 8, ..]], bs.slice(0, e), thresholds);
    }
}

/// Filters the edges of a macroblock in one direction, a template: `samples[[i, l]]` is sample i across the edges of lane l, and `bs[[e, k]]`
/// a strength of edge e. `before` are the thresholds of the edge to the macroblock before, if that edge is filtered.
#[shim::kernel]
fn edges(samples: impl Tensor<u8, 2>, bs: impl Tensor<u8, 2>, before: Option<Thresholds>, inner: Thresholds) {
    let t = Block::stack::<u8>([20, 16]);
    let [i, l] = iters();
    if let Some(before) = before {
        let samples = samples[[-4..16, ..]];
        t[[i, l]] = samples[[i, l]];
        edge(t[[0..8, ..]], bs.slice(0, 0), before);
        inner_edges(t, bs, inner);
        samples[[i, l]] = t[[i, l]];
    } else {
        let own = t[[4..20, ..]];
        own[[i, l]] = samples[[i, l]];
        inner_edges(t, bs, inner);
        samples[[i, l]] = own[[i, l]];
    }
}

/// Filters the luma of rows `mbs` of macroblocks, in place. Rows are filtered one after the other from the first on, and each
/// changes up to three rows of samples of the one above.
///
/// # Panics
///
/// When the plane or a table does not have the memory, and when there is no filter for a slice.
#[shim::kernel(simd)]
pub fn deblock_luma(
    #[shape(16 * picture.mbs_high, 16 * picture.mbs_wide)] plane: &mut [u8],
    #[located] picture: &Macroblocks<'_>,
    #[shape(4 * picture.mbs_high, 4 * picture.mbs_wide)]
    #[coarsened(4, 4)]
    left: &[u8],
    #[shape(4 * picture.mbs_high, 4 * picture.mbs_wide)]
    #[coarsened(4, 4)]
    upper: &[u8],
    mbs: Range<usize>,
) {
    let (qp, slice) = (picture.qp, picture.slice);
    for row in mbs {
        for column in 0..picture.mbs_wide {
            let mb = slice[[row..row + 1, column..column + 1]];
            let samples = plane.footprint(mb);
            let (left, upper) = (left.footprint(mb), upper.footprint(mb));
            let filter = picture.filters[usize::from(slice[[row, column]])];
            let own = qp[[row, column]];
            let inner = Thresholds::new(own, filter);
            if left.indices().map(|[i, j]| left[[i, j]]).fold(0, |all, bs| all | bs) != 0 {
                let before =
                    (column > 0).then(|| Thresholds::new((qp[[row, column - 1]] + own + 1) >> 1, filter));
                edges(samples.permute([1, 0]), left.permute([1, 0]), before, inner);
            }
            if upper.indices().map(|[i, j]| upper[[i, j]]).fold(0, |all, bs| all | bs) != 0 {
                let before =
                    (row > 0).then(|| Thresholds::new((qp[[row - 1, column]] + own + 1) >> 1, filter));
                edges(samples, upper, before, inner);
            }
        }
    }
}
