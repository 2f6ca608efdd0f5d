//! `Intra_4x4`: each block is predicted from those before it (8.3.1).

use shim::prelude::*;

use super::coder::{Current, MacroblockCoder, Slice};
use crate::decide::{Decisions, Ways};
use crate::kernels::blocks::{put_macroblock, take_macroblock};
use crate::kernels::intra::Available;
use crate::kernels::macroblock_at;
use crate::kernels::residual::candidates::{Modes, choose, code_candidates};
use crate::picture::TableRows;
use crate::syntax::macroblock::Intra4x4PredMode;

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

/// `luma4x4BlkIdx` of the block in a row and a column (6.4.3).
const fn index([y, x]: [usize; 2]) -> usize {
    8 * (y / 2) + 4 * (x / 2) + 2 * (y % 2) + x % 2
}

/// What stands in the place of `Intra4x4PredMode` where nothing is available.
const NONE: u8 = u8::MAX;

/// `Intra_4x4_DC`, the mode of blocks without one.
const DC: u8 = 2;

/// `Intra4x4PredMode` of a macroblock's blocks, and of those around it: that of row y and column x is `[y + 1][x + 1]`.
type Around = [[u8; 5]; 5];

impl MacroblockCoder {
    /// Codes the luma of a macroblock block by block, unless that costs more than this. Says whether it was done; the
    /// macroblock's levels are lost in either case.
    pub(super) fn intra4x4(
        &mut self,
        slice: &mut Slice<'_>,
        current: &Current,
        most: u32,
        decisions: &mut impl Decisions,
    ) -> bool {
        let Current { at: [row, column], intra: available, qp, .. } = *current;
        let (size, at) = (slice.source.luma_size(), [16 * row, 16 * column]);
        let quantizer = slice.quantizers.luma(qp);
        let Self { luma, predictions, coded, .. } = self;
        take_macroblock(slice.source.planes[0], slice.recon.planes[0], size, at, available, luma);
        let lambda = decisions.intra4x4_lambda(qp);
        let mut around = modes_around(&slice.tables, macroblock_at(current.at), available);
        let mut cost = decisions.intra4x4_overhead(qp);
        let macroblock = &mut self.round.macroblock;
        for step in &STEPS {
            let modes = |[y, x]: [usize; 2]| Modes {
                available: available.of_block(y, x),
                predicted: predicted_mode(&around, y, x),
            };
            let modes = [modes(step[0]), modes(step[1])];
            let both = step[0] != step[1];
            code_candidates(luma, *step, both, modes, lambda, quantizer, predictions, coded);
            for (b, &[y, x]) in step[..=usize::from(both)].iter().enumerate() {
                let (mode, more) = decisions.intra4x4(&Ways::new(coded, b, modes[b]));
                cost = cost.saturating_add(more);
                if cost > most {
                    return false;
                }
                around[y + 1][x + 1] = mode as u8;
                macroblock.mb_pred.intra4x4[index([y, x])] = syntax_of(mode as u8, modes[b].predicted);
                choose(coded, 16 * b + mode, [y, x], &mut macroblock.residual, luma);
            }
        }
        put_macroblock(luma, slice.recon.planes[0], size, at);
        Self::store_modes(slice, current, Some(&around));
        true
    }

    /// Stores `Intra4x4PredMode` of the macroblock's blocks; without, that is DC (8.3.1.1).
    pub(super) fn store_modes(slice: &mut Slice<'_>, current: &Current, modes: Option<&Around>) {
        let modes = modes.unwrap_or(&[[DC; 5]; 5]);
        store_modes(&mut slice.tables, macroblock_at(current.at), modes);
    }
}

/// The modes beside and above the macroblock; those of its own are still to come.
#[shim::kernel]
fn modes_around(
    #[located] tables: &TableRows<'_>,
    #[shape(16, 16)] macroblock: Place<2>,
    available: Available,
) -> Around {
    let modes = tables.intra4x4[macroblock].coarsen([4, 4]);
    let mut around = [[NONE; 5]; 5];
    if available.b {
        for x in 0..4 {
            around[0][x + 1] = modes[[-1, x]];
        }
    }
    if available.a {
        for y in 0..4 {
            around[y + 1][0] = modes[[y, -1]];
        }
    }
    around
}

/// Stores the modes of a macroblock.
#[shim::kernel]
fn store_modes(
    #[located] tables: &mut TableRows<'_>,
    #[shape(16, 16)] macroblock: Place<2>,
    around: &Around,
) {
    let modes = tables.intra4x4.footprint(macroblock);
    for y in 0..4 {
        for x in 0..4 {
            modes[[y, x]] = around[y + 1][x + 1];
        }
    }
}

/// `predIntra4x4PredMode` of the block in row y and column x (8.3.1.1): the lesser of the modes at the left and above, and DC beside
/// what is not available.
const fn predicted_mode(around: &Around, y: usize, x: usize) -> u8 {
    let (left, above) = (around[y + 1][x], around[y][x + 1]);
    if left == NONE || above == NONE {
        DC
    } else if left < above {
        left
    } else {
        above
    }
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
