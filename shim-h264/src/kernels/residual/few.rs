//! Levels that are so few and small that they cost more than they mend.

use shim::prelude::*;

use super::Residual;

/// What the levels of each of `LANES` blocks are worth, a template: more the nearer they stand to one another, and 9 for each that is
/// greater than 1.
#[shim::kernel]
fn worth<const FIRST: usize, const LANES: usize>(levels: impl Tensor<i16, 2>, worth: impl Tensor<u16, 1>) {
    for l in 0..LANES {
        let (mut run, mut sum) = (0_u16, 0_u16);
        #[unroll]
        for k in FIRST..16 {
            let magnitude = levels[[k, l]].unsigned_abs();
            let near =
                if run < 1 { 1 } else { 0 } + if run < 3 { 1 } else { 0 } + if run < 6 { 1 } else { 0 };
            let own = if magnitude > 1 { 9 } else { near };
            sum += if magnitude != 0 { own } else { 0 };
            run = if magnitude != 0 { 0 } else { run + 1 };
        }
        worth[[l]] = sum;
    }
}

/// What the levels of each luma and each chroma block of a macroblock are worth, those of DC in lists of their own not counted.
#[shim::kernel(simd)]
pub fn worths(residual: &Residual, luma: &mut [u16; 16], chroma: &mut [u16; 8]) {
    worth::<0, 16>(Block::external(&residual.luma, [16, 16]), Block::external(luma, [16]));
    worth::<1, 8>(Block::external(&residual.chroma, [16, 8]), Block::external(chroma, [8]));
}

/// Drops the luma levels of 8x8 blocks that are worth less than 4, all luma levels if they are worth less than 6, and the AC
/// levels of Cb or Cr if they are worth less than 7. All lists must have been computed.
pub fn drop_few(residual: &mut Residual) {
    let (mut luma, mut chroma) = ([0; 16], [0; 8]);
    worths(residual, &mut luma, &mut chroma);
    let all: u16 = luma.iter().sum();
    for first in [0, 2, 8, 10] {
        let lanes = [first, first + 1, first + 4, first + 5];
        if all < 6 || lanes.iter().map(|&lane| luma[lane]).sum::<u16>() < 4 {
            for lane in lanes {
                residual.luma_nonzero[lane] = 0;
            }
        }
    }
    for first in [0, 4] {
        if chroma[first..first + 4].iter().sum::<u16>() < 7 {
            residual.chroma_nonzero[first..first + 4].fill(0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels::testing::Random;

    #[test]
    fn worth_is_by_runs_and_magnitudes() {
        let mut random = Random::new(7);
        for _ in 0..100 {
            let mut residual = Residual::default();
            for level in residual.luma.iter_mut().chain(&mut residual.chroma) {
                *level = if random.within(0, 5) > 0 { 0 } else { random.within(-2, 2) as i16 };
            }
            let (mut luma, mut chroma) = ([0; 16], [0; 8]);
            worths(&residual, &mut luma, &mut chroma);
            let expected = |levels: &mut dyn Iterator<Item = i16>| {
                let (mut run, mut sum) = (0_usize, 0);
                for level in levels {
                    if level == 0 {
                        run += 1;
                        continue;
                    }
                    sum +=
                        if level.abs() > 1 { 9 } else { [3, 2, 2, 1, 1, 1].get(run).copied().unwrap_or(0) };
                    run = 0;
                }
                sum
            };
            for (l, &luma) in luma.iter().enumerate() {
                assert_eq!(luma, expected(&mut (0..16).map(|k| residual.luma[16 * k + l])));
            }
            for (l, &chroma) in chroma.iter().enumerate() {
                assert_eq!(chroma, expected(&mut (1..16).map(|k| residual.chroma[8 * k + l])));
            }
        }
    }

    #[test]
    fn few_levels_are_dropped() {
        let mut residual = Residual::default();
        residual.luma[16 * 9] = 1;
        residual.luma_nonzero[0] = 1 << 9;
        residual.luma[10] = 2;
        residual.luma_nonzero[10] = 1;
        residual.chroma[8 * 3 + 1] = -1;
        residual.chroma_nonzero[1] = 1 << 3;
        drop_few(&mut residual);
        assert_eq!((residual.luma_nonzero[0], residual.luma_nonzero[10]), (0, 1));
        assert_eq!(residual.chroma_nonzero, [0; 8]);
    }
}
