//! Prints how fast the H.264 encoder is beside those that people use, and how many bits it takes for the same PSNR.
//!
//! `cargo bench -p shim-benches --bench h264 [-- [--pairs N] [--frames N] [--qp N] [--avx2] [--speed | --quality | --motion |
//! --rate | --plot FILE.svg | --alone] [CLIP ..]]`. Clips are Y4M files, or whatever ffmpeg decodes, of which the
//! first frames are taken; without any, the clips beside the checkout are, as far as they are there; a folder stands
//! for all Y4M files in it. With `--motion` one table is printed, of the BD-rate of P streams by clip and preset:
//! `--motion --frames 12 FOLDER` with the folder that `make-clips.sh` filled takes minutes. With `--plot` a plot of
//! speed against BD-rate of all presets is written: `--plot docs/speed.svg --pairs 3 --frames 24`. With `--rate`
//! streams of six average bit rates are compared by PSNR, SSIM and, where ffmpeg has libvmaf, VMAF, without a look-ahead,
//! with one, and with adaptive quantization: `--rate --frames 250 FOLDER`; with `--plot FILE.svg` as well, SSIM is
//! drawn. With `--avx2` shim and x264 use no AVX-512. With `--speed` or `--quality` only those tables are printed. With `--alone` the encoder codes each clip so many
//! times, Intra only, and nothing is compared: for a profiler.
//!
//! `OpenH264` is built from its sources with its assembly (which needs nasm: without it this does not link), and called
//! in turn with the encoder, on the same frames in memory. Its AVX2 code is not in what the crate builds; and it warns
//! of its rate control, which has nothing to do where there is one QP. x264 is the program of that name, on the same
//! core, and its own figure of frames a second is taken; it is left out where it is not installed. All have one thread
//! and one QP for all pictures and macroblocks, I pictures too; P streams have one I picture. The ratios are medians of
//! pairs.
//!
//! PSNR is the mean over the frames, of luma and of all samples, as `OpenH264` decodes the streams. BD-rate is of QP
//! 22, 27, 32 and 37, in per cent.

#![expect(clippy::cast_precision_loss, reason = "sizes of files and pictures are far below 2^23")]

mod decode;
mod peers;
mod plot;
mod rate;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use peers::{Coder, Effort, Gop, Kind};
use shim_benches::bd_rate::{Point, bd_rate};
use shim_benches::clip::{Clip, Psnr};
use shim_benches::measure::{Ratio, median, paired};
use shim_h264::Preset;

/// The clips that are taken if none are given.
const CLIPS: [&str; 4] =
    ["bunny_320x176_30.y4m", "carphone_qcif.mp4", "bigbuckbunny_720p.mp4", "flower_720p.264"];
/// The QPs of a curve.
const QPS: [u8; 4] = [22, 27, 32, 37];
/// The default, which all others are compared with.
const SHIM: Kind = Kind::Shim(Preset::Medium);
const SHIM_FASTEST: Kind = Kind::Shim(Preset::Ultrafast);
/// The one whose quality of Intra pictures is nearest to that of `OpenH264` at medium complexity.
const SHIM_NEAR_OPENH264: Kind = Kind::Shim(Preset::Fast);
const SHIM_SLOWEST: Kind = Kind::Shim(Preset::Veryslow);
const OPENH264: Kind = Kind::OpenH264(Effort::Medium);
const X264: Kind = Kind::X264 { preset: "medium", assembly: true };
const X264_FASTEST_IN_C: Kind = Kind::X264 { preset: "ultrafast", assembly: false };
/// All whose speed is compared with that of the default preset.
const PEERS: [Kind; 16] = [
    SHIM_FASTEST,
    Kind::Shim(Preset::Superfast),
    Kind::Shim(Preset::Veryfast),
    Kind::Shim(Preset::Fast),
    Kind::Shim(Preset::Slow),
    Kind::Shim(Preset::Slower),
    SHIM_SLOWEST,
    Kind::OpenH264(Effort::Low),
    OPENH264,
    Kind::X264 { preset: "ultrafast", assembly: true },
    Kind::X264 { preset: "superfast", assembly: true },
    Kind::X264 { preset: "veryfast", assembly: true },
    X264,
    X264_FASTEST_IN_C,
    Kind::X264 { preset: "veryfast", assembly: false },
    Kind::X264 { preset: "medium", assembly: false },
];

