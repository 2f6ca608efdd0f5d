//! `Intra_4x4`: each block is predicted from those before it (8.3.1).

use super::{Current, MacroblockCoder, Slice};
use crate::decide::{Decisions, Intra4x4};
use crate::kernels::intra::luma_4x4::intra_4x4_candidates;
use crate::kernels::metrics::Place;
use crate::kernels::residual::block::code_block;
use crate::kernels::residual::candidates::{choose, code_candidates};
use crate::syntax::macroblock::Intra4x4PredMode;

/// Row and column of each block in the order of coding (Figure 6-10).
pub(crate) const BLOCKS: [[usize; 2]; 16] = [
    [0, 0],
    [0, 1],
    [1, 0],
    [1, 1],
    [0, 2],
    [0, 3],
    [1, 2],
    [1, 3],
    [2, 0],
    [2, 1],
    [3, 0],
    [3, 1],
    [2, 2],
    [2, 3],
    [3, 2],
    [3, 3],
];

impl MacroblockCoder {
    /// Codes the luma of a macroblock block by block, unless that costs more than this. Says whether it was done; the
    /// macroblock's samples are lost in either case.
    pub(super) fn intra4x4(
        &mut self,
        slice: &mut Slice<'_>,
        current: Current,
        most: u32,
        decisions: &mut impl Decisions,
    ) -> bool {
        let Current { at: [row, column], intra: available, qp, .. } = current;
        let size = slice.source.luma_size();
        let quantiser = slice.quantisers.luma(qp);
        let mut modes = [[0_u8; 4]; 4];
        let mut cost = decisions.intra4x4_overhead(qp);
        for (block, coded) in BLOCKS.into_iter().zip(&mut self.round.macroblock.mb_pred.intra4x4) {
            let [y, x] = block;
            let at = [16 * row + 4 * y, 16 * column + 4 * x];
            let own = available.of_block(y, x);
            let (cur, recon) = (&slice.source.planes[0], &mut slice.recon.planes[0]);
            intra_4x4_candidates(cur, recon, size, at, own, &mut self.luma_4x4);
            let predicted =
                predicted_mode(slice.tables.intra4x4, 4 * slice.tables.mbs[1], current, block, &modes);
            let place = Place { plane: cur, size, at };
            let ways = &mut self.coded;
            let by_rate = decisions.intra4x4_way() == Intra4x4::ByRate;
            let mode = if by_rate {
                code_candidates(place, &self.luma_4x4, quantiser, ways);
                decisions.intra4x4_coded(&self.luma_4x4, ways, own, predicted, qp)
            } else {
                decisions.intra4x4(&self.luma_4x4, own, predicted, qp)
            };
            cost = cost.saturating_add(decisions.intra4x4_cost(&self.luma_4x4, mode, predicted, qp));
            if cost > most {
                return false;
            }
            modes[y][x] = mode as u8;
            *coded = syntax_of(mode as u8, predicted);
            let residual = &mut self.round.macroblock.residual;
            if by_rate {
                choose(ways, mode, block, residual, recon, size, at);
                continue;
            }
            code_block(place, &self.luma_4x4.pred, mode, quantiser, block, residual, recon);
        }
        Self::store_modes(slice, current, Some(&modes));
        true
    }

    /// Stores `Intra4x4PredMode` of the macroblock's blocks; without, that is DC (8.3.1.1).
    pub(super) fn store_modes(slice: &mut Slice<'_>, current: Current, modes: Option<&[[u8; 4]; 4]>) {
        let wide = 4 * slice.tables.mbs[1];
        let [row, column] = current.at;
        let table = slice.tables.intra4x4[4 * row * wide..].chunks_mut(wide);
        for (y, line) in table.take(4).enumerate() {
            line[4 * column..4 * column + 4].copy_from_slice(&modes.map_or([2; 4], |modes| modes[y]));
        }
    }
}

/// `predIntra4x4PredMode` (8.3.1.1): the lesser of the modes at the left and above, and DC beside what is not available.
fn predicted_mode(
    table: &[u8],
    wide: usize,
    current: Current,
    block: [usize; 2],
    modes: &[[u8; 4]; 4],
) -> u8 {
    let ([row, column], [y, x]) = (current.at, block);
    if x == 0 && !current.intra.a || y == 0 && !current.intra.b {
        return 2;
    }
    let of = |y: usize, x: usize| table[y * wide + x];
    let left = if x > 0 { modes[y][x - 1] } else { of(4 * row + y, 4 * column - 1) };
    let above = if y > 0 { modes[y - 1][x] } else { of(4 * row - 1, 4 * column + x) };
    left.min(above)
}

/// How a mode is coded (7.4.5.1).
const fn syntax_of(mode: u8, predicted: u8) -> Intra4x4PredMode {
    let rem_intra4x4_pred_mode = match mode {
        same if same == predicted => 0,
        less if less < predicted => less,
        more => more - 1,
    };
    Intra4x4PredMode { prev_intra4x4_pred_mode_flag: mode == predicted, rem_intra4x4_pred_mode }
}
