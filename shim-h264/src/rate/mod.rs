//! How many bits pictures take: their QP, and what the buffer of a decoder has room for.

#![expect(clippy::cast_precision_loss, reason = "models know numbers of bits to a few digits")]

mod buffer;
mod limits;
mod missed;
mod model;
mod settings;
mod survey;

use crate::Error;
use crate::config::Config;
use crate::gop::{Picture, PictureKind};
use crate::kernels::quantize::MAX_QP;
use crate::level::Level;
use crate::picture::Samples;
pub(crate) use buffer::Buffer;
use limits::Limits;
pub(crate) use limits::check;
pub use missed::MissedBitRate;
use missed::Taken;
pub(crate) use model::Attempt;
use model::Model;
pub use settings::{RateControl, Vbv};
use survey::{Costs, Survey};

/// How a picture came out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Statistics {
    /// What it is.
    pub kind: PictureKind,
    /// Its QP.
    pub qp: u8,
    /// All bits of its packet.
    pub bits: u64,
    /// How many times it was coded until it was small enough.
    pub attempts: u32,
    /// Whether nothing of it is there, since there was no room even with a QP of 51: it is shown as the picture before, or, if it is
    /// an IDR picture, gray.
    pub bare: bool,
    /// How many slices it has.
    pub slices: u32,
    /// Whether it has more bits than the level allows by `MinCR` (A.3.1), or more slices than by `SliceRate` (A.3.3). The former
    /// happens where QP is constant and there is no buffer to keep, in which case nothing is coded again, the latter where slices
    /// are very small: such a stream is no conforming one.
    pub beyond_level: bool,
    /// What was in the buffer, if there is one.
    pub buffer: Option<Occupancy>,
}

/// What the buffer of a decoder holds around the removal of a picture: that many bits of it and those after it can have come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Occupancy {
    /// Bits before it.
    pub before: u64,
    /// Bits after it.
    pub after: u64,
}

/// Attempts at a picture before the highest QP is taken.
const PATIENCE: u32 = 4;

/// Says how each picture is coded, and sees what comes of it.
#[derive(Clone, Debug)]
pub(crate) struct Rate {
    survey: Option<Survey>,
    costs: Costs,
    model: Model,
    /// The QP of the picture before it was rounded.
    wanted: f64,
    buffer: Option<Buffer>,
    limits: Limits,
    /// The most bits of the first picture, and of others (A.3.1).
    most: [u64; 2],
    /// The most slices of these (A.3.3).
    most_slices: [u64; 2],
    first: bool,
    /// What pictures took since the rate was set.
    taken: Taken,
    /// Whether a picture that is too large is coded again.
    enforced: bool,
}

impl Rate {
    pub(crate) fn new(config: &Config, level: &Level) -> Result<Self, Error> {
        let enforced = enforced(config);
        let looks = enforced || (config.scene_cut && config.keyint > 1);
        let buffer = config.vbv.as_ref().map(|vbv| Buffer::new(vbv, config.frame_rate)).transpose()?;
        let (most, most_slices) = limits_of_level(config, level);
        Ok(Self {
            survey: looks.then(|| Survey::new(config.mbs())),
            costs: Costs::default(),
            model: Model::new(config),
            wanted: 0.0,
            buffer,
            limits: Limits::new(config),
            most,
            most_slices,
            first: true,
            taken: Taken::default(),
            enforced,
        })
    }

    /// Goes on with another rate or frame rate.
    pub(crate) fn reconfigure(&mut self, config: &Config, level: &Level) {
        self.enforced = enforced(config);
        if self.enforced && self.survey.is_none() {
            self.survey = Some(Survey::new(config.mbs()));
        }
        (self.most, self.most_slices) = limits_of_level(config, level);
        self.model.reconfigure(config);
        self.taken = Taken::default();
    }

    /// The bit rate asked for, if the pictures since then miss it by far.
    pub(crate) fn missed_bit_rate(&self, config: &Config) -> Option<MissedBitRate> {
        self.taken.missed(config)
    }

