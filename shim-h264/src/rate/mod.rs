//! Rate control: QP of each picture, and conformance to the CPB of the decoder.

#![expect(clippy::cast_precision_loss, reason = "models know numbers of bits to a few digits")]

mod buffer;
mod limits;
mod missed;
mod model;
pub(crate) mod passes;
pub(crate) mod settings;

use crate::Error;
use crate::config::Config;
use crate::gop::{Picture, PictureKind};
use crate::kernels::quantize::MAX_QP;
use crate::level::Level;
use crate::lookahead::{Costs, Later};
pub(crate) use buffer::Buffer;
use limits::Limits;
pub(crate) use limits::check;
pub use missed::MissedBitRate;
use missed::Taken;
pub(crate) use model::Encode;
use model::Model;
use passes::Coded;
pub use passes::FirstPass;
pub use settings::{RateControl, Vbv};

/// Statistics of a coded picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Statistics {
    /// Picture type.
    pub kind: PictureKind,
    /// Picture QP.
    pub qp: u8,
    /// Packet size, in bits.
    pub bits: u64,
    /// Number of times the picture was encoded, until it was small enough.
    pub attempts: u32,
    /// Whether the picture was dropped (coded as all-skip), because it did not fit the buffer or the level even at QP
    /// 51. It shows the previous picture again, or gray if it is an IDR picture.
    pub dropped: bool,
    /// Number of slices.
    pub slices: u32,
    /// Whether the picture exceeds the size that `MinCR` allows (A.3.1) or the number of slices that `SliceRate` allows
    /// (A.3.3), so that the stream does not conform to its level.
    ///
    /// The size is exceeded only with a constant QP and no VBV, when pictures are not encoded again; the slices are
    /// exceeded when they are very small.
    pub beyond_level: bool,
    /// CPB occupancy, with a VBV.
    pub buffer: Option<Occupancy>,
}

impl Extend<Statistics> for FirstPass {
    fn extend<T: IntoIterator<Item = Statistics>>(&mut self, pictures: T) {
        pictures.into_iter().for_each(|Statistics { kind, qp, bits, .. }| {
            self.push(Coded { idr: kind != PictureKind::P, qp, bits });
        });
    }
}

/// CPB occupancy around the removal of a picture, in bits. Bits arrive at the maximum rate while the buffer has room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Occupancy {
    /// Bits before the removal.
    pub before: u64,
    /// Bits after the removal.
    pub after: u64,
}

/// Maximum number of encodes of a picture before the maximum QP is used.
const MAX_REENCODES: u32 = 4;

/// Share of the bits in the buffer that is kept in reserve: sizes of pictures are estimates.
const RESERVE: f64 = 0.15;

/// Size of a picture that is not made smaller for it, as a share of the bits that arrive from one picture to the next.
const SMALL: f64 = 0.5;

/// Step by which QP is raised until the buffer keeps it.
const QP_STEP: f64 = 0.5;

/// Maximum by which QP falls from one picture to the next where the buffer decides.
const FALL: f64 = 1.0;

/// What rate control wants of a picture.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plan {
    /// Parameters of the first encode.
    pub(crate) encode: Encode,
    costs: Costs,
    /// QP before rounding, and what it would be without a buffer.
    wanted: f64,
    asked: f64,
}

/// State of rate control.
#[derive(Clone, Debug)]
pub(crate) struct Rate {
    model: Model,
    /// QP of P pictures of the last picture, if the buffer raised it.
    raised: Option<f64>,
    buffer: Option<Buffer>,
    limits: Limits,
    /// Maximum bits of the first picture, and of others (A.3.1).
    most: [u64; 2],
    /// Maximum slices of the first picture, and of others (A.3.3).
    most_slices: [u64; 2],
    first: bool,
    /// Bits of the pictures since the rate was set.
    taken: Taken,
    /// Whether a picture that is too large is encoded again.
    enforced: bool,
}

