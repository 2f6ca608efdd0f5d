//! Tiles: blocks that stand beside one another and are transformed together.

use alloc::vec;
use alloc::vec::Vec;

/// Blocks in a tile.
pub const LANES: usize = 32;

/// The greatest AC coefficient that is coded where samples have 8 bits (F.1.2.2.1).
pub(crate) const TEN_BITS: i16 = 1023;

/// Quantized coefficients, tile by tile, and what the entropy coder wants to know of them.
#[shim::located]
#[derive(Clone, Debug)]
pub struct Coefficients {
    /// Tiles in all.
    pub(crate) tiles: usize,
    /// Coefficients of each block in zigzag order. The blocks of a tile alternate in memory.
    #[shape(32 * tiles, 64)]
    #[stored(lanes(32))]
    pub(crate) zz: Vec<i16>,
    /// For each block: bit k says that `zz[k]` is not zero, bit 0 that EOB follows the last of them.
    #[shape(32 * tiles)]
    pub(crate) coded: Vec<u64>,
    /// For each block, not zero if more than fifteen zeros stand before some coefficient, or one is beyond -127 and
    /// 127.
    #[shape(32 * tiles)]
    pub(crate) unusual: Vec<u64>,
}

impl Coefficients {
    /// Memory for so many tiles.
    pub fn new(tiles: usize) -> Self {
        let blocks = tiles * LANES;
        Self { tiles, zz: vec![0; blocks * 64], coded: vec![0; blocks], unusual: vec![0; blocks] }
    }

    /// Frees what only the coders of whole blocks want to know.
    pub(crate) fn keep_values_only(&mut self) {
        (self.coded, self.unusual) = (Vec::new(), Vec::new());
    }
}

/// The blocks of one component that are transformed together: where they are in its plane, and where among the tiles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Part {
    /// Tiles of the plane to the left of it.
    pub left: usize,
    /// Its first tile among those of all components.
    pub first: usize,
    /// Tiles in a row of blocks.
    pub tiles: usize,
    /// Rows of blocks.
    pub blocks_high: usize,
    /// Blocks in a row.
    pub blocks_wide: usize,
}
