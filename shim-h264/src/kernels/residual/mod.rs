//! From a residual to its levels, and back (8.5): whole macroblocks, where each block has a lane, and single blocks.
//!
//! The lane of a luma block is its place in the macroblock, `4 y + x`, as it is in every table with an entry for each
//! block; the order in which blocks are coded (Figure 6-10) is known to who codes them.

pub mod candidates;
pub mod chroma;
pub mod decimate;
pub mod luma;
pub mod rate;
pub mod rdo;

#[cfg(test)]
mod tests;

/// The levels of a macroblock, each list in zigzag order (Figure 8-8).
///
/// Beside each list stands which of its levels are not zero, bit k for level k: the number of bits is `total_coeff`,
/// and none says that the block is not coded. Where no bit is set, the levels do not matter.
#[derive(Clone, Debug)]
pub struct Residual {
    /// `luma[[k, y, x]]`, `[16, 4, 4]`: level k of the block in row y and column x. In an `Intra_16x16` macroblock,
    /// `Intra16x16ACLevel[k - 1]`.
    pub luma: [i16; 256],
    /// For each luma block.
    pub luma_nonzero: [u16; 16],
    /// `Intra16x16DCLevel`.
    pub luma_dc: [i16; 16],
    /// For the list of DC levels.
    pub luma_dc_nonzero: u16,
    /// `chroma_dc[[iCbCr, k]]`, `[2, 4]`: `ChromaDCLevel`.
    pub chroma_dc: [i16; 8],
    /// For each list of DC levels.
    pub chroma_dc_nonzero: [u16; 2],
    /// `chroma[[k, iCbCr, y, x]]`, `[16, 2, 2, 2]`: `ChromaACLevel[k - 1]` of the block in row y and column x. Level 0
    /// is none.
    pub chroma: [i16; 128],
    /// For each chroma block.
    pub chroma_nonzero: [u16; 8],
}

/// `CodedBlockPatternLuma` (7.4.5): bit `2 y + x` for the 8x8 block in row y and column x, set if one of its 4x4 blocks
/// has levels.
#[shim::kernel]
pub fn luma_pattern(#[shape(4, 4)] nonzero: &[u16; 16]) -> u8 {
    let mut pattern = 0;
    #[unroll]
    for y in 0..2 {
        #[unroll]
        for x in 0..2 {
            let block = nonzero[[2 * y..2 * y + 2, 2 * x..2 * x + 2]];
            let any = block[[0, 0]] | block[[0, 1]] | block[[1, 0]] | block[[1, 1]] != 0;
            pattern |= u8::from(any) << (2 * y + x);
        }
    }
    pattern
}

impl Default for Residual {
    fn default() -> Self {
        Self {
            luma: [0; 256],
            luma_nonzero: [0; 16],
            luma_dc: [0; 16],
            luma_dc_nonzero: 0,
            chroma_dc: [0; 8],
            chroma_dc_nonzero: [0; 2],
            chroma: [0; 128],
            chroma_nonzero: [0; 8],
        }
    }
}
