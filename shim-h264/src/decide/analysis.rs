//! Estimates of what the modes of a macroblock cost: what a prediction leaves, and the bits that it takes.

use super::pattern::{self, Starts};
use super::preset::{Between, Effort, Pattern};
use super::{Levels, MbPartition, Motion, Preset, Search, SubMbPartition};
use crate::bitstream::exp_golomb;
use crate::kernels::Vector;
use crate::kernels::inter::Part;
use crate::kernels::inter::partitions::PartitionCosts;
use crate::kernels::inter::search::{Center, Found, Pass, VectorRate, is_between, spread};
use crate::kernels::intra::{chroma, luma_16x16};

/// The kinds of Intra prediction that are worth trying.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum IntraKinds {
    /// `Intra_16x16` alone.
    Intra16x16,
    /// `Intra_4x4` alone.
    Intra4x4,
    /// Both.
    Both,
}

/// The conditions of an early `P_Skip`, which codes nothing if the prediction leaves no levels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EarlySkip {
    /// Not before all other modes are tried.
    Off,
    /// If the motion search finds the vector of `P_Skip`, within a quarter sample.
    AtPredictedVector,
    /// Before any search.
    Immediate,
}

/// The estimates of a preset, with bits weighed by QP, and what is known of the current macroblock.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Analysis {
    effort: Effort,
    partitions: PartitionCosts,
    whole: Best16x16,
}

/// The best results for the whole macroblock so far.
#[derive(Clone, Copy, Debug)]
struct Best16x16 {
    /// Cost of the best vector of whole samples, from any picture.
    sad: u32,
    /// Cost of the best vector.
    satd: u32,
    /// The vector from the nearest picture.
    nearest: Vector,
}

impl Best16x16 {
    const NOTHING: Self = Self { sad: u32::MAX, satd: u32::MAX, nearest: [0; 2] };
}

impl Analysis {
    /// The estimates of a preset.
    pub(crate) const fn new(preset: Preset) -> Self {
        Self { effort: preset.effort(), partitions: PartitionCosts::NONE, whole: Best16x16::NOTHING }
    }
}

/// Lagrange multiplier for SATD: one bit is worth `2^((QP - 12) / 6)`, in proportion to the step of the quantizer.
const LAMBDA: [u32; 52] = {
    /// `2^(i / 6)` in 64ths.
    const ROOTS: [u32; 6] = [64, 72, 81, 91, 102, 114];
    let mut lambda = [1; 52];
    let mut qp = 12;
    while qp < 52 {
        lambda[qp] = ((ROOTS[qp % 6] << (qp / 6 - 2)) + 32) / 64;
        qp += 1;
    }
    lambda
};

/// The SSD that a bit is worth: `0.43 * 2^((QP - 12) / 3)`, half of what the reference software has, for what a block
/// loses is lost to those predicted from it as well. On two clips of 720p the whole of it saved 0.2 % of the bytes at
/// equal PSNR, half of it 1.7 %, a third 1.1 %.
const LAMBDA_SSD: [u32; 52] = {
    /// `0.43 * 2^(i / 3)` in 64ths.
    const ROOTS: [u32; 3] = [27, 34, 43];
    let mut lambda = [1; 52];
    let mut qp = 12;
    while qp < 52 {
        lambda[qp] = (((ROOTS[qp % 3] << (qp / 3)) >> 4) + 32) / 64 + 1;
        qp += 1;
    }
    lambda
};

/// Bits that a farther picture has to save over the nearest: vectors of neighbors that point to other pictures predict
/// none, and are none of `P_Skip`. On a pan with an object in it, three pictures cost 10 % without.
const REFERENCE_BIAS: u32 = 6;

/// The index of the least.
fn least(costs: &[u32]) -> usize {
    costs.iter().enumerate().min_by_key(|&(_, cost)| cost).map_or(0, |(mode, _)| mode)
}

/// The vectors into a reference picture, which are compared by their costs.
#[derive(Clone, Copy)]
struct Vectors<'s, 'p> {
    search: &'s Search<'p>,
    ref_idx: u8,
    rate: VectorRate,
}

impl<'s, 'p> Vectors<'s, 'p> {
    fn new(search: &'s Search<'p>, ref_idx: u8) -> Self {
        let ref_idx_bits = match search.references() {
            1 => 0,
            2 => 1,
            _ => exp_golomb::length(u32::from(ref_idx)),
        };
        let lambda = LAMBDA[usize::from(search.qp())];
        let (predicted, max_vmv_r) = (search.predicted(ref_idx), search.max_vmv_r);
        Self { search, ref_idx, rate: VectorRate { predicted, lambda, ref_idx_bits, max_vmv_r } }
    }
}

