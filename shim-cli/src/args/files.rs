//! Options of inputs and outputs.

use std::path::PathBuf;

use super::values;
use crate::extension;
use crate::standard::is_standard;
use shim_picture::Limits;

/// Options of inputs and outputs.
#[derive(Debug, clap::Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of the command line")]
#[command(next_help_heading = "Files")]
pub(crate) struct Files {
    /// Input files, and without --out-dir the output file
    ///
    /// `-` is stdin or stdout. Folders are searched for files with the extensions of images; hidden files are left out. The
    /// extension of the output is .jpg, .jpeg, .jpe or .jfif.
    #[arg(value_name = "IN", required = true, help_heading = None::<&str>)]
    pub(crate) paths: Vec<PathBuf>,

    /// Write to this folder, creating it if necessary
    ///
    /// IN becomes DIR/NAME.jpg; paths below a folder IN are kept. Files that exist are not overwritten, which counts as
    /// a failure, unless --force is given. With IN OUT, OUT is always overwritten. With one IN, a DIR with the
    /// extension of a JPEG file that is not an existing folder is OUT.
    #[arg(short, long, value_name = "DIR")]
    pub(crate) out_dir: Option<PathBuf>,

    /// Append to the names in DIR: NAME.jpg becomes NAMETEXT.jpg
    #[arg(long, value_name = "TEXT", requires = "out_dir", allow_hyphen_values = true)]
    pub(crate) suffix: Option<String>,

    /// Overwrite existing files in DIR
    #[arg(short, long, requires = "out_dir")]
    pub(crate) force: bool,

    /// Leave existing files in DIR as they are, without counting them as failures
    #[arg(long, requires = "out_dir", conflicts_with = "force")]
    pub(crate) skip_existing: bool,

    /// Copy a JPEG input unchanged where the new file would not be smaller
    #[arg(long)]
    pub(crate) keep_smaller: bool,

    /// Give outputs the modification and access times of their inputs
    #[arg(long)]
    pub(crate) preserve_times: bool,

    /// Fail on corrupt JPEG input that can be decoded, instead of warning
    #[arg(long)]
    pub(crate) strict: bool,

    /// Accept JPEG and PNG files that end before their image does, with a warning
    ///
    /// Missing parts are gray or coarse in a JPEG file, and black or transparent in a PNG file. Such files are refused
    /// by default, so that half an image is never encoded unnoticed.
    #[arg(long, conflicts_with = "strict")]
    pub(crate) allow_truncated: bool,

    /// Refuse JPEG files with more scans than this
    ///
    /// Each scan of a progressive file takes as long to decode as a whole image.
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = values::number(1_usize, usize::MAX))]
    pub(crate) max_scans: usize,

    /// Refuse images with more pixels than this
    #[arg(long, value_name = "N", default_value = "250M", value_parser = values::pixels)]
    pub(crate) max_pixels: u64,

    /// Number of threads, 0 for one per core
    ///
    /// Several files are encoded in parallel, one thread each; a single file by all threads. The output does not depend
    /// on it.
    #[arg(short = 'j', long, value_name = "N", default_value_t = 0, value_parser = values::threads)]
    pub(crate) threads: usize,
}

impl Files {
    /// Limits on an input.
    pub(crate) fn limits(&self) -> Limits {
        Limits { max_pixels: self.max_pixels, max_scans: self.max_scans, truncated: self.allow_truncated }
    }

    /// Takes `IN -o OUT.jpg` for `IN OUT.jpg`, unless the latter is a folder.
    pub(crate) fn settle(&mut self) {
        let named = |path: &PathBuf| extension::has(path, extension::JPEG) && !path.is_dir();
        if let ([input], Some(output), None) = (&self.paths[..], &self.out_dir, &self.suffix)
            && (named(output) || is_standard(output))
            && !input.is_dir()
        {
            self.paths.extend(self.out_dir.take());
        }
    }
}
