//! What can go wrong, as one type.

use crate::syntax::SyntaxError;

/// Why a configuration or a frame could not be encoded.
///
/// Every fault of the caller's is found before anything of a frame is coded: a stream is never broken.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A width or height of 0, or an odd one, which chroma of half the density does not have.
    #[error("frames of {width}x{height} cannot be coded: both sides must be even, and at least 2")]
    Dimensions {
        /// The width given.
        width: usize,
        /// The height given.
        height: usize,
    },

    /// Frames that no level has room for, or that the level chosen has not.
    #[error("level {}.{} has fewer {limit}", if *level == 9 { 1 } else { level / 10 }, Digit(*level))]
    Level {
        /// Ten times the number of the level; the highest there is if none was chosen.
        level: u8,
        /// What there would be too much of.
        limit: &'static str,
    },

    /// A level that Table A-1 does not have.
    #[error("there is no level {0} (tenfold)")]
    NoLevel(u8),

    /// A frame rate of nothing.
    #[error("a frame rate of {0}/{1} is none")]
    FrameRate(u32, u32),

    /// A QP above 51.
    #[error("QP {0} is not one of 0 to 51")]
    Qp(u8),

    /// A name that is no preset's.
    #[error("the presets are ultrafast, veryfast, fast, medium and slow")]
    Preset,

    /// A quality that is no number from 0 to 51.
    #[error("a quality of {0} is not one of 0 to 51")]
    Quality(f32),

    /// A bit rate of nothing.
    #[error("a stream has more than 0 bits a second")]
    BitRate,

    /// A mean bit rate above the greatest.
    #[error("{mean} bits a second in the mean are more than {most} at most")]
    MeanBitRate {
        /// The mean asked for.
        mean: u64,
        /// The rate at which the buffer fills.
        most: u64,
    },

    /// A buffer that fills too slowly even for pictures without anything.
    #[error("{given} bits a second are too few: pictures without anything take {least}")]
    BufferRate {
        /// The rate at which it fills.
        given: u64,
        /// What has to come in a second.
        least: u64,
    },

    /// A buffer without room for any picture that can be decoded by itself.
    #[error("a buffer with {bits} bits when the first picture is due has none, which takes {least} at least")]
    Buffer {
        /// What has come.
        bits: u64,
        /// The least there is.
        least: u64,
    },

    /// A buffer that takes no time to fill, or longer than can be said in a stream.
    #[error("how long {rate} bits a second take to fill a buffer of {bits} cannot be said in a stream")]
    BufferTime {
        /// The rate at which it fills.
        rate: u64,
        /// Its size.
        bits: u64,
    },

    /// A buffer that is not full to any part of it in the beginning.
    #[error("{0} is no part of a buffer above 0 and at most 1")]
    Fullness(f32),

    /// A least distance of IDR pictures that is none, or above the greatest.
    #[error(
        "at least {given} frames from one IDR picture to the next are not 1 to {keyint}, which are there at most"
    )]
    MinKeyint {
        /// The least distance.
        given: u32,
        /// The greatest.
        keyint: u32,
    },

    /// No frame from one IDR picture to the next.
    #[error("there is at least one frame from one IDR picture to the next")]
    Keyint,

    /// No reference pictures, or more than a list may have.
    #[error("{0} reference pictures are not 1 to 16")]
    References(u8),

    /// An offset that is not one of the standard's.
    #[error("{name} is {value}, which is not one of {least} to {greatest}")]
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

    /// No slices, or more than rows of macroblocks.
    #[error("frames of {rows} rows of macroblocks cannot have {slices} slices")]
    Slices {
        /// How many there were to be.
        slices: usize,
        /// How many there can be.
        rows: usize,
    },

    /// Threads that the system does not give.
    #[error("{0} threads cannot be started")]
    Threads(usize),

    /// A frame of another size than the stream has.
    #[error("a frame of {}x{} does not fit a stream of {}x{}", given.0, given.1, wanted.0, wanted.1)]
    FrameSize {
        /// Width and height of the frame.
        given: (usize, usize),
        /// Those of the stream.
        wanted: (usize, usize),
    },

    /// A plane whose rows are closer than they are long, or that has less memory than rows.
    #[error("a plane of {samples} samples, {stride} to the row, has no room for {width}x{height}")]
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

    /// What was configured has no syntax.
    #[error("the stream cannot say that: {0}")]
    Syntax(#[from] SyntaxError),
}

/// What stands behind the point in the number of a level.
struct Digit(u8);

impl core::fmt::Display for Digit {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        if self.0 == 9 { f.write_str("b") } else { write!(f, "{}", self.0 % 10) }
    }
}
