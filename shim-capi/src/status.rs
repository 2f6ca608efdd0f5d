//! What a call came to.

use std::ffi::{CStr, c_char};

use shim_jpeg::Error;

/// What a call came to: `SHIM_OK`, or one of `SHIM_ERROR_*`. Later versions may return others.
pub type Status = i32;

/// The call did what it should.
pub const SHIM_OK: Status = 0;
/// A pointer is null that must not be.
pub const SHIM_ERROR_NULL: Status = 1;
/// An argument is not one of its constants, or a number or size that there cannot be.
pub const SHIM_ERROR_VALUE: Status = 2;
/// The `struct_size` of a structure is not one that the library knows.
pub const SHIM_ERROR_STRUCT_SIZE: Status = 3;
/// A pointer to samples of 16 bits is odd.
pub const SHIM_ERROR_ALIGNMENT: Status = 4;
/// An encoder or strips are in use: a callback called a function for what it was called by.
pub const SHIM_ERROR_BUSY: Status = 5;
/// A mistake in the library. It is worth a report.
pub const SHIM_ERROR_INTERNAL: Status = 6;
/// The width or the height is not one of 1 to 65535; or, of video, is odd, or not that of the stream.
pub const SHIM_ERROR_DIMENSIONS: Status = 7;
/// The stride is shorter than a row, or does not consist of whole samples.
pub const SHIM_ERROR_STRIDE: Status = 8;
/// A plane is smaller than the image.
pub const SHIM_ERROR_TOO_FEW_SAMPLES: Status = 9;
/// The number of planes is neither 1 nor that of the samples of a pixel.
pub const SHIM_ERROR_PLANES: Status = 10;
/// Samples of so many bits cannot be described or coded.
pub const SHIM_ERROR_BITS: Status = 11;
/// Such pixels cannot be coded in the color space asked for.
pub const SHIM_ERROR_COLOR: Status = 12;
/// Sampling factors that no such file can have.
pub const SHIM_ERROR_SAMPLING: Status = 13;
/// Scans that break the rules of progressive files.
pub const SHIM_ERROR_SCANS: Status = 14;
/// An element of a quantization table is 0 or too large.
pub const SHIM_ERROR_QUANTIZATION_TABLE: Status = 15;
/// A density that is not one of 1 to 65535.
pub const SHIM_ERROR_DENSITY: Status = 16;
/// A profile, Exif data, an XMP packet, an application segment or a comment is longer than a file can hold.
pub const SHIM_ERROR_METADATA: Status = 17;
/// The quality is not one of 1 to 100.
pub const SHIM_ERROR_QUALITY: Status = 18;
/// The callback that writes returned something else than 0.
pub const SHIM_ERROR_WRITE: Status = 19;
/// Strips that do not make up the image, or that come after its end.
pub const SHIM_ERROR_STRIPS: Status = 20;
/// A sample has more bits than the image is said to have.
pub const SHIM_ERROR_SAMPLE: Status = 21;
/// The system did not give the threads.
pub const SHIM_ERROR_THREADS: Status = 22;
/// No quality reaches the size or the fidelity that was asked for, or such a one cannot be asked for.
pub const SHIM_ERROR_TARGET: Status = 23;
/// A quality was to be found for a file that has none: it is lossless, or its quantization tables were given.
pub const SHIM_ERROR_NO_QUALITY: Status = 24;
/// No level has room for the video, or the one that was chosen has not, or there is none of its number.
pub const SHIM_ERROR_LEVEL: Status = 25;
/// The stream has begun, and its settings are final.
pub const SHIM_ERROR_STARTED: Status = 26;

/// A text on `status` that never changes, also on one that this version does not know. What was wrong with one call in
/// particular is said by `shim_jpeg_error_message` and `shim_h264_error_message`.
#[unsafe(no_mangle)]
pub extern "C" fn shim_status_message(status: Status) -> *const c_char {
    text(status).as_ptr()
}

fn text(status: Status) -> &'static CStr {
    match status {
        SHIM_OK => c"no error",
        SHIM_ERROR_NULL => c"a pointer is null",
        SHIM_ERROR_VALUE => c"an argument has a value that it cannot have",
        SHIM_ERROR_STRUCT_SIZE => c"a structure has a size that the library does not know",
        SHIM_ERROR_ALIGNMENT => c"samples of 16 bits are not aligned",
        SHIM_ERROR_BUSY => c"an encoder or strips are in use",
        SHIM_ERROR_INTERNAL => c"a mistake in the library",
        SHIM_ERROR_DIMENSIONS => c"a width or height that no file can have, or not the one of the stream",
        SHIM_ERROR_STRIDE => c"a stride that does not fit the rows",
        SHIM_ERROR_TOO_FEW_SAMPLES => c"a plane is smaller than the image",
        SHIM_ERROR_PLANES => c"a number of planes that does not fit the pixels",
        SHIM_ERROR_BITS => c"a number of bits that samples cannot have",
        SHIM_ERROR_COLOR => c"the pixels cannot be coded in the color space",
        SHIM_ERROR_SAMPLING => c"sampling factors that no file can have",
        SHIM_ERROR_SCANS => c"scans that break the rules of progressive files",
        SHIM_ERROR_QUANTIZATION_TABLE => c"an element of a quantization table is out of range",
        SHIM_ERROR_DENSITY => c"a density is not one of 1 to 65535",
        SHIM_ERROR_METADATA => c"metadata is longer than a file can hold",
        SHIM_ERROR_QUALITY => c"a quality is not one of 1 to 100",
        SHIM_ERROR_WRITE => c"the file could not be written",
        SHIM_ERROR_STRIPS => c"the strips do not make up the image",
        SHIM_ERROR_SAMPLE => c"a sample has more bits than the image is said to have",
        SHIM_ERROR_THREADS => c"threads could not be started",
        SHIM_ERROR_TARGET => c"no quality reaches the size or fidelity",
        SHIM_ERROR_NO_QUALITY => c"the file has no quality that could be found",
        SHIM_ERROR_LEVEL => c"no level has room for the video",
        SHIM_ERROR_STARTED => c"the stream has begun",
        _ => c"an unknown error",
    }
}

/// Why a call failed, with the sentence that the encoder keeps.
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

    /// A number that is none of the constants of an argument.
    pub(crate) fn unknown(name: &str, value: u32) -> Self {
        Self::new(SHIM_ERROR_VALUE, format!("`{name}` is {value}, which is none of its constants"))
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
            Error::Level { .. } | Error::NoLevel(_) => SHIM_ERROR_LEVEL,
            Error::Threads(_) => SHIM_ERROR_THREADS,
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
            assert_eq!(text(unknown), c"an unknown error");
        }
    }
}
