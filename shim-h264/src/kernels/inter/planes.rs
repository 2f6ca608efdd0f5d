//! The planes of a reference picture: its samples with a margin that repeats its edges, and those half way between
//! them.

use core::ops::Range;

use shim::prelude::*;

/// Samples around the luma of a picture, on each side: a block of 16 that has left the picture, and the six taps.
pub const LUMA_MARGIN: usize = 32;

/// Samples around the chroma of a picture, on each side.
pub const CHROMA_MARGIN: usize = 16;

/// A plane, `[h, w]`, with a margin of `MARGIN` samples that repeats its edges; a template.
#[shim::kernel]
fn with_margin<const MARGIN: usize>(plane: impl Tensor<u8, 2>, out: impl Tensor<u8, 2>) {
    let (h, w) = (plane.extent(0), plane.extent(1));
    for y in 0..h + 2 * MARGIN {
        let from = y.clamp(MARGIN, MARGIN + h - 1) - MARGIN;
        let (first, last) = (plane[[from, 0]], plane[[from, w - 1]]);
        for x in 0..MARGIN {
            out[[y, x]] = first;
        }
        let (row, inside) = (plane.slice(0, from), out.slice(0, y)[[MARGIN..MARGIN + w]]);
        for x in 0..w {
            inside[[x]] = row[[x]];
        }
        let after = out.slice(0, y)[[MARGIN + w..2 * MARGIN + w]];
        for x in 0..MARGIN {
            after[[x]] = last;
        }
    }
}

/// A chroma plane with its margin.
///
/// # Panics
///
/// When a plane does not have the memory, or there are no samples.
#[shim::kernel(simd)]
pub fn extend_chroma(
    #[shape(h, w)] plane: &[u8],
    h: usize,
    w: usize,
    #[shape(h + 2 * CHROMA_MARGIN, w + 2 * CHROMA_MARGIN)] out: &mut [u8],
) {
    with_margin::<16>(plane, out);
}

/// A luma plane with its margin: plane G.
///
/// # Panics
///
/// When a plane does not have the memory, or there are no samples.
#[shim::kernel(simd)]
pub fn extend_luma(
    #[shape(h, w)] plane: &[u8],
    h: usize,
    w: usize,
    #[shape(h + 2 * LUMA_MARGIN, w + 2 * LUMA_MARGIN)] g: &mut [u8],
) {
    with_margin::<32>(plane, g);
}

/// The planes b, h and j of a picture.
#[shim::located(rows(rows) as HalfRows)]
#[derive(Debug)]
pub struct HalfPlanes<'p> {
    /// Rows of each, with the margin.
    pub rows: usize,
    /// Columns, with the margin.
    pub columns: usize,
    /// Half-sample positions between two samples of a row.
    #[shape(rows, columns)]
    pub b: &'p mut [u8],
    /// Between two samples of a column.
    #[shape(rows, columns)]
    pub h: &'p mut [u8],
    /// Between four samples.
    #[shape(rows, columns)]
    pub j: &'p mut [u8],
}

impl HalfPlanes<'_> {
    /// The rows that are ever computed: all but the outermost, whose taps are outside.
    #[must_use]
    pub const fn computed(&self) -> Range<usize> {
        2..self.rows - 3
    }
}

/// Plane G and the others of a picture of `[h, w]` luma samples, in the memory of all four.
///
/// # Panics
///
/// When they do not have the memory.
pub fn luma_planes(planes: &mut [u8], [h, w]: [usize; 2]) -> (&mut [u8], HalfPlanes<'_>) {
    let [rows, columns] = [h + 2 * LUMA_MARGIN, w + 2 * LUMA_MARGIN];
    let (g, halves) = planes.split_at_mut(rows * columns);
    let mut halves = halves.chunks_exact_mut(g.len());
    let mut plane = || halves.next().expect("there are three planes");
    (g, HalfPlanes { rows, columns, b: plane(), h: plane(), j: plane() })
}

/// The half-sample positions b, h and j (8-250 to 8-255) of some rows of a picture, from its plane G, but for the
/// outermost three columns of the margin. All rows are among those that are [`computed`](HalfPlanes::computed).
///
/// # Panics
///
/// When G does not have the memory, or there are other rows.
#[shim::kernel(simd)]
pub fn interpolate(
    #[shape(rows, columns)] g: &[u8],
    rows: usize,
    columns: usize,
    #[located] halves: &mut HalfRows<'_>,
) {
    let b = halves.b[[.., 2..columns - 3]];
    let (h, j) = (halves.h.footprint(b).cast::<i16>(), halves.j.footprint(b).cast::<i16>());
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
