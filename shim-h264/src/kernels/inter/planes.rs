//! The planes of a reference picture: its samples with a margin that repeats its edges, and those half way between
//! them.

use shim::prelude::*;

/// Samples around the luma of a picture, on each side: a block of 16 that has left the picture, and the six taps.
pub const LUMA_MARGIN: usize = 32;

/// Samples around the chroma of a picture, on each side.
pub const CHROMA_MARGIN: usize = 16;

/// Some rows of a plane with a margin of `MARGIN` samples that repeats its edges; a template. `out` has those from
/// `first` on, counted with the margin.
#[shim::kernel]
fn with_margin<const MARGIN: usize>(plane: impl Tensor<u8, 2>, first: usize, out: impl Tensor<u8, 2>) {
    let (h, w) = (plane.extent(0), plane.extent(1));
    for y in 0..out.extent(0) {
        let from = (first + y).clamp(MARGIN, MARGIN + h - 1) - MARGIN;
        let (left, right) = (plane[[from, 0]], plane[[from, w - 1]]);
        for x in 0..MARGIN {
            out[[y, x]] = left;
        }
        let (row, inside) = (plane.slice(0, from), out.slice(0, y)[[MARGIN..MARGIN + w]]);
        for x in 0..w {
            inside[[x]] = row[[x]];
        }
        let after = out.slice(0, y)[[MARGIN + w..2 * MARGIN + w]];
        for x in 0..MARGIN {
            after[[x]] = right;
        }
    }
}

/// Some rows of a chroma plane with its margin.
///
/// # Panics
///
/// When a plane does not have the memory, or there are no samples.
#[shim::kernel(simd)]
pub fn extend_chroma(
    #[shape(h, w)] plane: &[u8],
    h: usize,
    w: usize,
    first: usize,
    count: usize,
    #[shape(count, w + 2 * CHROMA_MARGIN)] out: &mut [u8],
) {
    with_margin::<16>(plane, first, out);
}

/// Some rows of a luma plane with its margin: plane G.
///
/// # Panics
///
/// When a plane does not have the memory, or there are no samples.
#[shim::kernel(simd)]
pub fn extend_luma(
    #[shape(h, w)] plane: &[u8],
    h: usize,
    w: usize,
    first: usize,
    count: usize,
    #[shape(count, w + 2 * LUMA_MARGIN)] out: &mut [u8],
) {
    with_margin::<32>(plane, first, out);
}

/// Rows and columns of the planes at the edge of the margin that have no half-sample positions, for their taps are
/// outside: before the first that has, and behind the last.
pub const WITHOUT_TAPS: [usize; 2] = [2, 3];

/// Some rows of the half-sample positions b, h and j (8-250 to 8-255) of a picture, those from `first` on, from the rows
/// of its plane G that are there of `height`. Those [`WITHOUT_TAPS`] are left as they are.
///
/// # Panics
///
/// When G does not have the taps of these rows.
#[shim::kernel(simd, checks = "hoisted")]
pub fn interpolate(
    #[shape(rows, columns)] g: &[u8],
    rows: usize,
    columns: usize,
    height: usize,
    first: usize,
    count: usize,
    #[shape(count, columns)]
    #[at(first, 0)]
    b: &mut [u8],
    #[shape(count, columns)]
    #[at(first, 0)]
    h: &mut [u8],
    #[shape(count, columns)]
    #[at(first, 0)]
    j: &mut [u8],
) {
    let top = first.max(2) - first;
    let bottom = (first + count).min(height - 3).max(first + top) - first;
    let b = b[[top..bottom, 2..columns - 3]];
    let (h, j) = (h.footprint(b).cast::<i16>(), j.footprint(b).cast::<i16>());
    let (g, b) = (g.footprint(b).cast::<i16>(), b.cast::<i16>());
    #[compute_at('tile)]
    let b1 = stage::<i16>(|[y, x]| {
        (g[[y, x - 2]] + g[[y, x + 3]]) - 5 * (g[[y, x - 1]] + g[[y, x + 2]])
            + 20 * (g[[y, x]] + g[[y, x + 1]])
    });
    // Few enough for b1 to stay in the cache.
    #[tile([32, 64], 'tile, shift)]
    #[distribute]
    for [y, x] in b.indices() {
        b[[y, x]] = ((b1[[y, x]] + 16) >> 5).clamp(0, 255);
        let h1 = (g[[y - 2, x]] + g[[y + 3, x]]) - 5 * (g[[y - 1, x]] + g[[y + 2, x]])
            + 20 * (g[[y, x]] + g[[y + 1, x]]);
        h[[y, x]] = ((h1 + 16) >> 5).clamp(0, 255);
        // (cc - 5 dd + 20 h1 + 20 m1 - 5 ee + ff + 512) >> 10 in 16 bits: floors of floors are one floor, and a sum
        // that is too large for them is clipped in any case.
        let outer = b1[[y - 2, x]] + b1[[y + 3, x]];
        let middle = b1[[y - 1, x]] + b1[[y + 2, x]];
        let inner = b1[[y, x]] + b1[[y + 1, x]];
        let sixteenth = (((outer - middle) >> 2).saturating_add(inner - middle) >> 2) + inner;
        j[[y, x]] = ((sixteenth + 32) >> 6).clamp(0, 255);
    }
}
