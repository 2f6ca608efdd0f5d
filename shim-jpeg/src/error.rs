//! What can go wrong, as one type.

use alloc::string::String;
#[cfg(feature = "std")]
use std::{io, sync::Arc};

use crate::input::color::ColorSpace;
use crate::input::pixels::Pixels;

/// Why an image could not be described or encoded.
///
/// Every fault of the caller's is found before the first byte is written; only [`Error::Io`] can leave a
/// writer with part of a file.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
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

    /// Not as many planes as a pixel has samples.
    #[error("pixels of {needed} samples need as many planes, but {given} were given")]
    Planes {
        /// The samples of a pixel.
        needed: usize,
        /// The planes given.
        given: usize,
    },

    /// A number of bits that samples cannot have: 2 to 16 can be described, and of those the lossless process codes all, the
    /// others 8 and 12.
    #[error(
        "samples of {0} bits cannot be coded: the lossless process takes 2 to 16 bits, the others 8 or 12"
    )]
    Bits(u8),

    /// Pixels that cannot become such components.
    #[error("{pixels:?} pixels cannot be coded as {space:?}")]
    Color {
        /// What the pixels are.
        pixels: Pixels,
        /// What the file was to hold.
        space: ColorSpace,
    },

    /// Sampling factors that no frame of the image's components can have, or that would need samples between samples.
    #[error(
        "each component needs factors H and V of 1 to 4, which divide the greatest of all, and in the lossless process are 1"
    )]
    Sampling,

    /// A scan that breaks the rules of progressive files (T.81 G.1.1.1).
    #[error("scan {scan}: {reason}")]
    Script {
        /// Which scan, from 0; the number of scans if one is missing.
        scan: usize,
        /// What is wrong with it.
        reason: &'static str,
    },

    /// An element of a quantization table that is 0, or above 255 where samples have 8 bits (B.2.4.1).
    #[error("a quantization table holds {0}: elements are 1 to 255, and to 65535 for samples of 12 bits")]
    QuantizationTable(u16),

    /// A predictor that Table H.1 does not have.
    #[error("predictor {0} is not one of 1 to 7")]
    Predictor(u8),

    /// A point transform of the lossless process that leaves no bit.
    #[error("a point transform of {point_transform} leaves nothing of samples of {bits} bits")]
    PointTransform {
        /// Pt, the bits that are left out.
        point_transform: u8,
        /// P, the bits of a sample.
        bits: u8,
    },

    /// A sample that has more bits than the image is said to have, which the lossless process cannot leave out.
    #[error("a sample is {sample}, which has more than {bits} bits")]
    Sample {
        /// The sample.
        sample: u16,
        /// The bits that samples of the image have.
        bits: u8,
    },

    /// A restart interval of the lossless process that does not end with a row (T.81 H.1.1).
    #[error("a restart interval of {interval} MCUs is no multiple of rows of {row} pixels")]
    Restart {
        /// The interval, in MCUs, which are pixels.
        interval: u16,
        /// The pixels of a row.
        row: usize,
    },

    /// A density of 0.
    #[error("a density of pixels is 0")]
    Density,

    /// A number of an application segment above 15.
    #[error("there is no APP{0}: application segments are APP0 to APP15")]
    ApplicationSegment(u8),

    /// A name that none of the values of a type has.
    #[error("unknown {kind} `{name}`: one of {known}")]
    Name {
        /// The kind of name that was expected.
        kind: &'static str,
        /// The name.
        name: String,
        /// The names that there are.
        known: &'static str,
    },

    /// Text that is not a value of its type.
    #[error("invalid {kind} `{text}`: expected {expected}")]
    Syntax {
        /// The kind of value that was expected.
        kind: &'static str,
        /// The text, or the part of it that is wrong.
        text: String,
        /// The syntax, or what the part may be.
        expected: &'static str,
    },

    /// Metadata that does not fit its segments.
    #[error("{kind} of {bytes} bytes does not fit a JPEG file, which takes {most}")]
    Metadata {
        /// What it is.
        kind: &'static str,
        /// Its length.
        bytes: usize,
        /// The most that fits.
        most: usize,
    },

    /// Samples that are no integers of 8 or 16 bits.
    #[error("samples that are no integers of 8 or 16 bits cannot be coded")]
    Samples,

    /// A quality outside 1 to 100.
    #[error("quality {0} is not one of 1 to 100")]
    Quality(u8),

    /// A file that is larger than it was to be even at quality 1.
    #[error("no quality makes a file of {bytes} bytes: at 1 it has {least}")]
    TargetSize {
        /// The bytes that were to be enough.
        bytes: usize,
        /// Those of the file of quality 1.
        least: usize,
    },

    /// A fidelity that is not a number above 0, or above what quality 100 reaches.
    #[error("no quality reaches a PSNR of {decibels} dB: at 100 it is {most:.1} dB")]
    TargetPsnr {
        /// The PSNR that was to be reached.
        decibels: f64,
        /// That of quality 100.
        most: f64,
    },

    /// A quality was to be found for a file that has none.
    #[error("lossless files and given quantization tables leave no quality to find")]
    NoQuality,

    /// A strip that is not a part of the image that was announced, or rows that never came.
    #[error(
        "the strips do not make up the image: each has its width, pixels and bits, and together its height"
    )]
    Strip,

    /// The system did not give so many threads.
    #[error("{0} threads could not be started")]
    Threads(usize),

    /// The writer refused the bytes.
    #[cfg(feature = "std")]
    #[error("the encoded image could not be written: {0}")]
    Io(#[from] WriteError),
}

/// What a writer said when it refused bytes: an [`io::Error`] that can be cloned, and equals those of the same kind.
#[cfg(feature = "std")]
#[derive(Clone, Debug, thiserror::Error)]
#[error(transparent)]
pub struct WriteError(Arc<io::Error>);

#[cfg(feature = "std")]
impl WriteError {
    /// The kind of the error.
    pub fn kind(&self) -> io::ErrorKind {
        self.0.kind()
    }
}

#[cfg(feature = "std")]
impl PartialEq for WriteError {
    fn eq(&self, other: &Self) -> bool {
        self.kind() == other.kind()
    }
}

#[cfg(feature = "std")]
impl From<io::Error> for Error {
    fn from(error: io::Error) -> Self {
        Self::Io(WriteError(Arc::new(error)))
    }
}

#[cfg(feature = "std")]
impl From<WriteError> for io::Error {
    /// The error as the writer gave it, or if it was cloned, one of its kind and message.
    fn from(error: WriteError) -> Self {
        Arc::try_unwrap(error.0).unwrap_or_else(|shared| Self::new(shared.kind(), shared))
    }
}
