//! The filter of luma (8.7.1, 8.7.2), an edge of 16 samples at a time, each in a lane.
//!
//! Four samples on either side of an edge are `across[[i, l]]`, sample i across it in lane l; the edge is before i = 4.

use core::ops::Range;

use shim::prelude::*;

use super::edge::edge;
use super::{SliceFilter, Thresholds};
use crate::kernels::picture::Tables;

/// Filters an edge, a template.
#[shim::kernel]
fn filter_edge(across: impl Tensor<u8, 2>, bs: impl Tensor<u8, 1>, thresholds: Thresholds) {
    if bs.indices().map(|[k]| bs[[k]]).fold(0, |all, bs| all | bs) != 0 && thresholds.filter() {
        let tile = Block::stack::<u8>([8, 16]);
        let [i, l] = iters();
        tile[[i, l]] = across[[i, l]];
        edge::<false>(tile[[4.., ..]], bs, thresholds);
        across[[i, l]] = tile[[i, l]];
    }
}

/// Filters the edges of a macroblock in one direction, a template: `samples[[i, l]]` is sample i across the edges of
/// lane l, and `bs[[e, k]]` a strength of edge e. `before` are the thresholds of the edge to the macroblock before, if
/// that edge is filtered.
#[shim::kernel]
fn edges(samples: impl Tensor<u8, 2>, bs: impl Tensor<u8, 2>, before: Option<Thresholds>, inner: Thresholds) {
    if let Some(before) = before {
        filter_edge(samples[[-4..4, ..]], bs.slice(0, 0), before);
    }
    for e in 1..4 {
        filter_edge(samples[[4 * e - 4..4 * e + 4, ..]], bs.slice(0, e), inner);
    }
}

/// Filters the edges of a macroblock; a template.
#[shim::kernel]
fn filter_macroblock(
    plane: impl Tensor<u8, 2>,
    #[located] tables: &Tables,
    filters: &[SliceFilter],
    left: impl Tensor<u8, 2>,
    upper: impl Tensor<u8, 2>,
    row: usize,
    column: usize,
) {
    let (qp, slice) = (tables.qp, tables.slice);
    let mb = slice[[row..row + 1, column..column + 1]];
    let samples = plane.footprint(mb);
    let (left, upper) = (left.footprint(mb), upper.footprint(mb));
    let filter = filters[usize::from(slice[[row, column]])];
    let own = qp[[row, column]];
    let inner = Thresholds::new(own, filter);
    if left.indices().map(|[i, j]| left[[i, j]]).fold(0, |all, bs| all | bs) != 0 {
        let before = (column > 0).then(|| Thresholds::new((qp[[row, column - 1]] + own + 1) >> 1, filter));
        edges(samples.permute([1, 0]), left.permute([1, 0]), before, inner);
    }
    if upper.indices().map(|[i, j]| upper[[i, j]]).fold(0, |all, bs| all | bs) != 0 {
        let before = (row > 0).then(|| Thresholds::new((qp[[row - 1, column]] + own + 1) >> 1, filter));
        edges(samples, upper, before, inner);
    }
}

/// Filters rows of macroblocks of luma in place, one macroblock after the other (8.7). Each changes up to three samples of the ones at its left and
/// above it, of the latter after the one at the right of that has. With `threads`, the macroblocks are a wavefront on
/// the threads of rayon's current pool.
///
/// # Panics
///
/// When the plane or a table does not have the memory, and when there is no filter for a slice.
#[shim::kernel(simd)]
pub fn deblock_luma(
    #[shape(16 * tables.mbs_high, 16 * tables.mbs_wide)] plane: &mut [u8],
    #[located] tables: &Tables,
    filters: &[SliceFilter],
    rows: Range<usize>,
    threads: bool,
) {
    let (left, upper) = (tables.strengths[0], tables.strengths[1]);
    if threads {
        #[wavefront(2 * row + column)]
        #[parallel]
        #[tile([1, 8])]
        #[pure(Thresholds::new, then, filter)]
        for row in rows.start..rows.end {
            for column in 0..tables.mbs_wide {
                filter_macroblock(plane, tables, filters, left, upper, row, column);
            }
        }
    } else {
        for row in rows.start..rows.end {
            for column in 0..tables.mbs_wide {
                filter_macroblock(plane, tables, filters, left, upper, row, column);
            }
        }
    }
}
