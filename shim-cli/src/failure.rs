//! Failures of the command: the file concerned and the reason, on one line.

use std::io;
use std::path::Path;

use crate::args::Crop;
use crate::standard;

/// A failure with the file it concerns.
#[derive(Debug, thiserror::Error)]
#[error("{path}: {reason}")]
pub(crate) struct Failure {
    path: String,
    reason: Reason,
}

/// The exit code when a file could not be read, encoded or written.
pub(crate) const FAILED: u8 = 1;

/// The exit code when the command line or a setting is wrong.
pub(crate) const USAGE: u8 = 2;

impl Failure {
    /// The exit code of the command.
    pub(crate) fn code(&self) -> u8 {
        if self.reason.is_usage() { USAGE } else { FAILED }
    }

    /// The message of a command with one input, which a setting at fault does not need to name.
    pub(crate) fn message(&self) -> String {
        if self.reason.is_setting() { self.reason.to_string() } else { self.to_string() }
    }

    /// Of something that was to be read.
    pub(crate) fn input(path: &Path, reason: impl Into<Reason>) -> Self {
        Self { path: standard::input_name(path), reason: reason.into() }
    }

    /// The file that it concerns.
    pub(crate) fn path(&self) -> &str {
        &self.path
    }

    /// Of something that was to be written.
    pub(crate) fn output(path: &Path, reason: impl Into<Reason>) -> Self {
        Self { path: standard::output_name(path), reason: reason.into() }
    }
}

impl Reason {
    /// Whether the command line is at fault, and not the contents of a file or the system.
    fn is_usage(&self) -> bool {
        match self {
            Self::Syntax(_)
            | Self::File(shim_picture::Error::Profile { .. })
            | Self::Metadata { .. }
            | Self::SameFile(_)
            | Self::Crop { .. }
            | Self::Extension { .. } => true,
            _ => self.is_setting(),
        }
    }

    /// Whether the value of a setting is at fault.
    fn is_setting(&self) -> bool {
        match self {
            Self::Video(error) => !matches!(
                error,
                shim_h264::Error::Dimensions { .. }
                    | shim_h264::Error::FrameSize { .. }
                    | shim_h264::Error::Plane { .. }
                    | shim_h264::Error::Threads(_)
            ),
            Self::Encode(error) => matches!(
                error,
                shim_jpeg::Error::Quality(_)
                    | shim_jpeg::Error::Sampling
                    | shim_jpeg::Error::Script { .. }
                    | shim_jpeg::Error::QuantizationTable(_)
                    | shim_jpeg::Error::Predictor(_)
                    | shim_jpeg::Error::PointTransform { .. }
                    | shim_jpeg::Error::Restart { .. }
                    | shim_jpeg::Error::Density
                    | shim_jpeg::Error::Metadata { .. }
                    | shim_jpeg::Error::NoQuality
            ),
            _ => false,
        }
    }
}

/// The reason why a file failed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Reason {
    /// The operating system refused to read it.
    #[error("cannot be read: {0}")]
    Read(io::Error),

    /// It is not read, and the option that would have it read.
    #[error("{0}{hint}", hint = hint(.0))]
    File(#[from] shim_picture::Error),

    /// Video that is not Y4M, and what it is if that is known.
    #[error(
        "unsupported file: {}not Y4M; decode it first (ffmpeg -i IN -f yuv4mpegpipe -pix_fmt yuv420p - | shim h264 - OUT), \
         or give the frame size of raw video with --size",
        .0.map(|name| format!("{name}, ")).unwrap_or_default()
    )]
    NotY4m(Option<&'static str>),

    /// A Y4M file with the size of raw frames.
    #[error("this is a Y4M file, which gives its own frame size: leave out --size")]
    Y4mAsRaw,

    /// Fewer frames than are left out at the beginning.
    #[error("no frames after the {0} that --seek skips")]
    SeekPastEnd(u64),

    /// Video of fields.
    #[error(
        "interlaced video ({0}) is not supported: deinterlace it, or encode it as progressive with --no-interlaced"
    )]
    Interlaced(&'static str),

    /// Damage that only `--strict` treats as an error.
    #[error("{0} (--strict)")]
    Strict(String),

    /// A part of a frame that is not within it.
    #[error("--crop {crop} is not within the frame of {}x{}", .size[0], .size[1])]
    Crop {
        /// The part.
        crop: Crop,
        /// Width and height of the frame.
        size: [usize; 2],
    },

    /// The encoder refused the frames.
    #[error(transparent)]
    Video(#[from] shim_h264::Error),

    /// The encoder refused the image.
    #[error(transparent)]
    Encode(#[from] shim_jpeg::Error),

    /// A folder that is a link to one of those around it.
    #[error("symbolic link loop: it leads back to {0}")]
    Loop(String),

    /// It is no file of the syntax that an option takes.
    #[error("{0}")]
    Syntax(String),

    /// Data of an option that is not what the option embeds.
    #[error("not {kind}: {detail}")]
    Metadata {
        /// Expected kind of metadata.
        kind: &'static str,
        /// The missing part.
        detail: &'static str,
    },

    /// A file would be written over one that is read, or over another output.
    #[error("is the same file as {0}")]
    SameFile(String),

    /// A name of a format that is not written.
    #[error("cannot write .{extension} files; supported: {supported} (or - for stdout)")]
    Extension {
        /// The extension of the name.
        extension: String,
        /// Supported extensions.
        supported: String,
    },

    /// It is there, and was not to be replaced.
    #[error("already exists; use --force to overwrite it")]
    Exists,

    /// Another input was to be written to the same file.
    #[error("not encoded: {other} has the same output, {output}")]
    Collision {
        /// The input that comes first.
        other: String,
        /// The file.
        output: String,
    },

    /// A video of no frames.
    #[error("no frames")]
    NoFrames,

    /// There is no image in a folder.
    #[error("no image files in the folder")]
    NoImages,

    /// The operating system refused to tell of signals.
    #[error("cannot be handled: {0}")]
    Signals(io::Error),

    /// The operating system refused to write it.
    #[error("cannot be written: {0}")]
    Write(io::Error),
}

/// The option that has a file read nonetheless.
fn hint(error: &shim_picture::Error) -> &'static str {
    use shim_picture::Error;
    match error {
        Error::Truncated { format: "JPEG" | "PNG" } => " (--allow-truncated takes what there is of it)",
        Error::TooManyScans { .. } => " (--max-scans)",
        Error::TooManyPixels { .. } => " (--max-pixels)",
        _ => "",
    }
}
