//! Luma of `Intra_4x4`: each block is predicted from those before it (8.3.1).

use crate::decide::intra4x4_lambda;
use crate::kernels::blocks::{reconstruction, take_macroblock};
use crate::kernels::intra::available_to_blocks;
use crate::kernels::residual::candidates::{ModeResults, Modes, choose, code_candidates};
use crate::macroblock::coder::{Current, MacroblockCoder, Slice};
use crate::macroblock::modes::{modes_around, predicted_mode};

/// The wavefront `2 * y + x` of the blocks of a macroblock: row and column of the one or two blocks of each front,
/// whose neighbors, among them the one above and at the right, are in fronts before. Of one, it has the same twice.
const FRONTS: [[[usize; 2]; 2]; 10] = {
    let mut fronts = [[[0; 2]; 2]; 10];
    let mut front = 0_usize;
    while front < 10 {
        // Rows `y` of which `x`, the rest, is 0 to 3.
        let (first, last) = (front.saturating_sub(2) / 2, if front < 6 { front / 2 } else { 3 });
        fronts[front] = [[first, front - 2 * first], [last, front - 2 * last]];
        front += 1;
    }
    fronts
};

impl<E> MacroblockCoder<E> {
    /// Codes luma block by block, each by the mode that `choice` takes, given the block coded by all modes, its number
    /// among these, and its row and column. Gives up when the costs that `choice` returns with the modes are more than
    /// `most`, together with `cost`; samples are left alone then, and levels are lost.
    #[inline]
    pub(in crate::macroblock) fn code_4x4(
        &mut self,
        slice: &Slice<'_>,
        current: &Current,
        mut cost: u32,
        most: u32,
        choice: impl Fn(&ModeResults, usize, [usize; 2]) -> (u8, u32),
    ) -> Option<[[u8; 4]; 4]> {
        let Current { place, intra: available, qp, .. } = *current;
        let quantizer = slice.intra_quantizers.luma(qp);
        let Self { luma, candidates, coded, .. } = self;
        take_macroblock(&slice.source, &slice.picture, place, available, luma);
        let (lambda, mut around) = (intra4x4_lambda(qp), modes_around(&slice.picture, place, available));
        let of_blocks = available_to_blocks(available);
        for front in &FRONTS {
            let modes = |[y, x]: [usize; 2]| Modes {
                available: of_blocks[y][x],
                predicted: predicted_mode(&around, y, x),
            };
            let modes = [modes(front[0]), modes(front[1])];
            let both = front[0] != front[1];
            code_candidates(luma, *front, both, modes, lambda, quantizer, candidates);
            for (b, &[y, x]) in front[..=usize::from(both)].iter().enumerate() {
                let (mode, more) = choice(candidates, b, [y, x]);
                cost = cost.saturating_add(more);
                if cost > most {
                    return None;
                }
                around[y + 1][x + 1] = mode;
                choose(candidates, 16 * b + usize::from(mode), [y, x], coded.residual_mut(), luma);
            }
        }
        reconstruction(luma, &mut coded.samples.luma);
        Some(core::array::from_fn(|y| core::array::from_fn(|x| around[y + 1][x + 1])))
    }
}
