//! Options of encoding.

use std::path::PathBuf;

use shim_jpeg::{Encoder, Restart, SimdLevel};
use shim_picture::{Background, Filter};

use super::values::{self, Lossless, Sampling};

/// Options of encoding.
#[derive(Clone, Debug, clap::Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of the command line")]
#[command(next_help_heading = "Encoding")]
pub(crate) struct Coding {
    /// Compression quality, 1 (worst) to 100 (best) [default: 90]
    #[arg(short, long, value_name = "N", value_parser = values::number(1_u8, 100))]
    pub(crate) quality: Option<u8>,

    /// Search for the highest quality that fits in this file size, such as 20k or 2M
    #[arg(long, value_name = "BYTES", value_parser = values::bytes, conflicts_with_all = ["quality", "qtables"])]
    pub(crate) size: Option<usize>,

    /// Search for the lowest quality that reaches this PSNR
    ///
    /// Measured on the components as they are coded: the loss by chroma subsampling is not included.
    #[arg(long, value_name = "DB", value_parser = values::psnr, conflicts_with_all = ["quality", "qtables", "size"])]
    pub(crate) psnr: Option<f64>,

    /// Chroma subsampling: 444, 422, 420, 440, 411, or the sampling factors of each component, such as 2x2,1x1,1x1
    ///
    /// 420 suits photographs, 444 screenshots, drawings and text.
    #[arg(short, long, value_name = "MODE", visible_alias = "sample", default_value = "420", value_parser = values::sampling)]
    pub(crate) subsampling: Sampling,

    /// Use the accurate integer DCT: the file is bit-exact with libjpeg-turbo's cjpeg -dct int
    ///
    /// As with cjpeg, quantization tables have 16 bits at qualities up to 23, which makes an extended sequential file
    /// (SOF1), unless --baseline is given.
    #[arg(short = 'e', long, visible_alias = "exact")]
    pub(crate) libjpeg_compatible: bool,

    /// Force baseline quantization tables: limit their elements to 255
    ///
    /// Without --libjpeg-compatible, tables computed from a quality are always so.
    #[arg(long)]
    pub(crate) baseline: bool,

    /// Optimize Huffman tables: smaller file, slower compression
    #[arg(short = 'O', long, visible_alias = "optimise")]
    pub(crate) optimize: bool,

    /// Use arithmetic coding: smaller file, which libjpeg reads, but most other decoders do not
    #[arg(long, conflicts_with_all = ["optimize", "lossless"])]
    pub(crate) arithmetic: bool,

    /// Create a progressive JPEG file
    #[arg(short, long)]
    pub(crate) progressive: bool,

    /// Use trellis quantization, as mozjpeg does: smaller file, much slower compression; best with --progressive
    ///
    /// Also uses flatter quantization tables, and with --progressive optimizes the scan script. At the same PSNR files
    /// are smaller; at the same quality distortion is greater.
    #[arg(short, long, conflicts_with = "libjpeg_compatible")]
    pub(crate) trellis: bool,

    /// Use the multi-scan script in this file, in the syntax of cjpeg's -scans
    #[arg(long, value_name = "FILE", conflicts_with = "progressive")]
    pub(crate) scans: Option<PathBuf>,

    /// Highest instruction-set level to use: baseline, v2 (SSE4.1), v3 (AVX2) or v4 (AVX-512); the file is the same
    #[arg(long, value_name = "LEVEL")]
    pub(crate) simd: Option<SimdLevel>,

    /// Restart interval, in MCU rows, or in MCUs with B appended
    #[arg(long, value_name = "N", value_parser = values::restart)]
    pub(crate) restart: Option<Restart>,

    /// Create a grayscale JPEG file
    #[arg(short, long, visible_alias = "greyscale", conflicts_with = "rgb")]
    pub(crate) grayscale: bool,

    /// Color behind transparent pixels: white, black or #rrggbb
    #[arg(long, value_name = "COLOR", default_value = "white")]
    pub(crate) background: Background,

    /// Make images with longer rows smaller, to rows of N pixels
    #[arg(long, value_name = "N", value_parser = values::number(1_usize, 65_535))]
    pub(crate) max_width: Option<usize>,

    /// Make images with more rows smaller, to N rows
    #[arg(long, value_name = "N", value_parser = values::number(1_usize, 65_535))]
    pub(crate) max_height: Option<usize>,

    /// How images are made smaller: lanczos (sharper) or area (means)
    #[arg(long, value_name = "FILTER", default_value = "lanczos")]
    pub(crate) resize_filter: Filter,

    /// Create an RGB JPEG file, without conversion to YCbCr
    #[arg(long)]
    pub(crate) rgb: bool,

    /// Use the quantization tables in this file, in the syntax of cjpeg's -qtables
    ///
    /// One or two tables of 64 numbers, row by row; # begins a comment. The first is for luminance, the second for
    /// chrominance, which otherwise has the standard's. --quality scales them, by 1 at 50; without it they are used as
    /// they are, and the standard's is that of quality 75.
    #[arg(long, value_name = "FILE")]
    pub(crate) qtables: Option<PathBuf>,

    /// Data precision in bits: 8 or 12, or 2 to 16 with --lossless [default: 8; with --lossless that of IN]
    ///
    /// Few decoders support 12.
    #[arg(long, visible_alias = "precision", value_name = "N", value_parser = values::number(2_u8, 16))]
    pub(crate) bits: Option<u8>,

    /// Create a lossless JPEG file (SOF3) with predictor P, 1 to 7, and point transform PT; few decoders support it
    ///
    /// Predictors are those of Table H.1: 1 is the sample to the left, 2 the one above, 7 the average of both, which
    /// suits photographs. Color images are stored as RGB without subsampling.
    #[arg(
        long,
        value_name = "P[,PT]",
        value_parser = values::lossless,
        conflicts_with_all = [
            "quality", "size", "psnr", "qtables", "subsampling", "libjpeg_compatible", "progressive", "scans", "trellis",
        ],
    )]
    pub(crate) lossless: Option<Lossless>,
}

impl Coding {
    /// Bits of a sample, if they are not those of the source.
    pub(crate) fn depth(&self) -> Option<u8> {
        self.bits.or(if self.lossless.is_some() { None } else { Some(8) })
    }

    /// The first conflict between valid options.
    pub(crate) fn fault(&self) -> Option<&'static str> {
        let other = self.lossless.is_none() && self.bits.is_some_and(|bits| bits != 8 && bits != 12);
        other.then_some("--bits must be 8 or 12 without --lossless")
    }

    /// The quality that was asked for or is usual.
    pub(crate) fn quality(&self) -> u8 {
        self.quality.unwrap_or(Encoder::DEFAULT_QUALITY)
    }
}

/// Encoding options by themselves.
#[derive(Debug, clap::Parser)]
#[command(name = "--setting", no_binary_name = true, disable_help_flag = true)]
pub(crate) struct Setting {
    #[command(flatten)]
    pub(crate) coding: Coding,
}
