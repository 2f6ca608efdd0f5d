//! The luma of a picture at half its density, on which it is looked at before it is coded: a macroblock is a block of 8x8 there.

use alloc::vec;
use alloc::vec::Vec;

use shim::prelude::*;

use crate::kernels::metrics::{sad_of, satd_of};

/// The luma of a picture at a lower density.
#[shim::located(view as LevelView)]
#[derive(Clone, Debug)]
pub(crate) struct Level {
    /// Rows.
    pub(crate) h: usize,
    /// Columns.
    pub(crate) w: usize,
    /// The samples.
    #[shape(h, w)]
    pub(crate) samples: Vec<u8>,
}

impl Level {
    /// Black samples in so many rows and columns.
    pub(crate) fn new([h, w]: [usize; 2]) -> Self {
        Self { h, w, samples: vec![0; h * w] }
    }
}

/// Averages of 2x2 samples of a plane.
///
/// # Panics
///
/// When the plane does not have the memory.
#[shim::kernel(simd)]
pub(crate) fn halve(#[shape(2 * to.h, 2 * to.w)] from: &[u8], #[located] to: &mut Level) {
    let (from, half) = (from.cast::<u16>(), to.samples.cast::<u16>());
    let [y, x] = iters();
    half[[y, x]] = (from[[2 * y, 2 * x]]
        + from[[2 * y, 2 * x + 1]]
        + from[[2 * y + 1, 2 * x]]
        + from[[2 * y + 1, 2 * x + 1]]
        + 2)
        >> 2;
}

/// The SADs of a block and up to four blocks of the picture before. The first `count`, at these rows and columns, count; the SAD of others
/// is 0.
///
/// # Panics
///
/// When a block is outside of its picture.
#[shim::kernel(simd)]
pub(crate) fn level_sads(
    #[located] cur: &LevelView<'_>,
    #[shape(8, 8)] block: Place<2>,
    #[located] before: &LevelView<'_>,
    at: &[[usize; 2]; 4],
    count: usize,
) -> [u32; 4] {
    let own = cur.samples.footprint(block);
    let mut sads = [0; 4];
    for i in 0..count.min(4) {
        let [r, c] = at[i];
        sads[i] = sad_of(own, before.samples[[r..r + 8, c..c + 8]]);
    }
    sads
}

/// The SATD of a block and one of the picture before.
///
/// # Panics
///
/// When a block is outside of its picture.
#[shim::kernel(simd)]
pub(crate) fn level_satd(
    #[located] cur: &LevelView<'_>,
    #[shape(8, 8)] block: Place<2>,
    #[located] before: &LevelView<'_>,
    #[shape(8, 8)] there: Place<2>,
) -> u32 {
    satd_of(cur.samples.footprint(block), before.samples.footprint(there))
}

/// The least SATD of a block predicted from the samples above and on the left as by the vertical, the horizontal and the DC mode of 8.3.3.
/// Without neighbors DC is 128.
///
/// # Panics
///
/// When the block is outside of the picture.
#[shim::kernel(simd)]
pub(crate) fn intra_8x8(#[located] level: &LevelView<'_>, #[shape(8, 8)] block: Place<2>) -> u32 {
    let (r, c) = (block.origin(0), block.origin(1));
    let cur = level.samples.footprint(block);
    let s = cur.cast::<u32>();
    let own = Block::stack::<u8>([8, 8]);
    let pred = own.cast::<u32>();
    let (mut sum, mut count, mut least) = (0, 0, u32::MAX);
    if r > 0 {
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
    if c > 0 {
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
    use super::*;
    use crate::kernels::testing::{Random, Window, sad, satd};

    #[test]
    fn a_sample_is_the_mean_of_four() {
        let mut random = Random::new(3);
        for [h, w] in [[1, 1], [8, 8], [3, 70]] {
            let from: Vec<u8> = (0..4 * h * w).map(|_| random.byte()).collect();
            let mut to = Level::new([h, w]);
            halve(&from, &mut to);
            for (i, &sample) in to.samples.iter().enumerate() {
                let (y, x) = (i / w, i % w);
                let row =
                    |y: usize| u32::from(from[2 * w * y + 2 * x]) + u32::from(from[2 * w * y + 2 * x + 1]);
                assert_eq!(u32::from(sample), (row(2 * y) + row(2 * y + 1) + 2) / 4);
            }
        }
    }

    #[test]
    fn a_block_is_predicted_by_the_best_of_three() {
        let mut random = Random::new(4);
        let size = [24, 32];
        for round in 0..30 {
            let mut plane: Vec<u8> = (0..24 * 32).map(|_| random.byte() / 2).collect();
            // In some rounds columns or rows are alike.
            for i in 32..plane.len() {
                match round % 3 {
                    0 => plane[i] = plane[i - 32] ^ (random.bits() & 1) as u8,
                    1 if i % 32 > 0 => plane[i] = plane[i - 1] ^ (random.bits() & 1) as u8,
                    _ => {}
                }
            }
            for at in [[0, 0], [0, 8], [8, 0], [8, 8], [16, 24]] {
                let [r, c] = at;
                let sample = |y: usize, x: usize| plane[32 * y + x];
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
                let cur = Window { plane: &plane, size, at };
                let costs = preds
                    .iter()
                    .map(|pred| satd(cur, Window { plane: pred, size: [8, 8], at: [0, 0] }, [8, 8]));
                let level = Level { h: size[0], w: size[1], samples: plane.clone() };
                let block = Place::new(at.map(|n| n as isize), [8, 8]);
                assert_eq!(Some(intra_8x8(&level.view(), block)), costs.min(), "{at:?}");
            }
        }
    }

    #[test]
    fn blocks_are_compared_where_they_are() {
        let (mut random, size) = (Random::new(5), [20, 40]);
        for round in 0..50 {
            let mut level = |extreme: u8| {
                let mut level = Level::new(size);
                level.samples.fill_with(|| if round == 0 { extreme } else { random.byte() });
                level
            };
            let (cur, before) = (level(0), level(255));
            let (own_view, view) = (cur.view(), before.view());
            let mut place = |most: [i32; 2]| most.map(|most| random.within(0, most) as usize);
            let own = place([12, 32]);
            let block = Place::new(own.map(|n| n as isize), [8, 8]);
            let window = |plane, at| Window { plane, size, at };
            let sad_at = |at| sad(window(&cur.samples, own), window(&before.samples, at), [8, 8]);
            let at = [(); 4].map(|()| place([12, 32]));
            let count = round % 5;
            let expected = std::array::from_fn(|i| if i < count { sad_at(at[i]) } else { 0 });
            assert_eq!(level_sads(&own_view, block, &view, &at, count), expected);
            let there = Place::new(at[0].map(|n| n as isize), [8, 8]);
            let expected = satd(window(&cur.samples, own), window(&before.samples, at[0]), [8, 8]);
            assert_eq!(level_satd(&own_view, block, &view, there), expected);
        }
    }
}