/// The vector of whole samples that is nearest.
#[inline]
fn whole(mv: Vector) -> Vector {
    mv.map(|v| v.saturating_add(2) & !3)
}

impl Analysis {
    /// The vector into a picture, what it costs, and what chroma costs besides.
    fn vector(&mut self, search: &Search<'_>, ref_idx: u8) -> (Found, u32) {
        let vectors = Vectors::new(search, ref_idx);
        if search.part() != Part::WHOLE {
            return self.part_vector(vectors);
        }
        let found = self.whole_samples(vectors);
        // Skip the sub-sample search of a reference whose full-sample SAD is higher.
        if found.0 > self.whole.sad.saturating_add(self.whole.sad / 64 * self.effort.farther_within) {
            return ((u32::MAX, found.1), 0);
        }
        self.whole.sad = self.whole.sad.min(found.0);
        let [first, second, _] = search.near();
        let starts = || Starts::of([found.1, vectors.rate.predicted, first, second]);
        match self.effort.between {
            Between::Never => (found, 0),
            Between::BySad => (self.between_samples_by_sad(vectors, &starts(), found), 0),
            Between::BySatd => self.between_samples(vectors, &starts()),
        }
    }

    /// The vector of a partition: by SATD around the best of those compared for the whole macroblock, which is near.
    fn part_vector(&mut self, vectors: Vectors<'_, '_>) -> (Found, u32) {
        let Vectors { search, ref_idx, rate } = vectors;
        let predicted = rate.predicted;
        let (parts, [first, second, _]) = (&self.effort.parts, search.near());
        let seen = self.partitions.best_of(search.part()).filter(|seen| seen.ref_idx == ref_idx);
        let seen = seen.map_or(first, |seen| seen.mv);
        let mut best = seen;
        if parts.whole > 0 {
            let starts = Starts::of([seen, predicted, first, second].map(whole));
            let passes = [pattern::once(starts.list(), Center::Origin), pattern::diamond(2, parts.whole)];
            best = search.whole_samples(ref_idx, &rate, &passes).1;
        }
        let starts = Starts::of([best, seen, predicted, second]);
        let passes = [
            pattern::once(starts.list(), Center::Origin),
            pattern::diamond(1, parts.halves),
            pattern::diamond(0, parts.quarters),
        ];
        let found = search.part_by_satd(ref_idx, &rate, &passes, best);
        match self.effort.chroma_rounds {
            0 => (found, 0),
            rounds => search.with_chroma(ref_idx, &rate, found, rounds, &mut self.partitions),
        }
    }

    /// The vector of whole samples of a macroblock: by SAD in a pattern around the best of what is predicted, none, the
    /// neighbors' and that of the look-ahead.
    fn whole_samples(&self, vectors: Vectors<'_, '_>) -> Found {
        let Vectors { search, ref_idx, rate } = vectors;
        let mut starts = Starts::NONE;
        starts.push(whole(rate.predicted));
        starts.push([0; 2]);
        starts.push(whole(search.lowres(ref_idx)));
        if ref_idx == 0 {
            for mv in [search.near(), search.collocated()].into_iter().flatten() {
                starts.push(whole(mv));
            }
        } else {
            // Steady motion from a farther picture.
            starts.push(whole(self.whole.nearest.map(|v| v.saturating_mul(i16::from(ref_idx) + 1))));
        }
        let spread = (spread(starts.list()) / 4).saturating_add(8).min(pattern::FARTHEST as u16) as i16;
        let starts = pattern::once(starts.list(), Center::Origin);
        let [hexagon, diamond] = [pattern::hexagon(16), pattern::diamond(2, 2)];
        let search = |passes: &[Pass<'_>]| search.whole_samples(ref_idx, &rate, passes);
        match self.effort.pattern {
            Pattern::Diamond => search(&[starts, pattern::diamond(2, 16)]),
            Pattern::Hexagon => search(&[starts, hexagon, diamond]),
            Pattern::MultiHexagon(range) => {
                let [wide, high, rings] = pattern::multi_hexagon(range.min(spread));
                search(&[starts, wide, high, rings, hexagon, diamond])
            }
        }
    }

    /// The passes over vectors between the samples: over those to start from, then in diamonds of half and of quarter
    /// samples around one that costs at most `upto`.
    fn between<'s>(&self, starts: &'s Starts, lambda: u32, upto: u32) -> [Pass<'s>; 3] {
        let above = self.effort.fine_above * lambda;
        [
            pattern::once(starts.list(), Center::Origin),
            Pass { above, upto, ..pattern::diamond(1, self.effort.halves) },
            pattern::diamond(0, self.effort.quarters),
        ]
    }

