//! Motion search over the blocks of a level of the pyramid, each of 8x8 samples.

use alloc::vec;
use alloc::vec::Vec;

use shim::prelude::*;

use super::level::LevelView;
use crate::kernels::Vector;
use crate::kernels::metrics::sad_of;

/// Levels of a pyramid: a half, a quarter and an eighth of the resolution.
pub(super) const LEVELS: usize = 3;

/// Rounds of a diamond around the best vector at each level.
const ROUNDS: [usize; LEVELS] = [1, 3, 4];

/// Limit of motion followed from picture to picture, at the coarsest level: about the reach of a vector (A.3.1).
const FARTHEST: i16 = 255;

/// Samples up and down, at the coarsest level, within which all vectors are compared.
const RANGE: i16 = 6;

/// The SAD of a block that needs no further search: one per sample.
const ENOUGH: u32 = 64;

/// The motion of the blocks of a level, in its samples.
#[shim::located(view as FieldView)]
#[derive(Clone, Debug)]
pub(super) struct Field {
    /// Rows of blocks.
    high: usize,
    /// Columns of blocks.
    wide: usize,
    /// The vector of each block.
    #[shape(high, wide)]
    mv: Vec<Vector>,
}

impl Field {
    /// The motion of no block.
    pub(super) const NONE: Self = Self { high: 0, wide: 0, mv: Vec::new() };

    /// No motion, of the blocks of a level of this size. The last blocks of a row or a column may overlap those before.
    pub(super) fn new(size: [usize; 2]) -> Self {
        let [high, wide] = size.map(|side| side.div_ceil(8));
        Self { high, wide, mv: vec![[0; 2]; high * wide] }
    }
}

/// Copies a field of the same level.
#[shim::kernel]
pub(super) fn copy(#[located] from: &Field, #[located] to: &mut Field) {
    let (mv, copy) = (from.mv, to.mv);
    let [row, column] = iters();
    copy[[row, column]] = mv[[row, column]];
}

/// The vector of a macroblock at a level, in quarters of a sample of the picture.
#[shim::kernel]
pub(super) fn vector(#[located] field: &Field, level: usize, [row, column]: [usize; 2]) -> Vector {
    field.mv[[row >> level, column >> level]].map(|v: i16| v.saturating_mul(8 << level))
}

/// Searches the vector of each block from those of the neighbors, of the next coarser level, and of the picture before:
/// `field` has those on entry. At the coarsest level all vectors around none are compared in the nearest picture; in
/// one that is so much `farther`, the motion continues from that of the `nearest`.
#[shim::kernel(simd(v3))]
pub(super) fn search(
    #[located] cur: &LevelView<'_>,
    #[located] before: &LevelView<'_>,
    #[located] field: &mut Field,
    #[located] coarser: &FieldView<'_>,
    #[located] nearest: &FieldView<'_>,
    level: usize,
    farther: i16,
) {
    let (high, wide) = (cur.samples.extent(0), cur.samples.extent(1));
    let farthest = FARTHEST << (LEVELS - 1 - level);
    let mv = field.mv;
    if high < 8 || wide < 8 {
        let [row, column] = iters();
        mv[[row, column]] = [0; 2];
        return;
    }
    let beside = mv.boundary(Fill([0; 2]));
    let coarse = coarser.mv.refine([2, 2]).boundary(Clamp);
    for row in 0..mv.extent(0) {
        for column in 0..mv.extent(1) {
            let (top, left) = ((8 * row).min(high - 8), (8 * column).min(wide - 8));
            let own = cur.samples[[top..top + 8, left..left + 8]];
            let there = before.samples;
            let add = |v: Vector, more: Vector| {
                let limit = |v: i16| v.clamp(-farthest, farthest);
                [limit(v[0].saturating_add(more[0])), limit(v[1].saturating_add(more[1]))]
            };
            // The vector of the picture before; from a farther picture, the motion to the last one and on from there.
            let through = if farther > 0 { nearest.mv[[row, column]] } else { [0; 2] };
            let last = mv[[row, column]];
            let last = if farther > 0 { add(last, through) } else { last };
            let first = [[0; 2], beside[[row, column - 1]], beside[[row - 1, column]], last];
            let mut best = (u32::MAX, [0; 2]);
            compare(own, there, &mut best, &[], first);
            if level < LEVELS - 1 {
                // Of the coarse blocks that the block is in, and that are nearest to it across its nearer sides.
                let others = [
                    coarse[[row, column]],
                    coarse[[row, column + column % 2 * 2 - 1]],
                    coarse[[row + row % 2 * 2 - 1, column]],
                    coarse[[row + row % 2 * 2 - 1, column + column % 2 * 2 - 1]],
                ];
                let others = others.map(|mv| mv.map(|v| v.saturating_mul(2)));
                compare(own, there, &mut best, &first, others);
            } else if farther > 0 {
                let times = |n: i16| through.map(|v| v.saturating_mul(n).clamp(-farthest, farthest));
                let others = [times(farther + 1), times(farther), times(1), last];
                compare(own, there, &mut best, &first, others);
            } else if best.0 > 128 {
                compare_around(own, there, &mut best);
            }
            let mut known = best.1;
            for _ in 0..ROUNDS[level] {
                let (least, [x, y]) = best;
                if best.0 > ENOUGH {
                    let around = [[x - 1, y], [x + 1, y], [x, y - 1], [x, y + 1]];
                    compare(own, there, &mut best, &[known], around);
                }
                if best.0 == least {
                    break;
                }
                known = [x, y];
            }
            mv[[row, column]] = best.1;
        }
    }
}

