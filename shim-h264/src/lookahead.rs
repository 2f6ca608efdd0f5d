//! Motion before a picture is coded: a hierarchical search over low-resolution luma, from an eighth of the density down to a half,
//! where a macroblock is a block of 8x8. It finds motion that is too far from what neighbors have for a search around that.

use alloc::vec;
use alloc::vec::Vec;

use shim::prelude::*;

use crate::kernels::Vector;
use crate::kernels::half::{Level, LevelView, halve, level_sads, level_sads_in_a_row};
use crate::kernels::picture::Samples;

/// Levels of a pyramid: a half, a quarter and an eighth of the density.
const LEVELS: usize = 3;

/// Samples up and down, at an eighth of the density, within which all vectors are looked at.
const RANGE: i16 = 6;
/// Limit of motion followed from picture to picture, at an eighth of the density: about the reach of a vector (A.3.1).
const FARTHEST: i16 = 255;
/// Places in a row that are looked at there, of which half are at the left: those that [`level_sads_in_a_row`] compares.
const RUN: usize = 16;

/// Rounds of a diamond around the best vector at each level.
const ROUNDS: [usize; LEVELS] = [1, 3, 4];

/// A vector for each block of each level, in its samples.
type Field = [Vec<Vector>; LEVELS];

/// The luma of a picture at each level.
type Pyramid = [Level; LEVELS];

/// Rows and columns at a level of pictures of so many macroblocks.
const fn size_of([high, wide]: [usize; 2], level: usize) -> [usize; 2] {
    [(8 * high) >> level, (8 * wide) >> level]
}

/// Rows and columns of blocks at a level, the last of which may overlap the ones before.
const fn blocks_of(mbs: [usize; 2], level: usize) -> [usize; 2] {
    let [high, wide] = size_of(mbs, level);
    [high.div_ceil(8), wide.div_ceil(8)]
}

/// Motion fields of a picture, from those that it may be predicted from.
#[derive(Clone, Debug)]
pub(crate) struct Lookahead {
    mbs: [usize; 2],
    /// The level at which the search from the nearest picture ends, and from farther ones: 0 is a half of the density, 1 a quarter.
    finest: [usize; 2],
    /// The picture, and those before it, the last first, as they were given.
    pictures: Vec<Pyramid>,
    /// Number of the latter.
    held: usize,
    /// The motion from each of these.
    fields: Vec<Field>,
}

impl Lookahead {
    /// Without pictures.
    pub(crate) const fn new(mbs: [usize; 2], finest: [usize; 2]) -> Self {
        Self { mbs, finest, pictures: Vec::new(), held: 0, fields: Vec::new() }
    }

    /// Takes the next picture, to be predicted from so many before it, and searches.
    pub(crate) fn look(&mut self, source: &Samples, references: usize) {
        let Self { mbs, finest, pictures, fields, held } = self;
        let (mbs, finest) = (*mbs, *finest);
        // The last one becomes the first of those before, and the memory of the oldest is taken.
        if pictures.len() <= references {
            pictures.push(core::array::from_fn(|level| Level::new(size_of(mbs, level))));
        }
        pictures[..=references].rotate_right(1);
        let Some((current, before)) = pictures.split_first_mut() else { return };
        for level in 0..LEVELS {
            let (finer, coarser) = current.split_at_mut(level);
            halve(finer.last().map_or(&source.luma, |finer| &finer.samples), &mut coarser[0]);
        }
        *held = references;
        while fields.len() < references {
            fields.push(core::array::from_fn(|level| vec![[0; 2]; blocks_of(mbs, level).iter().product()]));
        }
        // A field becomes that of the next farther picture, which it was searched in: what came to the last picture from there.
        fields[..references].rotate_right(references.min(1));
        if let [nearest, last, ..] = &mut fields[..references] {
            for (nearest, last) in nearest.iter_mut().zip(last) {
                nearest.copy_from_slice(last);
            }
        }
        for (n, reference) in before[..references].iter().enumerate() {
            let (nearer, field) = fields.split_at_mut(n);
            for level in (finest[n.min(1)]..LEVELS).rev() {
                search(mbs, level, [current[level].view(), reference[level].view()], nearer, &mut field[0]);
            }
        }
    }

