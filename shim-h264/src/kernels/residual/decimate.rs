//! Coefficient decimation: levels that cost more bits than they improve samples are dropped.

use shim::prelude::*;

use super::Residual;

/// What the levels of each of `LANES` blocks are worth, a template: more the nearer they stand to one another, and 9
/// for each that is greater than 1.
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

/// Drops the luma levels of 8x8 blocks that are worth less than 4, and all of them if they are worth less than 6. All
/// lists must have been computed.
#[shim::kernel(simd, checks = "hoisted")]
pub fn decimate_luma(residual: &mut Residual) {
    let nonzero = Block::external(&mut residual.luma_nonzero, [4, 4]);
    if nonzero.indices().map(|[y, x]| nonzero[[y, x]]).fold(0, |all, own| all | own) != 0 {
        let own = Block::stack::<u16>([16]);
        worth::<0, 16>(Block::external(&residual.luma, [16, 16]), own);
        let own = own.reshape([4, 4]);
        let all: u16 = own.indices().map(|[y, x]| own[[y, x]]).sum();
        #[unroll]
        for block in own.tiles([2, 2]) {
            let worth: u16 = block.indices().map(|[y, x]| block[[y, x]]).sum();
            if all < 6 || worth < 4 {
                let nonzero = nonzero[block];
                for [y, x] in block.indices() {
                    nonzero[[y, x]] = 0;
                }
            }
        }
    }
}

/// Drops the AC levels of Cb or Cr if they are worth less than 7. All lists must have been computed.
#[shim::kernel(simd, checks = "hoisted")]
pub fn decimate_chroma(residual: &mut Residual) {
    let nonzero = Block::external(&mut residual.chroma_nonzero, [8]);
    if nonzero.indices().map(|[l]| nonzero[[l]]).fold(0, |all, own| all | own) != 0 {
        let own = Block::stack::<u16>([8]);
        worth::<1, 8>(Block::external(&residual.chroma, [16, 8]), own);
        #[unroll]
        for component in 0..2 {
            let first = 4 * component;
            if own[[first]] + own[[first + 1]] + own[[first + 2]] + own[[first + 3]] < 7 {
                #[unroll]
                for l in 0..4 {
                    nonzero[[first + l]] = 0;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels::testing::Random;

    /// The worth of a block's levels.
    fn worth_of(levels: impl Iterator<Item = i16>) -> u16 {
        let (mut run, mut sum) = (0_usize, 0);
        for level in levels {
            if level == 0 {
                run += 1;
                continue;
            }
            sum += if level.abs() > 1 { 9 } else { [3, 2, 2, 1, 1, 1].get(run).copied().unwrap_or(0) };
            run = 0;
        }
        sum
    }

    #[test]
    fn what_is_dropped_is_worth_little() {
        let mut random = Random::new(7);
        for round in 0..300 {
            let mut residual = Residual::default();
            for level in residual.luma.iter_mut().chain(&mut residual.chroma) {
                let magnitude = if random.within(0, 9) == 0 { 2 } else { 1 };
                *level = if random.within(0, 10 + round) > 0 {
                    0
                } else {
                    random.within(-magnitude, magnitude) as i16
                };
            }
            let of = |k: usize, level: i16| u16::from(level != 0) << k;
            let luma = |l: usize| (0..16).map(move |k| 16 * k + l);
            let chroma = |l: usize| (1..16).map(move |k| 8 * k + l);
            for l in 0..16 {
                residual.luma_nonzero[l] = luma(l).map(|i| of(i / 16, residual.luma[i])).sum();
            }
            for l in 0..8 {
                residual.chroma_nonzero[l] = chroma(l).map(|i| of(i / 8, residual.chroma[i])).sum();
            }
            let given = residual.clone();
            decimate_luma(&mut residual);
            decimate_chroma(&mut residual);
            let worths: [u16; 16] = std::array::from_fn(|l| worth_of(luma(l).map(|i| given.luma[i])));
            let all: u16 = worths.iter().sum();
            for l in 0..16 {
                let first = l & 0b1010;
                let block = worths[first] + worths[first + 1] + worths[first + 4] + worths[first + 5];
                let kept = if all < 6 || block < 4 { 0 } else { given.luma_nonzero[l] };
                assert_eq!(residual.luma_nonzero[l], kept);
            }
            for l in 0..8 {
                let first = l & 0b100;
                let component: u16 =
                    (first..first + 4).map(|l| worth_of(chroma(l).map(|i| given.chroma[i]))).sum();
                let kept = if component < 7 { 0 } else { given.chroma_nonzero[l] };
                assert_eq!(residual.chroma_nonzero[l], kept);
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
        decimate_luma(&mut residual);
        decimate_chroma(&mut residual);
        assert_eq!((residual.luma_nonzero[0], residual.luma_nonzero[10]), (0, 1));
        assert_eq!(residual.chroma_nonzero, [0; 8]);
    }
}
