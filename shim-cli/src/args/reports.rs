//! What is told beside the work.

#[cfg(feature = "plot")]
use std::path::PathBuf;

/// What is told beside the work.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Reports")]
pub(crate) struct Reports {
    /// Tell where the bits of each file go, and how near it is to the source (PSNR, SSIM)
    #[arg(long)]
    pub(crate) stats: bool,

    /// Print the report as JSON
    #[arg(long)]
    pub(crate) json: bool,

    /// Print warnings and errors only
    #[arg(long, conflicts_with_all = ["stats", "json", "compare"])]
    pub(crate) quiet: bool,

    /// Write no image: encode IN at many qualities with several settings, and print sizes beside PSNR and SSIM
    ///
    /// Files are encoded in memory and without metadata. Options for encoding are given by --setting.
    #[arg(long, conflicts_with_all = ["out_dir", "stats", "Coding", "MetadataArgs"])]
    pub(crate) compare: bool,

    /// The qualities of --compare
    #[arg(
        long,
        value_name = "N,N..",
        value_delimiter = ',',
        requires = "compare",
        default_values_t = [30, 40, 50, 60, 70, 75, 80, 85, 90, 95],
        value_parser = clap::value_parser!(u8).range(1..=100),
    )]
    pub(crate) qualities: Vec<u8>,

    /// Compare these encoding options, as "--progressive -s 444", instead of the usual ones; may be given again
    #[arg(long, value_name = "OPTIONS", requires = "compare", allow_hyphen_values = true)]
    pub(crate) setting: Vec<String>,

    /// Plot size against PSNR and SSIM, to an SVG file (or PNG, if built with the feature plot-png)
    #[cfg(feature = "plot")]
    #[arg(long, value_name = "FILE", requires = "compare", value_parser = super::values::plot)]
    pub(crate) plot: Option<PathBuf>,
}
