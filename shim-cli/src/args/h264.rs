//! `shim h264`.

use std::path::{Path, PathBuf};

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use shim_h264::{Color, Config, Matrix, Pixels, Preset, Tune};

use super::values;

/// Pixel format of raw video.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum PixFmt {
    /// Planar Y, Cb, Cr, 4:2:0
    #[value(name = "yuv420p", alias = "i420")]
    I420,
    /// Planar Y, interleaved Cb and Cr, 4:2:0
    Nv12,
    /// R, G, B
    Rgb24,
    /// B, G, R
    Bgr24,
    /// R, G, B, and a byte that is ignored
    #[value(alias = "rgb0")]
    Rgba,
    /// B, G, R, and a byte that is ignored
    #[value(alias = "bgr0")]
    Bgra,
    /// Gray, from black (0) to white (255)
    Gray,
}

impl PixFmt {
    /// The order of red, green and blue, if it is one of these formats.
    pub(crate) const fn pixels(self) -> Option<Pixels> {
        match self {
            Self::I420 | Self::Nv12 => None,
            Self::Rgb24 => Some(Pixels::Rgb),
            Self::Bgr24 => Some(Pixels::Bgr),
            Self::Rgba => Some(Pixels::Rgba),
            Self::Bgra => Some(Pixels::Bgra),
            Self::Gray => Some(Pixels::Gray),
        }
    }
}

/// Color matrix and range.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum ColorMatrix {
    /// BT.601, limited range
    #[value(alias = "smpte170m")]
    Bt601,
    /// BT.470 B/G (BT.601 of 625 lines), limited range
    Bt470bg,
    /// BT.709, limited range
    Bt709,
    /// SMPTE 240M, limited range
    Smpte240m,
    /// BT.2020, non-constant luminance, limited range
    #[value(alias = "bt2020nc")]
    Bt2020,
    /// BT.601, full range (JFIF)
    Bt601Full,
    /// BT.709, full range
    Bt709Full,
}

/// Range of the samples.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Range {
    /// Luma from 16 to 235, chroma from 16 to 240
    #[value(aliases = ["tv", "mpeg"])]
    Limited,
    /// 0 to 255
    #[value(aliases = ["pc", "jpeg"])]
    Full,
}

/// Profiles that streams can conform to: each stream conforms to both.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Profile {
    /// Baseline
    Baseline,
    /// Constrained Baseline, which every stream conforms to
    ConstrainedBaseline,
}

/// A frame that is a keyframe.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum ForcedKeyframe {
    /// By its number, from 0.
    Frame(u64),
    /// The first one at this time or later, in seconds.
    Seconds(f64),
}

impl ForcedKeyframe {
    /// The number of the frame, from 0, at so many frames a second.
    pub(crate) fn frame(self, (frames, seconds): (u32, u32)) -> u64 {
        match self {
            Self::Frame(number) => number,
            // A time that was rounded to six digits is still that of its frame.
            Self::Seconds(time) => {
                (time * f64::from(frames) / f64::from(seconds) - 1e-3).ceil().max(0.0) as u64
            }
        }
    }
}

/// Code points of Table E-3 by the names that x264 has for them.
const PRIMARIES: [(&str, u8); 10] = [
    ("bt709", 1),
    ("undef", 2),
    ("bt470m", 4),
    ("bt470bg", 5),
    ("smpte170m", 6),
    ("smpte240m", 7),
    ("film", 8),
    ("bt2020", 9),
    ("smpte431", 11),
    ("smpte432", 12),
];

/// Code points of Table E-4.
const TRANSFERS: [(&str, u8); 16] = [
    ("bt709", 1),
    ("undef", 2),
    ("bt470m", 4),
    ("bt470bg", 5),
    ("smpte170m", 6),
    ("smpte240m", 7),
    ("linear", 8),
    ("log100", 9),
    ("log316", 10),
    ("iec61966-2-4", 11),
    ("bt1361e", 12),
    ("iec61966-2-1", 13),
    ("bt2020-10", 14),
    ("bt2020-12", 15),
    ("smpte2084", 16),
    ("arib-std-b67", 18),
];

/// A code point by its name.
fn code_point<const N: usize>(names: &'static [(&'static str, u8); N]) -> impl TypedValueParser<Value = u8> {
    let parser = PossibleValuesParser::new(names.iter().map(|&(name, _)| name));
    parser.map(|name| names.iter().find(|(known, _)| *known == name).map_or(2, |&(_, code)| code))
}

