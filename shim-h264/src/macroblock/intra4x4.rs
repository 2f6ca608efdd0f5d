//! `Intra_4x4`: each block is predicted from those before it (8.3.1).

use super::{Current, MacroblockCoder, Slice};
use crate::decide::{Decisions, Ways};
use crate::kernels::intra::luma_4x4::intra_4x4_predictions;
use crate::kernels::residual::candidates::{choose, code_candidates};
use crate::syntax::macroblock::Intra4x4PredMode;

/// Row and column of the blocks whose neighbours are all there after the steps before: one or two at a time, along lines that fall
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

/// `luma4x4BlkIdx` of the block in a row and a column (6.4.3).
const fn index([y, x]: [usize; 2]) -> usize {
    8 * (y / 2) + 4 * (x / 2) + 2 * (y % 2) + x % 2
}

impl MacroblockCoder {
    /// Codes the luma of a macroblock block by block, unless that costs more than this. Says whether it was done; the
    /// macroblock's samples are lost in either case.
    pub(super) fn intra4x4(
        &mut self,
        slice: &mut Slice<'_>,
        current: &Current,
        most: u32,
        decisions: &mut impl Decisions,
    ) -> bool {
        let Current { at: [row, column], intra: available, qp, .. } = *current;
        let size = slice.source.luma_size();
        let quantiser = slice.quantisers.luma(qp);
        let cur = slice.source.planes[0];
        let wide = 4 * slice.tables.mbs[1];
        let mut modes = [[0_u8; 4]; 4];
        let mut cost = decisions.intra4x4_overhead(qp);
        for step in STEPS {
            let both = step[0] != step[1];
            let at = step.map(|[y, x]| [16 * row + 4 * y, 16 * column + 4 * x]);
            let around = step.map(|[y, x]| available.of_block(y, x));
            for b in 0..=usize::from(both) {
                let recon = &*slice.recon.planes[0];
                intra_4x4_predictions(recon, size, at[b], around[b], b, &mut self.luma_4x4);
            }
            code_candidates(cur, size, at, both, &self.luma_4x4, quantiser, &mut self.coded);
            for b in 0..=usize::from(both) {
                let block = step[b];
                let predicted = predicted_mode(slice.tables.intra4x4, wide, current, block, &modes);
                let ways = Ways::new(&self.coded, b, around[b], predicted);
                let (mode, more) = decisions.intra4x4(&ways, qp);
                cost = cost.saturating_add(more);
                if cost > most {
                    return false;
                }
                modes[block[0]][block[1]] = mode as u8;
                let round = &mut self.round.macroblock;
                round.mb_pred.intra4x4[index(block)] = syntax_of(mode as u8, predicted);
                let recon = &mut slice.recon.planes[0];
                choose(&self.coded, 16 * b + mode, block, &mut round.residual, recon, size, at[b]);
            }
        }
        Self::store_modes(slice, current, Some(&modes));
        true
    }

    /// Stores `Intra4x4PredMode` of the macroblock's blocks; without, that is DC (8.3.1.1).
    pub(super) fn store_modes(slice: &mut Slice<'_>, current: &Current, modes: Option<&[[u8; 4]; 4]>) {
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
    current: &Current,
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
