//! Luma prediction from a reconstructed plane as it is (8.4.2.2.1): samples outside of the picture are those at its edge
//! (8-241, 8-242), which is the boundary rule "clamp".

use shim::prelude::*;

use super::{Part, QUARTERS};

/// The samples around a block, `[21, 21]` of them at most: two rows and columns before it and three after it.
#[shim::kernel]
fn surroundings<const W: usize>(
    plane: impl Tensor<u8, 2>,
    r: isize,
    c: isize,
    ph: usize,
    s: impl Tensor<u8, 2>,
) {
    let plane = plane.boundary(Clamp);
    for y in 0..ph + 5 {
        for x in 0..W + 5 {
            s[[y, x]] = plane[[r - 2 + y as isize, c - 2 + x as isize]];
        }
    }
}

/// The samples of one kind, 0 to 3 for G, b, h and j, so many rows below and columns to the right of those of a block of `rows`
/// by W as `place` says; a template. G of the block is `s[[0, 0]]`.
#[shim::kernel]
fn samples<const W: usize>(s: impl Tensor<i16, 2>, place: [usize; 3], rows: usize, out: impl Tensor<i16, 2>) {
    let [kind, dy, dx] = place;
    let s = s[[dy..dy + 16, dx..dx + 16]];
    match kind {
        0 => {
            for y in 0..rows {
                for x in 0..W {
                    out[[y, x]] = s[[y, x]];
                }
            }
        }
        1 => {
            for y in 0..rows {
                for x in 0..W {
                    // (8-243, 8-247)
                    let b1 = s[[y, x - 2]] - 5 * s[[y, x - 1]] + 20 * s[[y, x]] + 20 * s[[y, x + 1]]
                        - 5 * s[[y, x + 2]]
                        + s[[y, x + 3]];
                    out[[y, x]] = ((b1 + 16) >> 5).clamp(0, 255);
                }
            }
        }
        2 => {
            for y in 0..rows {
                for x in 0..W {
                    // (8-244, 8-248)
                    let h1 = s[[y - 2, x]] - 5 * s[[y - 1, x]] + 20 * s[[y, x]] + 20 * s[[y + 1, x]]
                        - 5 * s[[y + 2, x]]
                        + s[[y + 3, x]];
                    out[[y, x]] = ((h1 + 16) >> 5).clamp(0, 255);
                }
            }
        }
        _ => {
            let b1 = Block::stack::<i16>([21, 16]);
            for y in 0..rows + 5 {
                for x in 0..W {
                    b1[[y, x]] = s[[y - 2, x - 2]] - 5 * s[[y - 2, x - 1]]
                        + 20 * s[[y - 2, x]]
                        + 20 * s[[y - 2, x + 1]]
                        - 5 * s[[y - 2, x + 2]]
                        + s[[y - 2, x + 3]];
                }
            }
            let b1 = b1.cast::<i32>();
            for y in 0..rows {
                for x in 0..W {
                    // (8-245, 8-249)
                    let j1 = b1[[y, x]] - 5 * b1[[y + 1, x]] + 20 * b1[[y + 2, x]] + 20 * b1[[y + 3, x]]
                        - 5 * b1[[y + 4, x]]
                        + b1[[y + 5, x]];
                    out[[y, x]] = ((j1 + 512) >> 10).clamp(0, 255) as i16;
                }
            }
        }
    }
}

/// A block of W columns; a template.
#[shim::kernel]
fn block<const W: usize>(
    plane: impl Tensor<u8, 2>,
    r: isize,
    c: isize,
    quarter: [[usize; 3]; 2],
    pred: impl Tensor<i16, 2>,
) {
    let ([first, second], ph) = (quarter, pred.extent(0));
    let around = Block::stack::<u8>([21, 21]);
    surroundings::<W>(plane, r, c, ph, around);
    let s = around[[2..18, 2..18]].cast::<i16>();
    let (a, b) = (Block::stack::<i16>([16, W]), Block::stack::<i16>([16, W]));
    samples::<W>(s, first, ph, a);
    if first == second {
        for y in 0..ph {
            for x in 0..W {
                pred[[y, x]] = a[[y, x]];
            }
        }
    } else {
        samples::<W>(s, second, ph, b);
        for y in 0..ph {
            for x in 0..W {
                // (8-256 to 8-263)
                pred[[y, x]] = (a[[y, x]] + b[[y, x]] + 1) >> 1;
            }
        }
    }
}

/// Predicts a part of the macroblock at `at` by the vector `mv`, horizontal and vertical in quarters of a sample, from the
/// reconstructed plane of a reference picture, `size`. It goes to its place in `pred`, `[16, 16]`.
///
/// # Panics
///
/// When the plane does not have the memory, or the part does not lie in the macroblock.
#[shim::kernel(simd)]
pub fn predict_luma_directly(
    plane: &[u8],
    size: [usize; 2],
    at: [usize; 2],
    mv: [i16; 2],
    part: Part,
    pred: &mut [u8; 256],
) {
    let ([h, w], [ph, pw], [py, px]) = (size, part.size, part.at);
    let quarter = QUARTERS[(mv[1] & 3) as usize][(mv[0] & 3) as usize];
    let r = (at[0] + py) as isize + (mv[1] >> 2) as isize;
    let c = (at[1] + px) as isize + (mv[0] >> 2) as isize;
    let plane = Block::external(plane, [h, w]);
    let pred = Block::external(pred, [16, 16]).cast::<i16>();
    match pw {
        16 => block::<16>(plane, r, c, quarter, pred[[py..py + ph, 0..16]]),
        8 => block::<8>(plane, r, c, quarter, pred[[py..py + ph, px..px + 8]]),
        _ => block::<4>(plane, r, c, quarter, pred[[py..py + ph, px..px + 4]]),
    }
}
