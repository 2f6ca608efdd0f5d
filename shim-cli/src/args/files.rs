//! Which files are read and written.

use std::path::PathBuf;

use super::values;

/// Which files are read and written.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Files")]
pub(crate) struct Files {
    /// The images to read, and without --out-dir the file to write
    ///
    /// Folders are walked, and of what is in them files with the names of PNG, PNM and JPEG files are taken. `-` is
    /// stdin or stdout.
    #[arg(value_name = "IN", required = true, help_heading = None::<&str>)]
    pub(crate) paths: Vec<PathBuf>,

    /// Write to this folder, which is made if it is not there
    ///
    /// A file IN becomes DIR/NAME.jpg; what is below a folder IN keeps its place below it. A file that exists is left
    /// alone, and counts as failed, unless --force is given. With IN OUT, on the other hand, OUT is replaced.
    #[arg(short, long, value_name = "DIR")]
    pub(crate) out_dir: Option<PathBuf>,

    /// Add this to the names in DIR: NAME.jpg becomes NAMETEXT.jpg
    #[arg(long, value_name = "TEXT", requires = "out_dir", allow_hyphen_values = true)]
    pub(crate) suffix: Option<String>,

    /// Replace files in DIR that exist
    #[arg(short, long, requires = "out_dir")]
    pub(crate) force: bool,

    /// Threads to work with, 0 for one on each core
    ///
    /// Of several files each is encoded by one thread, a single one by all. Files do not depend on it.
    #[arg(short = 'j', long, value_name = "N", default_value_t = 0, value_parser = values::threads)]
    pub(crate) threads: usize,
}
