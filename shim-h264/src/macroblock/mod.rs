//! One macroblock: its prediction, residual, reconstruction and syntax (7.3.5, 8.3, 8.5).

mod coder;
mod inter;
mod intra;
mod intra4x4;
mod motion;
mod neighbors;
mod trial;

use crate::decide::{Decisions, Kind};
use crate::kernels::macroblock_at;
use coder::Current;
pub(crate) use coder::{MacroblockCoder, Quantizers, Slice};
use neighbors::available;

/// The most bits that `macroblock_layer` may have: 128 more than samples as they are (A.2.1, A.3.1).
const MAX_BITS: usize = 128 + 8 * 384;

impl MacroblockCoder {
    /// Codes the macroblock at an address, from the first of the slice's rows on: its bits, samples, and entries of the tables.
    pub(crate) fn code(&mut self, slice: &mut Slice<'_>, address: usize, decisions: &mut impl Decisions) {
        let wide = slice.tables.mbs_wide;
        let references = slice.references.len();
        let (kind, qp) = if slice.bare {
            (Kind::Skip, slice.wanted_qp)
        } else {
            match decisions.macroblock(slice.first_row * wide + address, slice.wanted_qp, references) {
                (Kind::Pcm, qp) if slice.least_qp > 0 => (Kind::Cheapest, qp.max(slice.least_qp)),
                (kind, qp) => (kind, qp.max(slice.least_qp)),
            }
        };
        let at = [address / wide, address % wide];
        let intra = available(&slice.tables, macroblock_at(at), slice.number, slice.constrained_intra_pred);
        let place = [slice.first_row + at[0], at[1]];
        let current = &Current { address, at, place, intra, qp };
        slice.tables.slice[address] = slice.number;
        let (mark, before) = (slice.bits.mark(), slice.qp);
        let run = self.round.mb_skip_run;
        match kind {
            Kind::Pcm => self.pcm(slice, current),
            _ if slice.bare && references == 0 => self.gray(slice, current),
            Kind::Skip => self.skip(slice, current, Self::skipped(slice, current)),
            Kind::Inter(shape) => {
                self.inter(slice, current, shape.within(slice.most_vectors), None, decisions);
            }
            Kind::Cheapest if references > 0 => self.cheapest(slice, current, decisions),
            Kind::Intra4x4 => self.intra(slice, current, kind, decisions),
            _ => {
                self.predict_16x16(slice, current);
                self.intra(slice, current, kind, decisions);
            }
        }
        if slice.bits.bits_since(mark) > MAX_BITS {
            slice.bits.rewind(mark);
            slice.qp = before;
            self.round.mb_skip_run = run;
            self.pcm(slice, current);
        }
    }
}
