//! Settings that can change between frames.

use crate::config::Config;
use crate::decide::Decisions;
use crate::encoder::Encoder;
use crate::error::Error;
use crate::rate::{self, MissedBitRate, RateControl};

/// # Control between frames
///
/// A change takes effect with the next frame; with a [look-ahead](Config::lookahead), with the next one that is coded, or
/// planned where [several are coded at once](Config::encodes_frames_at_once), except for
/// [`force_keyframe`](Self::force_keyframe). A call that returns an error changes nothing. The parameter sets
/// stay the same, and with them the level: to leave room for a higher bit rate or frame rate later, set
/// [`Config::level`] from the start.
impl<D: Decisions> Encoder<D> {
    /// Makes the next frame a keyframe: an IDR picture, preceded by the parameter sets in a byte stream.
    ///
    /// [`Config::keyint`] counts from this keyframe, and [`Config::min_keyint`](field@Config::min_keyint) does not
    /// delay it. With a VBV, the keyframe waits for the first frame at which the smallest IDR picture fits the buffer;
    /// frames before it are kept small to make room.
    pub const fn force_keyframe(&mut self) {
        self.keyframe_forced = true;
    }

    /// Changes the rate control method or its target.
    ///
    /// A new bit rate is the average from this point on: the accumulated deviation from the old one scales with the
    /// ratio of the rates, and QP changes at once according to that ratio.
    ///
    /// # Errors
    ///
    /// When the value is out of range or above the maximum rate of the VBV, and [`Error::StreamLevel`] when the bit rate
    /// exceeds the limit of the stream's level.
    pub fn set_rate_control(&mut self, rate: RateControl) -> Result<(), Error> {
        self.reconfigure(|config| config.rate = rate)
    }

    /// Changes the frame rate that rate control assumes, as a fraction of numerator and denominator.
    ///
    /// The VUI keeps the configured frame rate and clock; presentation times are up to the container or the transport.
    ///
    /// # Errors
    ///
    /// [`Error::FixedFrameRate`] unless [`Config::variable_frame_rate`] is set, [`Error::FrameRate`] when it is not
    /// positive, and [`Error::StreamLevel`] when the macroblock rate exceeds the limit of the stream's level.
    pub fn set_frame_rate(&mut self, frame_rate: (u32, u32)) -> Result<(), Error> {
        if !self.config.variable_frame_rate && frame_rate != self.config.frame_rate {
            return Err(Error::FixedFrameRate);
        }
        self.reconfigure(|config| config.frame_rate = frame_rate)
    }

    /// Adds an offset of -51 to 51 to the QP of the following frames, under any rate control method; 0 removes it.
    ///
    /// Under an average bit rate, later frames compensate for the bits that the offset adds or saves.
    ///
    /// # Errors
    ///
    /// [`Error::QpOffset`] when the offset is out of range.
    pub fn set_qp_offset(&mut self, offset: f32) -> Result<(), Error> {
        if !(-51.0..=51.0).contains(&offset) {
            return Err(Error::QpOffset(offset));
        }
        self.rate.set_qp_offset(offset.into());
        Ok(())
    }

    /// The deviation from the average bit rate, if it is 10 % or more over at least two seconds.
    ///
    /// Counts from the start of the stream or the last change of the rate control or the frame rate. `None` under other
    /// rate control methods, and for shorter streams, for which rate control has not converged.
    #[must_use]
    pub fn missed_bit_rate(&self) -> Option<MissedBitRate> {
        self.rate.missed_bit_rate(&self.config)
    }

    /// The configuration, with all changes since.
    #[must_use]
    pub const fn config(&self) -> &Config {
        &self.config
    }

    /// Applies a change to the configuration if the stream can continue with it.
    fn reconfigure(&mut self, change: impl FnOnce(&mut Config)) -> Result<(), Error> {
        let mut config = self.config.clone();
        change(&mut config);
        // The level is in the parameter sets.
        let checked = rate::check(&Config { level: Some(self.level.number()), ..config.clone() });
        checked.map_err(|error| match error {
            Error::Level { level, limit } => Error::StreamLevel { level, limit },
            error => error,
        })?;
        self.rate.reconfigure(&config, &self.level);
        self.planner.gop.reconfigure(&config);
        self.config = config;
        Ok(())
    }
}
