//! One macroblock, in three phases: mode decision ([`analyze`]), prediction, levels and samples ([`reconstruct`]), and
//! syntax ([`write`]).
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
use crate::entropy::{EntropyCoder, TooManyBits};
use crate::kernels::inter::Part;
use crate::kernels::macroblock_at;
use crate::kernels::total_coeff::enter_slice;
use coder::Current;
pub(crate) use coder::{MacroblockCoder, Quantizers, Slice};
use motion::{FoundLast, MotionField, Prediction};
use neighbors::available;

impl<E: EntropyCoder> MacroblockCoder<E> {
    /// Codes the macroblock at an address: its bits, samples, and entries of the tables. One with more bits than it may
    /// have becomes `I_PCM`.
    pub(crate) fn code(&mut self, slice: &mut Slice<'_>, address: usize, decisions: &mut impl Decisions) {
        let qp = slice.qp;
        let current = &self.encode(slice, address, decisions);
        if self.write(slice, address) == Err(TooManyBits) {
            slice.qp = qp;
            self.reconstruct(slice, current, &MbMode::Pcm);
            self.commit(slice, current);
            self.write(slice, address).expect("I_PCM may have its bits");
        }
    }

    /// Encodes the macroblock and commits it; nothing is written.
    fn encode(&mut self, slice: &mut Slice<'_>, address: usize, decisions: &mut impl Decisions) -> Current {
        let wide = slice.mbs[1];
        let at = [address / wide, address % wide];
        let place = macroblock_at(at);
        let intra = available(&slice.picture, place, slice.number, slice.constrained_intra_pred);
        let wanted = slice.qp_at(at);
        let context = MbContext {
            address,
            qp: wanted,
            references: slice.references.len(),
            most_vectors: slice.most_vectors,
            available: intra,
            max_vmv_r: slice.max_vmv_r,
        };
        let (choice, qp) = if slice.dropped {
            let mode = if slice.references.is_empty() { MbMode::Gray } else { MbMode::Skip };
            (Choice::Mode(mode), slice.wanted_qp)
        } else {
            match decisions.macroblock(&context) {
                (Choice::Mode(MbMode::Pcm), qp) if slice.least_qp > 0 => {
                    (Choice::Cheapest(Kind::Any), qp.max(slice.least_qp))
                }
                (choice, qp) => {
                    let allowed = matches!(choice, Choice::Cheapest(_)) || decisions.chooses_modes();
                    assert!(allowed, "`Decisions::chooses_modes` returned false");
                    (choice, qp.max(slice.least_qp))
                }
            }
        };
        enter_slice(&mut slice.picture.tables_mut(), place, slice.number);
        self.motion = MotionField::new(place, slice.number);
        self.found_last = FoundLast::default();
        let prediction = if slice.references.is_empty() {
            Prediction::NONE
        } else {
            self.motion.predict(&slice.picture, Part::WHOLE, 0..slice.references.len() as u8)
        };
        let current = Current { address, at, place, intra, prediction, qp };
        match choice {
            Choice::Mode(mode) => self.reconstruct(slice, &current, &mode),
            Choice::Cheapest(kind) => self.analyze(slice, &current, kind),
        }
        self.commit(slice, &current);
        current
    }
}

#[cfg(test)]
mod tests {
    use std::vec::Vec;

    use super::*;
    use crate::decide::{ByCost, Preset};
    use crate::entropy::Cavlc;
    use crate::kernels::picture::{Picture, Samples};
    use crate::kernels::testing::Random;
    use crate::lookahead::{Guide, Lookahead};
    use crate::picture::{Reference, Referred};
    use crate::syntax::macroblock::SliceContext;
    use crate::syntax::slice::slice_type;
    use shim_codec::pool::Pool;

    const MBS: [usize; 2] = [2, 6];

    /// A texture that is moved.
    fn samples(random: &mut Random, by: usize) -> Samples {
        let mut samples = Samples::new(MBS);
        let [cb, cr] = &mut samples.chroma;
        for (plane, wide) in [(&mut samples.luma, 96), (cb, 48), (cr, 48)] {
            for (i, sample) in plane.iter_mut().enumerate() {
                let (y, x) = (i / wide + by, i % wide + 2 * by);
                *sample = (((y / 5 * 37) ^ (x / 3 * 11)) as u8 / 2).wrapping_add(random.byte() % 8);
            }
        }
        samples
    }

    /// Codes a row of P macroblocks, written one by one or after the last one is committed.
    fn row(preset: Preset, qp: u8, ahead: bool) -> (Vec<u8>, Picture) {
        let mut random = Random::new(31);
        let (before, source) = (samples(&mut random, 0), samples(&mut random, 3));
        let mut reference = Reference::new(MBS, false);
        reference.take(&Picture { samples: before, ..Picture::new(MBS) }, &Pool::one());
        let rows = reference.rows();
        let quantizers = [3, 6].map(|divisor| Quantizers::new(divisor, 0));
        let mut guide = Guide::new(MBS);
        Lookahead::new(MBS, [0, 1], 1).guide(&mut guide);
        let mut picture = Picture::new(MBS);
        let slice = &mut Slice {
            mbs: MBS,
            source: source.view(),
            picture: picture.rows(1..2),
            intra_quantizers: &quantizers[0],
            inter_quantizers: &quantizers[1],
            constrained_intra_pred: false,
            references: &[Referred::Whole(rows.view())],
            guide: &guide,
            max_vmv_r: 512,
            most_vectors: 16,
            context: SliceContext { slice_type: slice_type::P, num_ref_idx_l0_active_minus1: 0 },
            number: 1,
            qp,
            wanted_qp: qp,
            dropped: false,
            least_qp: 0,
        };
        let mut coder = MacroblockCoder::<Cavlc>::new(preset);
        coder.entropy.begin();
        let addresses = MBS[1]..2 * MBS[1];
        if ahead {
            let committed: Vec<_> = addresses
                .clone()
                .map(|address| {
                    coder.encode(slice, address, &mut ByCost);
                    coder.coded.clone()
                })
                .collect();
            for (address, coded) in addresses.clone().zip(committed) {
                coder.coded = coded;
                assert_eq!(coder.write(slice, address), Ok(()));
            }
        } else {
            for address in addresses.clone() {
                coder.code(slice, address, &mut ByCost);
            }
        }
        (coder.entropy.finish().to_vec(), picture)
    }

    #[test]
    fn a_row_is_committed_before_any_of_it_is_written() {
        for preset in [Preset::Superfast, Preset::Medium, Preset::Slower] {
            for qp in [18, 26, 40] {
                let (one_by_one, ahead) = (row(preset, qp, false), row(preset, qp, true));
                assert!(!one_by_one.0.is_empty() && one_by_one.0 == ahead.0, "{preset:?} at QP {qp}");
                assert_eq!(one_by_one.1.tables, ahead.1.tables);
                assert_eq!(one_by_one.1.samples, ahead.1.samples);
            }
        }
    }
}
