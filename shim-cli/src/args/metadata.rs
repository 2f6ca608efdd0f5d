//! What a file says beside its image.

use std::path::PathBuf;

use clap::ValueEnum;
use shim_jpeg::Density;

use super::values;

/// What a file says beside its image.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Metadata")]
pub(crate) struct MetadataArgs {
    /// What to keep of the source's metadata, as a list with commas
    ///
    /// Without its colour profile, an image may show in other colours, so that is kept. Exif and XMP data may say where
    /// and by whom a photograph was taken, and are kept only when asked for. An orientation is carried out, and set to
    /// upright in what is kept; the thumbnail in Exif data stays as it is.
    #[arg(short = 'm', long, value_name = "WHAT", value_delimiter = ',', default_value = "icc")]
    pub(crate) copy_metadata: Vec<Kept>,

    /// Embed this ICC profile instead of the source's. Colours are not converted
    #[arg(long, value_name = "FILE")]
    pub(crate) icc: Option<PathBuf>,

    /// Embed this Exif data instead of the source's, as it is
    #[arg(long, value_name = "FILE")]
    pub(crate) exif: Option<PathBuf>,

    /// Embed this XMP packet instead of the source's, as it is
    #[arg(long, value_name = "FILE")]
    pub(crate) xmp: Option<PathBuf>,

    /// Add a comment; may be given again
    #[arg(long, value_name = "TEXT")]
    pub(crate) comment: Vec<String>,

    /// Pixels to the inch as 300 or 300x200, to the centimetre as 118dpcm, or the shape of a pixel as 4:3
    #[arg(long, value_name = "D", value_parser = values::density)]
    pub(crate) density: Option<Density>,
}

/// A part of the source's metadata.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Kept {
    /// Nothing
    None,
    /// The colour profile
    Icc,
    /// Exif data: the camera, the time, the place
    Exif,
    /// The XMP packet: titles, authors, what was edited
    Xmp,
    /// Comments of JPEG files
    Comments,
    /// Pixels to the inch
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

    /// Whether a part of the source's metadata is kept.
    pub(crate) fn keeps(&self, part: Kept) -> bool {
        self.copy_metadata.iter().any(|&kept| kept == part || kept == Kept::All)
    }
}
