//! Errors of the encoder.

use alloc::borrow::ToOwned;
use alloc::format;

use crate::color::Color;
use crate::syntax::SyntaxError;

/// An invalid configuration or frame.
///
/// The encoder validates its input before it encodes anything, so that an error never leaves a broken stream.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Width or height is zero, or a frame does not fit the address space.
    #[error(
        "frame size {width}x{height} is not supported: width and height must be positive, and a frame must fit in memory"
    )]
    Dimensions {
        /// The width given.
        width: usize,
        /// The height given.
        height: usize,
    },

    /// A limit of the level (Annex A) is exceeded: of the configured level, or of the highest if none is set.
    #[error("{limit} exceeds the limit of level {}", Number(*level))]
    Level {
        /// Level times ten; 9 is level 1b.
        level: u8,
        /// Exceeded quantity, with the symbol of its limit.
        limit: &'static str,
    },

    /// A change between frames exceeds a limit of the level that the stream has stated.
    #[error(
        "{limit} exceeds the limit of level {} of the stream: set a higher Config::level (`level`) before the first frame",
        Number(*level)
    )]
    StreamLevel {
        /// Level times ten; 9 is level 1b.
        level: u8,
        /// Exceeded quantity, with the symbol of its limit.
        limit: &'static str,
    },

    /// Level that is not supported: one that Table A-1 does not have, or one of 6 to 6.2.
    #[error("level {} is not supported: levels are 1, 1b and 1.1 to 5.2", Number(*.0))]
    NoLevel(u8),

    /// Frame rate with a numerator or denominator of 0, or a numerator of 2^31 or more.
    #[error("frame rate {0}/{1} is out of range: both numbers must be positive, the first below 2^31")]
    FrameRate(u32, u32),

    /// Frame of red, green and blue converted by another color than the stream states.
    #[error(
        "the frame was converted by {converted}, and the stream {}: convert by Config::rgb_color, and set Config::color if the \
         parameter sets are read before the first frame",
        .stated.map_or_else(|| "states no color".to_owned(), |stated| format!("states {stated}"))
    )]
    FrameColor {
        /// Color of the frame.
        converted: Color,
        /// Color of the stream.
        stated: Option<Color>,
    },

    /// Change of the frame rate without [`Config::variable_frame_rate`](crate::Config::variable_frame_rate).
    #[error("frame rate is fixed: set variable_frame_rate to change it between frames")]
    FixedFrameRate,

    /// Variable frame rate together with a VBV.
    #[error("a VBV requires a fixed frame rate")]
    VariableFrameRate,

    /// QP offset out of range.
    #[error("QP offset {0} is out of range -51 to 51")]
    QpOffset(f32),

    /// QP above 51.
    #[error("QP {0} is out of range 0 to 51")]
    Qp(u8),

    /// Unknown preset.
    #[error("unknown preset: choose ultrafast, superfast, veryfast, fast, medium, slow, slower or veryslow")]
    Preset,

    /// Unknown tune.
    #[error("unknown tune: choose psnr, ssim, film, animation, grain, stillimage, fastdecode or zerolatency")]
    Tune,

    /// Constant quality (CRF) out of range.
    #[error("CRF {0} is out of range 0 to 51")]
    Quality(f32),

    /// Bit rate of zero.
    #[error("bit rate must be positive")]
    BitRate,

    /// Average bit rate above the VBV's maximum rate.
    #[error("average bit rate of {mean} bit/s exceeds the VBV maximum rate of {most} bit/s")]
    MeanBitRate {
        /// Average bit rate, in bit/s.
        mean: u64,
        /// VBV maximum rate, in bit/s.
        most: u64,
    },

    /// VBV that fills too slowly even for all-skip pictures.
    #[error("VBV maximum rate of {given} bit/s is too low: all-skip pictures alone take {least} bit/s")]
    BufferRate {
        /// VBV maximum rate, in bit/s.
        given: u64,
        /// Smallest rate that suffices, in bit/s.
        least: u64,
    },

    /// VBV too small for any IDR picture.
    #[error(
        "VBV buffer is too small: it holds {bits} bits when the first picture is due, which takes at least {least}"
    )]
    Buffer {
        /// Bits in the buffer when the first picture is due.
        bits: u64,
        /// Bits of the smallest IDR picture.
        least: u64,
    },

    /// `initial_cpb_removal_delay` out of range.
    #[error("VBV buffer of {bits} bits at {rate} bit/s: initial_cpb_removal_delay is out of range")]
    BufferTime {
        /// VBV maximum rate, in bit/s.
        rate: u64,
        /// VBV buffer size, in bits.
        bits: u64,
    },

    /// Initial VBV occupancy out of range.
    #[error("initial VBV occupancy {0} is out of range: above 0 and at most 1")]
    Fullness(f32),

    /// Minimum keyframe interval of 0, or above the maximum.
    #[error("minimum keyframe interval {given} is out of range 1 to {keyint}, the maximum keyframe interval")]
    MinKeyint {
        /// Minimum keyframe interval, in frames.
        given: u32,
        /// Maximum keyframe interval, in frames.
        keyint: u32,
    },

    /// Maximum keyframe interval of 0.
    #[error("maximum keyframe interval must be at least 1")]
    Keyint,

    /// Look-ahead above the maximum.
    #[error("look-ahead of {given} frames exceeds {most}")]
    Lookahead {
        /// Look-ahead, in frames.
        given: usize,
        /// Maximum look-ahead, in frames.
        most: usize,
    },

    /// Strength of adaptive quantization out of range.
    #[error("strength {given} of adaptive quantization is out of range 0 to {most}")]
    AqStrength {
        /// Strength.
        given: f32,
        /// Maximum strength.
        most: f32,
    },

    /// Text that is none of a [`FirstPass`](crate::FirstPass).
    #[error("line {line} is not one of the statistics of a first pass")]
    FirstPass {
        /// Number of the line, from 1.
        line: usize,
    },

    /// Number of reference frames out of range.
    #[error("{0} reference frames are out of range 1 to 16")]
    References(u8),

    /// Offset outside the range of its syntax element.
    #[error("{name} {value} is out of range {least} to {greatest}")]
    Offset {
        /// Syntax element.
        name: &'static str,
        /// Value given.
        value: i8,
        /// Lower bound.
        least: i8,
        /// Upper bound.
        greatest: i8,
    },

    /// No slices, or more than macroblock rows.
    #[error("{slices} slices are out of range 1 to {rows}, the macroblock rows of a frame")]
    Slices {
        /// Number of slices given.
        slices: usize,
        /// Macroblock rows of a frame: the upper bound.
        rows: usize,
    },

    /// Maximum slice size too small for any slice.
    #[error("maximum slice size of {given} bytes is too small: it must be at least {least}")]
    SliceSize {
        /// Size given, in bytes.
        given: usize,
        /// Smallest size that is supported, in bytes.
        least: usize,
    },

    /// Sample aspect ratio with a width or height of 0.
    #[error("sample aspect ratio must be positive, got {0}:{1}")]
    SampleAspectRatio(u16, u16),

    /// Failure of the operating system to start threads.
    #[error("cannot start {0} threads")]
    Threads(usize),

    /// Frame size other than the stream's.
    #[error("frame size {}x{} differs from the stream's {}x{}", given.0, given.1, wanted.0, wanted.1)]
    FrameSize {
        /// Width and height of the frame.
        given: (usize, usize),
        /// Width and height of the stream.
        wanted: (usize, usize),
    },

    /// Stride shorter than a row, or plane with too few samples.
    #[error("plane of {samples} samples with stride {stride} is too small for {width}x{height}")]
    Plane {
        /// Number of samples given.
        samples: usize,
        /// Distance between rows.
        stride: usize,
        /// Samples per row.
        width: usize,
        /// Number of rows.
        height: usize,
    },

    /// Value that the syntax cannot represent.
    #[error("not representable in the bitstream: {0}")]
    Syntax(#[from] SyntaxError),
}

/// A level, given as its number times ten; 9 is level 1b.
struct Number(u8);

impl core::fmt::Display for Number {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self.0 {
            9 => f.write_str("1b"),
            number => write!(f, "{}.{}", number / 10, number % 10),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Preset;
    use std::string::ToString;

    #[test]
    fn all_presets_are_listed() {
        let message = Error::Preset.to_string();
        for preset in Preset::ALL {
            assert!(
                message.split([' ', ',']).any(|word| word == preset.name()),
                "{}: {message}",
                preset.name()
            );
        }
    }

    #[test]
    fn levels_are_called_as_in_the_standard() {
        let message = |level| Error::Level { level, limit: "bit rate (MaxBR)" }.to_string();
        assert_eq!(message(41), "bit rate (MaxBR) exceeds the limit of level 4.1");
        assert_eq!(message(9), "bit rate (MaxBR) exceeds the limit of level 1b");
        assert_eq!(
            Error::NoLevel(47).to_string(),
            "level 4.7 is not supported: levels are 1, 1b and 1.1 to 5.2"
        );
    }
}
