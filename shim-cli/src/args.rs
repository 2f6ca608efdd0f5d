//! The command line.

use std::path::PathBuf;

use clap::{Parser, Subcommand, ValueEnum};
use shim_jpeg::{Encoder, Subsampling};

/// Encoders built of shim kernels.
#[derive(Debug, Parser)]
#[command(name = "shim", version, after_help = EXIT_CODES)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// What there is to do.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Jpeg(Jpeg),
}

/// Encode an image as a baseline JPEG file.
///
/// Reads PNG, PNM (PPM, PGM, PBM, PAM) and JPEG files, whatever their names. Samples of 16 bits are rounded to 8, transparent
/// pixels are laid over white, and an orientation in the Exif data is carried out. Other metadata and
/// colour profiles are left behind. OUT is replaced only when the whole file is ready.
#[derive(Debug, clap::Args)]
#[command(after_help = EXIT_CODES)]
pub(crate) struct Jpeg {
    /// The image to read
    #[arg(value_name = "IN.png")]
    pub(crate) input: PathBuf,

    /// The file to write
    #[arg(value_name = "OUT.jpg")]
    pub(crate) output: PathBuf,

    /// From 1 (smallest file) to 100 (nearest to the source)
    #[arg(
        short,
        long,
        value_name = "N",
        default_value_t = Encoder::DEFAULT_QUALITY,
        value_parser = clap::value_parser!(u8).range(1..=100),
    )]
    pub(crate) quality: u8,

    /// Density of the colour: half on both axes (420) or full (444)
    #[arg(short, long, value_name = "MODE", value_enum, default_value_t)]
    pub(crate) subsampling: SubsamplingName,

    /// Transform accurately: the file is the one that libjpeg-turbo's cjpeg writes, byte for byte
    #[arg(short, long)]
    pub(crate) exact: bool,
}

/// The subsamplings by the names they have on the command line.
#[derive(Clone, Copy, Debug, Default, ValueEnum)]
pub(crate) enum SubsamplingName {
    /// Half the density on both axes: for photographs
    #[default]
    #[value(name = "420", alias = "4:2:0")]
    S420,
    /// Full density: for screenshots, drawings and text
    #[value(name = "444", alias = "4:4:4")]
    S444,
}

impl From<SubsamplingName> for Subsampling {
    fn from(name: SubsamplingName) -> Self {
        match name {
            SubsamplingName::S420 => Self::S420,
            SubsamplingName::S444 => Self::S444,
        }
    }
}

const EXIT_CODES: &str = "\
Exit codes:
  0  done
  1  a file could not be read, encoded or written
  2  the command line is wrong";

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_definition_is_consistent() {
        Args::command().debug_assert();
    }

    #[test]
    fn defaults_are_those_of_the_encoder() {
        let Args { command: Command::Jpeg(jpeg) } = Args::parse_from(["shim", "jpeg", "a", "b"]);
        let encoder =
            Encoder::new().quality(jpeg.quality).subsampling(jpeg.subsampling.into()).exact(jpeg.exact);
        assert_eq!(encoder, Encoder::new());
    }
}
