//! The planes of a reference picture: its samples with a margin that repeats its edges, and those half way between them.

use core::ops::Range;

use shim::prelude::*;

/// Samples around the luma of a picture, on each side: a block of 16 that has left the picture, and the six taps.
pub const LUMA_MARGIN: usize = 32;

/// Samples around the chroma of a picture, on each side.
pub const CHROMA_MARGIN: usize = 16;

/// Samples in the luma planes of a picture of `[h, w]` luma samples, `[4, h + 64, w + 64]`: G, b, h and j of Figure 8-4.
pub const fn luma_len([h, w]: [usize; 2]) -> usize {
    4 * (h + 2 * LUMA_MARGIN) * (w + 2 * LUMA_MARGIN)
}

/// Samples in one chroma plane of a picture of `[h, w]` chroma samples, `[h + 32, w + 32]`.
pub const fn chroma_len([h, w]: [usize; 2]) -> usize {
    (h + 2 * CHROMA_MARGIN) * (w + 2 * CHROMA_MARGIN)
}

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

/// A chroma plane, `size`, with its margin.
///
/// # Panics
///
/// When a plane does not have the memory, or there are no samples.
#[shim::kernel(simd)]
pub fn extend_chroma(plane: &[u8], size: [usize; 2], out: &mut [u8]) {
    let [h, w] = size;
    let out = Block::external(out, [h + 2 * CHROMA_MARGIN, w + 2 * CHROMA_MARGIN]);
    with_margin::<16>(Block::external(plane, [h, w]), out);
}

/// A luma plane, `size`, with its margin: plane G.
///
/// # Panics
///
/// When a plane does not have the memory, or there are no samples.
#[shim::kernel(simd)]
pub fn extend_luma(plane: &[u8], size: [usize; 2], g: &mut [u8]) {
    let [h, w] = size;
    let g = Block::external(g, [h + 2 * LUMA_MARGIN, w + 2 * LUMA_MARGIN]);
    with_margin::<32>(Block::external(plane, [h, w]), g);
}

/// The rows of planes b, h and j that are ever computed: all but the outermost, whose taps lie outside.
pub const fn half_rows([h, _]: [usize; 2]) -> Range<usize> {
    2..h + 2 * LUMA_MARGIN - 3
}

/// The planes in the memory of all four: G, and the [`half_rows`] of b, h and j.
///
/// # Panics
///
/// When they do not have the memory.
pub fn luma_planes(planes: &mut [u8], [h, w]: [usize; 2]) -> (&mut [u8], [&mut [u8]; 3]) {
    let columns = w + 2 * LUMA_MARGIN;
    let (g, halves) = planes.split_at_mut((h + 2 * LUMA_MARGIN) * columns);
    let mut halves = halves.chunks_exact_mut(g.len());
    let Range { start, end } = half_rows([h, w]);
    let mut rows = || &mut halves.next().expect("there are three planes")[start * columns..end * columns];
    (g, [rows(), rows(), rows()])
}

/// The half-sample positions b, h and j (8-250 to 8-255) of the luma of a picture, `size`, from its plane G, but for the outermost
/// three columns of the margin. Of each of the three planes some rows are given, from `first` on, which are 32 at least, and among
/// [`half_rows`].
///
/// # Panics
///
/// When a plane does not have the memory, or there are fewer rows or others.
#[shim::kernel(simd)]
pub fn interpolate(g: &[u8], size: [usize; 2], first: usize, rows: [&mut [u8]; 3]) {
    /// Rows and columns that are computed together: few enough for b1 to stay near.
    const ROWS: usize = 32;
    const COLUMNS: usize = 64;
    let columns = size[1] + 2 * LUMA_MARGIN;
    let [b, h, j] = rows;
    let count = b.len() / columns;
    let g = Block::external(g, [size[0] + 2 * LUMA_MARGIN, columns]).cast::<i16>();
    let b = Block::external(b, [count, columns]).cast::<i16>();
    let h = Block::external(h, [count, columns]).cast::<i16>();
    let j = Block::external(j, [count, columns]).cast::<i16>();
    for strip in 0..count.div_ceil(ROWS) {
        // The last ones overlap those before.
        let r = (ROWS * strip).min(count - ROWS);
        for tile in 0..(columns - 5).div_ceil(COLUMNS) {
            let c = (COLUMNS * tile + 2).min(columns - 3 - COLUMNS);
            let g = g[[first + r..first + r + ROWS, c..c + COLUMNS]];
            let b = b[[r..r + ROWS, c..c + COLUMNS]];
            let h = h[[r..r + ROWS, c..c + COLUMNS]];
            let j = j[[r..r + ROWS, c..c + COLUMNS]];
            // From two rows above the tile to three below.
            let b1 = Block::stack::<i16>([37, 64]);
            for y in 0..37 {
                for x in 0..64 {
                    b1[[y, x]] = (g[[y - 2, x - 2]] + g[[y - 2, x + 3]])
                        - 5 * (g[[y - 2, x - 1]] + g[[y - 2, x + 2]])
                        + 20 * (g[[y - 2, x]] + g[[y - 2, x + 1]]);
                }
            }
            for y in 0..32 {
                for x in 0..64 {
                    b[[y, x]] = ((b1[[y + 2, x]] + 16) >> 5).clamp(0, 255);
                }
                for x in 0..64 {
                    let h1 = (g[[y - 2, x]] + g[[y + 3, x]]) - 5 * (g[[y - 1, x]] + g[[y + 2, x]])
                        + 20 * (g[[y, x]] + g[[y + 1, x]]);
                    h[[y, x]] = ((h1 + 16) >> 5).clamp(0, 255);
                }
                for x in 0..64 {
                    // (cc - 5 dd + 20 h1 + 20 m1 - 5 ee + ff + 512) >> 10 in 16 bits: floors of floors are one
                    // floor, and a sum that is too large for them is clipped in any case.
                    let outer = b1[[y, x]] + b1[[y + 5, x]];
                    let middle = b1[[y + 1, x]] + b1[[y + 4, x]];
                    let inner = b1[[y + 2, x]] + b1[[y + 3, x]];
                    let sixteenth = (((outer - middle) >> 2).saturating_add(inner - middle) >> 2) + inner;
                    j[[y, x]] = ((sixteenth + 32) >> 6).clamp(0, 255);
                }
            }
        }
    }
}
