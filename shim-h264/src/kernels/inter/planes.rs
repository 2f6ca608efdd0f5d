//! The planes of a reference picture: its samples with a margin that repeats its edges, and those half way between them.

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

/// The luma planes of a picture, `size`: its samples with their margin, and the half-sample positions b, h and j (8-250 to
/// 8-255), but for the outermost three rows and columns of the margin.
///
/// # Panics
///
/// When a plane does not have the memory, or there are no samples.
#[shim::kernel(simd)]
pub fn interpolate(plane: &[u8], size: [usize; 2], planes: &mut [u8]) {
    /// Rows and columns that are computed together: few enough for b1 to stay near.
    const ROWS: usize = 32;
    const COLUMNS: usize = 64;
    let [h, w] = size;
    let (rows, columns) = (h + 2 * LUMA_MARGIN, w + 2 * LUMA_MARGIN);
    let (g, halves) = planes.split_at_mut(rows * columns);
    with_margin::<32>(Block::external(plane, [h, w]), Block::external(g, [rows, columns]));
    let g = Block::external(g, [rows, columns]).cast::<i16>();
    let halves = Block::external(halves, [3, rows, columns]);
    for strip in 0..(rows - 5).div_ceil(ROWS) {
        // The last ones overlap those before.
        let r = (ROWS * strip + 2).min(rows - 3 - ROWS);
        for tile in 0..(columns - 5).div_ceil(COLUMNS) {
            let c = (COLUMNS * tile + 2).min(columns - 3 - COLUMNS);
            let g = g[[r..r + ROWS, c..c + COLUMNS]];
            let part = halves[[.., r..r + ROWS, c..c + COLUMNS]].cast::<i16>();
            let (b, h, j) = (part.slice(0, 0), part.slice(0, 1), part.slice(0, 2));
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
