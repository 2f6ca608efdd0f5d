//! Settings that change between frames.

use crate::config::Config;
use crate::decide::Decisions;
use crate::encoder::Encoder;
use crate::error::Error;
use crate::rate::{self, MissedBitRate, RateControl};

/// # Control between frames
///
/// Each of these takes effect with the next frame that is given. A setting that is refused changes nothing. The parameter sets stay
/// what they are, and with them the level: what a stream may come to need is configured from the start ([`Config::level`]).
impl<D: Decisions> Encoder<D> {
    /// Makes the next frame a keyframe: an IDR picture, from which decoding can begin, with the parameter sets before it in a byte
    /// stream. [`Config::keyint`] counts from there, and [`Config::min_keyint`](field@Config::min_keyint) does not delay
    /// it.
    ///
    /// With a VBV the keyframe waits for the first frame at which the smallest IDR picture fits the buffer; those before it are as
    /// small as that takes.
    pub const fn force_keyframe(&mut self) {
        self.keyframe_forced = true;
    }

    /// Changes what QP follows: another quality, bit rate or QP, or another of the three.
    ///
    /// A new bit rate is the average from here on: what was above or below the old one counts in proportion, and QP jumps by as much
    /// as the rates differ.
    ///
    /// # Errors
    ///
    /// When the value is out of range or above the maximum rate of the VBV, or [`Error::Level`] when the level of the stream does not
    /// allow the bit rate.
    pub fn set_rate_control(&mut self, rate: RateControl) -> Result<(), Error> {
        self.reconfigure(|config| config.rate = rate)
    }

    /// Changes the frame rate that rate control goes by, in frames a second over a denominator. The stream goes on stating the
    /// configured one, whose clock has the same ticks; when frames are shown is up to the container or the protocol.
    ///
    /// # Errors
    ///
    /// [`Error::FixedFrameRate`] unless [`Config::variable_frame_rate`] is set, [`Error::FrameRate`] when it is not positive, and
    /// [`Error::Level`] when the level does not allow as many macroblocks a second.
    pub fn set_frame_rate(&mut self, frame_rate: (u32, u32)) -> Result<(), Error> {
        if !self.config.variable_frame_rate && frame_rate != self.config.frame_rate {
            return Err(Error::FixedFrameRate);
        }
        self.reconfigure(|config| config.frame_rate = frame_rate)
    }

    /// Adds an offset to the QP of the next frames, -51 to 51, whatever it follows; 0 takes it back. What frames take more or less
    /// by it under an average bit rate is made up for by those after them.
    ///
    /// # Errors
    ///
    /// [`Error::QpOffset`] when it is out of range.
    pub fn set_qp_offset(&mut self, offset: f32) -> Result<(), Error> {
        if !(-51.0..=51.0).contains(&offset) {
            return Err(Error::QpOffset(offset));
        }
        self.rate.set_qp_offset(offset.into());
        Ok(())
    }

    /// The average bit rate, if the stream misses it by a tenth or more since it began or since the last change of a setting, and that is
    /// two seconds at least. Shorter streams, and those on their way to the target, miss nothing.
    #[must_use]
    pub fn missed_bit_rate(&self) -> Option<MissedBitRate> {
        self.rate.missed_bit_rate(&self.config)
    }

    /// The configuration, with what was changed since.
    #[must_use]
    pub const fn config(&self) -> &Config {
        &self.config
    }

    /// Changes the configuration if the stream can go on with it.
    fn reconfigure(&mut self, change: impl FnOnce(&mut Config)) -> Result<(), Error> {
        let mut config = self.config.clone();
        change(&mut config);
        // The level is in the parameter sets.
        rate::check(&Config { level: Some(self.level.number()), ..config.clone() })?;
        self.rate.reconfigure(&config, &self.level);
        self.gop.reconfigure(&config);
        self.config = config;
        Ok(())
    }
}