/// Those whose P streams `--motion` compares with [`X264`].
const MOTION: [Kind; 5] =
    [OPENH264, SHIM, Kind::Shim(Preset::Slow), Kind::Shim(Preset::Slower), SHIM_SLOWEST];

/// What is wanted of a kind of stream.
struct Wanted {
    gop: Gop,
    name: &'static str,
    /// How many times as fast as `OpenH264` at medium complexity.
    openh264: f64,
    /// How many times as fast the fastest preset is as x264's without assembly.
    x264: f64,
    /// BD-rate of the default and of the slowest preset against x264's `medium`, at most.
    rate: [f64; 2],
}

const WANTED: [Wanted; 2] = [
    Wanted { gop: Gop::Intra, name: "Intra only", openh264: 1.5, x264: 3.0, rate: [5.0, 2.0] },
    Wanted { gop: Gop::P, name: "P", openh264: 1.0, x264: 3.0, rate: [10.0, 2.0] },
];

/// What is done instead of printing the tables.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Instead {
    /// A table of BD-rates by clip and preset.
    Motion,
    /// Tables of bit rates that are asked for, and quality.
    Rate,
    /// A plot of speed against BD-rate.
    Plot,
    /// The encoder alone codes.
    Alone,
}

/// What the command line says.
#[derive(Clone)]
struct Arguments {
    pairs: usize,
    frames: usize,
    qp: u8,
    speed: bool,
    quality: bool,
    instead: Option<Instead>,
    /// Where the plot goes.
    plot: PathBuf,
    files: Vec<PathBuf>,
}

impl Arguments {
    fn read() -> Result<Self, String> {
        let mut arguments = std::env::args().skip(1).filter(|argument| argument != "--bench");
        let mut read = Self {
            pairs: 5,
            frames: 30,
            qp: 26,
            speed: true,
            quality: true,
            instead: None,
            plot: PathBuf::new(),
            files: Vec::new(),
        };
        while let Some(argument) = arguments.next() {
            if argument == "--plot" {
                read.instead = read.instead.or(Some(Instead::Plot));
                read.plot = arguments.next().ok_or("--plot takes the name of an SVG file")?.into();
                continue;
            }
            let mut number = |least: usize, most: usize| {
                let number = arguments.next().and_then(|number| number.parse().ok());
                let number = number.filter(|number| (least..=most).contains(number));
                number.ok_or(format!("{argument} takes a number from {least} to {most}"))
            };
            match argument.as_str() {
                "--pairs" => read.pairs = number(1, 1000)?,
                "--frames" => read.frames = number(1, 1000)?,
                // OpenH264 takes none below.
                "--qp" => read.qp = number(12, 51)? as u8,
                "--avx2" => peers::limit_to_avx2(),
                "--speed" => read.quality = false,
                "--quality" => read.speed = false,
                "--rate" => read.instead = Some(Instead::Rate),
                "--motion" => read.instead = Some(Instead::Motion),
                "--alone" => read.instead = Some(Instead::Alone),
                _ => read.files.push(argument.into()),
            }
        }
        Ok(read)
    }

