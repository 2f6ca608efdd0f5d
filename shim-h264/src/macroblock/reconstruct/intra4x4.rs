//! Luma of `Intra_4x4`: each block is predicted from those before it (8.3.1).

use crate::decide::intra4x4_lambda;
use crate::kernels::blocks::{put_macroblock, take_macroblock};
use crate::kernels::macroblock_at;
use crate::kernels::residual::candidates::{Coded, Modes, choose, code_candidates};
use crate::macroblock::coder::{Current, MacroblockCoder, Slice};
use crate::macroblock::modes::{modes_around, predicted_mode};

/// Row and column of the blocks whose neighbors are all there after the steps before: one or two at a time, along lines that fall
/// by a row for two columns. Of one, it stands twice.
const STEPS: [[[usize; 2]; 2]; 10] = [
    [[0, 0]; 2],
    [[0, 1]; 2],
    [[0, 2], [1, 0]],
    [[0, 3], [1, 1]],
    [[1, 2], [2, 0]],
    [[1, 3], [2, 1]],
    [[2, 2], [3, 0]],
    [[2, 3], [3, 1]],
    [[3, 2]; 2],
    [[3, 3]; 2],
];

impl MacroblockCoder {
    /// Codes luma block by block, each by the mode that `choice` takes, given the block coded by all modes, its number among these, and
    /// its row and column. Gives up when the costs that `choice` returns with the modes are more than `most`, together with `cost`;
    /// samples are left alone then, and levels are lost.
    #[inline]
    pub(in crate::macroblock) fn code_4x4(
        &mut self,
        slice: &mut Slice<'_>,
        current: &Current,
        mut cost: u32,
        most: u32,
        choice: impl Fn(&Coded, usize, [usize; 2]) -> (u8, u32),
    ) -> Option<[[u8; 4]; 4]> {
        let Current { at: [row, column], intra: available, qp, .. } = *current;
        let (size, at) = (slice.source.luma_size(), [16 * row, 16 * column]);
        let quantizer = slice.quantizers.luma(qp);
        let Self { luma, candidates, coded, .. } = self;
        take_macroblock(slice.source.planes[0], slice.recon.planes[0], size, at, available, luma);
        let lambda = intra4x4_lambda(qp);
        let mut around = modes_around(&slice.tables, macroblock_at(current.at), available);
        for step in &STEPS {
            let modes = |[y, x]: [usize; 2]| Modes {
                available: available.of_block(y, x),
                predicted: predicted_mode(&around, y, x),
            };
            let modes = [modes(step[0]), modes(step[1])];
            let both = step[0] != step[1];
            code_candidates(luma, *step, both, modes, lambda, quantizer, candidates);
            for (b, &[y, x]) in step[..=usize::from(both)].iter().enumerate() {
                let (mode, more) = choice(candidates, b, [y, x]);
                cost = cost.saturating_add(more);
                if cost > most {
                    return None;
                }
                around[y + 1][x + 1] = mode;
                choose(candidates, 16 * b + usize::from(mode), [y, x], coded.residual_mut(), luma);
            }
        }
        put_macroblock(luma, slice.recon.planes[0], size, at);
        Some(core::array::from_fn(|y| core::array::from_fn(|x| around[y + 1][x + 1])))
    }
}
