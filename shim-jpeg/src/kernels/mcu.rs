//! The blocks of an MCU in the order of a scan (T.81 A.2.3), and what each adds to it.

use shim::prelude::*;

pub(super) use super::block::{Coding, words_of_block};
use super::tile::Blocks;

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

/// Blocks in so many MCUs of these components.
pub(crate) fn blocks_in(components: &[ScanComponent], mcus: usize) -> usize {
    mcus * components.iter().map(|c| c.h * c.v).sum::<usize>()
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

/// Appends the words of the blocks of MCU `mcu`, which is in column `column` of the image: component after component,
/// row by row (A.2.3); a template. `zz`, `coded` and `needs_escape` are those of
/// [`Coefficients`](super::tile::Coefficients).
///
/// A block that only completes the MCU repeats DC of the block before it and has no AC coefficients, which costs the
/// fewest bits (A.2.4 leaves its contents to the encoder).
#[shim::kernel]
pub(super) fn words_of_mcu<C: Coding>(
    components: &mut [ScanComponent],
    zz: impl Tensor<i16, 4>,
    coded: impl Tensor<u64, 3>,
    needs_escape: impl Tensor<u64, 3>,
    mcu: usize,
    column: usize,
    coding: [&C; 2],
    words: impl Tensor<u32, 1>,
) {
    for ScanComponent { h, v, blocks, blocks_wide, pred, table } in components.iter_mut() {
        let coding = coding[*table & 1];
        for row in 0..*v {
            for b in 0..*h {
                if row < blocks.high && *h * column + b < *blocks_wide {
                    let (c, row, place) = (blocks.component, blocks.row + row, *h * mcu + b);
                    let zz = zz[[c, row, place, ..]];
                    let (coded, needs_escape) = (coded[[c, row, place]], needs_escape[[c, row, place]]);
                    words_of_block(zz, coded, needs_escape, *pred, coding, words);
                    *pred = i32::from(zz[[0]]);
                } else {
                    words.push(Coding::difference(coding, 0));
                    words.push(Coding::end_of_block(coding));
                }
            }
        }
    }
}

/// Appends the words of DC of the blocks of an MCU, as [`words_of_mcu`]; a template. The first scan has the differences
/// of their bits from Al up (G.1.2.1, where values are shifted to the right arithmetically), a later one has bit Al
/// (G.1.2.1.1).
#[shim::kernel]
pub(super) fn dc_of_mcu<C: Coding, const REFINES: bool>(
    components: &mut [ScanComponent],
    zz: impl Tensor<i16, 4>,
    mcu: usize,
    column: usize,
    al: u32,
    coding: [&C; 2],
    words: impl Tensor<u32, 1>,
) {
    for ScanComponent { h, v, blocks, blocks_wide, pred, table } in components.iter_mut() {
        let coding = coding[*table & 1];
        for row in 0..*v {
            for b in 0..*h {
                let mut dc = *pred;
                if row < blocks.high && *h * column + b < *blocks_wide {
                    dc = i32::from(zz[[blocks.component, blocks.row + row, *h * mcu + b, 0]]) >> al;
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
}