    /// The clips; a sentence for each of the usual ones that is not there.
    fn clips(&self) -> Result<Vec<Clip>, String> {
        let open = |file: &Path| {
            Clip::open(file, self.frames).map_err(|error| format!("{}: {error}", file.display()))
        };
        if !self.files.is_empty() {
            let mut files = Vec::new();
            for file in &self.files {
                let Ok(folder) = file.read_dir() else {
                    files.push(file.clone());
                    continue;
                };
                let within = folder.filter_map(|entry| entry.ok().map(|entry| entry.path()));
                let first = files.len();
                files.extend(within.filter(|file| file.extension().is_some_and(|of| of == "y4m")));
                files[first..].sort();
            }
            return files.iter().map(|file| open(file)).collect();
        }
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/media");
        let mut clips = Vec::new();
        for name in CLIPS {
            let file = folder.join(name);
            match if file.is_file() { open(&file) } else { Err(format!("{name} is not there")) } {
                Ok(clip) => clips.push(clip),
                Err(sentence) => println!("skipped: {sentence}"),
            }
        }
        Ok(clips)
    }
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(sentence) => {
            eprintln!("{sentence}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), String> {
    let arguments = Arguments::read()?;
    if let Some(core) = core_affinity::get_core_ids().and_then(|cores| cores.last().copied()) {
        core_affinity::set_for_current(core);
    }
    let clips = arguments.clips()?;
    if arguments.instead == Some(Instead::Alone) {
        for clip in &clips {
            let mut coder = Coder::new(SHIM, clip, Gop::Intra, arguments.qp)?;
            let times = (0..arguments.pairs).map(|_| coder.seconds()).collect();
            println!("{} {:.1} frames a second", title(clip), clip.frames.len() as f64 / median(times));
        }
        return Ok(());
    }
    let x264 = peers::x264_is_there();
    if !x264 {
        println!("x264 is left out: it is not installed");
    }
    if arguments.instead == Some(Instead::Motion) {
        return if x264 { motion(&clips) } else { Ok(()) };
    }
    if arguments.instead == Some(Instead::Plot) {
        return if x264 { plot::write(&clips, &arguments) } else { Ok(()) };
    }
    if arguments.instead == Some(Instead::Rate) {
        return if x264 { rate::print(&clips, &arguments.plot) } else { Ok(()) };
    }
    let mut peers = PEERS.to_vec();
    peers.retain(|peer| x264 || !matches!(peer, Kind::X264 { .. }));
    for wanted in &WANTED {
        if arguments.speed {
            speeds(wanted, &clips, &peers, &arguments)?;
        }
        if arguments.quality {
            rates(wanted, &clips, &peers)?;
        }
    }
    Ok(())
}

fn title(clip: &Clip) -> String {
    format!("{} {}x{}, {} frames", clip.name, clip.width, clip.height, clip.frames.len())
}

/// The bytes of a stream, and its PSNR.
fn coded(kind: Kind, clip: &Clip, gop: Gop, qp: u8) -> Result<(usize, Psnr), String> {
    let stream = Coder::new(kind, clip, gop, qp)?.stream()?;
    let said = |error: String| format!("{} on {}, QP {qp}: {error}", kind.name(), clip.name);
    let decoded = decode::decode(&stream).map_err(|error| said(error.to_string()))?;
    Ok((stream.len(), clip.psnr(&decoded).map_err(said)?))
}

/// Bytes over the PSNR of luma, at each QP.
fn curve(kind: Kind, clip: &Clip) -> Result<Vec<Point>, String> {
    let point = |qp| {
        let (bytes, psnr) = coded(kind, clip, Gop::P, qp)?;
        Ok(Point { rate: bytes as f64, psnr: psnr.luma })
    };
    QPS.into_iter().map(point).collect()
}

/// Prints the BD-rate of luma of P streams, a row for each clip.
fn motion(clips: &[Clip]) -> Result<(), String> {
    println!("P, BD-rate of luma against {} in %", X264.name());
    println!("{:44}{}", "", MOTION.map(|kind| format!(" {:>16}", kind.name())).concat());
    let mut all = MOTION.map(|_| Vec::new());
    for clip in clips {
        let reference = curve(X264, clip)?;
        let mut row = format!("{:44}", title(clip));
        for (kind, all) in MOTION.into_iter().zip(&mut all) {
            let delta = bd_rate(&reference, &curve(kind, clip)?);
            row += &delta.map_or(format!(" {:>16}", "-"), |delta| format!(" {delta:+16.2}"));
            all.extend(delta);
        }
        println!("{row}");
    }
    let worst = |all: &Vec<f64>| all.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    println!("{:44}{}", "at worst", all.each_ref().map(|all| format!(" {:+16.2}", worst(all))).concat());
    Ok(())
}

/// Prints speeds at one QP.
fn speeds(wanted: &Wanted, clips: &[Clip], peers: &[Kind], arguments: &Arguments) -> Result<(), String> {
    let qp = arguments.qp;
    println!("\n{}, QP {qp}: frames a second, and how many times as fast shim is", wanted.name);
    let sides = [
        (SHIM, OPENH264, wanted.openh264),
        (SHIM_NEAR_OPENH264, OPENH264, wanted.openh264),
        (SHIM_FASTEST, X264_FASTEST_IN_C, wanted.x264),
    ];
    let mut ratios = sides.map(|_| Vec::new());
    for clip in clips {
        println!(
            "{:44} {:>8} {:>6} {:>6} {:>6} {:>9} {:>7} {:>7}",
            title(clip),
            "frames/s",
            "median",
            "10 %",
            "90 %",
            "bytes",
            "luma dB",
            "all dB"
        );
        let frames = clip.frames.len() as f64;
        let size = |kind| {
            let (bytes, Psnr { luma, all }) = coded(kind, clip, wanted.gop, qp)?;
            Ok::<_, String>(format!("{bytes:9} {luma:7.3} {all:7.3}"))
        };
        let mut ours = Vec::new();
        let mut rows = Vec::new();
        for &peer in peers {
            let (seconds, ratio, times) = in_turn(SHIM, peer, clip, wanted.gop, arguments)?;
            ours.push(seconds);
            for (&(ours, _, _), ratios) in sides.iter().zip(&mut ratios).filter(|((_, of, _), _)| *of == peer)
            {
                ratios.push(if ours == SHIM {
                    ratio.median
                } else {
                    in_turn(ours, peer, clip, wanted.gop, arguments)?.1.median
                });
            }
            rows.push(format!("{:44} {:8.1} {ratio} {}", peer.name(), frames / median(times), size(peer)?));
        }
        println!("{:44} {:8.1} {:20} {}", SHIM.name(), frames / median(ours), "", size(SHIM)?);
        println!("{}", rows.join("\n"));
    }
    for (ratios, (ours, peer, wanted)) in ratios.into_iter().zip(sides) {
        if !ratios.is_empty() {
            let least = ratios.iter().copied().fold(f64::INFINITY, f64::min);
            let (ours, peer, median) = (ours.name(), peer.name(), median(ratios));
            println!("{ours} against {peer}: median {median:.2}, least {least:.2} (wanted {wanted:.1})");
        }
    }
    Ok(())
}

/// How long one of ours takes for a clip, how many times as fast it is as a peer that is called in turn with it, and
/// how long that took.
fn in_turn(
    ours: Kind,
    peer: Kind,
    clip: &Clip,
    gop: Gop,
    arguments: &Arguments,
) -> Result<(f64, Ratio, Vec<f64>), String> {
    let both = (Coder::new(ours, clip, gop, arguments.qp)?, Coder::new(peer, clip, gop, arguments.qp)?);
    let mut times = Vec::new();
    let (seconds, ratio) = paired(
        arguments.pairs,
        &mut { both },
        |(ours, _)| ours.seconds(),
        |(_, peer)| {
            times.push(peer.seconds());
            times[times.len() - 1]
        },
    );
    Ok((seconds, ratio, times))
}

/// Prints BD-rates.
fn rates(wanted: &Wanted, clips: &[Clip], peers: &[Kind]) -> Result<(), String> {
    let mut kinds = vec![SHIM];
    // Without assembly x264 writes the same.
    kinds.extend(peers.iter().filter(|peer| !matches!(peer, Kind::X264 { assembly: false, .. })));
    let references = [X264, OPENH264];
    println!("\n{}, BD-rate in %", wanted.name);
    let mut worst = [f64::NEG_INFINITY; 2];
    for clip in clips {
        println!("{:44} {:^20} {:^20}", "", X264.name(), OPENH264.name());
        println!("{:44} {:>10} {:>9} {:>10} {:>9}", title(clip), "luma", "all", "luma", "all");
        let mut curves = Vec::new();
        for &kind in &kinds {
            let (mut luma, mut all) = (Vec::new(), Vec::new());
            for qp in QPS {
                let (bytes, psnr) = coded(kind, clip, wanted.gop, qp)?;
                luma.push(Point { rate: bytes as f64, psnr: psnr.luma });
                all.push(Point { rate: bytes as f64, psnr: psnr.all });
            }
            curves.push((kind, [luma, all]));
        }
        for (kind, curve) in &curves {
            let mut row = format!("{:44}", kind.name());
            for reference in references {
                for (of, width) in [(0, 10), (1, 9)] {
                    let against = curves.iter().find(|(kind, _)| *kind == reference);
                    let delta = against.and_then(|(_, against)| bd_rate(&against[of], &curve[of]));
                    row += &delta.map_or(format!(" {:>width$}", "-"), |delta| format!(" {delta:+width$.2}"));
                    let Some(delta) = delta.filter(|_| reference == X264 && of == 0) else { continue };
                    for (worst, ours) in worst.iter_mut().zip([SHIM, SHIM_SLOWEST]) {
                        *worst = if *kind == ours { worst.max(delta) } else { *worst };
                    }
                }
            }
            println!("{row}");
        }
    }
    for (worst, (ours, wanted)) in worst.into_iter().zip([SHIM, SHIM_SLOWEST].into_iter().zip(wanted.rate)) {
        if worst.is_finite() {
            let (ours, peer) = (ours.name(), X264.name());
            println!("{ours} against {peer}, luma: at worst {worst:+.2} (wanted {wanted:+.0})");
        }
    }
    Ok(())
}
