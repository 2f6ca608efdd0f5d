//! From samples to what the entropy coder codes: blocks of one component in a row of MCUs.
//!
//! Thirty-two blocks that stand beside one another, a *tile*, are transformed together. Their coefficients lie lane by
//! lane, `[64, 32]`: what is computed for one block is computed for all of them by the same instructions, a transform
//! of rows needs no transposition before that of the columns, and the zigzag order is the order of the rows.

use shim::prelude::*;

use super::dct::{fdct_1d, fdct_1d_fast};
use super::quantize::{Divisors, Reciprocals, WideDivisors, quantize, quantize_fast, quantize_wide};
use super::tile::{Coefficients, LANES, Part, TEN_BITS};

/// Scratch memory of a tile between its samples and its coefficients: memory that no call has to clear, and of which no vector lies across
/// two cache lines.
#[repr(align(64))]
#[derive(Clone, Debug)]
pub struct Scratch {
    /// The samples, `[8, 32, 8]`.
    tile: [u8; 2048],
    /// The samples by lanes, in halves of rows, `[2, 256]`.
    halves: [u32; 512],
    /// The samples by lanes, in pairs, `[4, 256]`.
    pairs: [u16; 1024],
    /// The rows' spectra by lanes, `[8, 256]`: of row y the coefficients u, lane after lane.
    spectra: [i16; 2048],
    /// The same with more bits.
    wide: [i32; 2048],
    /// The coefficients by lanes, row by row, `[8, 256]`.
    natural: [i16; 2048],
}

impl Default for Scratch {
    fn default() -> Self {
        Self {
            tile: [0; 2048],
            halves: [0; 512],
            pairs: [0; 1024],
            spectra: [0; 2048],
            wide: [0; 2048],
            natural: [0; 2048],
        }
    }
}

/// The samples of a tile, `[8, 32, 8]`, lane by lane in pairs, a template: `pairs[[x / 2, 16 y + l]]`, `[4, 256]`, has
/// samples x and x + 1 of row y of block l, the first in its low byte.
///
/// The eight samples of a row of a block are one word, which is narrowed in two steps: no vector is shuffled for anything
/// else. `halves`, `[2, 256]`, is memory for the first.
#[shim::kernel]
fn by_lanes(tile: impl Tensor<u64, 3>, halves: impl Tensor<u32, 2>, pairs: impl Tensor<u16, 2>) {
    for i in 0..256 {
        let mut word = 0;
        #[unroll]
        for x in 0..8 {
            word |= tile[[i >> 5, i & 31, x]] << (8 * x);
        }
        halves[[0, i]] = word as u32;
        halves[[1, i]] = (word >> 32) as u32;
    }
    #[unroll]
    for half in 0..2 {
        for i in 0..256 {
            pairs[[2 * half, i]] = halves[[half, i]] as u16;
            pairs[[2 * half + 1, i]] = (halves[[half, i]] >> 16) as u16;
        }
    }
}

/// Which coefficients of a tile are coded, and which of its blocks are unusual; a template. Says whether
/// an AC coefficient has more than ten bits. Of four parts of sixteen coefficients, all but the first `wide_parts` are within
/// -127 and 127.
#[shim::kernel]
fn survey(
    zz: impl Tensor<i16, 2>,
    coded: impl Tensor<u64, 1>,
    unusual: impl Tensor<u64, 1>,
    wide_parts: usize,
) -> bool {
    use crate::kernels::tile::TEN_BITS;
    let nonzero = Block::stack::<u16>([4, 32]);
    for part in 0..4 {
        for l in 0..32 {
            let mut bits = 0_u16;
            #[unroll]
            for k in 0..16 {
                bits |= if zz[[16 * part + k, l]] != 0 { 1 << k } else { 0 };
            }
            nonzero[[part, l]] = bits;
        }
    }
    let least = Block::stack::<i16>([32]);
    let most = Block::stack::<i16>([32]);
    for part in 0..wide_parts.min(4) {
        // DC is none of them.
        let first = (16 * part).max(1);
        for l in 0..32 {
            let mut low = least[[l]].min(zz[[first, l]]);
            let mut high = most[[l]].max(zz[[first, l]]);
            #[unroll]
            for k in 1..16 {
                low = low.min(zz[[16 * part + k, l]]);
                high = high.max(zz[[16 * part + k, l]]);
            }
            least[[l]] = low;
            most[[l]] = high;
        }
    }
    let wide = Block::stack::<u16>([32]);
    let mut beyond = 0;
    for l in 0..32 {
        wide[[l]] = u16::from(least[[l]] < -127) | u16::from(most[[l]] > 127);
        beyond |= u16::from(least[[l]] < -TEN_BITS) | u16::from(most[[l]] > TEN_BITS);
    }
    let nonzero = nonzero.cast::<u64>();
    for l in 0..32 {
        let all = nonzero[[0, l]] | nonzero[[1, l]] << 16 | nonzero[[2, l]] << 32 | nonzero[[3, l]] << 48;
        let ac = all & !1;
        // A coefficient ends a short run if one of the sixteen places before it is DC's or coded.
        let mut near = (all | 1) << 1;
        near |= near << 1;
        near |= near << 2;
        near |= near << 4;
        near |= near << 8;
        unusual[[l]] = ac & !near | u64::from(wide[[l]]);
        coded[[l]] = ac | (!all >> 63);
    }
    beyond != 0
}

