//! Tiles: neighboring blocks of a row that are transformed together.

use alloc::vec;
use alloc::vec::Vec;

/// Blocks in a tile.
pub const LANES: usize = 32;

/// The greatest AC coefficient that is coded where samples have 8 bits (F.1.2.2.1).
pub(crate) const TEN_BITS: i16 = 1023;

/// Quantized coefficients by component, row of blocks, block and k, and what the entropy coder needs to know of them.
#[shim::located]
#[derive(Clone, Debug)]
pub struct Coefficients {
    /// Rows of blocks, for each component.
    pub(crate) rows: [usize; 4],
    /// Tiles in each of these rows.
    pub(crate) tiles: [usize; 4],
    /// Coefficients of each block in zigzag order. The blocks of a tile alternate in memory.
    #[shape(4, |c| rows[c], |c| 32 * tiles[c], 64)]
    #[stored(tile([1, 1, 32, 1]))]
    pub(crate) zz: Vec<i16>,
    /// For each block: bit k says that `zz[k]` is not zero, and bit 0 that more than fifteen zeros precede some
    /// coefficient, or that one is beyond -127 and 127.
    #[shape(4, |c| rows[c], |c| 32 * tiles[c])]
    #[stored(tile([1, 1, 32]))]
    pub(crate) coded: Vec<u64>,
}

impl Coefficients {
    /// Memory for so many rows of blocks of each component, of so many tiles each.
    pub fn new(rows: [usize; 4], tiles: [usize; 4]) -> Self {
        let blocks = LANES * rows.iter().zip(&tiles).map(|(rows, tiles)| rows * tiles).sum::<usize>();
        Self { rows, tiles, zz: vec![0; blocks * 64], coded: vec![0; blocks] }
    }

    /// Frees what only the coders of whole blocks need.
    pub(crate) fn keep_values_only(&mut self) {
        self.coded = Vec::new();
    }
}

/// The number of the first tile of a row of blocks of component `c`, in the order in which tiles are stored.
///
/// # Panics
///
/// When there is no such row.
#[shim::kernel]
pub(crate) fn first_tile(#[located] coefficients: &Coefficients, [c, row]: [usize; 2]) -> usize {
    coefficients.zz.offset([c, row, 0, 0]) / (64 * LANES)
}

/// The blocks of one component that are transformed or coded together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Blocks {
    /// The number of the component.
    pub component: usize,
    /// Tiles of its plane to the left of them.
    pub left: usize,
    /// The first row of them among the coefficients.
    pub row: usize,
    /// Rows of blocks.
    pub high: usize,
    /// Blocks in a row.
    pub wide: usize,
}
