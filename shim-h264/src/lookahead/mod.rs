//! What is known of a picture before it is coded, from its source and those before it at low resolution: what it costs
//! by Intra and by Inter prediction, for rate control and scene cuts, and its motion.
//!
//! Motion is searched hierarchically, from an eighth of the resolution down to a half, where a macroblock is a block of
//! 8x8. It finds motion that is too far from that of the neighbors for a search around them.

mod costs;
mod level;
mod search;

use alloc::vec::Vec;

use crate::kernels::Vector;
use crate::kernels::picture::Samples;
pub(crate) use costs::Costs;
use costs::costs;
use level::{Level, halve};
use search::{Field, LEVELS, copy, search, vector};

/// The luma of a picture at each level.
type Pyramid = [Level; LEVELS];

/// Its motion from another one, at each level.
type Motion = [Field; LEVELS];

/// Rows and columns at a level of pictures of so many macroblocks.
const fn size_of([high, wide]: [usize; 2], level: usize) -> [usize; 2] {
    [(8 * high) >> level, (8 * wide) >> level]
}

/// Looks at one picture after the other.
#[derive(Clone, Debug)]
pub(crate) struct Lookahead {
    mbs: [usize; 2],
    /// The level at which the search from farther pictures ends: 0 is half the resolution, 1 a quarter. That from the
    /// nearest one ends at 0.
    finest_farther: usize,
    /// The picture, and those before it, the last first.
    pictures: Vec<Pyramid>,
    /// The motion from each of those before it.
    fields: Vec<Motion>,
    /// How many of these are the motion of the picture.
    searched: usize,
}

impl Lookahead {
    /// Without pictures.
    pub(crate) const fn new(mbs: [usize; 2], finest_farther: usize) -> Self {
        Self { mbs, finest_farther, pictures: Vec::new(), fields: Vec::new(), searched: 0 }
    }

    /// Takes the next picture, and searches its motion from the last one; keeps at most so many pictures before it.
    pub(crate) fn look(&mut self, source: &Samples, references: usize) {
        let Self { mbs, pictures, fields, .. } = self;
        // The last one becomes the first of those before, and the memory of the oldest is taken.
        let before = pictures.len().min(references.max(1));
        if pictures.len() == before {
            pictures.push(core::array::from_fn(|level| Level::new(size_of(*mbs, level))));
        }
        if fields.len() < before.max(1) {
            fields.push(core::array::from_fn(|level| Field::new(size_of(*mbs, level))));
        }
        pictures.rotate_right(1);
        let Some((current, others)) = pictures.split_first_mut() else { return };
        for level in 0..LEVELS {
            let (finer, coarser) = current.split_at_mut(level);
            halve(finer.last().map_or(&source.luma, |finer| &finer.samples), &mut coarser[0]);
        }
        self.searched = before.min(1);
        let Some(last) = others.first() else { return };
        // A field becomes that of the next farther picture, which it was searched in: what came to the last picture
        // from there.
        fields.rotate_right(1);
        if let [nearest, last, ..] = &mut fields[..] {
            nearest.iter_mut().zip(last).for_each(|(nearest, last)| copy(last, nearest));
        }
        for level in (0..LEVELS).rev() {
            search_level(level, [current, last], &mut fields[..1]);
        }
    }

    /// The costs of the picture. Those of the first one are equal.
    pub(crate) fn costs(&self) -> Costs {
        let [current, before @ ..] = &self.pictures[..] else { return Costs::default() };
        let last = before.first().unwrap_or(current);
        let costs = costs(&current[0].view(), &last[0].view(), &self.fields[0][0].view());
        if before.is_empty() { Costs { inter: costs.intra, ..costs } } else { costs }
    }

    /// Searches the motion of the picture from others than the last one, so that it is known from so many.
    pub(crate) fn look_farther(&mut self, references: usize) {
        let Self { pictures, fields, .. } = self;
        let Some((current, before)) = pictures.split_first() else { return };
        for (n, reference) in before.iter().enumerate().take(references).skip(1) {
            for level in (self.finest_farther..LEVELS).rev() {
                search_level(level, [current, reference], &mut fields[..=n]);
            }
        }
        self.searched = references;
    }

    /// The vector of a macroblock from a picture, in quarters of a sample.
    pub(crate) fn vector(&self, reference: usize, macroblock: [usize; 2]) -> Vector {
        if reference >= self.searched {
            return [0; 2];
        }
        let finest = if reference == 0 { 0 } else { self.finest_farther };
        vector(&self.fields[reference][finest], finest, macroblock)
    }
}

/// Searches a level in a reference picture, whose field is the last one.
fn search_level(level: usize, [cur, reference]: [&Pyramid; 2], fields: &mut [Motion]) {
    let Some((field, nearer)) = fields.split_last_mut() else { return };
    let (finer, coarser) = field.split_at_mut(level + 1);
    let (own, none) = (&mut finer[level], Field::NONE);
    let coarser = coarser.first().unwrap_or(&none).view();
    let nearest = nearer.first().map_or(&none, |nearest| &nearest[level]).view();
    let [cur, reference] = [cur, reference].map(|pyramid| pyramid[level].view());
    search(&cur, &reference, own, &coarser, &nearest, level, nearer.len() as i16);
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
        for finest in [0, 1] {
            let mut lookahead = Lookahead::new(mbs, finest);
            lookahead.look(&picture(mbs, [0, 0]), 2);
            assert_eq!(lookahead.vector(0, [3, 3]), [0; 2], "there is no picture before");
            lookahead.look(&picture(mbs, [8, 40]), 2);
            lookahead.look(&picture(mbs, [-24, 16]), 2);
            lookahead.look_farther(2);
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
            let mut lookahead = Lookahead::new(mbs, 1);
            for n in 0..4 {
                lookahead.look(&picture(mbs, [n, 2 * n]), 2);
                lookahead.look_farther(n.min(2) as usize);
            }
            // An eighth of a macroblock's height has no block of 8x8, nor has a quarter.
            assert!(mbs[0] > 1 || lookahead.vector(1, [0, 0]) == [0; 2]);
        }
    }

    #[test]
    fn what_moved_costs_little_and_what_is_new_as_much_as_by_itself() {
        let mbs = [6, 8];
        let mut lookahead = Lookahead::new(mbs, 1);
        let mut costs = |samples: &Samples| {
            lookahead.look(samples, 1);
            lookahead.costs()
        };
        let first = costs(&picture(mbs, [0, 0]));
        assert!(first.intra == first.inter && first.intra > 0);
        assert_eq!(costs(&picture(mbs, [0, 0])), Costs { intra: first.intra, inter: 0 });
        let moved = costs(&picture(mbs, [4, -6]));
        assert!(moved.inter < moved.intra / 3 && !moved.new_scene(), "{moved:?}");
        let other = costs(&picture(mbs, [9000, 0]));
        assert!(other.inter > other.intra - other.intra / 8 && other.new_scene(), "{other:?}");
    }
}
