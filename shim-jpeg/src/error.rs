//! Errors of the encoder.

use alloc::string::String;
#[cfg(feature = "std")]
use std::{io, sync::Arc};

use crate::input::color::ColorSpace;
use crate::input::pixels::Pixels;

/// An invalid image or setting, or a failure to write.
///
/// The encoder validates its input before it writes the first byte; only [`Error::Io`] can leave a writer with a
/// partial file.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Width or height of 0, or above 65535, the maximum of the 16-bit fields X and Y of the frame header (T.81 B.2.2).
    #[error("image size {width}x{height} is not supported: width and height must be 1 to 65535")]
    Dimensions {
        /// Width given, in pixels.
        width: usize,
        /// Height given, in pixels.
        height: usize,
    },

    /// Stride shorter than a row of samples.
    #[error("stride of {stride} samples is shorter than a row of {row} samples")]
    Stride {
        /// Stride given, in samples.
        stride: usize,
        /// Samples of a row.
        row: usize,
    },

    /// Slice too short for the image.
    #[error("the image needs {needed} samples, but {given} were given")]
    TooFewSamples {
        /// Number of samples required; saturates at `usize::MAX`.
        needed: usize,
        /// Number of samples given.
        given: usize,
    },

    /// Number of planes other than the samples of a pixel.
    #[error("the pixels need {needed} planes, but {given} were given")]
    Planes {
        /// Samples of a pixel.
        needed: usize,
        /// Number of planes given.
        given: usize,
    },

    /// Unsupported sample precision: lossless files have 2 to 16 bits, others 8 or 12.
    #[error(
        "sample precision of {0} bits is not supported: lossless files have 2 to 16 bits, others 8 or 12"
    )]
    Bits(u8),

    /// Unsupported color conversion.
    #[error("cannot convert {pixels:?} pixels to {space:?}")]
    Color {
        /// Pixel format of the image.
        pixels: Pixels,
        /// Color space of the file.
        space: ColorSpace,
    },

    /// Sampling factors that are out of range, or would need fractional samples.
    #[error(
        "invalid sampling factors: each component needs H and V of 1 to 4 that divide the largest, or 1 in lossless files"
    )]
    Sampling,

    /// Scan that violates T.81 (B.2.3, G.1.1.1).
    #[error("scan {scan}: {reason}")]
    Script {
        /// Index of the scan, from 0; the number of scans if one is missing.
        scan: usize,
        /// Violated rule.
        reason: &'static str,
    },

    /// Quantization table element of 0, or above 255 for 8-bit samples (B.2.4.1).
    #[error("quantization table element {0} is out of range 1 to 255, or to 65535 for 12-bit samples")]
    QuantizationTable(u16),

    /// Predictor missing from Table H.1.
    #[error("predictor {0} is out of range 1 to 7")]
    Predictor(u8),

    /// Point transform that leaves no bits (lossless).
    #[error("point transform {point_transform} must be less than the sample precision of {bits} bits")]
    PointTransform {
        /// Pt: the number of low bits to drop.
        point_transform: u8,
        /// P: the sample precision.
        bits: u8,
    },

    /// Sample that exceeds the bit depth of the image (lossless).
    #[error("sample {sample} exceeds the sample precision of {bits} bits")]
    Sample {
        /// Value of the sample.
        sample: u16,
        /// Sample precision of the image, in bits.
        bits: u8,
    },

    /// Restart interval that does not end at the end of a row (lossless, T.81 H.1.1).
    #[error("restart interval of {interval} MCUs is not a multiple of the row length of {row} pixels")]
    Restart {
        /// Restart interval, in MCUs, which are pixels.
        interval: u16,
        /// Pixels of a row.
        row: usize,
    },

    /// Pixel density of 0.
    #[error("pixel density must be positive")]
    Density,

    /// Lossless file with arithmetic coding.
    #[error("lossless files are coded by Huffman tables, not arithmetically")]
    Arithmetic,

    /// Application segment number above 15.
    #[error("there is no APP{0}: application segments are APP0 to APP15")]
    ApplicationSegment(u8),

    /// Unknown name of a value.
    #[error("unknown {kind} `{name}`: one of {known}")]
    Name {
        /// Kind of value.
        kind: &'static str,
        /// Name given.
        name: String,
        /// Valid names.
        known: &'static str,
    },

    /// Text that does not parse as a value of its type.
    #[error("invalid {kind} `{text}`: expected {expected}")]
    Syntax {
        /// Kind of value.
        kind: &'static str,
        /// Text, or the invalid part of it.
        text: String,
        /// Expected syntax.
        expected: &'static str,
    },

    /// Metadata that does not fit its segments.
    #[error("{kind} of {bytes} bytes exceeds the limit of {most} bytes")]
    Metadata {
        /// Kind of metadata.
        kind: &'static str,
        /// Size given, in bytes.
        bytes: usize,
        /// Maximum size, in bytes.
        most: usize,
    },

    /// Samples other than 8-bit or 16-bit integers.
    #[error("samples must be 8-bit or 16-bit integers")]
    Samples,

    /// Quality out of range 1 to 100.
    #[error("quality {0} is out of range 1 to 100")]
    Quality(u8),

    /// Target size that even quality 1 exceeds.
    #[error("no quality fits the file in {bytes} bytes: at quality 1 it has {least}")]
    TargetSize {
        /// Target size, in bytes.
        bytes: usize,
        /// File size at quality 1, in bytes.
        least: usize,
    },

    /// Target PSNR that is not a positive number, or exceeds that of quality 100.
    #[error("no quality reaches a PSNR of {decibels} dB: at quality 100 it is {most:.1} dB")]
    TargetPsnr {
        /// Target PSNR, in dB.
        decibels: f64,
        /// PSNR of quality 100, in dB.
        most: f64,
    },

    /// Target size or PSNR with settings that do not depend on the quality.
    #[error("lossless files and custom quantization tables have no quality to search")]
    NoQuality,

    /// Strip that does not match the image, or missing rows at the end.
    #[error("strips must have the width, pixel format and bit depth of the image, and add up to its height")]
    Strip,

    /// Failure of the operating system to start threads.
    #[error("cannot start {0} threads")]
    Threads(usize),

    /// The caller of [`encode_while`](crate::Encoder::encode_while) did not want to proceed.
    #[error("encoding was stopped")]
    Stopped,

    /// Failure of the writer.
    #[cfg(feature = "std")]
    #[error("the encoded image could not be written: {0}")]
    Io(#[from] WriteError),
}

/// An [`io::Error`] of the writer, in a form that can be cloned; equal if the kind is equal.
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
    /// The original error, or, if it was cloned, one with the same kind and message.
    fn from(error: WriteError) -> Self {
        Arc::try_unwrap(error.0).unwrap_or_else(|shared| Self::new(shared.kind(), shared))
    }
}
