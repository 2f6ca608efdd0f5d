//! What the command reports when it fails: the file concerned and the reason, on one line.

use std::io;
use std::path::Path;

use shim_jpeg::MAX_DIMENSION;

/// A failure with the file it concerns.
#[derive(Debug, thiserror::Error)]
#[error("{path}: {reason}")]
pub(crate) struct Failure {
    path: String,
    reason: Reason,
}

impl Failure {
    pub(crate) fn new(path: &Path, reason: impl Into<Reason>) -> Self {
        Self { path: path.display().to_string(), reason: reason.into() }
    }
}

/// What was wrong with a file.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Reason {
    /// The operating system refused to read it.
    #[error("cannot be read: {0}")]
    Read(io::Error),

    /// It has no bytes.
    #[error("the file is empty")]
    Empty,

    /// Its first bytes are those of no format that is read.
    #[error("unsupported file: not a PNG, PNM (PPM, PGM, PBM, PAM) or JPEG image")]
    UnknownFormat,

    /// The format is read, but not with what this file makes use of.
    #[error("unsupported {format} file: {detail}")]
    Unsupported {
        /// The name of the format.
        format: &'static str,
        /// What is not supported.
        detail: String,
    },

    /// It ends before its image does.
    #[error("truncated {format} file: it ends before the image does")]
    Truncated {
        /// The name of the format.
        format: &'static str,
    },

    /// It does not follow its format.
    #[error("damaged {format} file: {detail}")]
    Damaged {
        /// The name of the format.
        format: &'static str,
        /// What the decoder found.
        detail: String,
    },

    /// It holds more pixels than JPEG or memory can.
    #[error(
        "an image of {width}x{height} pixels is too large: a JPEG file holds {MAX_DIMENSION}x{MAX_DIMENSION}"
    )]
    TooLarge {
        /// Pixels in a row.
        width: u32,
        /// Rows.
        height: u32,
    },

    /// Its pixels do not fit the memory set aside.
    #[error("the image needs more than {} GiB of memory to decode", crate::picture::MAX_MEMORY >> 30)]
    Memory,

    /// The encoder refused the image.
    #[error(transparent)]
    Encode(#[from] shim_jpeg::Error),

    /// The operating system refused to write it.
    #[error("cannot be written: {0}")]
    Write(io::Error),
}