    /// The vector of a macroblock from a picture, in quarters of a sample.
    pub(crate) fn vector(&self, reference: usize, [row, column]: [usize; 2]) -> Vector {
        if reference >= self.held {
            return [0; 2];
        }
        let finest = self.finest[reference.min(1)];
        let [high, wide] = blocks_of(self.mbs, finest);
        let own = &self.fields[reference][finest];
        let fields = &Fields { high, wide, own, coarse_high: 0, coarse_wide: 0, coarse: &[] };
        let quarters = 1 << (3 + finest);
        vector(fields, [row >> finest, column >> finest]).map(|v| v.saturating_mul(quarters))
    }
}

/// The field of a level, in whose blocks the root space is measured, and that of the next coarser one.
#[shim::located]
struct Fields<'f> {
    high: usize,
    wide: usize,
    #[shape(high, wide)]
    own: &'f [Vector],
    coarse_high: usize,
    coarse_wide: usize,
    #[shape(coarse_high, coarse_wide)]
    #[coarsened(2, 2)]
    coarse: &'f [Vector],
}

/// The vector of a block.
#[shim::kernel]
fn vector(#[located] fields: &Fields<'_>, [row, column]: [usize; 2]) -> Vector {
    fields.own[[row, column]]
}

/// The vectors of the blocks at the left and above; none outside of the picture.
#[shim::kernel]
fn beside(#[located] fields: &Fields<'_>, [row, column]: [usize; 2]) -> [Vector; 2] {
    let own = fields.own.boundary(Fill([0; 2]));
    [own[[row, column - 1]], own[[row - 1, column]]]
}

/// The vectors of the coarse blocks that a block is in, and that are nearest to it: those of its neighbors across the nearer sides.
#[shim::kernel]
fn from_coarser(#[located] fields: &Fields<'_>, [row, column]: [usize; 2]) -> [Vector; 4] {
    let coarse = fields.coarse.refine([2, 2]).boundary(Clamp);
    [
        coarse[[row, column]],
        coarse[[row, column + column % 2 * 2 - 1]],
        coarse[[row + row % 2 * 2 - 1, column]],
        coarse[[row + row % 2 * 2 - 1, column + column % 2 * 2 - 1]],
    ]
}

