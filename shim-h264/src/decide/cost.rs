//! Decisions by what a prediction leaves and the bits that it takes.

use super::{Decisions, Kind};
use crate::kernels::intra::{Available, chroma, luma_4x4, luma_16x16};

/// The mode whose prediction differs least in SATD, with bits for modes weighed by QP.
#[derive(Clone, Copy, Debug, Default)]
pub struct ByCost;

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

/// The place of the least.
fn least(costs: impl Iterator<Item = u32>) -> usize {
    costs.enumerate().min_by_key(|&(_, cost)| cost).map_or(0, |(mode, _)| mode)
}

/// What a mode of a block costs beside its prediction: one bit, or four.
const fn rate(mode: usize, predicted: u8, qp: u8) -> u32 {
    LAMBDA[qp as usize] * if mode == predicted as usize { 1 } else { 4 }
}

impl Decisions for ByCost {
    fn macroblock(&mut self, _address: usize, qp: u8) -> (Kind, u8) {
        (Kind::Cheapest, qp)
    }

    fn intra16x16(&mut self, candidates: &luma_16x16::Candidates, _available: Available) -> usize {
        least(candidates.satd.iter().copied())
    }

    fn intra16x16_cost(&mut self, candidates: &luma_16x16::Candidates, mode: usize, _qp: u8) -> u32 {
        candidates.satd[mode]
    }

    fn intra4x4(
        &mut self,
        candidates: &luma_4x4::Candidates,
        _available: Available,
        predicted: u8,
        qp: u8,
    ) -> usize {
        let costs = candidates.satd[..luma_4x4::MODES].iter().enumerate();
        // One that may not be used is far beyond all others.
        least(costs.map(|(mode, &satd)| match satd {
            u16::MAX => u32::MAX,
            satd => u32::from(satd) + rate(mode, predicted, qp),
        }))
    }

    fn intra4x4_cost(
        &mut self,
        candidates: &luma_4x4::Candidates,
        mode: usize,
        predicted: u8,
        qp: u8,
    ) -> u32 {
        u32::from(candidates.satd[mode]) + rate(mode, predicted, qp)
    }

    fn intra4x4_overhead(&mut self, qp: u8) -> u32 {
        // Sixteen modes that are counted above, and a pattern of blocks.
        8 * LAMBDA[usize::from(qp)]
    }

    fn intra_chroma(&mut self, candidates: &[chroma::Candidates; 2], _available: Available) -> usize {
        let [cb, cr] = candidates;
        least(cb.satd.iter().zip(&cr.satd).map(|(cb, cr)| cb.saturating_add(*cr)))
    }
}