/// The block that a vector points to from a block of 8x8, moved into the picture; a template.
#[shim::kernel]
pub(super) fn displaced(
    own: impl Tensor<u8, 2>,
    there: impl Tensor<u8, 2>,
    mv: [i16; 2],
) -> impl Tensor<u8, 2> {
    let y = (own.origin(0) + mv[1] as isize).clamp(0, there.extent(0) as isize - 8) as usize;
    let x = (own.origin(1) + mv[0] as isize).clamp(0, there.extent(1) as isize - 8) as usize;
    there[[y..y + 8, x..x + 8]]
}

/// Compares four vectors, but for those that are `known` already; a template.
#[shim::kernel]
fn compare(
    own: impl Tensor<u8, 2>,
    there: impl Tensor<u8, 2>,
    best: &mut (u32, Vector),
    known: &[Vector],
    mvs: [Vector; 4],
) {
    for i in 0..4 {
        let mv = mvs[i];
        if !known.contains(&mv) && !mvs[..i].contains(&mv) {
            let sad = sad_of(own, displaced(own, there, mv));
            if sad < best.0 {
                *best = (sad, mv);
            }
        }
    }
}

/// Compares all vectors around none, unless the picture is too narrow for a run of them; a template.
#[shim::kernel]
fn compare_around(own: impl Tensor<u8, 2>, there: impl Tensor<u8, 2>, best: &mut (u32, Vector)) {
    /// Vectors in a row, of which half point to the left.
    const RUN: usize = 16;
    let wide = there.extent(1);
    if wide < 7 + RUN {
        return;
    }
    let (top, left) = (own.origin(0), own.origin(1));
    let start = (left - RUN as isize / 2).clamp(0, (wide - 7 - RUN) as isize) as usize;
    let own = own.cast::<i16>();
    for y in -RANGE..=RANGE {
        let row = (top + y as isize).clamp(0, there.extent(0) as isize - 8) as usize;
        let run = there[[row..row + 8, start..start + 7 + RUN]].cast::<i16>();
        let sads = Block::stack::<u16>([RUN]);
        for i in 0..RUN {
            let mut sum = 0_u16;
            #[unroll]
            for [y, x] in own.indices() {
                sum += (own[[y, x]] - run[[y, x + i]]).unsigned_abs();
            }
            sads[[i]] = sum;
        }
        for i in 0..RUN {
            let sad = u32::from(sads[[i]]);
            if sad < best.0 {
                *best = (sad, [(start + i) as i16 - left as i16, y]);
            }
        }
    }
}