impl H264 {
    /// The file that a first pass writes.
    pub(crate) fn written_pass(&self) -> Option<&Path> {
        self.pass_file.as_deref().filter(|_| self.pass == Some(1))
    }

    /// The file that a second pass reads.
    pub(crate) fn read_pass(&self) -> Option<&Path> {
        self.pass_file.as_deref().filter(|_| self.pass == Some(2))
    }

    /// The output file.
    pub(crate) fn output(&self) -> &Path {
        self.output_positional.as_ref().or(self.output_option.as_ref()).expect("clap requires one of them")
    }

    /// Whether samples have full range, if that is given.
    pub(crate) fn full_range(&self) -> Option<bool> {
        self.range.map(|range| range == Range::Full)
    }

    /// Color matrix and range, if both are given.
    pub(crate) fn color(&self) -> Option<Color> {
        let color = self.color.map(Color::from)?;
        Some(Color { full_range: self.range.map_or(color.full_range, |range| range == Range::Full), ..color })
    }
}

impl From<ColorMatrix> for Color {
    fn from(color: ColorMatrix) -> Self {
        let (matrix, full_range) = match color {
            ColorMatrix::Bt601 => (Matrix::Bt601, false),
            ColorMatrix::Bt470bg => (Matrix::Bt470bg, false),
            ColorMatrix::Bt709 => (Matrix::Bt709, false),
            ColorMatrix::Smpte240m => (Matrix::Smpte240m, false),
            ColorMatrix::Bt2020 => (Matrix::Bt2020, false),
            ColorMatrix::Bt601Full => (Matrix::Bt601, true),
            ColorMatrix::Bt709Full => (Matrix::Bt709, true),
        };
        Self { matrix, full_range }
    }
}

/// Encode video as H.264 (Constrained Baseline)
///
/// Reads Y4M (4:2:0, 8 bits), or raw video with --size. The container follows from the extension of OUT: MP4 for .mp4
/// and .m4v, MOV for .mov, a raw byte stream (Annex B) for .264, .h264, .avc and .26l; `-` is stdin, or a byte stream
/// to stdout. OUT appears under its name only when it is complete, unless --fragment is given; SIGINT, SIGTERM and
/// SIGHUP complete it after the current frame, and a second signal discards it.
#[derive(Debug, clap::Args)]
#[command(before_help = EXAMPLES, after_help = AFTER_HELP, help_template = TEMPLATE, override_usage = "shim h264 [OPTIONS] IN OUT")]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch")]
pub(crate) struct H264 {
    /// Input file
    #[arg(value_name = "IN")]
    pub(crate) input: PathBuf,

    /// Output file
    #[arg(value_name = "OUT", required_unless_present = "output_option")]
    output_positional: Option<PathBuf>,

    /// Frame size of raw input
    #[arg(long, value_name = "WxH", visible_alias = "input-res", value_parser = values::size, help_heading = INPUT)]
    pub(crate) size: Option<[usize; 2]>,

