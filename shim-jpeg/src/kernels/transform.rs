//! From samples to what the entropy coder codes: blocks of one component in a row of MCUs.
//!
//! Thirty-two neighboring blocks of a row, a *tile*, are transformed together. Their coefficients lie lane by
//! lane, `[64, 32]`: what is computed for one block is computed for all of them by the same instructions, a transform
//! of rows needs no transposition before that of the columns, and the zigzag order is the order of the rows.

use shim::prelude::*;

pub(super) use super::dct::{BITS, fdct_1d};
use super::dct::{fdct_1d_fast, separable};
use super::element::Element;
use super::planes::Plane;
use super::quantize::{Divisors, Reciprocals, WideDivisors, quantize, quantize_fast, quantize_wide};
use super::tile::{Blocks, Coefficients, LANES, TEN_BITS, first_tile};
use super::zigzag::zigzag_sequence;

/// Scratch memory of a tile between its samples and its coefficients: memory that no call has to clear, and of which no
/// vector lies across two cache lines.
#[repr(align(64))]
#[derive(Clone, Debug)]
pub struct Scratch {
    samples: Samples,
    /// The rows' spectra by lanes, `[8, 8, 32]`.
    spectra: [i16; 2048],
    /// The coefficients by lanes, row by row, `[8, 8, 32]`.
    natural: [i16; 2048],
}

/// The samples of a tile.
#[derive(Clone, Debug)]
struct Samples {
    /// As they lie in the plane, `[8, 256]`.
    tile: [u8; 2048],
    /// By lanes, in halves of rows, `[2, 256]`.
    halves: [u32; 512],
    /// By lanes, in pairs, `[4, 256]`.
    pairs: [u16; 1024],
}

impl Default for Scratch {
    fn default() -> Self {
        let samples = Samples { tile: [0; 2048], halves: [0; 512], pairs: [0; 1024] };
        Self { samples, spectra: [0; 2048], natural: [0; 2048] }
    }
}

/// Scratch memory of a tile whose samples have more than 8 bits or whose coefficients are not rounded.
#[repr(align(64))]
#[derive(Clone, Debug)]
pub struct WideScratch {
    /// The samples less half their range, `[8, 32, 8]`.
    pub(crate) tile: [i32; 2048],
    /// The rows' spectra by lanes, `[8, 8, 32]`.
    pub(crate) spectra: [i32; 2048],
    /// The coefficients by lanes, row by row, `[8, 8, 32]`.
    pub(crate) natural: [i16; 2048],
    /// The same before they are rounded.
    pub(crate) quotients: [f32; 2048],
}

impl Default for WideScratch {
    fn default() -> Self {
        Self { tile: [0; 2048], spectra: [0; 2048], natural: [0; 2048], quotients: [0.0; 2048] }
    }
}

/// The samples of a tile, `[8, 256]`, lane by lane in pairs, a template: `pairs[[x / 2, 32 y + l]]`, `[4, 256]`, has
/// samples x and x + 1 of row y of block l, the first in its low byte.
///
/// The eight samples of a row of a block are one word, which is narrowed in two steps: no vector is shuffled for
/// anything else. `halves`, `[2, 256]`, is memory for the first.
#[shim::kernel]
fn transpose(tile: impl Tensor<u64, 2>, halves: impl Tensor<u32, 2>, pairs: impl Tensor<u16, 2>) {
    for y in 0..8 {
        #[lanes(8)]
        for l in 0..32 {
            let mut word = 0;
            #[unroll]
            for x in 0..8 {
                word |= tile[[y, 8 * l + x]] << (8 * x);
            }
            halves[[0, 32 * y + l]] = word as u32;
            halves[[1, 32 * y + l]] = (word >> 32) as u32;
        }
    }
    #[unroll]
    for half in 0..2 {
        for i in 0..256 {
            pairs[[2 * half, i]] = halves[[half, i]] as u16;
            pairs[[2 * half + 1, i]] = (halves[[half, i]] >> 16) as u16;
        }
    }
}

/// The masks `coded` of the blocks of a tile, whose coefficients are `[64, LANES]`; a template. Returns whether an AC
/// coefficient has more than ten bits. Of four parts of sixteen coefficients, all but the first `beyond_table` are
/// within -127 and 127.
#[shim::kernel]
fn scan_masks(zz: impl Tensor<i16, 2>, coded: impl Tensor<u64, 1>, beyond_table: usize) -> bool {
    let nonzero = Block::stack::<u16>([4, 32]);
    for part in 0..4 {
        for l in 0..32 {
            #[unroll]
            nonzero[[part, l]] = (0..16).mask::<u16>(|k| zz[[16 * part + k, l]] != 0);
        }
    }
    let least = Block::stack::<i16>([32]);
    let most = Block::stack::<i16>([32]);
    for part in 0..beyond_table.min(4) {
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
        coded[[l]] = ac | u64::from(ac & !near != 0) | u64::from(wide[[l]]);
    }
    beyond != 0
}

