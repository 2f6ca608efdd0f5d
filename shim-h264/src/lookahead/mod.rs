//! Analysis of a picture before it is coded, from its source and those before it at low resolution: its cost by Intra
//! and by Inter prediction, for rate control and scene cuts, its motion, and the offsets of QP that follow from both in
//! later pictures.
//!
//! Motion is searched hierarchically, from an eighth of the resolution down to a half, where a macroblock is a block of
//! 8x8. It finds motion that is too far from that of the neighbors for a search around them.

mod aq;
mod costs;
mod level;
mod search;
mod tree;

use alloc::vec::Vec;

use crate::kernels::Vector;
use crate::kernels::picture::Samples;
use aq::activity;
pub(crate) use costs::{Costs, Later};
use costs::{MbCosts, costs};
use level::{Level, halve};
use search::{Field, LEVELS, copy, search, vector};
use tree::{MbNumbers, dead, number_of, offsets_of, propagate};

/// The luma of a picture at each level.
type Pyramid = [Level; LEVELS];

/// Its motion from another one, at each level.
type Motion = [Field; LEVELS];

/// Rows and columns at a level of pictures of so many macroblocks.
const fn size_of([high, wide]: [usize; 2], level: usize) -> [usize; 2] {
    [(8 * high) >> level, (8 * wide) >> level]
}

/// A picture that was looked at.
#[derive(Clone, Debug)]
struct Looked {
    pyramid: Pyramid,
    /// Its motion from the picture before it, which was searched down to a level.
    motion: Motion,
    finest: usize,
    costs: MbCosts,
    /// Offsets of QP by adaptive quantization.
    aq: MbNumbers,
}

impl Looked {
    fn new(mbs: [usize; 2]) -> Self {
        Self {
            pyramid: core::array::from_fn(|level| Level::new(size_of(mbs, level))),
            motion: core::array::from_fn(|level| Field::new(size_of(mbs, level))),
            finest: 0,
            costs: MbCosts::new(mbs),
            aq: MbNumbers::new(mbs),
        }
    }

    /// Takes the samples of a picture.
    fn take(&mut self, source: &Samples, aq: f32) {
        let mut finer = &source.luma;
        for level in &mut self.pyramid {
            halve(finer, level);
            finer = &level.samples;
        }
        if aq > 0.0 {
            activity(source, aq, &mut self.aq);
        } else {
            self.aq.clear();
        }
    }
}

/// Looks at one picture after the other, ahead of the one that is coded.
#[derive(Clone, Debug)]
pub(crate) struct Lookahead {
    mbs: [usize; 2],
    /// The levels at which the search from the nearest and from farther pictures ends: 0 is half the resolution, 1 a quarter.
    /// One that gives costs ends at 0.
    finest: [usize; 2],
    /// Maximum number of pictures to keep before the one that is coded.
    references: usize,
    /// The pictures, the last one first: those that wait to be coded, the one that is coded, and those before it.
    pictures: Vec<Looked>,
    /// Number of pictures that wait.
    waiting: usize,
    /// The motion of the picture that is coded from each reference beyond the nearest.
    farther: Vec<Motion>,
    /// Number of references from which the motion of the picture that is coded is known.
    searched: usize,
    /// The information that later pictures take from each macroblock, of two pictures.
    passed: [MbNumbers; 2],
    /// Offsets of QP in the picture that is coded.
    offsets: MbNumbers,
}

impl Lookahead {
    /// Without pictures, for a stream with so many reference pictures.
    pub(crate) fn new(mbs: [usize; 2], finest: [usize; 2], references: u8) -> Self {
        Self {
            mbs,
            finest,
            references: usize::from(references).max(1),
            pictures: Vec::new(),
            waiting: 0,
            farther: Vec::new(),
            searched: 0,
            passed: [MbNumbers::new(mbs), MbNumbers::new(mbs)],
            offsets: MbNumbers::new(mbs),
        }
    }

