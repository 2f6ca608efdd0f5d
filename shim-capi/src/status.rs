//! Status codes.

use std::ffi::{CStr, c_char};

use shim_jpeg::Error;

/// Status of a call: `SHIM_OK` or one of `SHIM_ERROR_*`. Later versions may return others.
pub type Status = i32;

/// Success.
pub const SHIM_OK: Status = 0;
/// A pointer that must not be null is null.
pub const SHIM_ERROR_NULL: Status = 1;
/// An argument has an unknown constant, or a number or size out of range.
pub const SHIM_ERROR_VALUE: Status = 2;
/// The `struct_size` of a structure is unknown to the library.
pub const SHIM_ERROR_STRUCT_SIZE: Status = 3;
/// A pointer to 16-bit samples is not aligned.
pub const SHIM_ERROR_ALIGNMENT: Status = 4;
/// The encoder or the strips are in use: a callback called a function of the object that called it.
pub const SHIM_ERROR_BUSY: Status = 5;
/// A bug in the library. Please report it.
pub const SHIM_ERROR_INTERNAL: Status = 6;
/// The width or the height is out of range 1 to 65535, or, for video, is not supported or differs from that of the
/// stream.
pub const SHIM_ERROR_DIMENSIONS: Status = 7;
/// The stride is shorter than a row, or not a multiple of the sample size.
pub const SHIM_ERROR_STRIDE: Status = 8;
/// A plane is smaller than the image.
pub const SHIM_ERROR_TOO_FEW_SAMPLES: Status = 9;
/// The number of planes is neither 1 nor the number of samples per pixel.
pub const SHIM_ERROR_PLANES: Status = 10;
/// The sample precision is not supported.
pub const SHIM_ERROR_BITS: Status = 11;
/// The pixels cannot be converted to the requested color space.
pub const SHIM_ERROR_COLOR: Status = 12;
/// The sampling factors are not supported.
pub const SHIM_ERROR_SAMPLING: Status = 13;
/// The scan script violates the standard.
pub const SHIM_ERROR_SCANS: Status = 14;
/// A quantization table element is 0 or too large.
pub const SHIM_ERROR_QUANTIZATION_TABLE: Status = 15;
/// A pixel density is out of range 1 to 65535.
pub const SHIM_ERROR_DENSITY: Status = 16;
/// An ICC profile, Exif data, an XMP packet, an application segment or a comment exceeds the limit of the format.
pub const SHIM_ERROR_METADATA: Status = 17;
/// The quality is out of range 1 to 100.
pub const SHIM_ERROR_QUALITY: Status = 18;
/// The write callback returned a value other than 0.
pub const SHIM_ERROR_WRITE: Status = 19;
/// The strips do not match the image, or a call came after its end.
pub const SHIM_ERROR_STRIPS: Status = 20;
/// A sample exceeds the sample precision of the image.
pub const SHIM_ERROR_SAMPLE: Status = 21;
/// The operating system failed to start threads.
pub const SHIM_ERROR_THREADS: Status = 22;
/// No quality reaches the target size or PSNR, or the target is invalid.
pub const SHIM_ERROR_TARGET: Status = 23;
/// A target size or PSNR was requested for a file without a quality: it is lossless, or has custom quantization tables.
pub const SHIM_ERROR_NO_QUALITY: Status = 24;
/// The video exceeds the limits of the level, or of every level if none is set, or the level does not exist.
pub const SHIM_ERROR_LEVEL: Status = 25;
/// The setting cannot change after the stream has started.
pub const SHIM_ERROR_STARTED: Status = 26;

/// A static string that describes `status`, also for a status unknown to this version. `shim_jpeg_error_message` and
/// `shim_h264_error_message` return the details of the last failure.
#[unsafe(no_mangle)]
pub extern "C" fn shim_status_message(status: Status) -> *const c_char {
    text(status).as_ptr()
}

