//! The filter of chroma (8.7.1, 8.7.2), Cb and Cr together: an edge of eight samples of each, which are lanes 0 to 7
//! and 8 to 15 of a tile as in [luma](super::luma).
//!
//! Chroma has the strengths of the luma it stands beside, so that each is that of two samples, and the edges of 8x8
//! luma blocks alone are its own.

use core::ops::Range;

use shim::prelude::*;

use super::edge::edge;
use super::{SliceFilter, Thresholds};
use crate::kernels::picture::Tables;
use crate::kernels::quantize::chroma_qp;

/// Filters an edge, a template: two samples on either side of it are `cb[[i, l]]` and `cr[[i, l]]`.
#[shim::kernel]
fn filter_edge(
    cb: impl Tensor<u8, 2>,
    cr: impl Tensor<u8, 2>,
    bs: impl Tensor<u8, 1>,
    thresholds: Thresholds,
) {
    if bs.indices().map(|[k]| bs[[k]]).fold(0, |all, bs| all | bs) != 0 && thresholds.filter() {
        let tile = Block::stack::<u8>([4, 16]);
        let (u, v) = (tile[[.., 0..8]], tile[[.., 8..16]]);
        let [i, l] = iters();
        u[[i, l]] = cb[[i, l]];
        v[[i, l]] = cr[[i, l]];
        edge::<true>(tile[[2.., ..]], bs, thresholds);
        cb[[i, l]] = u[[i, l]];
        cr[[i, l]] = v[[i, l]];
    }
}

/// Filters the two edges of a macroblock in one direction, a template: axis 0 of both components goes across them, and
/// `bs[[e, k]]` is a strength of edge e of luma. `before` are the thresholds of the edge to the macroblock before, if
/// that edge is filtered.
#[shim::kernel]
fn edges(
    cb: impl Tensor<u8, 2>,
    cr: impl Tensor<u8, 2>,
    bs: impl Tensor<u8, 2>,
    before: Option<Thresholds>,
    inner: Thresholds,
) {
    if let Some(before) = before {
        filter_edge(cb[[-2..2, ..]], cr[[-2..2, ..]], bs.slice(0, 0), before);
    }
    filter_edge(cb[[2..6, ..]], cr[[2..6, ..]], bs.slice(0, 2), inner);
}

/// Filters the edges of a macroblock; a template.
#[shim::kernel]
fn filter_macroblock(
    cb: impl Tensor<u8, 2>,
    cr: impl Tensor<u8, 2>,
    #[located] tables: &Tables,
    filters: &[SliceFilter],
    chroma_qp_index_offset: i8,
    left: impl Tensor<u8, 2>,
    upper: impl Tensor<u8, 2>,
    row: usize,
    column: usize,
) {
    let (qp, slice) = (tables.qp, tables.slice);
    let mb = slice[[row..row + 1, column..column + 1]];
    let (cb, cr) = (cb.footprint(mb), cr.footprint(mb));
    let (left, upper) = (left.footprint(mb), upper.footprint(mb));
    let filter = filters[usize::from(slice[[row, column]])];
    let own = chroma_qp(qp[[row, column]], chroma_qp_index_offset);
    let inner = Thresholds::new(own, filter);
    let mut any = 0;
    for i in 0..4 {
        any |= left[[i, 0]] | left[[i, 2]];
    }
    if any != 0 {
        let before = (column > 0).then(|| {
            let qp = chroma_qp(qp[[row, column - 1]], chroma_qp_index_offset);
            Thresholds::new((qp + own + 1) >> 1, filter)
        });
        edges(cb.permute([1, 0]), cr.permute([1, 0]), left.permute([1, 0]), before, inner);
    }
    let mut any = 0;
    for j in 0..4 {
        any |= upper[[0, j]] | upper[[2, j]];
    }
    if any != 0 {
        let before = (row > 0).then(|| {
            let qp = chroma_qp(qp[[row - 1, column]], chroma_qp_index_offset);
            Thresholds::new((qp + own + 1) >> 1, filter)
        });
        edges(cb, cr, upper, before, inner);
    }
}

/// Filters rows of macroblocks of Cb and Cr in place, as [`deblock_luma`](super::luma::deblock_luma) does luma; each macroblock changes one
/// sample of its neighbors.
///
/// # Panics
///
/// When a plane or a table does not have the memory, and when there is no filter for a slice.
#[shim::kernel(simd)]
pub fn deblock_chroma(
    #[shape(8 * tables.mbs_high, 8 * tables.mbs_wide)]
    #[coarsened(2, 2)]
    cb: &mut [u8],
    #[shape(8 * tables.mbs_high, 8 * tables.mbs_wide)]
    #[coarsened(2, 2)]
    cr: &mut [u8],
    #[located] tables: &Tables,
    filters: &[SliceFilter],
    chroma_qp_index_offset: i8,
    rows: Range<usize>,
    threads: bool,
) {
    let (left, upper) = (tables.strengths[0], tables.strengths[1]);
    if threads {
        #[wavefront(2 * row + column)]
        #[parallel]
        #[tile([1, 8])]
        #[pure(Thresholds::new, chroma_qp, then, filter)]
        for row in rows.start..rows.end {
            for column in 0..tables.mbs_wide {
                filter_macroblock(cb, cr, tables, filters, chroma_qp_index_offset, left, upper, row, column);
            }
        }
    } else {
        for row in rows.start..rows.end {
            for column in 0..tables.mbs_wide {
                filter_macroblock(cb, cr, tables, filters, chroma_qp_index_offset, left, upper, row, column);
            }
        }
    }
}
