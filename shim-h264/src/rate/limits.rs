//! The most bits that a picture may have so that all after it can be there in time, and what is asked of a buffer for
//! that.
//!
//! A *dropped* picture has next to no bits, whatever the source is: all macroblocks are skipped, or in an IDR picture
//! gray. What a dropped picture takes is known before. As long as each picture leaves so many bits in the buffer that
//! dropped ones could follow it, up to and with the next IDR picture, no picture is ever late.

use super::buffer::Buffer;
use super::settings::{RateControl, Vbv};
use crate::Error;
use crate::config::Config;
use crate::gop::Picture;
use crate::kernels::quantize::MAX_QP;
use crate::level::Level;

/// Bits of a dropped macroblock of an IDR picture: `mb_type` has five, `intra_chroma_pred_mode`, `mb_qp_delta` and
/// `coeff_token` one each.
const GRAY: u64 = 8;

/// Bits of a slice beside its macroblocks, at most: start code, header, `mb_skip_run`, what emulation prevention adds.
const SLICE: u64 = 8 * 26;

/// Bits more of an `idr_pic_id` above 1, and what emulation prevention adds, at most.
const IDR_PIC_ID: u64 = 8 * 3;

/// Bits of the message of a picture's time, of an access unit delimiter, and of the parameter sets and the message of a
/// buffering period, at most.
const TIMING: u64 = 8 * 20;
const DELIMITER: u64 = 8 * 6;
const SETS: u64 = 8 * 130;

/// The size of dropped pictures, and how many of them can follow one another.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    idr: u64,
    p: u64,
    keyint: u32,
}

impl Limits {
    pub(super) fn new(config: &Config) -> Self {
        let [mbs, slices] = [config.mbs().iter().product(), config.slices].map(|n| n as u64);
        let delimiter = if config.access_unit_delimiters { DELIMITER } else { 0 };
        let slice = SLICE + if config.first_idr_pic_id > 0 { IDR_PIC_ID } else { 0 };
        let p = TIMING + delimiter + slices * slice;
        // A slice of gray macroblocks that ends because of its size has as many as there are bytes behind its header;
        // one of skipped macroblocks has a single element.
        let more = config.max_slice_size.map_or(0, |most| mbs.div_ceil(most as u64 - slice / 8));
        Self { idr: p + SETS + mbs * GRAY + more * slice, p, keyint: config.keyint }
    }

    /// Whether an IDR picture may be next.
    pub(super) fn idr_fits(&self, buffer: &Buffer) -> bool {
        buffer.available() >= self.idr
    }

    /// The most bits of the next picture; what a dropped one takes is not more.
    pub(super) fn most(&self, buffer: &Buffer, picture: Picture) -> u64 {
        // What has to be there when the picture after it is due, so that it can be followed by dropped ones.
        let pictures = if picture.idr { 1 } else { picture.distance.saturating_add(1) };
        let left = self.keyint.saturating_sub(pictures);
        let most = buffer.available_before(left, self.p, self.idr);
        if picture.keyframe_pending {
            // The next one is to be an IDR picture, if this one can leave enough for that.
            most.min(buffer.available_before(0, self.p, self.idr).max(self.p))
        } else {
            most
        }
    }

    /// That dropped pictures always fit.
    fn check(&self, buffer: &Buffer, config: &Config) -> Result<(), Error> {
        let (frames, seconds) = config.frame_rate;
        let keyint = u128::from(self.keyint);
        let all = u128::from(self.idr) + (keyint - 1) * u128::from(self.p);
        let least = (all * u128::from(frames)).div_ceil(keyint * u128::from(seconds));
        if u128::from(buffer.bit_rate()) < least {
            return Err(Error::BufferRate { given: buffer.bit_rate(), least: least as u64 });
        }
        if buffer.available() < self.idr {
            return Err(Error::Buffer { bits: buffer.available(), least: self.idr });
        }
        Ok(())
    }
}

/// Checks the settings: all of [`Config::check`], whose level it gives, and the rate and the buffer.
pub(crate) fn check(config: &Config) -> Result<Level, Error> {
    let level = config.check()?;
    match config.rate {
        RateControl::ConstantQp(qp) if qp > MAX_QP => return Err(Error::Qp(qp)),
        RateControl::ConstantQuality(quality) if !(0.0..=f32::from(MAX_QP)).contains(&quality) => {
            return Err(Error::Quality(quality));
        }
        RateControl::AverageBitRate(0) => return Err(Error::BitRate),
        _ => {}
    }
    let Some(vbv) = &config.vbv else { return Ok(level) };
    match (config.rate, *vbv) {
        (RateControl::AverageBitRate(mean), Vbv { max_bits_per_second: most, .. }) if most < mean => {
            return Err(Error::MeanBitRate { mean, most });
        }
        (_, Vbv { initial_fullness: part, .. }) if !(part > 0.0 && part <= 1.0) => {
            return Err(Error::Fullness(part));
        }
        _ => {}
    }
    let buffer = Buffer::new(vbv, config.frame_rate)?;
    Limits::new(config).check(&buffer, config)?;
    Ok(level)
}