/// Computes the scan masks of a tile.
///
/// # Panics
///
/// When there is no memory for the tile.
#[shim::kernel(simd, checks = "hoisted")]
pub(crate) fn scan_masks_of(tile: usize, out: &mut Coefficients) {
    let zz = Block::external(&out.zz, [out.zz.len() / 2048, 64, 32])[[tile, .., ..]];
    let coded = Block::external(&mut out.coded, [out.coded.len() / 32, 32])[[tile, ..]];
    scan_masks(zz, coded, 4);
}

/// Brings the coefficients of a tile from the order of rows, `[8, 8, 32]`, to that of the zigzag sequence (A.3.6), and
/// computes their scan masks. Of four parts of sixteen, all but the first `beyond_table` are within -127 and 127. With
/// `limited`, AC coefficients are kept within ten bits.
///
/// All transforms end by it: it is one function and no template, so that it is compiled once for each instruction set.
///
/// # Panics
///
/// When there is no memory for the tile.
#[shim::kernel(simd(v3), checks = "hoisted")]
pub(crate) fn sequence(
    #[shape(8, 8, 32)] natural: &[i16; 2048],
    tile: usize,
    beyond_table: usize,
    limited: bool,
    zz: &mut [i16],
    coded: &mut [u64],
) {
    let zz = Block::external(zz, [zz.len() / 2048, 64, 32])[[tile, .., ..]];
    let coded = Block::external(coded, [coded.len() / 32, 32])[[tile, ..]];
    zigzag_sequence(natural, zz);
    if scan_masks(zz, coded, beyond_table) && limited {
        for k in 1..64 {
            for l in 0..32 {
                zz[[k, l]] = zz[[k, l]].clamp(-TEN_BITS, TEN_BITS);
            }
        }
    }
}

/// The samples of tile t of row v of blocks by lanes in pairs, `[4, 8, 32]`, see [`transpose`]; a template. Beyond the
/// plane its edges are repeated (A.2.4). Lanes past the last block are not coded: they keep what they held.
#[shim::kernel]
fn pairs_of(plane: impl Tensor<u8, 2>, v: usize, t: usize, scratch: &mut Samples) -> impl Tensor<u16, 3> {
    let halves = Block::external(&mut scratch.halves, [2, 256]);
    let pairs = Block::external(&mut scratch.pairs, [4, 256]);
    if 8 * (v + 1) <= plane.extent(0) && 256 * (t + 1) <= plane.extent(1) {
        transpose(plane[[8 * v..8 * v + 8, 256 * t..256 * t + 256]].cast::<u64>(), halves, pairs);
    } else {
        let tile = Block::external(&mut scratch.tile, [8, 256]);
        let edged = plane.boundary(Clamp);
        let columns = (plane.extent(1) - 256 * t).min(256).next_multiple_of(8);
        for y in 0..8 {
            for x in 0..columns {
                tile[[y, x]] = edged[[8 * v + y, 256 * t + x]];
            }
        }
        transpose(tile.cast::<u64>(), halves, pairs);
    }
    Block::external(&mut scratch.pairs, [4, 8, 32])
}

/// The samples of tile `t` of row `v` of blocks less `level`, row by row. Beyond the plane its edges are repeated
/// (A.2.4). Lanes past the last block keep what they held.
///
/// # Panics
///
/// When the plane has no such tile.
#[shim::kernel(simd, checks = "hoisted")]
pub(crate) fn samples<T: Element>(
    #[located] plane: &Plane<T>,
    [v, t]: [usize; 2],
    level: i32,
    tile: &mut [i32; 2048],
) {
    let edged = plane.samples.boundary(Clamp);
    let tile = Block::external(tile, [8, 256]);
    let columns = (plane.columns - 256 * t).min(256).next_multiple_of(8);
    for y in 0..8 {
        for x in 0..columns {
            let sample: i32 = edged[[8 * v + y, 256 * t + x]].into();
            tile[[y, x]] = sample - level;
        }
    }
}

/// The level shift (A.3.1) and the accurate transform of a row of samples in pairs, a template.
#[shim::kernel]
fn accurate_row(pairs: impl Tensor<u16, 1>, kept: u32, s: impl Tensor<i32, 1>) {
    #[unroll]
    for x in 0..8 {
        s[[x]] = i32::from(pairs[[x >> 1]] >> (8 * (x & 1)) & 0xff) - 128;
    }
    fdct_1d(s, BITS - kept);
}

/// The accurate transform of a column and its quantization, a template.
#[shim::kernel]
fn accurate_column(
    s: impl Tensor<i32, 1>,
    kept: u32,
    divisors: impl Tensor<u32, 2>,
    out: impl Tensor<i32, 1>,
) {
    fdct_1d(s, BITS + kept);
    quantize(s, divisors, out);
}

