//! What can go wrong, as one type.

use std::io;

/// Why an image could not be described or encoded.
///
/// Every fault of the caller's is found before the first byte is written; only [`Error::Io`] can leave a
/// writer with part of a file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A width or height of 0, or one above 65535, which the 16-bit fields X and Y of the frame header (T.81
    /// B.2.2) cannot hold.
    #[error("an image of {width}x{height} pixels cannot be a JPEG: both sides must be 1 to 65535")]
    Dimensions {
        /// The width given, in pixels.
        width: usize,
        /// The height given, in pixels.
        height: usize,
    },

    /// The distance between rows is less than one row of samples.
    #[error("a stride of {stride} samples is too short for rows of {row} samples")]
    Stride {
        /// The stride given, in samples (bytes).
        stride: usize,
        /// The samples of one row.
        row: usize,
    },

    /// The memory given is shorter than the image it is said to hold.
    #[error("the image needs {needed} samples, but {given} were given")]
    TooFewSamples {
        /// The samples that height, stride and row ask for. It saturates at `usize::MAX`.
        needed: usize,
        /// The samples given.
        given: usize,
    },

    /// A quality outside 1 to 100.
    #[error("quality {0} is not one of 1 to 100")]
    Quality(u8),

    /// The writer refused the bytes.
    #[error("the encoded image could not be written: {0}")]
    Io(#[from] io::Error),
}