/// Surveys the coefficients of a tile that lie ready.
///
/// # Panics
///
/// When there is no memory for the tile.
#[shim::kernel(simd)]
pub(crate) fn survey_tile(tile: usize, out: &mut Coefficients) {
    let zz = Block::external(&out.zz, [out.tiles, 64, 32]);
    let coded = Block::external(&mut out.coded, [out.tiles, 32]);
    let unusual = Block::external(&mut out.unusual, [out.tiles, 32]);
    survey(zz.slice(0, tile), coded.slice(0, tile), unusual.slice(0, tile), 4);
}

/// Brings the coefficients of a tile from the order of rows, `[8, 256]`, to that of the zigzag sequence (A.3.6), and surveys them.
/// Of four parts of sixteen, all but the first `wide_parts` are within -127 and 127. With `limited`, AC coefficients are kept within ten
/// bits.
///
/// All transforms end by it: it is one function and no template, so that it is compiled once for each instruction set.
///
/// # Panics
///
/// When there is no memory for the tile.
#[shim::kernel(simd)]
pub(crate) fn sequence(
    natural: &[i16; 2048],
    tile: usize,
    wide_parts: usize,
    limited: bool,
    out: &mut Coefficients,
) {
    /// The place of each coefficient of the sequence among the rows (Figure A.6).
    #[rustfmt::skip]
    const PLACE: [usize; 64] = [
         0,  1,  8, 16,  9,  2,  3, 10,
        17, 24, 32, 25, 18, 11,  4,  5,
        12, 19, 26, 33, 40, 48, 41, 34,
        27, 20, 13,  6,  7, 14, 21, 28,
        35, 42, 49, 56, 57, 50, 43, 36,
        29, 22, 15, 23, 30, 37, 44, 51,
        58, 59, 52, 45, 38, 31, 39, 46,
        53, 60, 61, 54, 47, 55, 62, 63,
    ];
    let natural = Block::external(natural, [64, 32]);
    let zz = Block::external(&mut out.zz, [out.tiles, 64, 32]).slice(0, tile);
    let coded = Block::external(&mut out.coded, [out.tiles, 32]).slice(0, tile);
    let unusual = Block::external(&mut out.unusual, [out.tiles, 32]).slice(0, tile);
    for k in 0..64 {
        let place = PLACE[k] & 63;
        for l in 0..32 {
            zz[[k, l]] = natural[[place, l]];
        }
    }
    if survey(zz, coded, unusual, wide_parts) && limited {
        for k in 1..64 {
            for l in 0..32 {
                zz[[k, l]] = zz[[k, l]].clamp(-TEN_BITS, TEN_BITS);
            }
        }
    }
}