fn text(status: Status) -> &'static CStr {
    match status {
        SHIM_OK => c"no error",
        SHIM_ERROR_NULL => c"null pointer",
        SHIM_ERROR_VALUE => c"invalid argument",
        SHIM_ERROR_STRUCT_SIZE => c"unknown structure size",
        SHIM_ERROR_ALIGNMENT => c"16-bit samples are not aligned",
        SHIM_ERROR_BUSY => c"encoder or strips in use",
        SHIM_ERROR_INTERNAL => c"a mistake in the library",
        SHIM_ERROR_DIMENSIONS => c"width or height is out of range, or differs from that of the stream",
        SHIM_ERROR_STRIDE => c"invalid stride",
        SHIM_ERROR_TOO_FEW_SAMPLES => c"plane is smaller than the image",
        SHIM_ERROR_PLANES => c"number of planes does not match the pixel format",
        SHIM_ERROR_BITS => c"sample precision is not supported",
        SHIM_ERROR_COLOR => c"cannot convert the pixels to the color space",
        SHIM_ERROR_SAMPLING => c"sampling factors are not supported",
        SHIM_ERROR_SCANS => c"invalid scan script",
        SHIM_ERROR_QUANTIZATION_TABLE => c"quantization table element is out of range",
        SHIM_ERROR_DENSITY => c"pixel density is out of range 1 to 65535",
        SHIM_ERROR_METADATA => c"metadata exceeds the limit of the format",
        SHIM_ERROR_QUALITY => c"quality is out of range 1 to 100",
        SHIM_ERROR_WRITE => c"write failed",
        SHIM_ERROR_STRIPS => c"strips do not match the image",
        SHIM_ERROR_SAMPLE => c"sample exceeds the sample precision of the image",
        SHIM_ERROR_THREADS => c"cannot start threads",
        SHIM_ERROR_TARGET => c"no quality reaches the target size or PSNR",
        SHIM_ERROR_NO_QUALITY => c"file has no quality to search",
        SHIM_ERROR_LEVEL => c"video exceeds the limits of the level",
        SHIM_ERROR_STARTED => c"stream has started",
        _ => c"unknown error",
    }
}

/// A failed call: its status, and the message that the encoder keeps.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) status: Status,
    pub(crate) message: String,
}

impl Failure {
    pub(crate) fn new(status: Status, message: impl Into<String>) -> Self {
        Self { status, message: message.into() }
    }

    pub(crate) fn null(name: &str) -> Self {
        Self::new(SHIM_ERROR_NULL, format!("`{name}` is null"))
    }

    /// An unknown constant of an argument.
    pub(crate) fn unknown(name: &str, value: u32) -> Self {
        Self::new(SHIM_ERROR_VALUE, format!("unknown constant {value} for `{name}`"))
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        let status = match &error {
            Error::Dimensions { .. } => SHIM_ERROR_DIMENSIONS,
            Error::Stride { .. } => SHIM_ERROR_STRIDE,
            Error::TooFewSamples { .. } => SHIM_ERROR_TOO_FEW_SAMPLES,
            Error::Planes { .. } => SHIM_ERROR_PLANES,
            Error::Bits(_) => SHIM_ERROR_BITS,
            Error::Color { .. } => SHIM_ERROR_COLOR,
            Error::Sampling => SHIM_ERROR_SAMPLING,
            Error::Script { .. } => SHIM_ERROR_SCANS,
            Error::QuantizationTable(_) => SHIM_ERROR_QUANTIZATION_TABLE,
            Error::Density => SHIM_ERROR_DENSITY,
            Error::Metadata { .. } => SHIM_ERROR_METADATA,
            Error::Quality(_) => SHIM_ERROR_QUALITY,
            Error::Io(_) => SHIM_ERROR_WRITE,
            Error::Strip => SHIM_ERROR_STRIPS,
            Error::Sample { .. } => SHIM_ERROR_SAMPLE,
            Error::Threads(_) => SHIM_ERROR_THREADS,
            Error::TargetSize { .. } | Error::TargetPsnr { .. } => SHIM_ERROR_TARGET,
            Error::NoQuality => SHIM_ERROR_NO_QUALITY,
            // An error that the encoder learned after this list was written: the message says what it is.
            _ => SHIM_ERROR_VALUE,
        };
        Self::new(status, error.to_string())
    }
}

impl From<shim_h264::Error> for Failure {
    fn from(error: shim_h264::Error) -> Self {
        use shim_h264::Error;
        let status = match &error {
            Error::Dimensions { .. } | Error::FrameSize { .. } => SHIM_ERROR_DIMENSIONS,
            Error::Plane { .. } => SHIM_ERROR_TOO_FEW_SAMPLES,
            Error::Level { .. } | Error::StreamLevel { .. } | Error::NoLevel(_) => SHIM_ERROR_LEVEL,
            Error::Threads(_) => SHIM_ERROR_THREADS,
            Error::FrameColor { .. } => SHIM_ERROR_STARTED,
            // A setting that is out of range: the message says which.
            _ => SHIM_ERROR_VALUE,
        };
        Self::new(status, error.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_status_has_a_text_of_its_own() {
        let texts: Vec<&CStr> = (SHIM_OK..=SHIM_ERROR_STARTED).map(text).collect();
        for (i, text) in texts.iter().enumerate() {
            assert!(!texts[..i].contains(text), "{text:?}");
        }
        for unknown in [-1, SHIM_ERROR_STARTED + 1, i32::MAX, i32::MIN] {
            assert_eq!(text(unknown), c"unknown error");
        }
    }
}
