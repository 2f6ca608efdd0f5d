//! The command line.

mod coding;
mod files;
mod foreign;
mod h264;
mod metadata;
mod reports;
mod values;

use clap::error::ErrorKind;
use clap::{CommandFactory, Parser, Subcommand};

pub(crate) use coding::{Coding, Setting};
pub(crate) use files::Files;
pub(crate) use foreign::fault as foreign_option;
pub(crate) use h264::{H264, PixFmt, Profile};
pub(crate) use metadata::MetadataArgs;
pub(crate) use reports::Reports;
pub(crate) use values::{Crop, Lossless, Sampling, sampling_name};

/// JPEG and H.264 encoders.
#[derive(Debug, Parser)]
#[command(name = "shim", version, after_help = EXIT_CODES)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// Subcommand.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Jpeg(Box<Jpeg>),
    H264(Box<H264>),
    Expand(Expand),
}

/// Store the expansions of a crate's kernels.
///
/// Builds the library of each package with shim's compiler and all features, and writes what its kernels expand to into
/// the folder `expanded` of the package. Crates that depend on it then need no compiler: publish the folder, and depend
/// on shim with `default-features = false`.
#[derive(Debug, clap::Args)]
pub(crate) struct Expand {
    /// Write the files.
    #[arg(long, required_unless_present = "check", conflicts_with = "check")]
    pub(crate) store: bool,
    /// Compare the files with what would be written; exit code 1 if they differ.
    #[arg(long)]
    pub(crate) check: bool,
    /// A package of the workspace; without it, all that have a folder `expanded`.
    #[arg(short, long = "package", value_name = "NAME")]
    pub(crate) packages: Vec<String>,
}

/// Ends the program with a message on the command line of a subcommand.
pub(crate) fn wrong(subcommand: &str, message: &str) -> ! {
    let mut command = Args::command();
    let command = command.find_subcommand_mut(subcommand).expect("it is one of the command's");
    command.error(ErrorKind::ValueValidation, message).exit()
}

/// Compress images to JPEG files.
///
/// Reads PNG, PNM (PPM, PGM, PBM, PAM), JPEG, BMP, GIF and WebP files, and TIFF if it was built with it; of animations
/// the first frame. 16-bit samples are rounded to 8 bits unless --bits is given, transparent pixels are laid over the
/// --background, and the Exif orientation is applied. The ICC profile is copied, other
/// metadata only with --copy-metadata. An output file appears under its name only when it is complete.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP, override_usage = USAGE)]
pub(crate) struct Jpeg {
    #[command(flatten)]
    pub(crate) files: Files,
    #[command(flatten)]
    pub(crate) coding: Coding,
    #[command(flatten)]
    pub(crate) metadata: MetadataArgs,
    #[command(flatten)]
    pub(crate) reports: Reports,
}

/// The three forms of the command.
pub(crate) const USAGE: &str = "\
shim jpeg [OPTIONS] IN OUT
       shim jpeg [OPTIONS] IN... --out-dir DIR
       shim jpeg [OPTIONS] IN --compare";

const EXIT_CODES: &str = "\
Exit codes:
  0  done
  1  a file could not be read to its end, encoded or written (with several files, the others were)
  2  the command line or a setting is wrong
A signal that interrupts the command ends it: 128 + N in shells.";

const AFTER_HELP: &str = "\
Examples:
  shim jpeg photo.png photo.jpg
  shim jpeg --quality 80 --progressive photos/ -o small/
  curl -s URL | shim jpeg - - | wc -c
  shim jpeg photo.png --compare --qualities 50,70,90

Exit codes:
  0  done
  1  a file could not be read to its end, encoded or written (with several files, the others were)
  2  the command line or a setting is wrong
A signal that interrupts the command ends it: 128 + N in shells.";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_definition_is_consistent() {
        Args::command().debug_assert();
    }

    #[test]
    fn exit_codes_are_the_same_everywhere() {
        assert!(AFTER_HELP.ends_with(EXIT_CODES));
    }
}
