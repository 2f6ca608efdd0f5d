//! From a mode to levels and samples (8.3 to 8.5).

mod inter;
mod intra;
mod intra4x4;

use super::coder::{Current, MacroblockCoder, Slice};
use crate::decide::MbMode;

impl<E> MacroblockCoder<E> {
    /// Codes the macroblock in a mode: its levels and its samples. The picture does not change until it is committed.
    pub(super) fn reconstruct(&mut self, slice: &Slice<'_>, current: &Current, mode: &MbMode) {
        self.coded.qp = current.qp;
        match *mode {
            MbMode::Pcm => self.pcm(slice, current),
            MbMode::Gray => self.gray(slice, current),
            MbMode::Intra16x16 { luma, chroma } => {
                self.predict_16x16(slice, current);
                self.code_16x16(slice, current, luma);
                self.predict_intra_chroma(slice, current);
                self.code_intra_chroma(slice, current, chroma);
                self.coded.mode = *mode;
            }
            MbMode::Intra4x4 { luma, chroma } => {
                self.code_4x4(slice, current, 0, 0, |_, _, [y, x]| (luma[y][x], 0));
                self.predict_intra_chroma(slice, current);
                self.code_intra_chroma(slice, current, chroma);
                self.coded.mode = *mode;
            }
            MbMode::Skip => self.skip(slice, current),
            MbMode::Inter { shape, motions, levels } => {
                self.inter(slice, current, shape.within(slice.most_vectors), &motions, levels);
            }
        }
    }
}