    /// Adds this to the QP of the pictures that follow.
    pub(crate) const fn set_qp_offset(&mut self, offset: f64) {
        self.model.qp_offset = offset;
    }

    /// The buffer before the next picture.
    pub(crate) const fn buffer(&self) -> Option<&Buffer> {
        self.buffer.as_ref()
    }

    /// Looks at the next picture; says whether it has little to do with the one before.
    pub(crate) fn look(&mut self, source: &Samples) -> bool {
        if let Some(survey) = &mut self.survey {
            self.costs = survey.look(source);
        }
        self.costs.new_scene()
    }

    /// Whether the next picture may be an IDR picture.
    pub(crate) fn idr_fits(&self) -> bool {
        self.buffer.as_ref().is_none_or(|buffer| self.limits.idr_fits(buffer))
    }

    /// How it is coded first.
    pub(crate) fn plan(&mut self, picture: Picture) -> Attempt {
        let mut qp = self.model.qp(picture, self.costs);
        if let Some(buffer) = &self.buffer {
            let allowed = allowed(buffer, picture.idr).min(self.limits.most(buffer, picture) as f64);
            qp = qp.max(self.model.qp_for(picture.idr, self.costs, allowed));
        }
        self.wanted = qp.clamp(0.0, MAX_QP.into());
        Attempt { qp: (self.wanted + 0.5) as u8, bare: false, number: 1, bits: u64::MAX }
    }

    /// The most bits that the level allows it to have.
    const fn most(&self) -> u64 {
        self.most[if self.first { 0 } else { 1 }]
    }

    /// How it is coded again, if it has more bits than there is room for.
    pub(crate) fn again(&self, picture: Picture, last: Attempt, bits: u64) -> Option<Attempt> {
        let room = self.buffer.as_ref().map_or(u64::MAX, |buffer| self.limits.most(buffer, picture));
        let most = self.most().min(room);
        if bits <= most || last.bare || !self.enforced {
            return None;
        }
        let next = Attempt { number: last.number + 1, bits, ..last };
        if last.qp == MAX_QP {
            return Some(Attempt { bare: true, ..next });
        }
        // A little more than is expected to do; and at once all there is, where QP changes nothing.
        let excess = libm::log2(bits as f64 / (0.9 * most.max(1) as f64));
        let hopeless = bits >= last.bits || last.number == PATIENCE;
        let more = if hopeless { MAX_QP.into() } else { (6.0 * excess) as u32 + 1 };
        Some(Attempt { qp: (u32::from(last.qp) + more).min(MAX_QP.into()) as u8, ..next })
    }

    /// The picture was coded.
    pub(crate) fn coded(&mut self, picture: Picture, attempt: Attempt, bits: u64, slices: u32) -> Statistics {
        let wanted = if attempt.number == 1 { self.wanted } else { attempt.qp.into() };
        self.model.coded(picture.idr, self.costs, wanted, attempt, bits);
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
            bare: attempt.bare,
            slices,
            beyond_level,
            buffer,
        }
    }
}

/// Whether a picture that is too large is coded again.
const fn enforced(config: &Config) -> bool {
    config.vbv.is_some() || !matches!(config.rate, RateControl::ConstantQp(_))
}

/// The most bits of the first picture and of others (A.3.1), and the most slices (A.3.3).
fn limits_of_level(config: &Config, level: &Level) -> ([u64; 2], [u64; 2]) {
    let mbs = config.mbs().iter().product();
    let bytes = level.max_picture_bytes(mbs, config.frame_rate);
    (bytes.map(|bytes| bytes.saturating_mul(8)), level.max_picture_slices(mbs, config.frame_rate))
}

/// The bits that a picture is meant to have at most, so that the buffer has something left for those after it.
fn allowed(buffer: &Buffer, idr: bool) -> f64 {
    let (available, fill) = (buffer.available() as f64, buffer.fill());
    if idr {
        return 0.7 * available;
    }
    // Towards a buffer that is half full, over as many pictures as fill a half of it.
    let half = buffer.size() as f64 / 2.0;
    (fill + (available - half) * fill / half).max(0.3 * fill).min(0.8 * available)
}
