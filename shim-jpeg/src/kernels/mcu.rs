//! The blocks of an MCU in the order of a scan (T.81 A.2.3), and what each adds to it.

use shim::prelude::*;

use super::block::Coding;
use super::tile::{Blocks, Coefficients};

/// A component of a scan.
#[derive(Clone, Copy, Debug, Default)]
pub struct ScanComponent {
    /// H: blocks per MCU, horizontally.
    pub h: usize,
    /// V: blocks per MCU, vertically.
    pub v: usize,
    /// The component's blocks in the MCUs.
    pub blocks: Blocks,
    /// Blocks in a row of the image, without those that complete MCUs.
    pub blocks_wide: usize,
    /// PRED: DC of the component's last block (F.1.1.5.1).
    pub pred: i32,
    /// Table destination (Td and Ta): 0 for luminance, 1 for chrominance.
    pub table: usize,
}

/// Position of MCUs in the rows of the image: MCU m is in column `(before + m) % wide`. Blocks of that column beyond
/// those of the component only complete the MCU.
#[derive(Clone, Copy, Debug)]
pub struct Columns {
    /// Column of MCU 0.
    pub before: usize,
    /// MCUs per row.
    pub wide: usize,
}

impl Default for Columns {
    /// A single row, without end.
    fn default() -> Self {
        Self { before: 0, wide: usize::MAX }
    }
}

/// Appends the words of MCU `mcu`, which is in column `column` of the image: for each component, those that `block` makes
/// of its blocks row by row (A.2.3); a template. `al` is Al of the scan.
#[shim::kernel]
pub(super) fn words_of_mcu<C: Coding>(
    block: impl Template,
    components: &mut [ScanComponent],
    #[located] coefficients: &Coefficients,
    mcu: usize,
    column: usize,
    al: u32,
    coding: [&C; 2],
    words: impl Tensor<u32, 1>,
) {
    for ScanComponent { h, v, blocks, blocks_wide, pred, table } in components.iter_mut() {
        for row in 0..*v {
            for b in 0..*h {
                let inside = row < blocks.high && *h * column + b < *blocks_wide;
                let (c, row, place) = (blocks.component, blocks.row + row, *h * mcu + b);
                block(coefficients, c, row, place, inside, al, &mut *pred, coding[*table & 1], words);
            }
        }
    }
}

/// The words of a whole block, as in sequential scans; a template.
///
/// A block that only completes the MCU repeats DC of the block before it and has no AC coefficients, which costs the
/// fewest bits (A.2.4 leaves its contents to the encoder).
#[shim::kernel]
pub(super) fn whole_block<C: Coding>(
    #[located] coefficients: &Coefficients,
    c: usize,
    row: usize,
    place: usize,
    inside: bool,
    _al: u32,
    pred: &mut i32,
    coding: &C,
    words: impl Tensor<u32, 1>,
) {
    use crate::kernels::block::words_of_block;
    if inside {
        let zz = coefficients.zz[[c, row, place, ..]];
        let coded = coefficients.coded[[c, row, place]];
        let needs_escape = coefficients.needs_escape[[c, row, place]];
        words_of_block(zz, coded, needs_escape, *pred, coding, words);
        *pred = i32::from(zz[[0]]);
    } else {
        words.push(Coding::difference(coding, 0));
        words.push(Coding::end_of_block(coding));
    }
}

/// The word of DC of a block in the first scan of DC: the difference of its bits from Al up (G.1.2.1, where values are
/// shifted to the right arithmetically); a template.
#[shim::kernel]
pub(super) fn dc_first<C: Coding>(
    #[located] coefficients: &Coefficients,
    c: usize,
    row: usize,
    place: usize,
    inside: bool,
    al: u32,
    pred: &mut i32,
    coding: &C,
    words: impl Tensor<u32, 1>,
) {
    let dc = if inside { i32::from(coefficients.zz[[c, row, place, 0]]) >> al } else { *pred };
    words.push(Coding::difference(coding, dc - *pred));
    *pred = dc;
}

/// The word of DC of a block in a later scan of DC: its bit Al (G.1.2.1.1); a template.
#[shim::kernel]
pub(super) fn dc_refine<C: Coding>(
    #[located] coefficients: &Coefficients,
    c: usize,
    row: usize,
    place: usize,
    inside: bool,
    al: u32,
    pred: &mut i32,
    coding: &C,
    words: impl Tensor<u32, 1>,
) {
    let dc = if inside { i32::from(coefficients.zz[[c, row, place, 0]]) >> al } else { *pred };
    words.push(Coding::bit(coding, dc as u32 & 1));
    *pred = dc;
}