    /// Takes the next picture, and searches its motion from the last one; as far as its [costs](Self::costs) need if they are
    /// wanted. `aq` is the strength of adaptive quantization.
    pub(crate) fn look(&mut self, source: &Samples, aq: f32, wants_costs: bool) {
        let Self { mbs, pictures, finest, .. } = self;
        // The memory of a picture that is no longer a reference is taken.
        if pictures.len() <= self.waiting + self.references {
            pictures.push(Looked::new(*mbs));
        }
        self.waiting += 1;
        pictures.rotate_right(1);
        let Some((current, others)) = pictures.split_first_mut() else { return };
        current.take(source, aq);
        let Some(last) = others.first() else { return };
        current.motion.iter_mut().zip(&last.motion).for_each(|(motion, last)| copy(last, motion));
        current.finest = if wants_costs { 0 } else { finest[0] };
        search_levels(current.finest, [&current.pyramid, &last.pyramid], &mut current.motion, None, 0);
    }

    /// The costs of the picture that was looked at last. Those of the first one are equal. With `fine`, vectors between
    /// the samples are compared for the costs of macroblocks.
    pub(crate) fn costs(&mut self, fine: bool) -> Costs {
        let [current, before @ ..] = &mut self.pictures[..] else { return Costs::default() };
        let Looked { pyramid, motion, costs: mbs, .. } = current;
        let last = before.first().map_or(&*pyramid, |last| &last.pyramid);
        let costs = costs(&pyramid[0].view(), &last[0].view(), &motion[0].view(), mbs, fine);
        if before.is_empty() { Costs { inter: costs.intra, ..costs } } else { costs }
    }

    /// Proceeds to the first of the pictures that wait: it is the one that is coded.
    pub(crate) fn advance(&mut self) {
        let Self { mbs, references, pictures, farther, .. } = self;
        self.waiting -= 1;
        let before = &pictures[self.waiting + 1..];
        // A field becomes that of the next farther reference, where the motion of the last picture goes on.
        if farther.len() + 1 < before.len().min(*references) {
            farther.push(core::array::from_fn(|level| Field::new(size_of(*mbs, level))));
        }
        if let (false, Some(last)) = (farther.is_empty(), before.first()) {
            farther.rotate_right(1);
            farther[0].iter_mut().zip(&last.motion).for_each(|(field, last)| copy(last, field));
        }
        self.searched = before.len().min(1);
    }

    /// Searches the motion of the picture that is coded from other references than the nearest, so that it is known
    /// from so many.
    pub(crate) fn look_farther(&mut self, references: usize) {
        let Some((current, before)) = self.pictures.get(self.waiting..).and_then(<[_]>::split_first) else {
            return;
        };
        let others = (1..references as i16).zip(&mut self.farther).zip(before.iter().skip(1));
        for ((farther, field), reference) in others {
            let pyramids = [&current.pyramid, &reference.pyramid];
            search_levels(self.finest[1], pyramids, field, Some(&current.motion), farther);
        }
        self.searched = references;
    }

    /// Finds the offsets of QP in the picture that is coded: by adaptive quantization, and by `tree` for each doubling
    /// of what depends on a macroblock in the `later` pictures. Returns the ratio of the bits of an Intra picture with the
    /// offsets to those without.
    pub(crate) fn find_offsets(&mut self, tree: f32, later: &[Later], qp: u8) -> f64 {
        let Self { pictures, waiting, passed: [own, before], offsets, .. } = self;
        own.clear();
        if tree > 0.0 {
            for (picture, later) in pictures[*waiting - later.len()..*waiting].iter().zip(later.iter().rev())
            {
                before.clear();
                if !later.idr {
                    let Looked { costs, aq, .. } = picture;
                    propagate(&costs.view(), &aq.view(), &own.view(), before, dead(qp));
                }
                core::mem::swap(own, before);
            }
        }
        let Looked { costs, aq, .. } = &pictures[self.waiting];
        offsets_of(&costs.view(), &aq.view(), &own.view(), tree, offsets)
    }

    /// No macroblock of the picture that is coded has an offset.
    pub(crate) fn without_offsets(&mut self) {
        self.offsets.clear();
    }

    /// Gives a guide the results for the picture that is coded. Its offsets are swapped, and are found anew for the next one.
    pub(crate) fn guide(&mut self, guide: &mut Guide) {
        let nearest = self.pictures.get(self.waiting).map(|own| (&own.motion[own.finest], own.finest));
        let farther = self.farther.iter().map(|motion| (&motion[self.finest[1]], self.finest[1]));
        for (number, (motion, level)) in nearest.into_iter().chain(farther).take(self.searched).enumerate() {
            if guide.motion.get(number).is_none_or(|(_, own)| *own != level) {
                guide.motion.insert(number, (Field::new(size_of(self.mbs, level)), level));
            }
            copy(motion, &mut guide.motion[number].0);
        }
        guide.motion.truncate(self.searched);
        core::mem::swap(&mut self.offsets, &mut guide.offsets);
    }
}

