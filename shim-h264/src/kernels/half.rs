//! The luma of a picture at half its density, on which it is looked at before it is coded: a macroblock is a block of 8x8 there.

use shim::prelude::*;

use super::metrics::satd_of;

/// Averages of 2x2 samples: of `from`, twice `size`, into `to`, `size`.
///
/// # Panics
///
/// When a plane does not have the memory.
#[shim::kernel(simd)]
pub fn halve(from: &[u8], size: [usize; 2], to: &mut [u8]) {
    let [h, w] = size;
    let from = Block::external(from, [2 * h, 2 * w]).cast::<u16>();
    let to = Block::external(to, [h, w]).cast::<u16>();
    let [y, x] = iters();
    to[[y, x]] = (from[[2 * y, 2 * x]]
        + from[[2 * y, 2 * x + 1]]
        + from[[2 * y + 1, 2 * x]]
        + from[[2 * y + 1, 2 * x + 1]]
        + 2)
        >> 2;
}

/// The least SATD of the 8x8 block at `at` of a plane, predicted from the samples of the plane itself above and on the left as by
/// the vertical, the horizontal and the DC mode of 8.3.3. Without neighbors DC is 128.
///
/// # Panics
///
/// When the block does not lie in the plane.
#[shim::kernel(simd)]
pub fn intra_8x8(plane: &[u8], size: [usize; 2], at: [usize; 2]) -> u32 {
    let ([h, w], [r, c]) = (size, at);
    let cur = Block::external(plane, [h, w])[[r..r + 8, c..c + 8]];
    let s = cur.cast::<u32>();
    let block = Block::stack::<u8>([8, 8]);
    let pred = block.cast::<u32>();
    let (mut sum, mut count, mut least) = (0, 0, u32::MAX);
    if r > 0 {
        #[unroll]
        for x in 0..8 {
            sum += s[[-1, x]];
        }
        count += 1;
        #[unroll]
        for y in 0..8 {
            for x in 0..8 {
                pred[[y, x]] = s[[-1, x]];
            }
        }
        least = least.min(satd_of(cur, block));
    }
    if c > 0 {
        #[unroll]
        for y in 0..8 {
            sum += s[[y, -1]];
        }
        count += 1;
        #[unroll]
        for y in 0..8 {
            for x in 0..8 {
                pred[[y, x]] = s[[y, -1]];
            }
        }
        least = least.min(satd_of(cur, block));
    }
    let dc = match count {
        0 => 128,
        1 => (sum + 4) >> 3,
        _ => (sum + 8) >> 4,
    };
    let [y, x] = iters();
    pred[[y, x]] = dc;
    least.min(satd_of(cur, block))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels::metrics::{Place, satd_8x8};
    use crate::kernels::testing::Random;

    #[test]
    fn a_sample_is_the_mean_of_four() {
        let mut random = Random::new(3);
        for [h, w] in [[1, 1], [8, 8], [3, 70]] {
            let from: Vec<u8> = (0..4 * h * w).map(|_| random.byte()).collect();
            let mut to = vec![0; h * w];
            halve(&from, [h, w], &mut to);
            for (i, &sample) in to.iter().enumerate() {
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
                let cur = Place { plane: &plane, size, at };
                let costs =
                    preds.iter().map(|pred| satd_8x8(cur, Place { plane: pred, size: [8, 8], at: [0, 0] }));
                assert_eq!(Some(intra_8x8(&plane, size, at)), costs.min(), "{at:?}");
            }
        }
    }
}