/// Transforms (A.3.3), quantizes (A.3.4) and orders (A.3.6) 8x8 blocks of `plane` by the accurate integer transform.
///
/// # Panics
///
/// When the plane does not have the memory or is empty, or the coefficients have none for their blocks.
#[shim::kernel(simd(v2, v3, v4), checks = "hoisted")]
pub fn transform(
    #[located] plane: &Plane<u8>,
    divisors: &Divisors,
    blocks: Blocks,
    scratch: &mut Scratch,
    out: &mut Coefficients,
) {
    let terms = Block::external(divisors.terms.as_flattened(), [3, 8, 8, 32]).strided([64, 8, 1, 0]);
    for v in 0..blocks.high {
        let first = first_tile(out, [blocks.component, blocks.row + v]);
        for t in 0..blocks.wide.div_ceil(LANES) {
            let samples = pairs_of(plane.samples, v, blocks.left + t, &mut scratch.samples);
            let spectra = Block::external(&mut scratch.spectra, [8, 8, 32]).cast::<i32>();
            let natural = Block::external(&mut scratch.natural, [8, 8, 32]).cast::<i32>();
            separable::<i32, _, _, _>(accurate_row, accurate_column, samples, terms, 2, spectra, natural);
            sequence(&scratch.natural, first + t, divisors.beyond_table, false, &mut out.zz, &mut out.coded);
        }
    }
}

/// The fast transform of a row of samples in pairs and the level shift (A.3.1) of all eight, a template.
#[shim::kernel]
fn fast_row(pairs: impl Tensor<u16, 1>, _kept: u32, s: impl Tensor<i16, 1>) {
    #[unroll]
    for x in 0..4 {
        s[[2 * x]] = (pairs[[x]] << 1 & 0x1fe) as i16;
        s[[2 * x + 1]] = (pairs[[x]] >> 7 & 0x1fe) as i16;
    }
    fdct_1d_fast(s);
    s[[0]] = s[[0]].wrapping_sub(8 * 256);
}

/// The fast transform of a column and its quantization, a template.
#[shim::kernel]
fn fast_column(s: impl Tensor<i16, 1>, _kept: u32, divisors: impl Tensor<i16, 2>, out: impl Tensor<i16, 1>) {
    fdct_1d_fast(s);
    quantize_fast(s, divisors, out);
}

/// As [`transform`], by the fast transform: 16 bits throughout, of which the last may be off.
///
/// # Panics
///
/// When the plane does not have the memory or is empty, or the coefficients have none for their blocks.
#[shim::kernel(simd, checks = "hoisted")]
pub fn transform_fast(
    #[located] plane: &Plane<u8>,
    reciprocals: &Reciprocals,
    blocks: Blocks,
    scratch: &mut Scratch,
    out: &mut Coefficients,
) {
    let terms = Block::external(reciprocals.terms.as_flattened(), [3, 8, 8, 32]);
    for v in 0..blocks.high {
        let first = first_tile(out, [blocks.component, blocks.row + v]);
        for t in 0..blocks.wide.div_ceil(LANES) {
            let samples = pairs_of(plane.samples, v, blocks.left + t, &mut scratch.samples);
            let spectra = Block::external(&mut scratch.spectra, [8, 8, 32]);
            let natural = Block::external(&mut scratch.natural, [8, 8, 32]);
            separable::<i16, _, _, _>(fast_row, fast_column, samples, terms, 0, spectra, natural);
            sequence(
                &scratch.natural,
                first + t,
                reciprocals.beyond_table,
                true,
                &mut out.zz,
                &mut out.coded,
            );
        }
    }
}

/// The accurate transform of a row of samples, a template.
#[shim::kernel]
pub(crate) fn wide_row(samples: impl Tensor<i32, 1>, kept: u32, s: impl Tensor<i32, 1>) {
    #[unroll]
    for x in 0..8 {
        s[[x]] = samples[[x]];
    }
    fdct_1d(s, BITS - kept);
}

/// The accurate transform of a column of samples of more bits and its quantization, a template.
#[shim::kernel]
fn wide_column(s: impl Tensor<i32, 1>, kept: u32, divisors: impl Tensor<i32, 2>, out: impl Tensor<i32, 1>) {
    fdct_1d(s, BITS + kept);
    quantize_wide(s, divisors, out);
}

/// As [`transform`], of samples of 12 bits.
///
/// # Panics
///
/// When the plane does not have the memory or is empty, or the coefficients have none for their blocks.
#[shim::kernel(simd(v2, v3, v4), checks = "hoisted")]
pub fn transform_wide(
    plane: &Plane<u16>,
    divisors: &WideDivisors,
    blocks: Blocks,
    scratch: &mut WideScratch,
    out: &mut Coefficients,
) {
    let divisor = Block::external(&divisors.divisor, [1, 8, 8, 32]).strided([64, 8, 1, 0]);
    for v in 0..blocks.high {
        let first = first_tile(out, [blocks.component, blocks.row + v]);
        for t in 0..blocks.wide.div_ceil(LANES) {
            samples(plane, [v, blocks.left + t], 2048, &mut scratch.tile);
            let samples = Block::external(&scratch.tile, [8, 32, 8]).permute([2, 0, 1]);
            let spectra = Block::external(&mut scratch.spectra, [8, 8, 32]);
            let natural = Block::external(&mut scratch.natural, [8, 8, 32]).cast::<i32>();
            separable::<i32, _, _, _>(wide_row, wide_column, samples, divisor, 1, spectra, natural);
            sequence(&scratch.natural, first + t, 4, false, &mut out.zz, &mut out.coded);
        }
    }
}
