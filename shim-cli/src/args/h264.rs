//! `shim h264`.

use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use shim_h264::Preset;

use super::values;

/// Encode video as H.264.
///
/// Reads Y4M files of 4:2:0 and 8 bits, or with --size raw frames (I420), and writes an MP4 file if the name of OUT ends in .mp4, .m4v
/// or .mov, and a byte stream (Annex B) otherwise. `-` is stdin or stdout. If the input ends within a frame, the frames before
/// it are encoded, and a warning says so. A file is replaced only when the whole of the new one is ready.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch")]
pub(crate) struct H264 {
    /// The frames to read
    #[arg(value_name = "IN")]
    pub(crate) input: PathBuf,

    /// The file to write
    #[arg(value_name = "OUT")]
    pub(crate) output: PathBuf,

    /// The input is raw frames (I420) of this size
    #[arg(long, value_name = "WxH", value_parser = values::size)]
    pub(crate) size: Option<[usize; 2]>,

    /// Frames a second, in place of what a Y4M file says; 30 for raw frames
    #[arg(long, value_name = "N[/D]", value_parser = values::frame_rate)]
    pub(crate) fps: Option<(u32, u32)>,

    /// Encode at most so many frames
    #[arg(long, value_name = "N")]
    pub(crate) frames: Option<u64>,

    /// The quantisation parameter, 0 (nearest to the source) to 51 (smallest file)
    #[arg(short, long, value_name = "QP", default_value_t = 26, value_parser = clap::value_parser!(u8).range(0..=51))]
    pub(crate) qp: u8,

    /// How much time is spent on making the stream small
    #[arg(short, long, value_name = "PRESET", default_value = Preset::default().name(), value_parser = preset())]
    pub(crate) preset: Preset,

    /// Frames from one at which decoding can begin to the next; 1 has no frame predicted from others
    #[arg(short, long, value_name = "N", default_value_t = 250, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) keyint: u32,

    /// Frames that one is predicted from, 1 to 16
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=16))]
    pub(crate) refs: u8,

    /// Do not predict what stands by itself in a frame from what comes of others
    ///
    /// A decoder that has lost a frame then recovers macroblock by macroblock.
    #[arg(long)]
    pub(crate) constrained_intra: bool,

    /// Slices of a frame, each of whole rows of macroblocks
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) slices: usize,

    /// The level, as 4.1; the lowest that fits if none is given
    #[arg(long, value_name = "LEVEL", value_parser = values::level)]
    pub(crate) level: Option<u8>,

    /// Do not filter the edges of blocks
    #[arg(long)]
    pub(crate) no_deblock: bool,

    /// Put an access unit delimiter before each frame
    #[arg(long)]
    pub(crate) aud: bool,

    /// Write the frames as a decoder shows them to this file (I420)
    #[arg(long, value_name = "FILE")]
    pub(crate) recon: Option<PathBuf>,

    /// Write every element of the syntax, with its bits and value, to this file
    #[arg(long, value_name = "FILE")]
    pub(crate) trace: Option<PathBuf>,

    /// Print PSNR and SSIM of the frames as a decoder shows them
    #[arg(long)]
    pub(crate) stats: bool,

    /// Print the results as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// The names of the presets.
fn preset() -> impl TypedValueParser<Value = Preset> {
    let names = PossibleValuesParser::new(Preset::ALL.map(Preset::name));
    names.map(|name| name.parse().expect("it is one of the names"))
}

const AFTER_HELP: &str = "\
Examples:
  shim h264 clip.y4m clip.mp4
  ffmpeg -i clip.webm -pix_fmt yuv420p -f yuv4mpegpipe - | shim h264 - clip.264 --qp 30
  shim h264 clip.y4m small.mp4 --preset slow
  shim h264 --size 1920x1080 --fps 24000/1001 raw.yuv out.mp4 --stats

Exit codes:
  0  done
  1  a file could not be read, encoded or written
  2  the command line is wrong, and nothing was done";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exit_codes_are_those_of_the_command() {
        for code in ["  0  done\n", "  2  the command line is wrong, and nothing was done"] {
            assert!(AFTER_HELP.contains(code) && super::super::EXIT_CODES.contains(code));
        }
    }
}