/// The samples of tile t of row v of blocks, `[8, 32, 8]`; a template. Blocks that reach beyond `plane`, `[rows, columns]`, repeat
/// its edges (A.2.4).
#[shim::kernel]
fn samples_of(plane: impl Tensor<u8, 2>, v: usize, t: usize, tile: impl Tensor<u8, 3>) {
    if 8 * (v + 1) <= plane.extent(0) && 256 * (t + 1) <= plane.extent(1) {
        for y in 0..8 {
            for x in 0..256 {
                tile[[y, x >> 3, x & 7]] = plane[[8 * v + y, 256 * t + x]];
            }
        }
    } else {
        // What is left of the plane, up to the end of its last block. Lanes past that are not coded: they keep what they held.
        let (rows, columns) = (plane.extent(0), plane.extent(1));
        let rest = (columns - 256 * t).min(256);
        for y in 0..8 {
            let row = (8 * v + y).min(rows - 1);
            for x in 0..rest {
                tile[[y, x >> 3, x & 7]] = plane[[row, 256 * t + x]];
            }
            for x in rest..rest.next_multiple_of(8) {
                tile[[y, x >> 3, x & 7]] = plane[[row, columns - 1]];
            }
        }
    }
}

/// Transforms (A.3.3), quantizes (A.3.4) and orders (A.3.6) the 8x8 blocks of `plane`, `[rows, columns]`, by the
/// accurate integer transform.
///
/// # Panics
///
/// When the plane does not have the memory or is empty, or the coefficients have none for their blocks.
#[shim::kernel(simd)]
pub fn transform(
    plane: &[u8],
    rows: usize,
    columns: usize,
    divisors: &Divisors,
    part: Part,
    scratch: &mut Scratch,
    out: &mut Coefficients,
) {
    /// Fractional bits of the constants.
    const BITS: u32 = 13;
    /// Fractional bits that the rows' results keep for the columns.
    const KEPT: u32 = 2;
    let (blocks_high, tiles) = (part.blocks_high, part.blocks_wide.div_ceil(LANES));
    let plane = Block::external(plane, [rows, columns]);
    let half = Block::external(&divisors.half, [8, 8]);
    let reciprocal = Block::external(&divisors.reciprocal, [8, 8]);
    let shift = Block::external(&divisors.shift, [8, 8]);
    let tile = Block::external(&mut scratch.tile, [8, 32, 8]);
    let halves = Block::external(&mut scratch.halves, [2, 256]);
    let pairs = Block::external(&mut scratch.pairs, [4, 256]);
    let spectra = Block::external(&mut scratch.spectra, [8, 256]);
    for v in 0..blocks_high {
        for t in 0..tiles {
            let natural = Block::external(&mut scratch.natural, [8, 256]);
            samples_of(plane, v, part.left + t, tile);
            by_lanes(tile.cast::<u64>(), halves, pairs);
            for y in 0..8 {
                for l in 0..32 {
                    let i = 32 * y + l;
                    let s = Block::stack::<i32>([8]);
                    #[unroll]
                    for x in 0..8 {
                        s[[x]] = i32::from(pairs[[x >> 1, i]] >> (8 * (x & 1)) & 0xff) - 128;
                    }
                    fdct_1d(s, BITS - KEPT);
                    #[unroll]
                    for u in 0..8 {
                        spectra[[y, 32 * u + l]] = s[[u]] as i16;
                    }
                }
            }
            for u in 0..8 {
                for l in 0..32 {
                    let s = Block::stack::<i32>([8]);
                    #[unroll]
                    for y in 0..8 {
                        s[[y]] = i32::from(spectra[[y, 32 * u + l]]);
                    }
                    fdct_1d(s, BITS + KEPT);
                    quantize(s, half.slice(1, u), reciprocal.slice(1, u), shift.slice(1, u));
                    #[unroll]
                    for v in 0..8 {
                        natural[[v, 32 * u + l]] = s[[v]] as i16;
                    }
                }
            }
            let own = part.first + v * part.tiles + t;
            sequence(&scratch.natural, own, divisors.wide_parts, false, out);
        }
    }
}

