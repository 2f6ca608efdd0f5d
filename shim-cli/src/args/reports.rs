//! What is told beside the work.

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
}
