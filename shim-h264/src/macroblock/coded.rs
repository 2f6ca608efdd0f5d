//! Coded macroblocks: the result of reconstruction.

use crate::decide::MbMode;
use crate::kernels::Vector;
use crate::kernels::mb_samples::MbSamples;
use crate::kernels::residual::{Residual, luma_pattern};
use crate::syntax::macroblock::Macroblock;

/// A coded macroblock: everything that its syntax elements follow from, given those of its neighbors.
#[derive(Clone, Debug)]
pub(crate) struct CodedMb {
    pub(super) mode: MbMode,
    /// QP of the levels.
    pub(super) qp: u8,
    /// The vector of `P_Skip`.
    pub(super) skip_mv: Vector,
    /// Syntax elements, of which the levels and the samples of `I_PCM` are set here, and all others where they are
    /// written.
    pub(super) macroblock: Macroblock,
    /// Its reconstruction.
    pub(super) samples: MbSamples,
}

impl Default for CodedMb {
    fn default() -> Self {
        let mut macroblock = Macroblock::default();
        macroblock.pcm_sample.resize(384, 0);
        Self { mode: MbMode::Skip, qp: 0, skip_mv: [0; 2], macroblock, samples: MbSamples::default() }
    }
}

impl CodedMb {
    pub(super) const fn residual(&self) -> &Residual {
        &self.macroblock.residual
    }

    pub(super) const fn residual_mut(&mut self) -> &mut Residual {
        &mut self.macroblock.residual
    }

    /// Clears all levels.
    pub(super) const fn clear_levels(&mut self) {
        let residual = self.residual_mut();
        (residual.luma_nonzero, residual.luma_dc_nonzero) = ([0; 16], 0);
        (residual.chroma_nonzero, residual.chroma_dc_nonzero) = ([0; 8], [0; 2]);
    }

    /// `CodedBlockPatternLuma`. DC levels of `Intra_16x16` do not count.
    pub(super) fn luma_pattern(&self) -> u8 {
        luma_pattern(&self.residual().luma_nonzero)
    }

    /// `CodedBlockPatternChroma`: 2 with AC levels, 1 with DC levels alone.
    pub(super) fn chroma_pattern(&self) -> u8 {
        let residual = self.residual();
        if residual.chroma_nonzero == [0; 8] { u8::from(residual.chroma_dc_nonzero != [0; 2]) } else { 2 }
    }

    /// Whether there is any level in an Inter macroblock.
    pub(super) fn has_levels(&self) -> bool {
        self.luma_pattern() != 0 || self.chroma_pattern() != 0
    }
}