impl Rate {
    pub(crate) fn new(config: &Config, level: &Level) -> Result<Self, Error> {
        let enforced = enforced(config);
        let buffer = config.vbv.as_ref().map(|vbv| Buffer::new(vbv, config.frame_rate)).transpose()?;
        let (most, most_slices) = limits_of_level(config, level);
        Ok(Self {
            model: Model::new(config),
            raised: None,
            buffer,
            limits: Limits::new(config),
            most,
            most_slices,
            first: true,
            taken: Taken::default(),
            enforced,
        })
    }

    /// Continues with another rate or frame rate.
    pub(crate) fn reconfigure(&mut self, config: &Config, level: &Level) {
        self.enforced = enforced(config);
        (self.most, self.most_slices) = limits_of_level(config, level);
        self.model.reconfigure(config);
        self.taken = Taken::default();
    }

    /// The deviation from the target bit rate, if it is large.
    pub(crate) fn missed_bit_rate(&self, config: &Config) -> Option<MissedBitRate> {
        self.taken.missed(config)
    }

    /// Sets an offset for the QP of the following pictures.
    pub(crate) const fn set_qp_offset(&mut self, offset: f64) {
        self.model.qp_offset = offset;
    }

    /// The CPB before the next picture.
    pub(crate) const fn buffer(&self) -> Option<&Buffer> {
        self.buffer.as_ref()
    }

    /// Whether the costs of pictures matter, to their QP or to where scenes begin.
    pub(crate) const fn wants_costs(&self, config: &Config) -> bool {
        self.enforced || (config.detects_scene_cuts() && config.keyint > 1)
    }

    /// Whether an IDR picture fits the buffer next.
    pub(crate) fn idr_fits(&self) -> bool {
        self.buffer.as_ref().is_none_or(|buffer| self.limits.idr_fits(buffer))
    }

    /// QP of the last picture, without the offset of IDR pictures; a usual one before the first picture.
    pub(crate) fn last_qp(&self) -> u8 {
        self.model.last_qp().clamp(0.0, MAX_QP.into()) as u8
    }

    /// Plans a picture of these costs, given what is known of `later` ones and the `ratio` by which offsets of QP enlarge an
    /// IDR picture.
    pub(crate) fn plan(&mut self, picture: Picture, costs: Costs, ratio: f64, later: &[Later]) -> Plan {
        self.model.ratio = ratio;
        let mut qp = self.model.qp(picture, costs, later);
        let asked = qp;
        if let Some(buffer) = &self.buffer {
            let allowed = allowed(buffer, picture.idr, !later.is_empty());
            let most = allowed.min(self.limits.most(buffer, picture) as f64);
            qp = qp.max(self.model.qp_for(picture.idr, costs, most));
            if !later.is_empty() {
                // The model does not know that a picture that is finer than the one before refines all of it.
                qp = qp.max(self.raised.filter(|_| !picture.idr).map_or(0.0, |raised| raised - FALL));
                while qp < MAX_QP.into() && self.empties(buffer, picture, costs, qp, later) {
                    qp += QP_STEP;
                }
            }
        }
        let wanted = qp.clamp(0.0, MAX_QP.into());
        let encode = Encode { qp: (wanted + 0.5) as u8, dropped: false, number: 1, bits: u64::MAX };
        Plan { encode, costs, wanted, asked }
    }

    /// Whether the buffer is expected to lose its reserve if a picture has this QP and the `later` ones the same quality,
    /// or to end up less than half full and emptier than it is now. A picture that is small beside what arrives meanwhile
    /// saves nothing.
    fn empties(&self, buffer: &Buffer, picture: Picture, costs: Costs, qp: f64, later: &[Later]) -> bool {
        let (size, now) = (buffer.size() as f64, buffer.available() as f64);
        let bits = self.model.bits_at(picture.idr, costs, qp);
        if bits < SMALL * buffer.fill() {
            return false;
        }
        let mut left = now - bits;
        let mut least = left;
        for &later in later {
            left = (left + buffer.fill()).min(size) - self.model.later_bits(picture.idr, qp, later);
            least = least.min(left);
        }
        let end = (left + buffer.fill()).min(size);
        least < RESERVE * now || end < now.min(0.5 * size)
    }

