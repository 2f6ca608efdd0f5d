//! Options of metadata.

use std::path::PathBuf;

use clap::ValueEnum;
use shim_jpeg::Density;
use shim_picture::Part;

use super::values;

/// Options of metadata.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Metadata")]
pub(crate) struct MetadataArgs {
    /// Metadata to copy from the input, separated by commas
    ///
    /// Exif and XMP data may reveal where and by whom a photograph was taken, so they are not copied by default. The
    /// orientation is applied to the image, and reset in what is copied; Exif thumbnails are left as they are.
    #[arg(short = 'm', long, value_name = "WHAT", value_delimiter = ',', default_value = "icc,density")]
    pub(crate) copy_metadata: Vec<Kept>,

    /// Embed this ICC profile instead of the input's; colors are not converted
    #[arg(long, value_name = "FILE")]
    pub(crate) icc: Option<PathBuf>,

    /// Embed this Exif data instead of the input's
    #[arg(long, value_name = "FILE")]
    pub(crate) exif: Option<PathBuf>,

    /// Embed this XMP packet instead of the input's
    #[arg(long, value_name = "FILE")]
    pub(crate) xmp: Option<PathBuf>,

    /// Add a comment (COM); may be repeated
    #[arg(long, value_name = "TEXT")]
    pub(crate) comment: Vec<String>,

    /// Pixel density: in dpi (300 or 300x200), in dpcm (118dpcm), or as an aspect ratio (4:3)
    #[arg(long, value_name = "D", value_parser = values::density)]
    pub(crate) density: Option<Density>,
}

/// A part of the source's metadata.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Kept {
    /// Nothing
    None,
    /// ICC profile
    Icc,
    /// Exif data: camera, time, place
    Exif,
    /// XMP packet: titles, authors, edits
    Xmp,
    /// Comments (COM) of JPEG files
    Comments,
    /// Pixel density
    Density,
    /// All of these
    All,
}

impl MetadataArgs {
    /// Nothing is kept and nothing added.
    pub(crate) fn none() -> Self {
        Self {
            copy_metadata: Vec::new(),
            icc: None,
            exif: None,
            xmp: None,
            comment: Vec::new(),
            density: None,
        }
    }

    /// The parts of the source's metadata that are kept.
    pub(crate) fn kept(&self) -> Vec<Part> {
        self.copy_metadata.iter().flat_map(|kept| kept.parts()).copied().collect()
    }
}

impl Kept {
    fn parts(self) -> &'static [Part] {
        match self {
            Self::None => &[],
            Self::Icc => &[Part::Icc],
            Self::Exif => &[Part::Exif],
            Self::Xmp => &[Part::Xmp],
            Self::Comments => &[Part::Comments],
            Self::Density => &[Part::Density],
            Self::All => &Part::ALL,
        }
    }
}
