//! Motion before a picture is coded: a hierarchical search over low-resolution luma, from an eighth of the density down to a half,
//! where a macroblock is a block of 8x8. It finds motion that is too far from what neighbors have for a search around that.

pub(crate) mod level;
mod search;

use alloc::vec::Vec;

use crate::kernels::Vector;
use crate::kernels::picture::Samples;
use level::{Level, halve};
use search::{Field, Reach, copy, search, vector};

/// Levels of a pyramid: a half, a quarter and an eighth of the density.
const LEVELS: usize = 3;

/// Limit of motion followed from picture to picture, at an eighth of the density: about the reach of a vector (A.3.1).
const FARTHEST: i16 = 255;

/// Rounds of a diamond around the best vector at each level.
const ROUNDS: [usize; LEVELS] = [1, 3, 4];

/// The luma of a picture at each level.
type Pyramid = [Level; LEVELS];

/// Its motion from another one, at each level.
type Motion = [Field; LEVELS];

/// Rows and columns at a level of pictures of so many macroblocks.
const fn size_of([high, wide]: [usize; 2], level: usize) -> [usize; 2] {
    [(8 * high) >> level, (8 * wide) >> level]
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
    fields: Vec<Motion>,
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
            fields.push(core::array::from_fn(|level| Field::new(size_of(mbs, level))));
        }
        // A field becomes that of the next farther picture, which it was searched in: what came to the last picture from there.
        fields[..references].rotate_right(references.min(1));
        if let [nearest, last, ..] = &mut fields[..references] {
            for (nearest, last) in nearest.iter_mut().zip(last) {
                copy(last, nearest);
            }
        }
        for (n, reference) in before[..references].iter().enumerate() {
            for level in (finest[n.min(1)]..LEVELS).rev() {
                search_level(level, [current, reference], &mut fields[..=n]);
            }
        }
    }

    /// The vector of a macroblock from a picture, in quarters of a sample.
    pub(crate) fn vector(&self, reference: usize, [row, column]: [usize; 2]) -> Vector {
        if reference >= self.held {
            return [0; 2];
        }
        let finest = self.finest[reference.min(1)];
        let quarters = 1 << (3 + finest);
        vector(&self.fields[reference][finest], [row >> finest, column >> finest])
            .map(|v| v.saturating_mul(quarters))
    }
}

/// Searches a level in a reference picture, whose field is the last one.
fn search_level(level: usize, [cur, reference]: [&Pyramid; 2], fields: &mut [Motion]) {
    let Some((field, nearer)) = fields.split_last_mut() else { return };
    let (finer, coarser) = field.split_at_mut(level + 1);
    let (own, none) = (&mut finer[level], Field::NONE);
    let coarser = coarser.first().unwrap_or(&none).view();
    let nearest = nearer.first().map_or(&none, |nearest| &nearest[level]).view();
    let reach = Reach {
        coarsest: level + 1 == LEVELS,
        farther: nearer.len() as i16,
        rounds: ROUNDS[level],
        farthest: FARTHEST << (LEVELS - 1 - level),
    };
    search(&cur[level].view(), &reference[level].view(), own, &coarser, &nearest, reach);
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
