//! `Intra4x4PredMode`: its prediction from the blocks around, and how it is coded (8.3.1.1).

use shim::prelude::*;

use crate::kernels::intra::Available;
use crate::picture::TableRows;
use crate::syntax::macroblock::Intra4x4PredMode;

/// Marks a block that is not available.
const NONE: u8 = u8::MAX;

/// `Intra_4x4_DC`, the mode of blocks without one.
const DC: u8 = 2;

/// `Intra4x4PredMode` of a macroblock's blocks, and of those around it: that of row y and column x is `[y + 1][x + 1]`.
pub(super) type Around = [[u8; 5]; 5];

/// The modes beside and above the macroblock; those of its own are still to come.
#[shim::kernel]
pub(super) fn modes_around(
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

/// `Intra4x4PredMode` of a macroblock that is not `Intra_4x4` (8.3.1.1).
pub(super) const WITHOUT: [[u8; 4]; 4] = [[DC; 4]; 4];

/// `prev_intra4x4_pred_mode_flag` and `rem_intra4x4_pred_mode` of all blocks, in the order of 6.4.3, given the modes around.
pub(super) fn describe(mut around: Around, luma: &[[u8; 4]; 4]) -> [Intra4x4PredMode; 16] {
    core::array::from_fn(|index| {
        let [y, x] = [index / 8 * 2 + index / 2 % 2, index / 4 % 2 * 2 + index % 2];
        let predicted = predicted_mode(&around, y, x);
        around[y + 1][x + 1] = luma[y][x];
        syntax_of(luma[y][x], predicted)
    })
}

/// `predIntra4x4PredMode` of the block in row y and column x (8.3.1.1): the lesser of the modes at the left and above, and DC beside
/// what is not available.
pub(super) const fn predicted_mode(around: &Around, y: usize, x: usize) -> u8 {
    let (left, above) = (around[y + 1][x], around[y][x + 1]);
    if left == NONE || above == NONE {
        DC
    } else if left < above {
        left
    } else {
        above
    }
}

/// The syntax elements of a mode (7.4.5.1).
const fn syntax_of(mode: u8, predicted: u8) -> Intra4x4PredMode {
    let rem_intra4x4_pred_mode = match mode {
        same if same == predicted => 0,
        less if less < predicted => less,
        more => more - 1,
    };
    Intra4x4PredMode { prev_intra4x4_pred_mode_flag: mode == predicted, rem_intra4x4_pred_mode }
}