/// The results of the look-ahead for a picture.
#[derive(Clone, Debug)]
pub(crate) struct Guide {
    /// Its motion from each reference that was searched, at a level.
    motion: Vec<(Field, usize)>,
    /// Offsets of QP.
    offsets: MbNumbers,
}

impl Guide {
    /// Knows nothing of a picture of so many macroblocks.
    pub(crate) fn new(mbs: [usize; 2]) -> Self {
        Self { motion: Vec::new(), offsets: MbNumbers::new(mbs) }
    }

    /// The offset of QP of a macroblock.
    pub(crate) fn qp_offset(&self, macroblock: [usize; 2]) -> f32 {
        number_of(&self.offsets.view(), macroblock)
    }

    /// The vector of a macroblock from a reference, in quarters of a sample.
    pub(crate) fn vector(&self, reference: usize, macroblock: [usize; 2]) -> Vector {
        self.motion.get(reference).map_or([0; 2], |(field, level)| vector(field, *level, macroblock))
    }
}

/// Searches the levels down to a finest one in a reference picture, which is so much `farther` than the nearest, from
/// which the motion is known.
fn search_levels(
    finest: usize,
    [cur, reference]: [&Pyramid; 2],
    motion: &mut Motion,
    nearest: Option<&Motion>,
    farther: i16,
) {
    let none = Field::NONE;
    for level in (finest..LEVELS).rev() {
        let (finer, coarser) = motion.split_at_mut(level + 1);
        let coarser = coarser.first().unwrap_or(&none).view();
        let nearest = nearest.map_or(&none, |nearest| &nearest[level]).view();
        let [cur, reference] = [cur, reference].map(|pyramid| pyramid[level].view());
        search(&cur, &reference, &mut finer[level], &coarser, &nearest, level, farther);
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

    fn guide(lookahead: &mut Lookahead) -> Guide {
        let mut guide = Guide::new(lookahead.mbs);
        lookahead.guide(&mut guide);
        guide
    }

    #[test]
    fn motion_is_found_wherever_it_came_from() {
        let mbs = [12, 16];
        for finest in [0, 1] {
            let mut lookahead = Lookahead::new(mbs, [0, finest], 2);
            lookahead.look(&picture(mbs, [0, 0]), 0.0, true);
            lookahead.advance();
            assert_eq!(guide(&mut lookahead).vector(0, [3, 3]), [0; 2], "there is no picture before");
            lookahead.look(&picture(mbs, [8, 40]), 0.0, true);
            lookahead.look(&picture(mbs, [-24, 16]), 0.0, true);
            lookahead.advance();
            lookahead.advance();
            lookahead.look_farther(2);
            let guide = guide(&mut lookahead);
            for at in [[5, 6], [7, 9], [6, 8]] {
                // 24 to the left and 32 up from the last, 16 to the right and 24 up from the one before.
                assert_eq!(guide.vector(0, at), [4 * -24, 4 * -32], "{at:?}");
                assert_eq!(guide.vector(1, at), [4 * 16, 4 * -24], "{at:?}");
            }
        }
    }

    #[test]
    fn small_pictures_have_no_coarse_levels() {
        for mbs in [[1, 1], [1, 9], [3, 2]] {
            let mut lookahead = Lookahead::new(mbs, [0, 1], 2);
            for n in 0..4 {
                lookahead.look(&picture(mbs, [n, 2 * n]), 0.0, true);
                lookahead.advance();
                lookahead.look_farther(n.min(2) as usize);
            }
            // An eighth of a macroblock's height has no block of 8x8, nor has a quarter.
            assert!(mbs[0] > 1 || guide(&mut lookahead).vector(1, [0, 0]) == [0; 2]);
        }
    }

    #[test]
    fn what_moved_costs_little_and_what_is_new_as_much_as_by_itself() {
        let mbs = [6, 8];
        let mut lookahead = Lookahead::new(mbs, [0, 1], 1);
        let mut costs = |samples: &Samples| {
            lookahead.look(samples, 0.0, true);
            lookahead.costs(false)
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
