//! Offsets of QP by what later pictures take from each macroblock.
//!
//! A macroblock codes only what its prediction lacks. Its information is its Intra cost and the information that later
//! pictures take from it. The share `1 - inter / intra` of both comes from the picture before, where its vector points
//! to: from up to four macroblocks, by the area of each that it covers. From the last picture that is known back to the
//! one that is coded, that gives the information that depends on each macroblock. The more depends on it, the lower is
//! its QP: the model of J. Garrett-Glaser, "A novel macroblock-tree algorithm for high-performance optimization
//! of dependent video coding in H.264/AVC", 2009.
//!
//! Here the share depends on QP as well: a difference that the quantizer takes to zero is not coded, and all of the
//! macroblock then comes from the picture before. `inter` counts as `inter^2 / (inter + DEAD * step)`. At equal SSIM that
//! saves 1.9 to 6.3 % on three clips, most on the one with noise, where it is the difference between a gain and a loss.

use alloc::vec;
use alloc::vec::Vec;

use super::costs::MbCostsView;

/// A number for each macroblock of a picture.
#[shim::located(view as MbNumbersView)]
#[derive(Clone, Debug)]
pub(crate) struct MbNumbers {
    /// Rows of macroblocks.
    pub(super) high: usize,
    /// Columns of macroblocks.
    pub(super) wide: usize,
    /// The numbers.
    #[shape(high, wide)]
    pub(super) of: Vec<f32>,
}

impl MbNumbers {
    /// Zeros.
    pub(super) fn new([high, wide]: [usize; 2]) -> Self {
        Self { high, wide, of: vec![0.0; high * wide] }
    }

    /// Makes all of them 0.
    pub(super) fn clear(&mut self) {
        self.of.fill(0.0);
    }
}

/// The number of a macroblock.
#[shim::kernel]
pub(crate) fn number_of(#[located] numbers: &MbNumbersView<'_>, [row, column]: [usize; 2]) -> f32 {
    numbers.of[[row, column]]
}

/// Cost of a macroblock without any difference of samples: of its motion and its mode.
const FLAT: f32 = 16.0;

/// SATD of differences that the quantizer takes to zero, in its steps.
const DEAD: f32 = 6.0;

/// The information of a macroblock of this Intra cost, whose QP has an offset already: what is coarser keeps less.
#[expect(clippy::cast_precision_loss, reason = "a SATD of 64 differences is far below 2^24")]
fn information(intra: u32, offset: f32) -> f32 {
    (intra as f32 + FLAT) * libm::exp2f(offset * (-1.0 / 6.0))
}

/// SATD that the quantizer takes to zero, at a QP.
pub(super) fn dead(qp: u8) -> f32 {
    DEAD * libm::exp2f((f32::from(qp) - 4.0) / 6.0)
}

/// Adds to the macroblocks of the picture before what the macroblocks of a picture take from them, given what later
/// pictures take from these, and [`dead`].
#[shim::kernel]
pub(super) fn propagate(
    #[located] costs: &MbCostsView<'_>,
    #[located] aq: &MbNumbersView<'_>,
    #[located] passed: &MbNumbersView<'_>,
    #[located] before: &mut MbNumbers,
    dead: f32,
) {
    let (high, wide) = (costs.intra.extent(0), costs.intra.extent(1));
    for row in 0..high {
        for column in 0..wide {
            let (intra, inter) = (costs.intra[[row, column]], costs.inter[[row, column]] as f32);
            let own = information(intra, aq.of[[row, column]]) + passed.of[[row, column]];
            let left = inter * inter / (inter + dead);
            let taken = own * (1.0 - left / (intra as f32 + FLAT));
            let mv = costs.mv[[row, column]];
            let y = (64 * row as isize + mv[1] as isize).clamp(0, 64 * (high as isize - 1)) as usize;
            let x = (64 * column as isize + mv[0] as isize).clamp(0, 64 * (wide as isize - 1)) as usize;
            let (top, left) = (y / 64, x / 64);
            let (lower, right) = ((y % 64) as f32 / 64.0, (x % 64) as f32 / 64.0);
            before.of[[top, left]] += taken * (1.0 - lower) * (1.0 - right);
            if x % 64 > 0 {
                before.of[[top, left + 1]] += taken * (1.0 - lower) * right;
            }
            if y % 64 > 0 {
                before.of[[top + 1, left]] += taken * lower * (1.0 - right);
            }
            if y % 64 > 0 && x % 64 > 0 {
                before.of[[top + 1, left + 1]] += taken * lower * right;
            }
        }
    }
}

