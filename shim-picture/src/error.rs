//! Errors of reading image files and of embedding their metadata.

use std::io;

use shim_jpeg::MAX_DIMENSION;

use crate::bitmap::MAX_MEMORY;

/// The reason why a file is not read, or not written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The operating system refused to read it.
    #[error("cannot be read: {0}")]
    Read(io::Error),

    /// It has no bytes.
    #[error("the file is empty")]
    Empty,

    /// Its first bytes are those of no format that is read; the name of the format, if that is known.
    #[error("unsupported file: {}", unknown(*.0))]
    UnknownFormat(Option<&'static str>),

    /// A format whose decoder is not part of the program.
    #[error(
        "unsupported file: {format} images need the feature `{feature}`, which this program was built without"
    )]
    WithoutFormat {
        /// The name of the format.
        format: &'static str,
        /// The feature of the crate.
        feature: &'static str,
    },

    /// The format is read, but not with a feature that this file uses.
    #[error("unsupported {format} file: {detail}")]
    Unsupported {
        /// The name of the format.
        format: &'static str,
        /// The unsupported feature.
        detail: String,
    },

    /// It ends before its image does.
    #[error("truncated {format} file: it ends before the image data does")]
    Truncated {
        /// The name of the format.
        format: &'static str,
    },

    /// A JPEG file of more scans than are decoded.
    #[error("{scans} scans are above the limit of {most}, since such files take long to decode")]
    TooManyScans {
        /// Its scans.
        scans: usize,
        /// The limit.
        most: usize,
    },

    /// It does not follow its format.
    #[error("damaged {format} file: {detail}")]
    Damaged {
        /// The name of the format.
        format: &'static str,
        /// The decoder's reason.
        detail: String,
    },

    /// It holds more pixels than JPEG can.
    #[error(
        "an image of {width}x{height} pixels is too large: a JPEG file holds {MAX_DIMENSION}x{MAX_DIMENSION}"
    )]
    TooLarge {
        /// Pixels in a row.
        width: u32,
        /// Rows.
        height: u32,
    },

    /// It holds more pixels than [`Limits::max_pixels`](crate::Limits::max_pixels).
    #[error(
        "{width}x{height} is {} megapixels, above the limit of {}",
        megapixels(u64::from(*.width) * u64::from(*.height)),
        megapixels(*.most)
    )]
    TooManyPixels {
        /// Pixels in a row.
        width: u32,
        /// Rows.
        height: u32,
        /// The limit.
        most: u64,
    },

    /// A profile of other colors than those of the file that is written.
    #[error("ICC profile is for {profile}, but the file is {file}")]
    Profile {
        /// Color space of the profile.
        profile: String,
        /// Color space of the components.
        file: &'static str,
    },

    /// Its pixels do not fit the memory set aside.
    #[error("the image needs more than {} GiB of memory to decode", MAX_MEMORY >> 30)]
    Memory,
}

impl Error {
    /// The error for a file whose decoder gave fewer samples than its header says.
    pub(crate) fn too_few_samples(format: &'static str) -> Self {
        Self::Damaged { format, detail: "fewer samples than the header says".to_owned() }
    }
}

/// A format that is not read, and what to do.
fn unknown(name: Option<&str>) -> String {
    match name {
        Some(name) => format!("{name}; convert it first (magick IN OUT.png)"),
        None => "not a PNG, PNM (PPM, PGM, PBM, PAM), JPEG, BMP, GIF, TIFF or WebP image".to_owned(),
    }
}

/// Millions of pixels, with a decimal if that says more.
fn megapixels(pixels: u64) -> String {
    let tenths = (pixels + 50_000) / 100_000;
    if tenths >= 1000 || tenths.is_multiple_of(10) {
        (tenths / 10).to_string()
    } else {
        format!("{}.{}", tenths / 10, tenths % 10)
    }
}
