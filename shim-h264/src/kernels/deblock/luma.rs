//! The filter of luma (8.7.1, 8.7.2), an edge of 16 samples at a time, each in a lane.
//!
//! A macroblock is copied, with the four samples before it, to a tile `t[[4 + i, l]]`: sample i across the edges of
//! lane l. For vertical edges it is permuted first, so that the copy is a transposition.

use shim::prelude::*;

use super::edge::edge;
use super::{SliceFilter, Thresholds};
use crate::kernels::picture::Tables;

/// Filters the three edges within a macroblock, whose samples `t` begins with; a template.
#[shim::kernel]
fn inner_edges(t: impl Tensor<u8, 2>, bs: impl Tensor<u8, 2>, thresholds: Thresholds) {
    #[unroll]
    for e in 1..4 {
        edge::<false>(t[[4 * e.., ..]], bs.slice(0, e), thresholds);
    }
}

/// Filters the edges of a macroblock in one direction, a template: `samples[[i, l]]` is sample i across the edges of
/// lane l, and `bs[[e, k]]` a strength of edge e. `before` are the thresholds of the edge to the macroblock before, if
/// that edge is filtered.
#[shim::kernel]
fn edges(samples: impl Tensor<u8, 2>, bs: impl Tensor<u8, 2>, before: Option<Thresholds>, inner: Thresholds) {
    let tile = Block::stack::<u8>([20, 16]);
    let t = tile[[4.., ..]];
    let [i, l] = iters();
    if let Some(before) = before {
        let samples = samples[[-4..16, ..]];
        tile[[i, l]] = samples[[i, l]];
        edge::<false>(t, bs.slice(0, 0), before);
        inner_edges(t, bs, inner);
        samples[[i, l]] = tile[[i, l]];
    } else {
        t[[i, l]] = samples[[i, l]];
        inner_edges(t, bs, inner);
        samples[[i, l]] = t[[i, l]];
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

/// Filters luma in place, macroblock by macroblock (8.7). Each changes up to three samples of the ones at its left and
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
    threads: bool,
) {
    let (left, upper) = (tables.strengths[0], tables.strengths[1]);
    if threads {
        #[wavefront(2 * row + column)]
        #[parallel]
        #[tile([1, 8])]
        #[pure(Thresholds::new, then, filter)]
        for row in 0..tables.mbs_high {
            for column in 0..tables.mbs_wide {
                filter_macroblock(plane, tables, filters, left, upper, row, column);
            }
        }
    } else {
        for row in 0..tables.mbs_high {
            for column in 0..tables.mbs_wide {
                filter_macroblock(plane, tables, filters, left, upper, row, column);
            }
        }
    }
}
