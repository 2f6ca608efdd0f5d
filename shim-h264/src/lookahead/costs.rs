//! The cost of a picture by Intra and by Inter prediction, at half its resolution.

use alloc::vec;
use alloc::vec::Vec;

use shim::prelude::*;

use super::level::LevelView;
use super::search::{FieldView, displaced};
use crate::kernels::Vector;
use crate::kernels::metrics::satd_of;

/// The SATD of all 8x8 blocks of a picture at half resolution, each by its cheapest prediction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Costs {
    /// Each predicted from the samples beside it.
    pub(crate) intra: u64,
    /// Each predicted from there or from the previous picture, whichever is less.
    pub(crate) inter: u64,
}

impl Costs {
    /// Whether the previous picture predicts hardly anything of this one.
    pub(crate) const fn new_scene(self) -> bool {
        self.inter > self.intra / 4 * 3
    }
}

/// A picture of the queue, as far as the look-ahead knows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Later {
    /// Whether it will be an IDR picture, unless the buffer or the caller changes that.
    pub(crate) idr: bool,
    pub(crate) costs: Costs,
}

/// The costs of each macroblock of a picture, which is a block of 8x8 at half the resolution.
#[shim::located(view as MbCostsView)]
#[derive(Clone, Debug)]
pub(super) struct MbCosts {
    /// Rows of macroblocks.
    high: usize,
    /// Columns of macroblocks.
    wide: usize,
    /// SATD of the best Intra prediction.
    #[shape(high, wide)]
    pub(super) intra: Vec<u32>,
    /// SATD of the best prediction of all.
    #[shape(high, wide)]
    pub(super) inter: Vec<u32>,
    /// The vector of the best prediction from the previous picture, in quarters of a sample of the picture.
    #[shape(high, wide)]
    pub(super) mv: Vec<Vector>,
}

impl MbCosts {
    /// Costs of 0.
    pub(super) fn new([high, wide]: [usize; 2]) -> Self {
        let count = high * wide;
        Self { high, wide, intra: vec![0; count], inter: vec![0; count], mv: vec![[0; 2]; count] }
    }
}

/// The costs of a picture whose extents are multiples of 8, given its motion from the previous one, and those of each
/// macroblock. With `fine`, the latter are by vectors between the samples too.
#[shim::kernel(simd(v3))]
pub(super) fn costs(
    #[located] cur: &LevelView<'_>,
    #[located] before: &LevelView<'_>,
    #[located] motion: &FieldView<'_>,
    #[located] mbs: &mut MbCosts,
    fine: bool,
) -> Costs {
    let mut costs = Costs { intra: 0, inter: 0 };
    for row in 0..motion.mv.extent(0) {
        for column in 0..motion.mv.extent(1) {
            let own = cur.samples[[8 * row..8 * row + 8, 8 * column..8 * column + 8]];
            let intra = intra_8x8(own, row > 0, column > 0);
            let there = displaced(own, before.samples, motion.mv[[row, column]]);
            let inter = satd_of(own, there);
            let mut best = (inter, motion.mv[[row, column]].map(|v: i16| v.saturating_mul(2)));
            if fine && inter > FINE_ABOVE {
                let [x, y] = best.1;
                for i in 0..8 {
                    let [dx, dy] = AROUND[i];
                    let mv = [x.saturating_add(dx), y.saturating_add(dy)];
                    let satd = satd_between(own, before.samples, mv);
                    if satd < best.0 {
                        best = (satd, mv);
                    }
                }
            }
            mbs.mv[[row, column]] = best.1.map(|v: i16| v.saturating_mul(4));
            mbs.intra[[row, column]] = intra;
            mbs.inter[[row, column]] = intra.min(best.0);
            costs.intra += u64::from(intra);
            costs.inter += u64::from(intra.min(inter));
        }
    }
    costs
}

/// SATD of a block from which on vectors between the samples are compared.
const FINE_ABOVE: u32 = 64;

/// The eight neighbors of a vector.
const AROUND: [Vector; 8] = [[-1, 0], [1, 0], [0, -1], [0, 1], [-1, -1], [1, -1], [-1, 1], [1, 1]];

/// The SATD of a block against what a vector in halves of a sample points to, with samples in between as means; a
/// template.
#[shim::kernel]
fn satd_between(own: impl Tensor<u8, 2>, there: impl Tensor<u8, 2>, mv: Vector) -> u32 {
    let most = [there.extent(0) as isize - 9, there.extent(1) as isize - 9];
    if most[0] < 0 || most[1] < 0 {
        return u32::MAX;
    }
    let y = (own.origin(0) + (mv[1] >> 1) as isize).clamp(0, most[0]) as usize;
    let x = (own.origin(1) + (mv[0] >> 1) as isize).clamp(0, most[1]) as usize;
    let (down, right) = ((mv[1] & 1) as usize, (mv[0] & 1) as usize);
    let around = there[[y..y + 9, x..x + 9]].cast::<u16>();
    let between = Block::stack::<u8>([8, 8]);
    let mean = between.cast::<u16>();
    for i in 0..8 {
        for j in 0..8 {
            mean[[i, j]] = (around[[i, j]]
                + around[[i, j + right]]
                + around[[i + down, j]]
                + around[[i + down, j + right]]
                + 2)
                >> 2;
        }
    }
    satd_of(own, between)
}