    /// Maximum bits of the next picture that the level allows.
    const fn most(&self) -> u64 {
        self.most[if self.first { 0 } else { 1 }]
    }

    /// Parameters of another encode, if the picture is too large.
    pub(crate) fn reencode(&self, picture: Picture, last: Encode, bits: u64) -> Option<Encode> {
        let room = self.buffer.as_ref().map_or(u64::MAX, |buffer| self.limits.most(buffer, picture));
        let most = self.most().min(room);
        if bits <= most || last.dropped || !self.enforced {
            return None;
        }
        let next = Encode { number: last.number + 1, bits, ..last };
        if last.qp == MAX_QP {
            return Some(Encode { dropped: true, ..next });
        }
        // Slightly more than the model predicts; the maximum at once where a higher QP does not help.
        let excess = libm::log2(bits as f64 / (0.9 * most.max(1) as f64));
        let give_up = bits >= last.bits || last.number == MAX_REENCODES;
        let more = if give_up { MAX_QP.into() } else { (6.0 * excess) as u32 + 1 };
        Some(Encode { qp: (u32::from(last.qp) + more).min(MAX_QP.into()) as u8, ..next })
    }

    /// Updates the state with a picture that was coded after its plan, and returns its statistics.
    pub(crate) fn coded(&mut self, picture: Picture, plan: &Plan, bits: u64, slices: u32) -> Statistics {
        let attempt = plan.encode;
        let wanted = if attempt.number == 1 { plan.wanted } else { attempt.qp.into() };
        self.model.coded(picture.idr, plan.costs, wanted, attempt, bits);
        let finer = if picture.idr { self.model.finer } else { 0.0 };
        self.raised = (wanted > plan.asked).then_some(wanted + finer);
        let buffer = self.buffer.as_mut().map(|buffer| {
            let before = buffer.available();
            buffer.remove(bits);
            Occupancy { before, after: before - bits }
        });
        let most_slices = self.most_slices[usize::from(!self.first)];
        let beyond_level = bits > self.most() || u64::from(slices) > most_slices;
        self.first = false;
        self.taken.add(attempt.qp, bits);
        Statistics {
            kind: picture.kind,
            qp: attempt.qp,
            bits,
            attempts: attempt.number,
            dropped: attempt.dropped,
            slices,
            beyond_level,
            buffer,
        }
    }
}

/// Whether a picture that is too large is encoded again.
const fn enforced(config: &Config) -> bool {
    config.vbv.is_some() || !matches!(config.rate, RateControl::ConstantQp(_))
}

/// Maximum bits of the first picture and of others (A.3.1), and maximum slices (A.3.3).
fn limits_of_level(config: &Config, level: &Level) -> ([u64; 2], [u64; 2]) {
    let mbs = config.mbs().iter().product();
    let bytes = level.max_picture_bytes(mbs, config.frame_rate);
    (bytes.map(|bytes| bytes.saturating_mul(8)), level.max_picture_slices(mbs, config.frame_rate))
}

/// Target maximum size of a picture in bits, so that the buffer keeps a reserve for later pictures. If those are
/// `known`, [`Rate::empties`] keeps it.
fn allowed(buffer: &Buffer, idr: bool, known: bool) -> f64 {
    let (available, fill) = (buffer.available() as f64, buffer.fill());
    if idr {
        return 0.7 * available;
    }
    if known {
        return 0.6 * available;
    }
    // Converge to a half-full buffer, over as many pictures as fill half of it.
    let half = buffer.size() as f64 / 2.0;
    (fill + (available - half) * fill / half).max(0.3 * fill).min(0.8 * available)
}
