//! How images are encoded.

use std::path::PathBuf;

use shim_jpeg::{Encoder, Restart};

use super::values::{self, Lossless, Sampling};

/// How images are encoded.
#[derive(Clone, Debug, clap::Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of the command line")]
#[command(next_help_heading = "Encoding")]
pub(crate) struct Coding {
    /// From 1 (smallest file) to 100 (nearest to the source) [default: 90]
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=100))]
    pub(crate) quality: Option<u8>,

    /// Find the greatest quality whose file has at most so many bytes; 20k are 20 000, 2M are 2 000 000
    #[arg(long, value_name = "BYTES", value_parser = values::bytes, conflicts_with_all = ["quality", "qtables"])]
    pub(crate) size: Option<usize>,

    /// Find the least quality whose components have a PSNR of so many decibels
    ///
    /// It is that of Y, Cb and Cr at their own densities: what subsampling takes away is not in it.
    #[arg(long, value_name = "DB", value_parser = values::psnr, conflicts_with_all = ["quality", "qtables", "size"])]
    pub(crate) psnr: Option<f64>,

    /// Density of the colour: 444 (full), 422, 420, 440, 411, or factors as 2x2,1x1,1x1
    ///
    /// 420, half the density on both axes, suits photographs; 444 screenshots, drawings and text. Factors are those of
    /// each component, across and down, as cjpeg's -sample takes them.
    #[arg(short, long, value_name = "MODE", default_value = "420", value_parser = values::sampling)]
    pub(crate) subsampling: Sampling,

    /// Transform accurately: the file is the one that libjpeg-turbo's cjpeg writes, byte for byte
    #[arg(short, long)]
    pub(crate) exact: bool,

    /// Make Huffman tables that fit the image: smaller files, in two passes
    #[arg(short = 'O', long, visible_alias = "optimise")]
    pub(crate) optimize: bool,

    /// Write progressive files, which show coarsely at first and are smaller
    #[arg(short, long)]
    pub(crate) progressive: bool,

    /// Take more time for smaller files, as mozjpeg does: best with --progressive
    ///
    /// Coefficients are chosen for the least of bits and error together, tables are more even than the usual ones, and of
    /// progressive files those scans are written, of many, that fit the image. At the same PSNR files are smaller; at the same
    /// quality errors are greater, too.
    #[arg(short, long)]
    pub(crate) trellis: bool,

    /// Write files of these scans, progressive or not, in the syntax of cjpeg's -scans
    #[arg(long, value_name = "FILE", conflicts_with = "progressive")]
    pub(crate) scans: Option<PathBuf>,

    /// Let decoders start anew after N rows of MCUs, or with NB after N MCUs
    #[arg(long, value_name = "N", value_parser = values::restart)]
    pub(crate) restart: Option<Restart>,

    /// Write luminance alone
    #[arg(short, long, visible_alias = "greyscale", conflicts_with = "rgb")]
    pub(crate) grayscale: bool,

    /// Write red, green and blue as they are, without conversion to luminance and chrominance
    #[arg(long)]
    pub(crate) rgb: bool,

    /// Take quantisation tables from a file of 64 numbers or twice 64, as cjpeg's -qtables
    ///
    /// The first table is for luminance, the second for chrominance; one is for both. Numbers are in rows, and # begins a
    /// comment. With --quality they are scaled as the tables of the standard are, to themselves at 50.
    #[arg(long, value_name = "FILE")]
    pub(crate) qtables: Option<PathBuf>,

    /// Bits of a sample in the file: 8 or 12, or 2 to 16 with --lossless [default: 8, or those of IN]
    ///
    /// Without --lossless, 8 are usual; few decoders read 12. With it, the samples of IN are kept as they are.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(2..=16))]
    pub(crate) bits: Option<u8>,

    /// Write lossless files (SOF3) by a predictor of 1 to 7, and without the PT lowest bits. Few decoders read them
    ///
    /// Predictors are those of Table H.1 of the standard: 1 is the sample to the left, 2 the one above, 7 the mean of both,
    /// which suits photographs. Colours are written as RGB, at full density.
    #[arg(
        long,
        value_name = "P[,PT]",
        value_parser = values::lossless,
        conflicts_with_all = [
            "quality", "size", "psnr", "qtables", "subsampling", "exact", "progressive", "scans", "trellis",
        ],
    )]
    pub(crate) lossless: Option<Lossless>,
}

impl Coding {
    /// Bits of a sample, if they are not those of the source.
    pub(crate) fn depth(&self) -> Option<u8> {
        self.bits.or(if self.lossless.is_some() { None } else { Some(8) })
    }

    /// What is wrong with options that can be read.
    pub(crate) fn fault(&self) -> Option<&'static str> {
        let other = self.lossless.is_none() && self.bits.is_some_and(|bits| bits != 8 && bits != 12);
        other.then_some("--bits is 8 or 12 without --lossless")
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