    /// Pixel format of raw input
    ///
    /// RGB and gray are converted to YUV by --color; by default by BT.709 from 720 rows on, and by BT.601 below.
    #[arg(
        long,
        value_name = "FORMAT",
        alias = "pixels",
        requires = "size",
        default_value = "yuv420p",
        help_heading = INPUT
    )]
    pub(crate) pix_fmt: PixFmt,

    /// Crop each frame to W by H samples, from column X and row Y on, both even
    #[arg(long, value_name = "WxH+X+Y", value_parser = values::crop, help_heading = INPUT)]
    pub(crate) crop: Option<values::Crop>,

    /// Frame rate [default: that of Y4M input, 30 for raw input]
    ///
    /// A rational (30000/1001) or decimal number; 23.976, 29.97, 47.95, 59.94 and 119.88 are the NTSC rates over 1001.
    #[arg(long, value_name = "N[/D]", value_parser = values::frame_rate, help_heading = INPUT)]
    pub(crate) fps: Option<(u32, u32)>,

    /// Times of the frames, from a file of timecodes (format v1 or v2), as x264's --tcfile-in; OUT is an MP4 or MOV file
    #[arg(long, value_name = "FILE", visible_alias = "tcfile-in", help_heading = INPUT)]
    pub(crate) timecodes: Option<PathBuf>,

    /// Skip the first N frames of the input
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = values::at_least(0_u64), help_heading = INPUT)]
    pub(crate) seek: u64,

    /// Maximum number of frames to encode
    #[arg(long, value_name = "N", value_parser = values::at_least(0_u64), help_heading = INPUT)]
    pub(crate) frames: Option<u64>,

    /// Encode interlaced input as progressive frames
    #[arg(long, help_heading = INPUT)]
    pub(crate) no_interlaced: bool,

    /// Constant QP, 0 to 51
    #[arg(short, long, value_name = "QP", group = "rate", value_parser = values::number(0_u8, 51), help_heading = RATE)]
    pub(crate) qp: Option<u8>,

    /// Constant quality (CRF), 0 to 51, on the scale of QP [default: 23]
    #[arg(long, value_name = "CRF", group = "rate", value_parser = values::quality, help_heading = RATE)]
    pub(crate) crf: Option<f32>,

    /// Average bit rate (ABR) in bit/s, such as 1500k or 1.5M
    #[arg(short, long, value_name = "BITS", group = "rate", value_parser = values::bits, help_heading = RATE)]
    pub(crate) bitrate: Option<u64>,

    /// VBV maximum bit rate in bit/s, such as 2M
    ///
    /// A picture that would underflow the VBV is re-encoded at a higher QP. The stream carries HRD parameters and
    /// buffering period and picture timing SEI messages.
    #[arg(long, value_name = "BITS", visible_alias = "vbv-maxrate", requires = "bufsize", value_parser = values::bits, help_heading = RATE)]
    pub(crate) maxrate: Option<u64>,

    /// VBV buffer size in bits, such as 4M
    #[arg(long, value_name = "BITS", visible_alias = "vbv-bufsize", requires = "maxrate", value_parser = values::bits, help_heading = RATE)]
    pub(crate) bufsize: Option<u64>,

    /// Preset: speed against compression
    #[arg(short, long, value_name = "PRESET", default_value = Preset::default().name(), value_parser = preset(), help_heading = ENCODING)]
    pub(crate) preset: Preset,

    /// Tune the settings for a kind of content or a use
    #[arg(short = 't', long, value_name = "TUNE", value_parser = tune(), help_heading = ENCODING)]
    pub(crate) tune: Option<Tune>,

    /// Require a profile
    #[arg(long, value_name = "PROFILE", help_heading = ENCODING)]
    pub(crate) profile: Option<Profile>,

    /// Level, 1, 1b or 1.1 to 5.2 [default: the lowest that fits]
    ///
    /// Levels 6 to 6.2, for frames of up to 8192x4352 samples, are not supported.
    #[arg(long, value_name = "LEVEL", value_parser = values::level, help_heading = ENCODING)]
    pub(crate) level: Option<u8>,

    /// Number of threads, 0 for one per core
    ///
    /// Threads encode several frames at once, and the stream does not depend on their number. With --bitrate, --maxrate,
    /// --lookahead 0 or --slices they encode slices: --threads N without --slices then sets --slices N as well, up to the
    /// macroblock rows of a frame, and the stream depends on --slices. Each slice costs bits: in 720p, two cost 0.2 to 1.5 %,
    /// eight 1.5 to 7 %.
    #[arg(short = 'j', long, value_name = "N", default_value_t = 1, value_parser = values::threads, help_heading = ENCODING)]
    pub(crate) threads: usize,

    /// Pass of two over the same input, for --bitrate with the same quality throughout: 1 writes --pass-file, 2 reads it
    #[arg(long, value_name = "1|2", requires_all = ["bitrate", "pass_file"], value_parser = values::number(1_u8, 2), help_heading = ENCODING)]
    pub(crate) pass: Option<u8>,

    /// File of the sizes of the pictures, between --pass 1 and --pass 2
    #[arg(long, value_name = "FILE", visible_alias = "passlogfile", requires = "pass", help_heading = ENCODING)]
    pub(crate) pass_file: Option<PathBuf>,

    /// Frames to look ahead before one is encoded [default: 20, 0 with ultrafast, superfast or --qp]
    #[arg(long, value_name = "N", visible_alias = "rc-lookahead", value_parser = values::number(0_usize, Config::MAX_LOOKAHEAD), help_heading = FRAMES)]
    pub(crate) lookahead: Option<usize>,

    /// Do not lower QP where later frames depend on a macroblock, as far as --lookahead sees
    #[arg(long, help_heading = ENCODING)]
    pub(crate) no_mbtree: bool,

    /// Strength of adaptive quantization, 0 to 3: lower QP in smooth macroblocks than in busy ones [default: 1, 0 with ultrafast and superfast, or that of --tune]
    #[arg(long, value_name = "S", value_parser = values::number(0.0_f32, Config::MAX_AQ_STRENGTH), help_heading = ENCODING)]
    pub(crate) aq_strength: Option<f32>,

    /// Maximum keyframe interval, in frames (1: intra only), or infinite
    #[arg(short, long, value_name = "N", default_value = "250", value_parser = values::keyint, help_heading = FRAMES)]
    pub(crate) keyint: u32,

    /// Consecutive B-frames: 0, which is what the profile has
    #[arg(long, value_name = "0", hide = true, value_parser = values::bframes)]
    pub(crate) bframes: Option<u8>,

    /// Minimum keyframe interval, in frames [default: a tenth of --keyint, at most a second]
    #[arg(long, value_name = "N", conflicts_with = "no_scenecut", value_parser = values::at_least(1_u32), help_heading = FRAMES)]
    pub(crate) min_keyint: Option<u32>,

    /// Insert keyframes at scene cuts, which is the default except with ultrafast
    #[arg(long, overrides_with = "no_scenecut", help_heading = FRAMES)]
    pub(crate) scenecut: bool,

    /// Do not insert keyframes at scene cuts
    #[arg(long, overrides_with = "scenecut", help_heading = FRAMES)]
    pub(crate) no_scenecut: bool,

    /// Insert keyframes at these frames or times
    ///
    /// A list of frame numbers, from 0, and of times with an `s`, such as 100,250 or 2.5s,10s. Both count from the
    /// first frame that is encoded. With --maxrate, a keyframe waits until it fits the VBV.
    #[arg(long, value_name = "LIST", visible_alias = "force_key_frames", value_delimiter = ',', value_parser = values::keyframe, help_heading = FRAMES)]
    pub(crate) force_key_frames: Vec<ForcedKeyframe>,

    /// Number of reference frames, 1 to 16 [default: that of --preset, as far as --level allows]
    #[arg(long, value_name = "N", visible_alias = "ref", value_parser = values::number(1_u8, 16), help_heading = FRAMES)]
    pub(crate) refs: Option<u8>,

    /// Number of slices per frame, each of whole macroblock rows [default: 1, or --threads where those encode slices]
    #[arg(long, value_name = "N", value_parser = values::at_least(0_usize), help_heading = FRAMES)]
    pub(crate) slices: Option<usize>,

    /// Maximum size of a slice in bytes, at least 64: more slices per frame where needed
    ///
    /// Bounds the NAL unit with its header and emulation prevention, without the start code or length before it.
    #[arg(long, value_name = "BYTES", value_parser = values::at_least(0_usize), help_heading = FRAMES)]
    pub(crate) slice_max_size: Option<usize>,

    /// Constrained intra prediction: predict intra macroblocks from intra macroblocks only
    #[arg(long, help_heading = FRAMES)]
    pub(crate) constrained_intra: bool,

    /// Deblocking filter offsets, alpha and beta, -6 to 6 each [default: 0:0 or those of --tune]
    #[arg(long, value_name = "A:B", visible_alias = "filter", allow_hyphen_values = true, value_parser = values::deblock, help_heading = FRAMES)]
    pub(crate) deblock: Option<(i8, i8)>,

    /// Disable the deblocking filter
    #[arg(long, conflicts_with = "deblock", help_heading = FRAMES)]
    pub(crate) no_deblock: bool,

    /// Sample aspect ratio [default: that of Y4M input]
    #[arg(long, value_name = "W:H", value_parser = values::sar, help_heading = VUI)]
    pub(crate) sar: Option<(u16, u16)>,

    /// Range of luma and chroma [default: that of --color or of Y4M input]
    #[arg(long, value_name = "RANGE", help_heading = VUI)]
    pub(crate) range: Option<Range>,

    /// Color matrix, and range if --range is not given; YUV input is not converted
    #[arg(long, value_name = "MATRIX", alias = "colour", visible_alias = "colormatrix", help_heading = VUI)]
    pub(crate) color: Option<ColorMatrix>,

    /// Color primaries
    #[arg(long, value_name = "PRIMARIES", value_parser = code_point(&PRIMARIES), default_value = "undef", hide_possible_values = true, help_heading = VUI)]
    pub(crate) colorprim: u8,

    /// Transfer characteristics
    #[arg(long, value_name = "TRANSFER", value_parser = code_point(&TRANSFERS), default_value = "undef", hide_possible_values = true, help_heading = VUI)]
    pub(crate) transfer: u8,

    /// Output file, as ffmpeg's and x264's users name it
    #[arg(short = 'o', long = "output", id = "output_option", value_name = "OUT", conflicts_with = "output_positional", help_heading = OUTPUT)]
    output_option: Option<PathBuf>,

    /// Write OUT under its name as it grows: an interrupted file plays as far as it goes
    ///
    /// An MP4 file is fragmented, by seconds and keyframes. An existing OUT is lost at once. Without it, OUT appears
    /// when it is complete. MP4 to a pipe is always fragmented.
    #[arg(long, help_heading = OUTPUT)]
    pub(crate) fragment: bool,

    /// Write access unit delimiters
    #[arg(long, help_heading = OUTPUT)]
    pub(crate) aud: bool,

    /// Write reconstructed frames (raw yuv420p) to this file
    #[arg(long, value_name = "FILE", visible_alias = "dump-yuv", help_heading = OUTPUT)]
    pub(crate) recon: Option<PathBuf>,

    /// Write every syntax element, with its bits and value, to this file
    #[arg(long, value_name = "FILE", help_heading = OUTPUT)]
    pub(crate) trace: Option<PathBuf>,

    /// Print PSNR and SSIM
    #[arg(long, visible_aliases = ["psnr", "ssim"], overrides_with = "stats", help_heading = OUTPUT)]
    pub(crate) stats: bool,

    /// Print the report as JSON
    #[arg(long, help_heading = OUTPUT)]
    pub(crate) json: bool,

    /// Print warnings and errors only
    #[arg(long, conflicts_with_all = ["stats", "json"], help_heading = OUTPUT)]
    pub(crate) quiet: bool,
}

