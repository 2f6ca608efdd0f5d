//! Motion searches: passes over vectors around the best, each compared by the SAD or the SATD of what it predicts and by
//! its bits.

use shim::prelude::*;

use crate::bitstream::exp_golomb;
use crate::kernels::Vector;
use crate::kernels::inter::costs::{quarters_of, sad_of_average, satds_of};
use crate::kernels::inter::partitions::PartitionCosts;
use crate::kernels::metrics::sad_of;
use crate::kernels::picture::{ReferenceView, SamplesView};

/// A vector, and its cost.
pub type Found = (u32, Vector);

/// The cost of the bits of vectors.
#[derive(Clone, Copy, Debug)]
pub struct VectorRate {
    /// `mvp`.
    pub predicted: Vector,
    /// Cost of a bit.
    pub lambda: u32,
    /// Bits of `ref_idx`.
    pub ref_idx_bits: u32,
    /// `MaxVmvR`.
    pub max_vmv_r: i16,
}

/// The cost of a vector that the level does not allow: more than that of any that it does.
const ILLEGAL: u32 = 1 << 28;

impl VectorRate {
    /// The cost of the bits of a vector.
    #[inline]
    #[must_use]
    pub fn of(&self, mv: Vector) -> u32 {
        let ([x, y], [pred_x, pred_y]) = (mv, self.predicted);
        let length = |v: i16, pred: i16| exp_golomb::signed_length(i32::from(v) - i32::from(pred));
        let bits = length(x, pred_x) + length(y, pred_y) + self.ref_idx_bits;
        if is_legal(mv, self.max_vmv_r) { self.lambda * bits } else { ILLEGAL }
    }
}

/// Whether a level allows a motion vector (A.3.1): -2048 to 2047.75 samples, and vertically what Table A-1 has.
#[inline]
#[must_use]
pub fn is_legal([x, y]: Vector, max_vmv_r: i16) -> bool {
    let within = |v: i16, most: i32| ((i32::from(v) + most) as u32) < 2 * most as u32;
    within(x, 8192) & within(y, 4 * i32::from(max_vmv_r))
}

/// The vector that the first steps of a pass start from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Center {
    /// `[0, 0]`: the steps are vectors themselves.
    Origin,
    /// The best so far.
    Best,
    /// That of the pass before.
    Before,
}

/// Steps from a vector that are compared, in rounds from the best again until none is better.
#[derive(Clone, Copy, Debug)]
pub struct Pass<'s> {
    /// The steps of the first round.
    pub steps: &'s [Vector],
    /// The numbers of those of a later round, by the step that was best in the round before.
    pub next: &'s [[u8; 3]],
    /// The most rounds.
    pub rounds: usize,
    /// The vector that the first round is around.
    pub center: Center,
    /// The search ends where the best costs at most this.
    pub above: u32,
    /// The search ends where the best costs more than this.
    pub upto: u32,
}

/// The lowest that one of these vectors points, in quarters of a sample.
#[shim::kernel]
pub fn lowest_of(mvs: &[Vector]) -> i32 {
    let mut lowest = i32::MIN;
    for mv in mvs {
        lowest = lowest.max(i32::from(mv[1]));
    }
    lowest
}

