//! What there is to choose a mode of `Intra_4x4`.

use crate::kernels::intra::luma_4x4;
use crate::kernels::residual::candidates::{Coded, Modes};

/// A 4x4 block, coded by all modes of its prediction.
#[derive(Clone, Copy, Debug)]
pub struct Ways<'c> {
    coded: &'c Coded,
    block: usize,
    modes: Modes,
}

impl<'c> Ways<'c> {
    /// The ways of block 0 or 1.
    #[inline]
    pub(crate) const fn new(coded: &'c Coded, block: usize, modes: Modes) -> Self {
        Self { coded, block, modes }
    }

    /// Whether a mode may be used.
    #[must_use]
    pub const fn allowed(&self, mode: usize) -> bool {
        luma_4x4::allowed(mode, self.modes.available)
    }

    /// The mode that takes one bit: `predIntra4x4PredMode` (8.3.1.1). All others take four.
    #[must_use]
    pub const fn predicted(&self) -> u8 {
        self.modes.predicted
    }

    /// The SSD of the block and what its reconstruction by a mode would be; what is beyond 65535 units of what
    /// [`Coded::ssd_shift`] says is that.
    #[must_use]
    pub const fn ssd(&self, mode: usize) -> u32 {
        (self.coded.ssd[16 * self.block + mode] as u32) << self.coded.ssd_shift
    }

    /// About how many bits the levels take by a mode, without those for the mode itself.
    #[must_use]
    pub const fn rate(&self, mode: usize) -> u32 {
        self.coded.rate[16 * self.block + mode] as u32
    }

    /// The mode that costs least, and what it costs, if a bit is worth as much SSD as
    /// [`intra4x4_lambda`](super::Decisions::intra4x4_lambda) says.
    #[inline]
    #[must_use]
    pub const fn cheapest(&self) -> (usize, u32) {
        let least = self.coded.least[self.block];
        (least as usize & 15, least >> 4)
    }
}