const INPUT: &str = "Input";
const RATE: &str = "Rate control";
const ENCODING: &str = "Encoding";
const FRAMES: &str = "Frames and slices";
const VUI: &str = "Video usability information";
const OUTPUT: &str = "Output";

/// The names of the presets.
fn preset() -> impl TypedValueParser<Value = Preset> {
    let names = Preset::ALL.map(|preset| {
        let others = Preset::OTHER_NAMES.iter().filter(move |(_, same)| *same == preset);
        PossibleValue::new(preset.name()).aliases(others.map(|(name, _)| *name))
    });
    PossibleValuesParser::new(names).map(|name| name.parse().expect("it is one of the names"))
}

/// The names of the tunes.
fn tune() -> impl TypedValueParser<Value = Tune> {
    let names = Tune::ALL.map(|tune| PossibleValue::new(tune.name()).help(tune.summary()));
    PossibleValuesParser::new(names).map(|name| name.parse().expect("it is one of the names"))
}

/// Examples before the options.
const TEMPLATE: &str = "\
{about-with-newline}
{usage-heading} {usage}

{before-help}{all-args}{after-help}";

const EXAMPLES: &str = "\
Examples:
  shim h264 clip.y4m clip.mp4
  shim h264 clip.y4m clip.mp4 --bitrate 2M --maxrate 3M --bufsize 3M
  ffmpeg -i clip.webm -pix_fmt yuv420p -f yuv4mpegpipe - | shim h264 - clip.264 --qp 30
  shim h264 clip.y4m small.mp4 --preset slow
  shim h264 --size 1920x1080 --fps 23.976 raw.yuv out.mp4 --stats
  shim h264 --size 1920x1080 raw.yuv part.mp4 --crop 1280x720+320+180
  ffmpeg -i clip.webm -pix_fmt rgb24 -f rawvideo - | shim h264 --size 1280x720 --pix-fmt rgb24 - clip.mp4";

const AFTER_HELP: &str = "\
Exit codes:
  0  done
  1  a file could not be read to its end, encoded or written
  2  the command line or a setting is wrong
A signal that interrupts the command ends it: 128 + N in shells.";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exit_codes_are_those_of_the_command() {
        for code in ["  0  done\n", "  2  the command line or a setting is wrong\n"] {
            assert!(AFTER_HELP.contains(code) && super::super::EXIT_CODES.contains(code));
        }
    }
}
