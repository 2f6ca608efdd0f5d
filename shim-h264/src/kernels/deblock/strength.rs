//! The strength of edges, bS (8.7.2.1).

use core::ops::Range;

use shim::prelude::*;

use super::SliceFilter;
use crate::kernels::Vector;
use crate::kernels::picture::Tables;

/// bS of an edge within an Inter coded macroblock, or between two, as far as both sides refer to one picture: 2 beside
/// levels that are not zero, 1 where the vectors differ by a whole sample or more.
#[inline]
fn inter(levels: u8, mv: Vector, other: Vector) -> u8 {
    let moved = (mv[0].abs_diff(other[0]) >= 4) | (mv[1].abs_diff(other[1]) >= 4);
    if levels != 0 { 2 } else { u8::from(moved) }
}

/// Derives bS of the left and upper edges of all 4x4 blocks; `filters` are by slice number.
///
/// # Panics
///
/// When a table is too short, and when there is no filter for a slice.
#[shim::kernel(simd)]
pub fn strengths(#[located] tables: &mut Tables, rows: Range<usize>, filters: &[SliceFilter]) {
    let (first, end) = (rows.start, rows.end);
    let (intra, slice) = (tables.intra[[first..end, ..]], tables.slice[[first..end, ..]]);
    let left = tables.strengths[0][[4 * first..4 * end, ..]];
    let upper = tables.strengths[1][[4 * first..4 * end, ..]];
    // Beside the picture its blocks are repeated; what comes of it is overwritten below.
    let levels = tables.luma_total[[4 * first..4 * end, ..]].boundary(Clamp);
    let mv = tables.mv[[4 * first..4 * end, ..]].boundary(Clamp);
    // Of a picture with nothing else, all that Inter prediction gives would be overwritten.
    if intra.indices().any(|[y, x]| !intra[[y, x]]) {
        for [y, x] in left.indices() {
            left[[y, x]] = inter(levels[[y, x]] | levels[[y, x - 1]], mv[[y, x]], mv[[y, x - 1]]);
        }
        for [y, x] in upper.indices() {
            upper[[y, x]] = inter(levels[[y, x]] | levels[[y - 1, x]], mv[[y, x]], mv[[y - 1, x]]);
        }
        // The picture is that of an 8x8 block.
        let reference = tables.reference[[2 * first..2 * end, ..]].boundary(Clamp);
        for [row, column] in reference.indices() {
            let block = reference[[row..row + 1, column..column + 1]];
            let (left, upper) = (left.footprint(block), upper.footprint(block));
            let own = reference[[row, column]];
            let (beside, above) = (own != reference[[row, column - 1]], own != reference[[row - 1, column]]);
            for k in 0..2 {
                left[[k, 0]] = left[[k, 0]].max(u8::from(beside));
                upper[[0, k]] = upper[[0, k]].max(u8::from(above));
            }
        }
    }
    for [row, column] in slice.indices() {
        let mb = slice[[row..row + 1, column..column + 1]];
        let (left, upper) = (left.footprint(mb), upper.footprint(mb));
        let (number, own) = (slice[[row, column]], intra[[row, column]]);
        let idc = filters[usize::from(number)].disable_deblocking_filter_idc;
        if own || idc == 1 {
            let inner = if idc == 1 { 0 } else { 3 };
            for [i, j] in left.indices() {
                left[[i, j]] = inner;
                upper[[i, j]] = inner;
            }
        }
        // filterLeftMbEdgeFlag and filterTopMbEdgeFlag (8.7): macroblocks beyond which an edge is filtered.
        let filtered = slice.within(|p| idc == 0 || idc != 1 && slice[p] == number);
        let (filter_left_mb_edge, filter_top_mb_edge) =
            (filtered.contains([row, column - 1]), filtered.contains([row - 1, column]));
        if !filter_left_mb_edge || own || intra[[row, column - 1]] {
            for i in 0..4 {
                left[[i, 0]] = if filter_left_mb_edge { 4 } else { 0 };
            }
        }
        if !filter_top_mb_edge || own || intra[[row - 1, column]] {
            for j in 0..4 {
                upper[[0, j]] = if filter_top_mb_edge { 4 } else { 0 };
            }
        }
    }
}
