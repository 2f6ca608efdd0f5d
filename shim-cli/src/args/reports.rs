//! Options of reports.

#[cfg(feature = "plot")]
use std::path::PathBuf;

use super::values;

/// Options of reports.
#[derive(Debug, clap::Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of the command line")]
#[command(next_help_heading = "Reports")]
pub(crate) struct Reports {
    /// Print bits per component and segment, PSNR and SSIM
    #[arg(long)]
    pub(crate) stats: bool,

    /// Print the report as JSON
    #[arg(long)]
    pub(crate) json: bool,

    /// Print warnings and errors only
    #[arg(long, conflicts_with_all = ["stats", "json", "compare"])]
    pub(crate) quiet: bool,

    /// Print size, PSNR and SSIM over a range of qualities and settings; no file is written
    ///
    /// Encoding options are given by --setting.
    #[arg(long, conflicts_with_all = ["out_dir", "stats", "Coding", "MetadataArgs"])]
    pub(crate) compare: bool,

    /// Qualities for --compare
    #[arg(
        long,
        value_name = "N,N..",
        value_delimiter = ',',
        requires = "compare",
        default_values_t = [30, 40, 50, 60, 70, 75, 80, 85, 90, 95],
        value_parser = values::number(1_u8, 100),
    )]
    pub(crate) qualities: Vec<u8>,

    /// Encoding options for --compare, such as "--progressive -s 444"; may be repeated
    #[arg(long, value_name = "OPTIONS", requires = "compare", allow_hyphen_values = true)]
    pub(crate) setting: Vec<String>,

    /// Plot PSNR and SSIM against size to this SVG file (or PNG, if built with the feature plot-png)
    #[cfg(feature = "plot")]
    #[arg(long, value_name = "FILE", requires = "compare", value_parser = super::values::plot)]
    pub(crate) plot: Option<PathBuf>,
}
