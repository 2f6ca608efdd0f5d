//! `Intra4x4PredMode`: its prediction from the blocks around, and how it is coded (8.3.1.1).

use shim::prelude::*;

use crate::kernels::intra::Available;
use crate::kernels::picture::PictureRows;
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
    #[located] picture: &PictureRows<'_>,
    #[shape(16, 16)] macroblock: Place<2>,
    available: Available,
) -> Around {
    let modes = picture.tables.intra4x4[macroblock].coarsen([4, 4]);
    let mut around = [[NONE; 5]; 5];
    let own = Block::external(around.as_flattened_mut(), [5, 5])[[1.., 1..]];
    if available.b {
        for x in 0..4 {
            own[[-1, x]] = modes[[-1, x]];
        }
    }
    if available.a {
        for y in 0..4 {
            own[[y, -1]] = modes[[y, -1]];
        }
    }
    around
}

/// `Intra4x4PredMode` of a macroblock that is not `Intra_4x4` (8.3.1.1).
pub(super) const WITHOUT: [[u8; 4]; 4] = [[DC; 4]; 4];

/// `prev_intra4x4_pred_mode_flag` and `rem_intra4x4_pred_mode` of all blocks, in the order of 6.4.3, given the modes
/// around.
#[shim::kernel]
pub(super) fn describe(around: &mut Around, luma: &[[u8; 4]; 4], elements: &mut [Intra4x4PredMode; 16]) {
    let modes = Block::external(around.as_flattened_mut(), [5, 5])[[1.., 1..]];
    let luma = Block::external(luma.as_flattened(), [4, 4]);
    let list = Block::external(elements, [16]).list();
    for [y, x] in modes.scan(tile([2, 2])) {
        let (mode, predicted) = (luma[[y, x]], predicted(modes, y as isize, x as isize));
        // 7.4.5.1: modes above the predicted one, which has the flag, are numbered without it.
        let rem = if mode > predicted { mode - 1 } else { mode };
        let is_predicted = mode == predicted;
        list.push(Intra4x4PredMode {
            prev_intra4x4_pred_mode_flag: is_predicted,
            rem_intra4x4_pred_mode: if is_predicted { 0 } else { rem },
        });
        modes[[y, x]] = mode;
    }
}

/// `predIntra4x4PredMode` of the block in row y and column x (8.3.1.1).
#[shim::kernel]
pub(super) fn predicted_mode(around: &Around, y: usize, x: usize) -> u8 {
    predicted(Block::external(around.as_flattened(), [5, 5])[[1.., 1..]], y as isize, x as isize)
}

/// `predIntra4x4PredMode` (8.3.1.1): the lesser of `intraMxMPredModeA` and `intraMxMPredModeB`, and DC beside what is
/// not available; a template.
#[shim::kernel]
fn predicted(modes: impl Tensor<u8, 2>, y: isize, x: isize) -> u8 {
    let (a, b) = (modes[[y, x - 1]], modes[[y - 1, x]]);
    if a == NONE || b == NONE { DC } else { a.min(b) }
}