/// The least SATD of a block by the vertical, the horizontal and the DC mode of 8.3.3, predicted from source samples;
/// DC is 128 without neighbors. A template.
#[shim::kernel]
fn intra_8x8(cur: impl Tensor<u8, 2>, is_above: bool, is_left: bool) -> u32 {
    let s = cur.cast::<u32>();
    let own = Block::stack::<u8>([8, 8]);
    let pred = own.cast::<u32>();
    let (mut sum, mut count, mut least) = (0, 0, u32::MAX);
    if is_above {
        #[unroll]
        for x in 0..8 {
            sum += s[[-1, x]];
        }
        count += 1;
        #[lanes(8)]
        for [y, x] in pred.indices() {
            pred[[y, x]] = s[[-1, x]];
        }
        least = least.min(satd_of(cur, own));
    }
    if is_left {
        #[unroll]
        for y in 0..8 {
            sum += s[[y, -1]];
        }
        count += 1;
        #[lanes(8)]
        for [y, x] in pred.indices() {
            pred[[y, x]] = s[[y, -1]];
        }
        least = least.min(satd_of(cur, own));
    }
    let dc = match count {
        0 => 128,
        1 => (sum + 4) >> 3,
        _ => (sum + 8) >> 4,
    };
    let [y, x] = iters();
    pred[[y, x]] = dc;
    least.min(satd_of(cur, own))
}

#[cfg(test)]
mod tests {
    use std::vec::Vec;

    use super::*;
    use crate::kernels::testing::{Random, Window, satd};
    use crate::lookahead::level::Level;
    use crate::lookahead::search::Field;

    #[test]
    fn a_block_costs_the_best_of_its_predictions() {
        let mut random = Random::new(4);
        let size = [24, 32];
        for round in 0..30 {
            let mut level = || {
                let mut level = Level::new(size);
                level.samples.fill_with(|| random.byte() / 2);
                level
            };
            let (mut cur, before) = (level(), level());
            // In some rounds columns or rows are alike.
            for i in 32..cur.samples.len() {
                match round % 4 {
                    0 => cur.samples[i] = cur.samples[i - 32] ^ (random.bits() & 1) as u8,
                    1 if i % 32 > 0 => cur.samples[i] = cur.samples[i - 1] ^ (random.bits() & 1) as u8,
                    2 => cur.samples[i] = before.samples[i] ^ (random.bits() & 7) as u8,
                    _ => {}
                }
            }
            let mut wanted = Costs::default();
            for at in (0..24).step_by(8).flat_map(|r| (0..32).step_by(8).map(move |c| [r, c])) {
                let [r, c] = at;
                let sample = |y: usize, x: usize| cur.samples[32 * y + x];
                let (above, left): (Vec<u8>, Vec<u8>) = (
                    (0..8).filter(|_| r > 0).map(|x| sample(r - 1, c + x)).collect(),
                    (0..8).filter(|_| c > 0).map(|y| sample(r + y, c - 1)).collect(),
                );
                let around: Vec<u32> = above.iter().chain(&left).map(|&s| s.into()).collect();
                let count = around.len() as u32;
                let dc = (around.iter().sum::<u32>() + count / 2).checked_div(count).unwrap_or(128);
                let mut preds = vec![vec![dc as u8; 64]];
                if r > 0 {
                    preds.push((0..64).map(|k| above[k % 8]).collect());
                }
                if c > 0 {
                    preds.push((0..64).map(|k| left[k / 8]).collect());
                }
                let own = Window { plane: &cur.samples, size, at };
                let cost = |other| satd(own, other, [8, 8]);
                let costs = preds.iter().map(|pred| cost(Window { plane: pred, size: [8, 8], at: [0, 0] }));
                let intra = costs.min().unwrap_or(0);
                wanted.intra += u64::from(intra);
                wanted.inter += u64::from(intra.min(cost(Window { plane: &before.samples, size, at })));
            }
            let none = Field::new(size);
            let mut mbs = MbCosts::new([3, 4]);
            assert_eq!(
                costs(&cur.view(), &before.view(), &none.view(), &mut mbs, false),
                wanted,
                "round {round}"
            );
            let sum = |costs: &[u32]| costs.iter().map(|&cost| u64::from(cost)).sum::<u64>();
            assert_eq!([sum(&mbs.intra), sum(&mbs.inter)], [wanted.intra, wanted.inter]);
        }
    }
}
