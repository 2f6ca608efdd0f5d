//! `shim h264`.

use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use shim_h264::{Colour, Matrix, Pixels, Preset};

use super::values;

/// What raw frames are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Raw {
    /// Planes of Y, Cb and Cr, chroma at half the density
    I420,
    /// Red, green and blue, a byte each
    Rgb24,
    /// Blue, green and red, a byte each
    Bgr24,
    /// Red, green, blue, and a byte that is not looked at
    Rgba,
    /// Blue, green, red, and a byte that is not looked at
    Bgra,
}

impl Raw {
    /// What red, green and blue are, if it is these.
    pub(crate) const fn pixels(self) -> Option<Pixels> {
        match self {
            Self::I420 => None,
            Self::Rgb24 => Some(Pixels::Rgb),
            Self::Bgr24 => Some(Pixels::Bgr),
            Self::Rgba => Some(Pixels::Rgba),
            Self::Bgra => Some(Pixels::Bgra),
        }
    }
}

/// What luma and chroma mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Meaning {
    /// BT.601 in the limited range
    Bt601,
    /// BT.709 in the limited range
    Bt709,
    /// BT.601 in the full range, as JPEG files have it
    Bt601Full,
    /// BT.709 in the full range
    Bt709Full,
}

impl H264 {
    /// What luma and chroma mean, if it is known.
    pub(crate) fn meaning(&self) -> Option<Colour> {
        self.colour.map(Colour::from).or_else(|| self.pixels.pixels().map(|_| Colour::HD))
    }
}

impl From<Meaning> for Colour {
    fn from(meaning: Meaning) -> Self {
        let (matrix, full_range) = match meaning {
            Meaning::Bt601 => (Matrix::Bt601, false),
            Meaning::Bt709 => (Matrix::Bt709, false),
            Meaning::Bt601Full => (Matrix::Bt601, true),
            Meaning::Bt709Full => (Matrix::Bt709, true),
        };
        Self { matrix, full_range }
    }
}

/// Encode video as H.264.
///
/// Reads Y4M files of 4:2:0 and 8 bits, or with --size raw frames (I420, or with --pixels RGB), and writes an MP4 file if the name of OUT ends in .mp4, .m4v
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

    /// The input is raw frames of this size
    #[arg(long, value_name = "WxH", value_parser = values::size)]
    pub(crate) size: Option<[usize; 2]>,

    /// What raw frames are
    #[arg(long, value_name = "FORMAT", requires = "size", default_value = "i420")]
    pub(crate) pixels: Raw,

    /// What luma and chroma mean, to be written into the stream
    ///
    /// Frames of red, green and blue are converted accordingly, with bt709 if nothing is said. Others stay as they are.
    #[arg(long, value_name = "MATRIX", visible_alias = "color")]
    pub(crate) colour: Option<Meaning>,

    /// Frames a second, in place of what a Y4M file says; 30 for raw frames
    #[arg(long, value_name = "N[/D]", value_parser = values::frame_rate)]
    pub(crate) fps: Option<(u32, u32)>,

    /// Encode at most so many frames
    #[arg(long, value_name = "N")]
    pub(crate) frames: Option<u64>,

    /// The same quantisation parameter for all frames, 0 (nearest to the source) to 51 (smallest file)
    #[arg(short, long, value_name = "QP", group = "rate", value_parser = clap::value_parser!(u8).range(0..=51))]
    pub(crate) qp: Option<u8>,

    /// About the same quality to the eye for all frames, on the scale of --qp; 23 if nothing is said of rate or quality
    #[arg(long, value_name = "QUALITY", group = "rate", value_parser = values::quality)]
    pub(crate) crf: Option<f32>,

    /// So many bits a second in the mean, as 1500k or 1.5M
    #[arg(short, long, value_name = "BITS", group = "rate", value_parser = values::bits)]
    pub(crate) bitrate: Option<u64>,

    /// Bits a second at which the buffer of a decoder fills, as 2M
    ///
    /// A frame that would be late has a higher quantisation parameter, and the stream says when each frame leaves the buffer.
    #[arg(long, value_name = "BITS", requires = "bufsize", value_parser = values::bits)]
    pub(crate) maxrate: Option<u64>,

    /// Bits that the buffer has room for, as 4M
    #[arg(long, value_name = "BITS", requires = "maxrate", value_parser = values::bits)]
    pub(crate) bufsize: Option<u64>,

    /// How much time is spent on making the stream small
    #[arg(short, long, value_name = "PRESET", default_value = Preset::default().name(), value_parser = preset())]
    pub(crate) preset: Preset,

    /// Frames from one at which decoding can begin to the next; 1 has no frame predicted from others
    #[arg(short, long, value_name = "N", default_value_t = 250, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) keyint: u32,

    /// Frames from there to where a scene begins, at which decoding can begin, too; a tenth of --keyint, or a second, if nothing is said
    #[arg(long, value_name = "N", conflicts_with = "no_scenecut", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) min_keyint: Option<u32>,

    /// Do not begin anew where a scene does
    #[arg(long)]
    pub(crate) no_scenecut: bool,

    /// Frames that one is predicted from, 1 to 16
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=16))]
    pub(crate) refs: u8,

    /// Do not predict what stands by itself in a frame from what comes of others
    ///
    /// A decoder that has lost a frame then recovers macroblock by macroblock.
    #[arg(long)]
    pub(crate) constrained_intra: bool,

    /// Slices of a frame, each of whole rows of macroblocks; as many as threads if --threads alone is given, and 1 otherwise
    #[arg(long, value_name = "N")]
    pub(crate) slices: Option<usize>,

    /// Threads, 0 for one for each core
    ///
    /// It is slices that are divided among them: with more threads than slices, some have little to do. The stream depends on the slices
    /// alone. In frames of 720p, two cost 0.2 to 1.5 % of the bytes, and eight 1.5 to 7 %. Without --slices there are as many as
    /// threads, or as rows of macroblocks where these are fewer.
    #[arg(short = 'j', long, value_name = "N", default_value_t = 1, value_parser = values::threads)]
    pub(crate) threads: usize,

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
  shim h264 clip.y4m clip.mp4 --bitrate 2M --maxrate 3M --bufsize 3M
  ffmpeg -i clip.webm -pix_fmt yuv420p -f yuv4mpegpipe - | shim h264 - clip.264 --qp 30
  shim h264 clip.y4m small.mp4 --preset slow
  shim h264 --size 1920x1080 --fps 24000/1001 raw.yuv out.mp4 --stats
  ffmpeg -i clip.webm -pix_fmt rgb24 -f rawvideo - | shim h264 --size 1280x720 --pixels rgb24 - clip.mp4

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
