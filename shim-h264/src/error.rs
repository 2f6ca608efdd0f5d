//! What can go wrong, as one type.

use crate::syntax::SyntaxError;

/// Why a configuration or a frame could not be encoded.
///
/// Every fault of the caller's is found before anything of a frame is coded: a stream is never broken.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Width or height is zero, or no memory has room for a frame.
    #[error(
        "frame size {width}x{height} is not supported: width and height must be positive, and a frame fit the memory"
    )]
    Dimensions {
        /// The width given.
        width: usize,
        /// The height given.
        height: usize,
    },

    /// A limit of Table A-1 is exceeded, of the level chosen or of all.
    #[error("{limit} exceeds the limit of level {}", Number(*level))]
    Level {
        /// Ten times the number of the level; the highest there is if none was chosen.
        level: u8,
        /// What exceeds it, with the symbol of its limit.
        limit: &'static str,
    },

    /// A level that is not in Table A-1.
    #[error("unknown level {}", Number(*.0))]
    NoLevel(u8),

    /// A frame rate of zero.
    #[error("frame rate must be positive, got {0}/{1}")]
    FrameRate(u32, u32),

    /// Another frame rate in a stream that promises a fixed one.
    #[error("frame rate is fixed: set variable_frame_rate to change it between frames")]
    FixedFrameRate,

    /// A variable frame rate together with a VBV.
    #[error("a VBV requires a fixed frame rate")]
    VariableFrameRate,

    /// A QP offset out of range.
    #[error("QP offset {0} is out of range -51 to 51")]
    QpOffset(f32),

    /// A QP above 51.
    #[error("QP {0} is out of range 0 to 51")]
    Qp(u8),

    /// Unknown preset.
    #[error("unknown preset: choose ultrafast, veryfast, fast, medium, slow or veryslow")]
    Preset,

    /// Constant quality (CRF) out of range.
    #[error("CRF {0} is out of range 0 to 51")]
    Quality(f32),

    /// A bit rate of zero.
    #[error("bit rate must be positive")]
    BitRate,

    /// Average bit rate above the VBV's maximum rate.
    #[error("average bit rate of {mean} bit/s exceeds the VBV maximum rate of {most} bit/s")]
    MeanBitRate {
        /// The average asked for.
        mean: u64,
        /// The rate at which the buffer fills.
        most: u64,
    },

    /// A VBV that fills too slowly even for all-skip pictures.
    #[error("VBV maximum rate of {given} bit/s is too low: all-skip pictures alone take {least} bit/s")]
    BufferRate {
        /// The rate at which it fills.
        given: u64,
        /// What has to come in a second.
        least: u64,
    },

    /// A VBV too small for any IDR picture.
    #[error(
        "VBV buffer is too small: it holds {bits} bits when the first picture is due, which takes at least {least}"
    )]
    Buffer {
        /// What has come.
        bits: u64,
        /// The least there is.
        least: u64,
    },

    /// `initial_cpb_removal_delay` out of range.
    #[error("VBV buffer of {bits} bits at {rate} bit/s: initial_cpb_removal_delay is out of range")]
    BufferTime {
        /// The rate at which it fills.
        rate: u64,
        /// Its size.
        bits: u64,
    },

    /// Initial VBV occupancy out of range.
    #[error("initial VBV occupancy {0} is out of range: above 0 and at most 1")]
    Fullness(f32),

    /// Minimum keyframe interval of 0, or above the maximum.
    #[error("minimum keyframe interval {given} is out of range 1 to {keyint}, the maximum keyframe interval")]
    MinKeyint {
        /// The least distance.
        given: u32,
        /// The greatest.
        keyint: u32,
    },

    /// Maximum keyframe interval of 0.
    #[error("maximum keyframe interval must be at least 1")]
    Keyint,

    /// Reference frames out of range.
    #[error("{0} reference frames are out of range 1 to 16")]
    References(u8),

    /// An offset out of the standard's range.
    #[error("{name} {value} is out of range {least} to {greatest}")]
    Offset {
        /// Of what.
        name: &'static str,
        /// The value given.
        value: i8,
        /// The least there is.
        least: i8,
        /// The greatest.
        greatest: i8,
    },

    /// No slices, or more than macroblock rows.
    #[error("{slices} slices are out of range 1 to {rows}, the macroblock rows of a frame")]
    Slices {
        /// How many there were to be.
        slices: usize,
        /// How many there can be.
        rows: usize,
    },

    /// A maximum slice size that no slice fits.
    #[error("maximum slice size of {given} bytes is too small: it must be at least {least}")]
    SliceSize {
        /// The size given, in bytes.
        given: usize,
        /// The least there is.
        least: usize,
    },

    /// A sample aspect ratio with a side of 0.
    #[error("sample aspect ratio must be positive, got {0}:{1}")]
    SampleAspectRatio(u16, u16),

    /// The system refused to start threads.
    #[error("cannot start {0} threads")]
    Threads(usize),

    /// Frame size other than the stream's.
    #[error("frame size {}x{} differs from the stream's {}x{}", given.0, given.1, wanted.0, wanted.1)]
    FrameSize {
        /// Width and height of the frame.
        given: (usize, usize),
        /// Those of the stream.
        wanted: (usize, usize),
    },

    /// A stride shorter than a row, or a plane with too few samples.
    #[error("plane of {samples} samples with stride {stride} is too small for {width}x{height}")]
    Plane {
        /// The samples given.
        samples: usize,
        /// The distance between rows.
        stride: usize,
        /// Samples of a row.
        width: usize,
        /// Rows.
        height: usize,
    },

    /// A value that the syntax cannot represent.
    #[error("not representable in the bitstream: {0}")]
    Syntax(#[from] SyntaxError),
}

/// A level by ten times its number, where 9 is 1b.
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
        assert_eq!(Error::NoLevel(47).to_string(), "unknown level 4.7");
    }
}
