//! The stages of the encoder, each a kernel.

pub mod blocks;
pub mod cavlc;
pub mod codes;
pub mod color;
pub mod deblock;
pub mod escape;
pub mod frame;
pub mod inter;
pub mod intra;
pub mod mb_samples;
pub mod metrics;
pub mod pcm;
pub mod picture;
pub mod quantize;
pub mod residual;
pub mod total_coeff;
pub mod transform;

#[cfg(test)]
pub(crate) mod testing;

use shim::prelude::Place;

/// A motion vector, to the right and down, in quarters of a sample.
pub type Vector = [i16; 2];

/// Luma samples of a macroblock, by its row and column.
pub(crate) const fn macroblock_at([row, column]: [usize; 2]) -> Place<2> {
    Place::new([16 * row as isize, 16 * column as isize], [16, 16])
}
