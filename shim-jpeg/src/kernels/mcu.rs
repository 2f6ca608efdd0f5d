//! The blocks of an MCU in the order of a scan (T.81 A.2.3), and what each adds to it.

use alloc::vec::Vec;
use core::ops::Range;

use shim::prelude::*;

pub(super) use super::block::{Coding, words_of_block};
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
    /// Table destination (Td and Ta): 0 for luminance, 1 for chrominance.
    pub table: usize,
}

/// PRED of each component of a scan: DC of its last block (F.1.1.5.1).
pub type Predictions = [i32; 4];

/// A block of each MCU of a run. The blocks of an MCU follow one another component after component, row by row (A.2.3).
#[derive(Clone, Copy, Debug)]
pub struct McuBlock {
    /// The number of the block in MCU 0, in the order in which coefficients are stored.
    pub first: usize,
    /// H: from its number in one MCU to that in the next.
    pub step: usize,
    /// The component, by its number in the scan.
    pub component: usize,
    /// Table destination (Td and Ta).
    pub table: usize,
    /// Whether the block is inside the image in MCUs before the last column, and in the last column. A block outside
    /// only completes the MCU: it repeats DC of the block before it and has no AC coefficients, which costs the fewest
    /// bits (A.2.4 leaves its contents to the encoder).
    pub inside: [bool; 2],
}

/// MCUs of a run that are coded together.
#[derive(Clone, Debug)]
pub struct Mcus<'a> {
    /// The blocks of each MCU.
    pub blocks: &'a [McuBlock],
    /// The coefficients of the run.
    pub coefficients: &'a Coefficients,
    /// The numbers of the MCUs in the run.
    pub range: Range<usize>,
    /// The columns of the run's MCUs.
    pub columns: Columns,
}

impl Mcus<'_> {
    /// Number of blocks.
    pub const fn blocks(&self) -> usize {
        (self.range.end - self.range.start) * self.blocks.len()
    }

    /// Whether an MCU is in the last column.
    #[inline]
    pub const fn is_last(&self, mcu: usize) -> bool {
        (self.columns.before + mcu) % self.columns.wide == self.columns.wide - 1
    }
}

/// Finds the blocks of the MCUs of a run.
///
/// # Panics
///
/// When the coefficients do not have the blocks of MCU 0.
#[shim::kernel]
pub fn find_blocks(
    components: &[ScanComponent],
    columns: Columns,
    #[located] coefficients: &Coefficients,
    found: &mut Vec<McuBlock>,
) {
    found.clear();
    for (component, own) in components.iter().enumerate() {
        let ScanComponent { h, v, blocks, blocks_wide, table } = *own;
        let last = h.saturating_mul(columns.wide - 1);
        for row in 0..v {
            let high = row < blocks.high;
            // A row below the image has no coefficients.
            let row = if high { blocks.row + row } else { blocks.row };
            let row = coefficients.zz.offset([blocks.component, row, 0, 0]) / 64;
            for b in 0..h {
                let inside = [high, high && last.saturating_add(b) < blocks_wide];
                found.push(McuBlock { first: row + b, step: h, component, table, inside });
            }
        }
    }
}

/// Position of MCUs in the rows of the image: MCU m is in column `(before + m) % wide`.
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

/// Puts the words of the blocks of MCUs as [`words_of_block`] does; a template.
#[shim::kernel]
pub(super) fn words_of_mcus<C: Coding, E, S>(
    put: impl Template,
    put_two: impl Template,
    mcus: &Mcus<'_>,
    predictions: &mut Predictions,
    coding: [&C; 2],
    out: impl Tensor<E, 1>,
    state: &mut S,
) {
    let Mcus { blocks, coefficients, range, .. } = mcus;
    let coded = Block::external(&coefficients.coded, [coefficients.coded.len()]);
    let zz = Block::external(&coefficients.zz, [coefficients.coded.len(), 64]).stored(tile([32, 1]));
    let none = Coding::none(coding[0]);
    let (mut before, mut pending) = (*predictions, [none; 2]);
    for mcu in range.start..range.end {
        let last = mcus.is_last(mcu);
        for McuBlock { first, step, component, table, inside } in blocks.iter() {
            let coding = coding[*table & 1];
            if inside[usize::from(last)] {
                let block = *first + *step * mcu;
                let zz = zz[[block, ..]];
                let pred = &mut before[*component & 3];
                words_of_block::<C, E, S>(
                    put,
                    put_two,
                    zz,
                    coded[[block]],
                    *pred,
                    coding,
                    &mut pending,
                    out,
                    state,
                );
                *pred = i32::from(zz[[0]]);
            } else {
                put(pending[0], pending[1], Coding::difference(coding, 0), out, state);
                pending = [none, Coding::end_of_block(coding)];
            }
        }
    }
    put(pending[0], pending[1], none, out, state);
    *predictions = before;
}

/// Appends the words of DC of the blocks of MCUs, as [`words_of_mcus`]; a template. The first scan has the differences
/// of their bits from Al up (G.1.2.1, where values are shifted to the right arithmetically), a later one has bit Al
/// (G.1.2.1.1).
#[shim::kernel]
pub(super) fn dc_of_mcus<C: Coding, const REFINES: bool>(
    mcus: &Mcus<'_>,
    predictions: &mut Predictions,
    al: u32,
    coding: [&C; 2],
    words: impl Tensor<u32, 1>,
) {
    let Mcus { blocks, coefficients, range, .. } = mcus;
    let zz = Block::external(&coefficients.zz, [coefficients.zz.len() / 64, 64]).stored(tile([32, 1]));
    for mcu in range.start..range.end {
        let last = mcus.is_last(mcu);
        for McuBlock { first, step, component, table, inside } in blocks.iter() {
            let (coding, pred) = (coding[*table & 1], &mut predictions[*component & 3]);
            let mut dc = *pred;
            if inside[usize::from(last)] {
                dc = i32::from(zz[[*first + *step * mcu, 0]]) >> al;
            }
            if REFINES {
                words.push(Coding::bit(coding, dc as u32 & 1));
            } else {
                words.push(Coding::difference(coding, dc - *pred));
            }
            *pred = dc;
        }
    }
}
