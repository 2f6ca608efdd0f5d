//! One macroblock, in three phases: mode decision ([`analyze`]), prediction, levels and samples ([`reconstruct`]), and syntax ([`write`]).
//!
//! Between them go a [`MbMode`] and a [`CodedMb`], which are plain data.

mod analyze;
mod coded;
mod coder;
mod modes;
mod motion;
mod neighbors;
mod reconstruct;
mod write;

use crate::decide::{Choice, Decisions, Kind, MbContext, MbMode};
use crate::kernels::inter::Part;
use crate::kernels::macroblock_at;
use crate::kernels::total_coeff::enter_slice;
use coder::Current;
pub(crate) use coder::{MacroblockCoder, Quantizers, Slice};
use motion::{FoundLast, MotionField, Prediction};
use neighbors::available;

impl MacroblockCoder {
    /// Codes the macroblock at an address: its bits, samples, and entries of the tables.
    pub(crate) fn code(&mut self, slice: &mut Slice<'_>, address: usize, decisions: &mut impl Decisions) {
        let wide = slice.mbs[1];
        let at = [address / wide, address % wide];
        let place = macroblock_at(at);
        let intra = available(&slice.picture, place, slice.number, slice.constrained_intra_pred);
        let context = MbContext {
            address,
            qp: slice.wanted_qp,
            references: slice.references.len(),
            most_vectors: slice.most_vectors,
            available: intra,
            max_vmv_r: slice.max_vmv_r,
        };
        let (choice, qp) = if slice.bare {
            let mode = if slice.references.is_empty() { MbMode::Gray } else { MbMode::Skip };
            (Choice::Mode(mode), slice.wanted_qp)
        } else {
            match decisions.macroblock(&context) {
                (Choice::Mode(MbMode::Pcm), qp) if slice.least_qp > 0 => {
                    (Choice::Cheapest(Kind::Any), qp.max(slice.least_qp))
                }
                (choice, qp) => (choice, qp.max(slice.least_qp)),
            }
        };
        enter_slice(&mut slice.picture.tables(), place, slice.number);
        self.motion = MotionField::new(place, slice.number);
        self.found_last = FoundLast::default();
        let prediction = if slice.references.is_empty() {
            Prediction::NONE
        } else {
            self.motion.predict(&slice.picture, Part::WHOLE, 0..slice.references.len() as u8)
        };
        let current = &Current { address, at, place, intra, prediction, qp };
        match choice {
            Choice::Mode(mode) => self.reconstruct(slice, current, &mode),
            Choice::Cheapest(kind) => self.analyze(slice, current, kind),
        }
        self.write(slice, current);
    }
}