/// The offset of QP of each macroblock, given what later pictures take from it: `strength` for each doubling of what
/// depends on it, and its offset by adaptive quantization. Returns the ratio of the bits of an Intra picture with these
/// offsets to those without.
#[shim::kernel]
pub(super) fn offsets_of(
    #[located] costs: &MbCostsView<'_>,
    #[located] aq: &MbNumbersView<'_>,
    #[located] passed: &MbNumbersView<'_>,
    strength: f32,
    #[located] offsets: &mut MbNumbers,
) -> f64 {
    let (mut with, mut without) = (0.0, 0.0);
    for row in 0..costs.intra.extent(0) {
        for column in 0..costs.intra.extent(1) {
            let offset = aq.of[[row, column]];
            let own = information(costs.intra[[row, column]], offset);
            let more = libm::log2f(1.0 + passed.of[[row, column]] / own);
            let offset = offset - strength * more;
            offsets.of[[row, column]] = offset;
            with += f64::from(information(costs.intra[[row, column]], offset));
            without += f64::from(information(costs.intra[[row, column]], 0.0));
        }
    }
    with / without
}

#[cfg(test)]
#[expect(clippy::cast_precision_loss, clippy::cast_possible_wrap, reason = "costs and vectors are small")]
mod tests {
    use super::*;
    use crate::kernels::testing::Random;
    use crate::lookahead::costs::MbCosts;

    const MBS: [usize; 2] = [3, 5];

    /// Random costs and vectors, some of which point out of the picture.
    fn costs(random: &mut Random) -> MbCosts {
        let mut costs = MbCosts::new(MBS);
        costs.intra.fill_with(|| random.bits() % 3000);
        costs.inter = costs.intra.iter().map(|&intra| random.bits() % (intra + 1)).collect();
        costs.mv.fill_with(|| [0; 2].map(|_: i16| (random.bits() % 300) as i16 - 150));
        costs
    }

    fn numbers(random: &mut Random, most: f32) -> MbNumbers {
        let mut numbers = MbNumbers::new(MBS);
        numbers.of.fill_with(|| most * (random.bits() as f32 / u32::MAX as f32));
        numbers
    }

    #[test]
    fn what_is_taken_is_divided_by_area() {
        let mut random = Random::new(7);
        for qp in [10, 30, 51] {
            let (costs, aq, passed) =
                (costs(&mut random), numbers(&mut random, 3.0), numbers(&mut random, 900.0));
            let mut before = MbNumbers::new(MBS);
            propagate(&costs.view(), &aq.view(), &passed.view(), &mut before, dead(qp));
            let mut wanted = [[0.0_f64; MBS[1]]; MBS[0]];
            for (mb, &mv) in costs.mv.iter().enumerate() {
                let (intra, inter) = (f64::from(costs.intra[mb]), f64::from(costs.inter[mb]));
                let own = (intra + 16.0) * 2_f64.powf(-f64::from(aq.of[mb]) / 6.0) + f64::from(passed.of[mb]);
                let left = inter * inter / (inter + 6.0 * 2_f64.powf((f64::from(qp) - 4.0) / 6.0));
                let taken = own * (1.0 - left / (intra + 16.0));
                // The 64x64 quarters of a sample that it covers, one by one.
                let [row, column] = [mb / MBS[1], mb % MBS[1]];
                let at = |at: usize, v: i16, count: usize| {
                    (64 * at as isize + isize::from(v)).clamp(0, 64 * (count as isize - 1)) as usize
                };
                let (top, left) = (at(row, mv[1], MBS[0]), at(column, mv[0], MBS[1]));
                for y in top..top + 64 {
                    for x in left..left + 64 {
                        wanted[y / 64][x / 64] += taken / 4096.0;
                    }
                }
            }
            for (mb, &found) in before.of.iter().enumerate() {
                let wanted = wanted[mb / MBS[1]][mb % MBS[1]];
                assert!((f64::from(found) - wanted).abs() < 1e-3 * (1.0 + wanted), "{found} for {wanted}");
            }
        }
    }

    #[test]
    fn offsets_follow_what_depends_on_a_macroblock() {
        let mut random = Random::new(8);
        let (costs, aq) = (costs(&mut random), numbers(&mut random, 2.0));
        let mut passed = MbNumbers::new(MBS);
        for (mb, passed) in passed.of.iter_mut().enumerate() {
            // As much as it has by itself, and three times as much.
            *passed = [1.0, 3.0][mb % 2] * information(costs.intra[mb], aq.of[mb]);
        }
        let mut offsets = MbNumbers::new(MBS);
        let ratio = offsets_of(&costs.view(), &aq.view(), &passed.view(), 1.5, &mut offsets);
        for mb in 0..MBS[0] * MBS[1] {
            let wanted = aq.of[mb] - [1.5, 3.0][mb % 2];
            let found = number_of(&offsets.view(), [mb / MBS[1], mb % MBS[1]]);
            assert!((found - wanted).abs() < 1e-4, "{found} for {wanted}");
        }
        let sum = |offset: &dyn Fn(usize) -> f32| -> f32 {
            costs.intra.iter().enumerate().map(|(mb, &intra)| information(intra, offset(mb))).sum()
        };
        let wanted = sum(&|mb| offsets.of[mb]) / sum(&|_| 0.0);
        assert!((ratio - f64::from(wanted)).abs() < 1e-3, "{ratio} for {wanted}");
        // None of it is a number where all costs are 0.
        propagate(&MbCosts::new(MBS).view(), &aq.view(), &passed.view(), &mut offsets, dead(0));
        assert!(offsets.of.iter().all(|offset| offset.is_finite()));
    }
}