/// As [`transform`], by the fast transform: 16 bits throughout, of which the last may be off.
///
/// # Panics
///
/// When the plane does not have the memory or is empty, or the coefficients have none for their blocks.
#[shim::kernel(simd)]
pub fn transform_fast(
    plane: &[u8],
    rows: usize,
    columns: usize,
    reciprocals: &Reciprocals,
    part: Part,
    scratch: &mut Scratch,
    out: &mut Coefficients,
) {
    let (blocks_high, tiles) = (part.blocks_high, part.blocks_wide.div_ceil(LANES));
    let plane = Block::external(plane, [rows, columns]);
    let factor = Block::external(&reciprocals.factor, [8, 8, 32]);
    let half = Block::external(&reciprocals.half, [8, 8, 32]);
    let scale = Block::external(&reciprocals.scale, [8, 8, 32]);
    let tile = Block::external(&mut scratch.tile, [8, 32, 8]);
    let halves = Block::external(&mut scratch.halves, [2, 256]);
    let pairs = Block::external(&mut scratch.pairs, [4, 256]);
    let spectra = Block::external(&mut scratch.spectra, [8, 256]);
    for v in 0..blocks_high {
        for t in 0..tiles {
            let natural = Block::external(&mut scratch.natural, [8, 256]);
            samples_of(plane, v, part.left + t, tile);
            by_lanes(tile.cast::<u64>(), halves, pairs);
            for y in 0..8 {
                for l in 0..32 {
                    let i = 32 * y + l;
                    let s = Block::stack::<i16>([8]);
                    #[unroll]
                    for x in 0..4 {
                        s[[2 * x]] = (pairs[[x, i]] << 1 & 0x1fe) as i16;
                        s[[2 * x + 1]] = (pairs[[x, i]] >> 7 & 0x1fe) as i16;
                    }
                    fdct_1d_fast(s);
                    // The level shift (A.3.1) of all eight samples.
                    s[[0]] = s[[0]].wrapping_sub(8 * 256);
                    #[unroll]
                    for u in 0..8 {
                        spectra[[y, 32 * u + l]] = s[[u]];
                    }
                }
            }
            for u in 0..8 {
                for l in 0..32 {
                    let s = Block::stack::<i16>([8]);
                    #[unroll]
                    for y in 0..8 {
                        s[[y]] = spectra[[y, 32 * u + l]];
                    }
                    fdct_1d_fast(s);
                    quantize_fast(
                        s,
                        factor.slice(1, u).slice(1, l),
                        half.slice(1, u).slice(1, l),
                        scale.slice(1, u).slice(1, l),
                    );
                    #[unroll]
                    for v in 0..8 {
                        natural[[v, 32 * u + l]] = s[[v]];
                    }
                }
            }
            let own = part.first + v * part.tiles + t;
            sequence(&scratch.natural, own, reciprocals.wide_parts, true, out);
        }
    }
}

/// As [`transform`], of samples of 12 bits.
///
/// # Panics
///
/// When the plane does not have the memory or is empty, or the coefficients have none for their blocks.
#[shim::kernel(simd)]
pub fn transform_wide(
    plane: &[u16],
    rows: usize,
    columns: usize,
    divisors: &WideDivisors,
    part: Part,
    scratch: &mut Scratch,
    out: &mut Coefficients,
) {
    /// Fractional bits of the constants.
    const BITS: u32 = 13;
    /// Fractional bits that the rows' results keep for the columns: more would not fit.
    const KEPT: u32 = 1;
    let (blocks_high, tiles) = (part.blocks_high, part.blocks_wide.div_ceil(LANES));
    let plane = Block::external(plane, [rows, columns]).boundary(Clamp).cast::<i32>();
    let divisor = Block::external(&divisors.divisor, [8, 8]);
    let spectra = Block::external(&mut scratch.wide, [8, 8, 32]);
    for v in 0..blocks_high {
        for t in 0..tiles {
            let natural = Block::external(&mut scratch.natural, [8, 256]);
            for y in 0..8 {
                for l in 0..32 {
                    let s = Block::stack::<i32>([8]);
                    #[unroll]
                    for x in 0..8 {
                        s[[x]] = plane[[8 * v + y, 256 * (part.left + t) + 8 * l + x]] - 2048;
                    }
                    fdct_1d(s, BITS - KEPT);
                    #[unroll]
                    for u in 0..8 {
                        spectra[[u, y, l]] = s[[u]];
                    }
                }
            }
            for u in 0..8 {
                for l in 0..32 {
                    let s = Block::stack::<i32>([8]);
                    #[unroll]
                    for y in 0..8 {
                        s[[y]] = spectra[[u, y, l]];
                    }
                    fdct_1d(s, BITS + KEPT);
                    quantize_wide(s, divisor.slice(1, u));
                    #[unroll]
                    for v in 0..8 {
                        natural[[v, 32 * u + l]] = s[[v]] as i16;
                    }
                }
            }
            let own = part.first + v * part.tiles + t;
            sequence(&scratch.natural, own, 4, false, out);
        }
    }
}
