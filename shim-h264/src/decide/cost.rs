//! Decisions by what a prediction leaves and the bits that it takes.

use core::array;

use super::pattern::{self, Found};
use super::preset::Effort;
use super::{Decisions, IntraKinds, Kind, Preset, Search, Shape, Ways};
use crate::bitstream::exp_golomb;
use crate::kernels::inter::Part;
use crate::kernels::intra::{Available, chroma, luma_16x16};

/// The mode whose prediction differs least in SATD, with bits for modes weighed by QP.
#[derive(Clone, Copy, Debug)]
pub struct ByCost {
    effort: Effort,
}

impl ByCost {
    /// What a preset tries.
    #[must_use]
    pub const fn new(preset: Preset) -> Self {
        Self { effort: preset.effort() }
    }
}

impl Default for ByCost {
    fn default() -> Self {
        Self::new(Preset::default())
    }
}

/// What a bit is worth in SATD: `2^((QP - 12) / 6)`, which follows the step of the quantiser.
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

/// What a bit is worth in SSD: `0.43 * 2^((QP - 12) / 3)`, half of what the reference software has, for what a block loses is lost
/// to those predicted from it as well. On two clips of 720p the whole of it saved 0.2 % of the bytes at equal PSNR, half of it 1.7 %,
/// a third 1.1 %.
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

/// The place of the least.
fn least(costs: impl Iterator<Item = u32>) -> usize {
    costs.enumerate().min_by_key(|&(_, cost)| cost).map_or(0, |(mode, _)| mode)
}

/// What the bits of a vector and of its picture are worth.
#[inline]
fn motion_rate(search: &Search<'_>, ref_idx: u8, mv: [i16; 2]) -> u32 {
    let predicted = search.predicted(ref_idx);
    let length =
        |i: usize| exp_golomb::length(exp_golomb::of_signed(i32::from(mv[i]) - i32::from(predicted[i])));
    let picture = match search.references() {
        1 => 0,
        2 => 1,
        _ => exp_golomb::length(u32::from(ref_idx)),
    };
    LAMBDA[usize::from(search.qp())] * (length(0) + length(1) + picture)
}

/// The vector into a picture, and what it costs: a hexagon and a diamond over whole samples by SAD, from the best of what is
/// predicted, none and the neighbours', then diamonds of half and of quarter samples by SATD.
fn vector(search: &Search<'_>, ref_idx: u8) -> Found {
    let whole = |mv: [i16; 2]| mv.map(|v| v.saturating_add(2) & !3);
    let if_legal =
        |mv, cost: u32| if search.legal(mv) { cost + motion_rate(search, ref_idx, mv) } else { u32::MAX };
    let sads = |at: [[i16; 2]; 4]| {
        let sads = search.sads(ref_idx, at);
        array::from_fn(|i| if_legal(at[i], sads[i]))
    };
    let predicted = search.predicted(ref_idx);
    let [first, second] = search.near();
    let mut found = (u32::MAX, [0; 2]);
    let starts = [[0; 2], whole(predicted), whole(first), whole(second)];
    pattern::best_of(&mut found, starts, sads(starts));
    // Parts begin with the vector of the whole macroblock: few are far from it.
    let whole = search.part() == Part::WHOLE;
    if whole {
        pattern::hexagon(&mut found, 16, sads);
    }
    pattern::diamond(&mut found, 4, 2, sads);
    // From here on in SATD.
    let satd = |mv| if_legal(mv, search.satd(ref_idx, mv));
    let satds = |at: [[i16; 2]; 4]| at.map(satd);
    found.0 = satd(found.1);
    for (i, mv) in [predicted, first, second].into_iter().enumerate() {
        if mv != found.1 && !(i > 0 && mv == predicted) {
            pattern::best_of(&mut found, [mv; 4], [satd(mv); 4]);
        }
    }
    let rounds = if whole { 2 } else { 1 };
    pattern::diamond(&mut found, 2, rounds, satds);
    pattern::diamond(&mut found, 1, rounds, satds);
    found
}

impl Decisions for ByCost {
    fn macroblock(&mut self, _address: usize, qp: u8, _references: usize) -> (Kind, u8) {
        (Kind::Cheapest, qp)
    }

    fn motion(&mut self, search: &Search<'_>) -> (u8, [i16; 2]) {
        let mut best = (u32::MAX, 0, [0; 2]);
        for ref_idx in 0..search.references() as u8 {
            let (cost, mv) = vector(search, ref_idx);
            if cost < best.0 {
                best = (cost, ref_idx, mv);
            }
        }
        (best.1, best.2)
    }

    fn inter_cost(&mut self, search: &Search<'_>, ref_idx: u8, mv: [i16; 2]) -> u32 {
        search.satd(ref_idx, mv) + motion_rate(search, ref_idx, mv)
    }

    fn tries_skip(&mut self, search: &Search<'_>, mv: [i16; 2]) -> bool {
        // Hardly a macroblock that differs more has no levels.
        search.satd(0, mv) <= 300 * LAMBDA[usize::from(search.qp())]
    }

    /// Quarters first, and halves where quarters are not much worse than the whole.
    fn shape_cost(&mut self, shape: Shape, whole: u32, quarters: u32, qp: u8) -> Option<u32> {
        let lambda = LAMBDA[usize::from(qp)];
        // Of mb_type and sub_mb_type.
        let (bits, tried) = match shape {
            Shape::Whole => (1, true),
            Shape::Rows | Shape::Columns => (3, quarters <= whole),
            Shape::Quarters(_) => (9, whole > 128 * lambda),
        };
        tried.then_some(bits * lambda)
    }

    fn drops_few_levels(&self) -> bool {
        true
    }

    fn intra16x16(&mut self, candidates: &luma_16x16::Candidates, _available: Available) -> usize {
        least(candidates.satd.iter().copied())
    }

    fn intra16x16_cost(&mut self, candidates: &luma_16x16::Candidates, mode: usize, _qp: u8) -> u32 {
        candidates.satd[mode]
    }

    fn intra_kinds(&mut self, cost: u32, qp: u8) -> IntraKinds {
        let lambda = LAMBDA[usize::from(qp)];
        match self.effort.intra4x4.map(|bits| bits.saturating_mul(lambda)) {
            [lower, _] if cost <= lower => IntraKinds::Intra16x16,
            [_, upper] if cost > upper => IntraKinds::Intra4x4,
            _ => IntraKinds::Both,
        }
    }

    fn intra16x16_coded_cost(&mut self, ssd: u32, rate: u32, qp: u8) -> u32 {
        // About three bits say which mode.
        ssd + LAMBDA_SSD[usize::from(qp)] * (rate + 3)
    }

    #[inline]
    fn intra4x4(&mut self, ways: &Ways<'_>, qp: u8) -> (usize, u32) {
        ways.cheapest(LAMBDA_SSD[usize::from(qp)])
    }

    fn intra4x4_overhead(&mut self, qp: u8) -> u32 {
        // A pattern of blocks; modes are counted above.
        4 * LAMBDA_SSD[usize::from(qp)]
    }

    fn intra_chroma(&mut self, candidates: &chroma::Candidates, _available: Available) -> usize {
        least(candidates.satd.iter().copied())
    }

    fn for_slice(&mut self) -> Option<Self> {
        Some(*self)
    }
}