    /// The vector of a macroblock by SAD, around the best of the starts, of which whole samples found one.
    fn between_samples_by_sad(&self, vectors: Vectors<'_, '_>, starts: &Starts, found: Found) -> Found {
        let passes = self.between(starts, vectors.rate.lambda, u32::MAX);
        let passes = if is_between(starts.list()) { &passes[..] } else { &passes[1..] };
        vectors.search.between_samples(vectors.ref_idx, &vectors.rate, passes, found)
    }

    /// The vector of a macroblock by SATD, likewise, which records the costs of its partitions; and what chroma costs.
    fn between_samples(&mut self, vectors: Vectors<'_, '_>, starts: &Starts) -> (Found, u32) {
        let Vectors { search, ref_idx, rate } = vectors;
        let upto = self.whole.satd.saturating_add(3 * (self.whole.satd / 16));
        let passes = self.between(starts, rate.lambda, upto);
        let Self { effort, partitions, whole } = self;
        let found = search.by_satd(ref_idx, &rate, &passes, partitions);
        whole.satd = whole.satd.min(found.0);
        let (found, chroma) = match effort.chroma_rounds {
            // There is nothing to choose.
            0 if search.references() == 1 => (found, 0),
            rounds => search.with_chroma(ref_idx, &rate, found, rounds, partitions),
        };
        if ref_idx == 0 {
            whole.nearest = found.1;
        }
        (found, chroma)
    }
}

impl Analysis {
    /// Searches the motion of a part in the pictures [asked](Search::asked) for. Returns it with its cost.
    pub(crate) fn motion(&mut self, search: &Search<'_>) -> (Motion, u32) {
        if search.part() == Part::WHOLE {
            (self.partitions, self.whole) = (PartitionCosts::NONE, Best16x16::NOTHING);
        }
        let lambda = LAMBDA[usize::from(search.qp())];
        let mut best = (Motion::default(), u32::MAX);
        let mut least = u32::MAX;
        let seen = self.partitions.best_of(search.part()).filter(|_| search.part() != Part::WHOLE);
        let all = self.effort.parts.all_pictures || search.asked().len() == 1;
        let effort = &self.effort;
        // Where no neighbor gains by farther pictures, few macroblocks do; one in three is still searched there for
        // others to follow.
        let [row, column] = search.macroblock;
        let sampled = search.farther() || (2 * row + column).is_multiple_of(3);
        let enough = if sampled { effort.references_above } else { effort.references_above_alone };
        for ref_idx in search.asked() {
            if !all && ref_idx > 0 && seen.is_some_and(|seen| seen.ref_idx != ref_idx) {
                continue;
            }
            // What is predicted well from the nearest picture gains little from others.
            if least < enough * lambda {
                break;
            }
            let ((cost, mv), chroma) = self.vector(search, ref_idx);
            let bias = if ref_idx > 0 { REFERENCE_BIAS * lambda } else { 0 };
            let all = cost.saturating_add(bias).saturating_add(chroma);
            if all < least {
                least = all;
                best = (Motion { ref_idx, mv }, cost);
            }
        }
        best
    }

    /// The conditions of an early `P_Skip` whose prediction differs from the source by `difference`.
    pub(crate) fn tries_skip(&self, difference: u32, qp: u8) -> EarlySkip {
        let lambda = LAMBDA[usize::from(qp)];
        match self.effort.skip_below.map(|bits| bits * lambda) {
            [surely, _] if difference <= surely => EarlySkip::Immediate,
            // Hardly a macroblock that differs more has no levels.
            [_, hardly] if difference <= hardly => EarlySkip::AtPredictedVector,
            _ => EarlySkip::Off,
        }
    }

