//! The choice among modes of Intra prediction.

use crate::decide::{
    IntraKinds, Kind, MbMode, intra_chroma, intra4x4_overhead, intra16x16, intra16x16_coded,
};
use crate::kernels::metrics::luma_ssd;
use crate::kernels::residual::candidates::ModeResults;
use crate::kernels::residual::rate::rate_16x16;
use crate::macroblock::coder::{Current, MacroblockCoder, Slice};

impl<E> MacroblockCoder<E> {
    /// Codes the macroblock by the cheapest mode of Intra prediction. Unless that is to be `Intra_4x4`,
    /// [`predict_16x16`](Self::predict_16x16) comes before.
    ///
    /// `Intra_4x4` predicts each block from the reconstruction of others, so that its modes are chosen while it is
    /// coded.
    pub(super) fn intra(&mut self, slice: &Slice<'_>, current: &Current, kind: Kind) {
        let (mut mode, mut kinds) = (0, IntraKinds::Intra4x4);
        if kind != Kind::Intra4x4 {
            let cost;
            (mode, cost) = intra16x16(&self.luma_16x16);
            let any = kind == Kind::Any && !self.compares_by_sad(slice);
            kinds = if any { self.analysis.intra_kinds(cost, current.qp) } else { IntraKinds::Intra16x16 };
        }
        let by_blocks = match kinds {
            IntraKinds::Intra4x4 => self.intra_4x4(slice, current, u32::MAX),
            IntraKinds::Intra16x16 => {
                self.code_16x16(slice, current, mode);
                None
            }
            IntraKinds::Both => {
                self.code_16x16(slice, current, mode);
                let ssd = luma_ssd(&slice.source, current.place, &self.coded.samples.luma);
                let most = intra16x16_coded(ssd, rate_16x16(self.coded.residual()), current.qp);
                // Samples are those of Intra_16x16 until it is given up, but levels are lost.
                let levels = self.coded.residual().clone();
                let by_blocks = self.intra_4x4(slice, current, most);
                if by_blocks.is_none() {
                    *self.coded.residual_mut() = levels;
                }
                by_blocks
            }
        };
        self.predict_intra_chroma(slice, current);
        let chroma = intra_chroma(&self.chroma);
        self.code_intra_chroma(slice, current, chroma);
        self.coded.qp = current.qp;
        self.coded.mode = by_blocks
            .map_or(MbMode::Intra16x16 { luma: mode, chroma }, |luma| MbMode::Intra4x4 { luma, chroma });
    }

    /// Codes luma block by block, each by its cheapest mode, unless that costs more than `most`.
    fn intra_4x4(&mut self, slice: &Slice<'_>, current: &Current, most: u32) -> Option<[[u8; 4]; 4]> {
        let overhead = intra4x4_overhead(current.qp);
        self.code_4x4(slice, current, overhead, most, |candidates: &ModeResults, block, _| {
            candidates.cheapest(block)
        })
    }
}
