//! What there is to choose a mode of `Intra_4x4`.

use crate::kernels::intra::Available;
use crate::kernels::intra::luma_4x4::{self, allowed_modes};
use crate::kernels::residual::candidates::{Coded, cheapest};

/// A 4x4 block, coded by all modes of its prediction.
#[derive(Clone, Copy, Debug)]
pub struct Ways<'c> {
    coded: &'c Coded,
    block: usize,
    /// The lane of mode 0.
    first: usize,
    allowed: u16,
    predicted: u8,
}

impl<'c> Ways<'c> {
    /// The ways of block 0 or 1.
    pub(crate) const fn new(coded: &'c Coded, block: usize, available: Available, predicted: u8) -> Self {
        Self { coded, block, first: 16 * block, allowed: allowed_modes(available), predicted }
    }

    /// Whether a mode may be used.
    #[must_use]
    pub const fn allowed(&self, mode: usize) -> bool {
        mode < luma_4x4::MODES && self.allowed >> mode & 1 != 0
    }

    /// The mode that takes one bit: `predIntra4x4PredMode` (8.3.1.1). All others take four.
    #[must_use]
    pub const fn predicted(&self) -> u8 {
        self.predicted
    }

    /// The SSD of the block and what its reconstruction by a mode would be; what is beyond 65535 units of what
    /// [`Coded::ssd_shift`] says is that.
    #[must_use]
    pub const fn ssd(&self, mode: usize) -> u32 {
        (self.coded.ssd[self.first + mode] as u32) << self.coded.ssd_shift
    }

    /// About how many bits the levels take by a mode, without those for the mode itself.
    #[must_use]
    pub const fn rate(&self, mode: usize) -> u32 {
        self.coded.rate[self.first + mode] as u32
    }

    /// The mode that costs least, and what it costs, if a bit is worth so much SSD.
    #[inline]
    #[must_use]
    pub fn cheapest(&self, lambda: u32) -> (usize, u32) {
        let found = cheapest(self.coded, self.block, self.allowed, usize::from(self.predicted), lambda);
        (found as usize & 15, found >> 4)
    }
}