    /// The cost of a shape beside its parts, if it is likely better than the whole, which costs `whole`. That of the
    /// whole does not depend on it.
    pub(crate) fn shape_cost(&self, shape: MbPartition, whole: u32, qp: u8) -> Option<u32> {
        let (parts, lambda) = (&self.effort.parts, LAMBDA[usize::from(qp)]);
        // Of mb_type and sub_mb_type.
        let bits = match shape {
            MbPartition::P16x16 => return Some(lambda),
            MbPartition::P16x8 | MbPartition::P8x16 => 3,
            MbPartition::P8x8(_) => 9,
        };
        let own = bits * lambda;
        let within = |cost: u32| cost <= whole + whole / 16 * parts.within;
        let tried = parts.above.is_some_and(|bits| whole > bits * lambda)
            && within(self.partitions.cost(shape) + own)
            && (parts.all || shape == self.partitions.best(lambda));
        tried.then_some(own)
    }

    /// The cost of a division of an 8x8 block beside its parts, if it is worth trying where the undivided block costs
    /// `undivided`.
    pub(crate) fn sub_shape_cost(&self, shape: SubMbPartition, undivided: u32, qp: u8) -> Option<u32> {
        let lambda = LAMBDA[usize::from(qp)];
        let tried = self.effort.parts.divided && undivided > 32 * lambda;
        tried.then_some(if shape == SubMbPartition::P8x4 { 2 } else { 4 } * lambda)
    }

    /// Whether modes of a P slice are compared by SAD.
    pub(crate) const fn is_by_sad(&self) -> bool {
        !matches!(self.effort.between, Between::BySatd)
    }

    /// Whether Intra prediction is worth trying where Inter prediction costs `inter`.
    pub(crate) fn tries_intra(&self, inter: u32, qp: u8) -> bool {
        inter >= self.effort.intra_above * LAMBDA[usize::from(qp)]
    }

    /// The SSD that a bit is worth where modes of a P slice are compared by coding them, if they are.
    ///
    /// A little more than it is worth within Intra pictures, for less is predicted from what is lost here. With twice
    /// that, panned pictures lose a quarter of a decibel to macroblocks that are skipped by a vector that is not
    /// theirs, and cost 3 to 5 % more.
    pub(crate) fn by_rate(&self, qp: u8) -> Option<u32> {
        self.effort.by_rate.then_some(5 * LAMBDA_SSD[usize::from(qp)] / 4)
    }

    /// Whether every mode that was searched is compared by coding it; if not, the cheapest by SATD is, beside `P_Skip`.
    pub(crate) const fn tries_all(&self) -> bool {
        self.effort.all
    }

    /// The choice of levels of Inter macroblocks.
    pub(crate) fn levels(&self, qp: u8) -> Levels {
        let worth = self.effort.rdo * LAMBDA_SSD[usize::from(qp)] / 16;
        Levels { by_rate: (self.effort.rdo > 0).then_some(worth), decimate: true }
    }

    /// The kinds of Intra prediction to try where the best mode of `Intra_16x16` costs `cost` in SATD.
    pub(crate) fn intra_kinds(&self, cost: u32, qp: u8) -> IntraKinds {
        let lambda = LAMBDA[usize::from(qp)];
        match self.effort.intra4x4.map(|bits| bits.saturating_mul(lambda)) {
            [lower, _] if cost <= lower => IntraKinds::Intra16x16,
            [_, upper] if cost > upper => IntraKinds::Intra4x4,
            _ => IntraKinds::Both,
        }
    }
}

/// The best mode of `Intra_16x16`, and its cost.
pub(crate) fn intra16x16(candidates: &luma_16x16::Candidates) -> (u8, u32) {
    let mode = least(&candidates.cost);
    (mode as u8, candidates.cost[mode])
}

/// The cost of an `Intra_16x16` macroblock from the SSD of its luma and the approximate number of bits of its levels.
pub(crate) fn intra16x16_coded(ssd: u32, rate: u32, qp: u8) -> u32 {
    // About three bits say which mode.
    ssd + LAMBDA_SSD[usize::from(qp)] * (rate + 3)
}

/// The SSD that a bit is worth where modes of 4x4 blocks are compared.
pub(crate) fn intra4x4_lambda(qp: u8) -> u32 {
    LAMBDA_SSD[usize::from(qp)]
}

/// The cost of an `Intra_4x4` macroblock beside its blocks and their modes: a pattern of blocks.
pub(crate) fn intra4x4_overhead(qp: u8) -> u32 {
    4 * LAMBDA_SSD[usize::from(qp)]
}

/// The best mode of chroma by SATD.
pub(crate) fn intra_chroma(candidates: &chroma::Candidates) -> u8 {
    least(&candidates.satd) as u8
}
