//! Entropy coding of slice data (7.3.4).

mod cavlc;

pub(crate) use cavlc::Cavlc;

use crate::bitstream::BitWriter;
use crate::syntax::macroblock::{Macroblock, SliceContext};
use crate::syntax::residual::Neighbors;

/// The most bits that `macroblock_layer` may have: 128 more than samples as they are (A.2.1, A.3.1).
pub(crate) const MAX_BITS: usize = 128 + 8 * 384;

/// A macroblock has more than [`MAX_BITS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TooManyBits;

/// Writes the slice data of one slice after another.
pub(crate) trait EntropyCoder: Default {
    /// A point of a slice to rewind to.
    type Checkpoint: Copy;

    /// Begins a slice: its header is appended to what is returned.
    fn begin(&mut self) -> &mut BitWriter;

    /// Appends a skipped macroblock.
    fn skip(&mut self);

    /// Appends a macroblock that is not skipped, the current one of its neighbors.
    ///
    /// # Errors
    ///
    /// When it has too many bits and is not `I_PCM`. Nothing is appended then.
    fn macroblock(
        &mut self,
        macroblock: &mut Macroblock,
        slice: SliceContext,
        neighbors: Neighbors<'_>,
    ) -> Result<(), TooManyBits>;

    /// The number of bits of the macroblock itself, which does not depend on those before it that are skipped.
    fn bits(&mut self, macroblock: &mut Macroblock, slice: SliceContext, neighbors: Neighbors<'_>) -> u32;

    /// The current end.
    fn checkpoint(&mut self) -> Self::Checkpoint;

    /// Takes back what was appended since a checkpoint of this slice.
    fn rewind(&mut self, checkpoint: Self::Checkpoint);

    /// The bytes before the last checkpoint that nothing that follows it changes.
    fn settled(&self) -> &[u8];

    /// Ends the slice, and returns its RBSP (7.3.2.8). A [`rewind`](Self::rewind) goes on with it.
    fn finish(&mut self) -> &[u8];
}