/// The lowest that a vector of a search points, which begins with the vector `from`.
#[shim::kernel]
pub fn lowest(passes: &[Pass<'_>], from: Vector) -> i32 {
    let mut lowest = i32::from(from[1]);
    for pass in passes {
        let step = lowest_of(pass.steps);
        let again = (pass.rounds as i32 - 1).max(0) * step.max(0);
        lowest = match pass.center {
            Center::Origin => lowest.max(step.saturating_add(again)),
            Center::Best | Center::Before => lowest + step.max(0) + again,
        };
    }
    lowest
}

/// The largest distance between vectors in quarters of a sample, horizontally or vertically.
#[shim::kernel]
pub fn spread(mvs: &[Vector]) -> u16 {
    let (mut least, mut most) = ([0; 2], [0; 2]);
    for i in 0..mvs.len() {
        for axis in 0..2 {
            least[axis] = if i == 0 { mvs[i][axis] } else { least[axis].min(mvs[i][axis]) };
            most[axis] = if i == 0 { mvs[i][axis] } else { most[axis].max(mvs[i][axis]) };
        }
    }
    most[0].abs_diff(least[0]).max(most[1].abs_diff(least[1]))
}

/// Whether one of these vectors points between the samples.
#[shim::kernel]
pub fn is_between(mvs: &[Vector]) -> bool {
    let mut fractions = 0;
    for mv in mvs {
        fractions |= (mv[0] | mv[1]) & 3;
    }
    fractions != 0
}

/// A vector moved by another.
pub(crate) const fn moved([x, y]: Vector, [dx, dy]: Vector) -> Vector {
    [x.saturating_add(dx), y.saturating_add(dy)]
}

/// Kernels that search a part. Each compares a number of vectors at a time by their costs.
macro_rules! searches {
    ($(
        #[doc = $doc:expr]
        $name:ident($($level:ident)?) = $h:literal by $w:literal $(, $partitions:ident in picture $ref_idx:ident)?,
        |$cur:ident, $reference:ident, $part:ident, $mvs:ident: $per:literal, $rates:ident| { $($costs:tt)* };
    )*) => {$(
        #[doc = $doc]
        ///
        /// # Panics
        ///
        /// When the part is outside the source.
        #[shim::kernel(simd $(($level))?, checks = "hoisted")]
        pub fn $name(
            #[located] source: &SamplesView<'_>,
            #[shape($h, $w)] $part: Place<2>,
            #[located] $reference: &ReferenceView<'_>,
            rate: &VectorRate,
            passes: &[Pass<'_>],
            found: Found,
            $($partitions: &mut PartitionCosts, $ref_idx: u8,)?
        ) -> Found {
            #[staged]
            use crate::kernels::inter::luma::{averaged, whole};
            let $cur = source.luma.footprint($part);
            let mut best = found;
            let mut center = [0; 2];
            for pass in passes {
                if best.0 <= pass.above || best.0 > pass.upto {
                    break;
                }
                center = match pass.center {
                    Center::Origin => [0; 2],
                    Center::Best => best.1,
                    Center::Before => center,
                };
                let mut around = center;
                let mut way: Option<usize> = None;
                for _ in 0..pass.rounds {
                    let count = if way.is_some() { 3 } else { pass.steps.len() };
                    let mut better = None;
                    for first in (0..count).step_by($per) {
                        let number = |i: usize| match way {
                            Some(way) => usize::from(pass.next[way][i]),
                            None => i,
                        };
                        let mut $mvs = [around; $per];
                        for i in 0..$per {
                            if first + i < count {
                                $mvs[i] = moved(around, pass.steps[number(first + i)]);
                            }
                        }
                        let $rates = $mvs.map(|mv| rate.of(mv));
                        let costs: [u32; $per] = { $($costs)* };
                        for i in 0..$per {
                            if first + i < count && costs[i] < best.0 {
                                best = (costs[i], $mvs[i]);
                                better = Some(number(first + i));
                            }
                        }
                    }
                    if better.is_none() {
                        break;
                    }
                    way = better;
                    around = best.1;
                }
            }
            best
        }
    )*};
}

macro_rules! searches_by_sad {
    ($($name:ident = $h:literal by $w:literal;)*) => { searches! {$(
        #[doc = concat!("Searches a part of ", $h, " rows of ", $w, " by the SAD of vectors, rounded down to whole samples.")]
        // Sums of sixteen bytes gain nothing by wider vectors.
        $name(v3) = $h by $w, |cur, reference, part, mvs: 1, rates| {
            [sad_of(cur, whole::<$h, $w>(reference, part, mvs[0])) + rates[0]]
        };
    )*} };
}

searches_by_sad! {
    search_16x16 = 16 by 16;
    search_16x8 = 8 by 16;
    search_8x16 = 16 by 8;
    search_8x8 = 8 by 8;
    search_8x4 = 4 by 8;
    search_4x8 = 8 by 4;
    search_4x4 = 4 by 4;
}

searches! {
    #[doc = "Searches a macroblock by the SAD of vectors."]
    search_fine_16x16(v3) = 16 by 16, |cur, reference, part, mvs: 1, rates| {
        let (a, b) = averaged::<16, 16>(reference, part, mvs[0]);
        [sad_of_average(cur, a, b) + rates[0]]
    };

    #[doc = "Searches a macroblock by the SATD of vectors, and records what its partitions cost."]
    search_satd_16x16() = 16 by 16, partitions in picture ref_idx, |cur, reference, part, mvs: 1, rates| {
        let quarters = quarters_of(cur, reference, part, mvs[0]);
        [partitions.record(ref_idx, mvs[0], rates[0], &quarters)]
    };
}

macro_rules! searches_by_satd {
    ($($name:ident = $h:literal by $w:literal, $per:literal of $blocks:literal;)*) => { searches! {$(
        #[doc = concat!("Searches a part of ", $h, " rows of ", $w, " by the SATD of vectors.")]
        $name() = $h by $w, |cur, reference, part, mvs: $per, rates| {
            let satds = satds_of::<$h, $w, $per, $blocks>(cur, reference, part, mvs);
            let mut costs = rates;
            for i in 0..$per {
                costs[i] += satds[i];
            }
            costs
        };
    )*} };
}

searches_by_satd! {
    search_satd_16x8 = 8 by 16, 2 of 8;
    search_satd_8x16 = 16 by 8, 2 of 8;
    search_satd_8x8 = 8 by 8, 4 of 4;
    search_satd_8x4 = 4 by 8, 4 of 2;
    search_satd_4x8 = 8 by 4, 4 of 2;
    search_satd_4x4 = 4 by 4, 4 of 1;
}

#[cfg(test)]
mod tests {
    use std::vec::Vec;

    use super::*;
    use crate::kernels::inter::Part;
    use crate::kernels::inter::luma::predict_luma;
    use crate::kernels::macroblock_at;
    use crate::kernels::picture::Samples;
    use crate::kernels::testing::{Planes, Random, Window, noise, sad, satd};

    type Kernel =
        fn(&SamplesView<'_>, Place<2>, &ReferenceView<'_>, &VectorRate, &[Pass<'_>], Found) -> Found;

    /// A kernel, whether its vectors are those of whole samples, its metric, and the rows and columns of its part.
    type Case = (Kernel, bool, fn(Window<'_>, Window<'_>, [usize; 2]) -> u32, [usize; 2]);

    /// Rows and columns of macroblocks.
    const MBS: [usize; 2] = [3, 2];

    /// The search of a macroblock by SATD, without the costs of its partitions.
    fn whole_by_satd(
        source: &SamplesView<'_>,
        macroblock: Place<2>,
        reference: &ReferenceView<'_>,
        rate: &VectorRate,
        passes: &[Pass<'_>],
        found: Found,
    ) -> Found {
        let mut partitions = PartitionCosts::NONE;
        search_satd_16x16(source, macroblock, reference, rate, passes, found, &mut partitions, 0)
    }

    const CASES: [Case; 15] = [
        (search_16x16, true, sad, [16, 16]),
        (search_16x8, true, sad, [8, 16]),
        (search_8x16, true, sad, [16, 8]),
        (search_8x8, true, sad, [8, 8]),
        (search_8x4, true, sad, [4, 8]),
        (search_4x8, true, sad, [8, 4]),
        (search_4x4, true, sad, [4, 4]),
        (search_fine_16x16, false, sad, [16, 16]),
        (whole_by_satd, false, satd, [16, 16]),
        (search_satd_16x8, false, satd, [8, 16]),
        (search_satd_8x16, false, satd, [16, 8]),
        (search_satd_8x8, false, satd, [8, 8]),
        (search_satd_8x4, false, satd, [4, 8]),
        (search_satd_4x8, false, satd, [8, 4]),
        (search_satd_4x4, false, satd, [4, 4]),
    ];

    /// The passes as they are defined, over costs of vectors.
    fn by_definition(mut cost: impl FnMut(Vector) -> u32, passes: &[Pass<'_>], found: Found) -> Found {
        let (mut best, mut center) = (found, [0; 2]);
        for pass in passes {
            if best.0 <= pass.above || best.0 > pass.upto {
                break;
            }
            center = match pass.center {
                Center::Origin => [0; 2],
                Center::Best => best.1,
                Center::Before => center,
            };
            let (mut around, mut order): (_, Vec<usize>) = (center, (0..pass.steps.len()).collect());
            for _ in 0..pass.rounds {
                let costs = order.iter().map(|i| (*i, moved(around, pass.steps[*i])));
                let costs: Vec<_> = costs.map(|(i, mv)| (cost(mv), i, mv)).collect();
                let Some(&(least, way, mv)) = costs.iter().min_by_key(|own| own.0) else { break };
                if least >= best.0 {
                    break;
                }
                (best, around) = ((least, mv), mv);
                order = pass.next.get(way).map(|next| next.map(usize::from).to_vec()).unwrap_or_default();
            }
        }
        best
    }

    #[test]
    fn passes_are_those_of_their_definition() {
        const STEPS: [Vector; 4] = [[-2, 0], [2, 0], [0, -2], [0, 2]];
        const NEXT: [[u8; 3]; 4] = [[0, 2, 3], [1, 2, 3], [0, 1, 2], [0, 1, 3]];
        let mut random = Random::new(3);
        for round in 0..60 {
            let (source, reference) = noise(&mut random, MBS, round % 2 != 0);
            let (source_view, reference) = (source.view(), reference.rows());
            let reference = reference.view();
            for (kernel, is_whole, metric, size) in CASES {
                let macroblock = MBS.map(|n| random.within(0, n as i32 - 1) as usize);
                let at = size.map(|side| side * random.within(0, 16 / side as i32 - 1) as usize);
                let (place, part) = (macroblock_at(macroblock), Part { at, size });
                let own = [0, 1].map(|i| 16 * macroblock[i] + at[i]);
                let cur = Window { plane: &source.luma, size: source.luma_size(), at: own };
                // Within a block, and farther outside than the margin.
                let reach = [8, 100, 2000, 32_767][round % 4];
                let mut vector = || [(); 2].map(|()| random.within(-reach, reach) as i16);
                let (starts, far) = ([(); 5].map(|()| vector()), [(); 3].map(|()| vector()));
                let rate =
                    VectorRate { predicted: vector(), lambda: round as u32, ref_idx_bits: 1, max_vmv_r: 512 };
                let once = Pass {
                    steps: &starts[..round % 6],
                    next: &[],
                    rounds: 1,
                    center: Center::Origin,
                    above: 0,
                    upto: u32::MAX,
                };
                let passes = [
                    once,
                    Pass { steps: &STEPS, next: &NEXT, rounds: round % 5, center: Center::Best, ..once },
                    Pass { steps: &far, center: Center::Before, above: 10 * size[0] as u32, ..once },
                    Pass {
                        steps: &STEPS,
                        next: &NEXT,
                        rounds: 3,
                        center: Center::Best,
                        upto: 1 << 27,
                        ..once
                    },
                ];
                let cost = |mv: Vector| {
                    let mut pred = [0; 256];
                    let seen = if is_whole { mv.map(|v| v & !3) } else { mv };
                    predict_luma(&reference, part.corner(place), seen, part, &mut pred);
                    metric(cur, Window { plane: &pred, size: [16, 16], at }, size) + rate.of(mv)
                };
                let start = (if round % 3 == 0 { 3000 } else { u32::MAX }, [7, -7]);
                let found = kernel(&source_view, part.place(place), &reference, &rate, &passes, start);
                assert_eq!(found, by_definition(cost, &passes, start), "{part:?}, {passes:?}");
            }
        }
    }

    #[test]
    fn a_part_outside_panics() {
        let source = Samples::new([1, 1]);
        let reference = Planes::of(&source);
        let rate = VectorRate { predicted: [0; 2], lambda: 1, ref_idx_bits: 0, max_vmv_r: 512 };
        let search = |part: [isize; 2], mv: Vector| {
            let pass =
                Pass { steps: &[mv], next: &[], rounds: 1, center: Center::Origin, above: 0, upto: u32::MAX };
            let (source, reference) = (source.view(), reference.rows());
            let reference = reference.view();
            std::panic::catch_unwind(|| {
                let nothing = (u32::MAX, [0; 2]);
                search_16x16(&source, Place::new(part, [16, 16]), &reference, &rate, &[pass], nothing)
            })
        };
        for mv in [[0, 0], [i16::MIN; 2], [i16::MAX; 2], [i16::MIN, i16::MAX]] {
            assert!(search([0, 0], mv).is_ok(), "{mv:?}");
        }
        for part in [[1, 0], [0, -1], [isize::MIN, 0], [0, isize::MAX]] {
            assert!(search(part, [0, 0]).is_err(), "{part:?}");
        }
    }
}