/// Searches a vector for each block of a level, from those of the coarser one, if there is one, and of neighbors. At the coarsest level
/// all vectors near none are compared for the nearest picture; for a farther one, motion goes on as it does from the `nearer` ones.
fn search(
    mbs: [usize; 2],
    level: usize,
    [cur, reference]: [LevelView<'_>; 2],
    nearer: &[Field],
    field: &mut Field,
) {
    let (size, [high, wide]) = (size_of(mbs, level), blocks_of(mbs, level));
    let (finer, coarser) = field.split_at_mut(level + 1);
    let own = &mut finer[level];
    let coarse = coarser.first().map_or(&[][..], |coarse| coarse);
    let [coarse_high, coarse_wide] = blocks_of(mbs, level + 1);
    if size[0] < 8 || size[1] < 8 {
        own.fill([0; 2]);
        return;
    }
    let most = size.map(|side| side - 8);
    for row in 0..high {
        for column in 0..wide {
            let at = [(8 * row).min(most[0]), (8 * column).min(most[1])];
            let block = Place::new(at.map(|n| n as isize), [8, 8]);
            // Blocks stay in the picture.
            let place = |[x, y]: Vector| {
                let within = |at: usize, by: i16, most: usize| {
                    (at as isize + isize::from(by)).clamp(0, most as isize) as usize
                };
                [within(at[0], y, most[0]), within(at[1], x, most[1])]
            };
            let mut best = (u32::MAX, [0; 2]);
            // Those of `known` were looked at before.
            let look = |best: &mut (u32, Vector), known: &[Vector], mvs: [Vector; 4]| {
                let (mut new, mut places, mut count) = ([[0; 2]; 4], [[0; 2]; 4], 0);
                for mv in mvs {
                    if !known.contains(&mv) && !new[..count].contains(&mv) {
                        (new[count], places[count]) = (mv, place(mv));
                        count += 1;
                    }
                }
                if count == 0 {
                    return false;
                }
                let sads = level_sads(&cur, block, &reference, &places, count);
                let before = best.0;
                for (&mv, &sad) in new[..count].iter().zip(&sads) {
                    if sad < best.0 {
                        *best = (sad, mv);
                    }
                }
                best.0 < before
            };
            let number = row * wide + column;
            let fields = &Fields { high, wide, own, coarse_high, coarse_wide, coarse };
            let [left, above] = beside(fields, [row, column]);
            // That of the picture before; from a farther picture, what came to the last one, and on from there.
            let nearest = nearer.first().map(|field| field[level][number]);
            let last = nearest.map_or(own[number], |nearest| {
                let most = FARTHEST << (LEVELS - 1 - level);
                core::array::from_fn(|i| own[number][i].saturating_add(nearest[i]).clamp(-most, most))
            });
            let first = [[0; 2], left, above, last];
            look(&mut best, &[], first);
            if !coarse.is_empty() {
                let others = from_coarser(fields, [row, column]).map(|mv| mv.map(|v| v.saturating_mul(2)));
                look(&mut best, &first, others);
            } else if let Some(nearest) = nearest {
                let times = |n: i16| nearest.map(|v| v.saturating_mul(n).clamp(-FARTHEST, FARTHEST));
                let pictures = nearer.len() as i16;
                look(&mut best, &first, [times(pictures + 1), times(pictures), times(1), last]);
            } else if best.0 > 128 && most[1] >= RUN - 1 {
                let start = at[1].saturating_sub(RUN / 2).min(most[1] - (RUN - 1));
                let leftmost = start as i16 - at[1] as i16;
                for y in -RANGE..=RANGE {
                    let [row, _] = place([0, y]);
                    let window = Place::new([row as isize, start as isize], [8, 7 + RUN]);
                    let sads = level_sads_in_a_row(&cur, block, &reference, window);
                    for (x, sad) in (leftmost..).zip(sads.map(u32::from)) {
                        if sad < best.0 {
                            best = (sad, [x, y]);
                        }
                    }
                }
            }
            let mut before = best.1;
            for _ in 0..ROUNDS[level] {
                let [x, y] = best.1;
                let known = core::mem::replace(&mut before, best.1);
                if best.0 <= 64
                    || !look(&mut best, &[known], [[x - 1, y], [x + 1, y], [x, y - 1], [x, y + 1]])
                {
                    break;
                }
            }
            own[number] = best.1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A window of a texture, moved by so many samples down and to the right.
    fn picture(mbs: [usize; 2], [dy, dx]: [isize; 2]) -> Samples {
        let mut samples = Samples::new(mbs);
        let wide = samples.luma_size()[1];
        let noise = |y: isize, x: isize| {
            let mut n = (y as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15)
                ^ (x as u64).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            n = (n ^ n >> 29).wrapping_mul(0x94d0_49bb_1331_11eb);
            (n >> 56) as isize
        };
        for (i, sample) in samples.luma.iter_mut().enumerate() {
            let (y, x) = ((i / wide) as isize + dy, (i % wide) as isize + dx);
            // Something to see at every density.
            *sample = isize::midpoint(noise(y >> 4, x >> 4), noise(y >> 2, x >> 2)) as u8;
        }
        samples
    }

    #[test]
    fn motion_is_found_wherever_it_came_from() {
        let mbs = [12, 16];
        for finest in [[0, 0], [0, 1], [1, 1]] {
            let mut lookahead = Lookahead::new(mbs, finest);
            lookahead.look(&picture(mbs, [0, 0]), 0);
            assert_eq!(lookahead.vector(0, [3, 3]), [0; 2], "there is no picture before");
            lookahead.look(&picture(mbs, [8, 40]), 1);
            lookahead.look(&picture(mbs, [-24, 16]), 2);
            for at in [[5, 6], [7, 9], [6, 8]] {
                // 24 to the left and 32 up from the last, 16 to the right and 24 up from the one before.
                assert_eq!(lookahead.vector(0, at), [4 * -24, 4 * -32], "{at:?}");
                assert_eq!(lookahead.vector(1, at), [4 * 16, 4 * -24], "{at:?}");
            }
        }
    }

    #[test]
    fn small_pictures_have_no_coarse_levels() {
        for mbs in [[1, 1], [1, 9], [3, 2]] {
            let mut lookahead = Lookahead::new(mbs, [1, 1]);
            for n in 0..4 {
                lookahead.look(&picture(mbs, [n, 2 * n]), n.min(2) as usize);
            }
            assert_eq!(lookahead.vector(0, [0, 0]), [0; 2]);
        }
    }
}
