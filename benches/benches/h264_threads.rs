//! Prints how many times as fast the H.264 encoder and its deblocking filter are with two threads as with one, what the
//! slices cost that are divided among them, and how many times as fast two encoders are that share nothing, which is
//! the most that the machine gives.
//!
//! `cargo bench -p shim-benches --bench h264_threads [-- [--pairs N] [CLIP ..]]`. Clips are Y4M files, or whatever
//! ffmpeg decodes, of which the first 24 frames are taken; without any, those of 720p beside the checkout are, as far
//! as they are there. Nothing is pinned: the ratio means something on a machine that has nothing else to do, and two
//! cores at least.

#![expect(clippy::cast_precision_loss, reason = "sizes of files are far below 2^53")]

use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use shim_benches::case::Random;
use shim_benches::clip::Clip;
use shim_benches::measure::paired;
use shim_h264::kernels::deblock::SliceFilter;
use shim_h264::kernels::deblock::chroma::deblock_chroma;
use shim_h264::kernels::deblock::luma::deblock_luma;
use shim_h264::kernels::picture::Tables;
use shim_h264::{Config, Encoder, Frame, Packet};

/// Interleaved pairs, unless told.
const PAIRS: usize = 11;
/// The frames of a clip that are taken.
const FRAMES: usize = 24;
/// The clips that are taken if none are given.
const CLIPS: [&str; 2] = ["bigbuckbunny_720p.mp4", "flower_720p.264"];

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
    let mut arguments = std::env::args().skip(1).filter(|argument| argument != "--bench");
    let (mut pairs, mut files) = (PAIRS, Vec::<PathBuf>::new());
    while let Some(argument) = arguments.next() {
        if argument == "--pairs" {
            let number = arguments.next().and_then(|number| number.parse().ok());
            pairs = number.filter(|&number| number > 0).ok_or("--pairs takes a number above 0")?;
        } else {
            files.push(argument.into());
        }
    }
    if files.is_empty() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/media");
        files = CLIPS.iter().map(|name| folder.join(name)).filter(|file| file.is_file()).collect();
    }
    println!(
        "how many times as fast two threads are as one: the median, and one in ten on either side; and of the fastest runs"
    );
    deblocking(pairs)?;
    for file in files {
        let clip = Clip::open(&file, FRAMES).map_err(|error| format!("{}: {error}", file.display()))?;
        for (kind, keyint) in [("Intra only", 1), ("P", u32::MAX)] {
            gains(&clip, kind, keyint, pairs)?;
        }
    }
    Ok(())
}

/// Measures the deblocking filter, a wavefront of macroblocks, with a picture of 720p.
fn deblocking(pairs: usize) -> Result<(), String> {
    const MBS: [usize; 2] = [45, 80];
    let count = MBS[0] * MBS[1];
    let mut random = Random::new(1);
    let mut samples = |count: usize| (0..count).map(|_| random.within(120, 135) as u8).collect::<Vec<u8>>();
    let mut planes = [samples(256 * count), samples(64 * count), samples(64 * count)];
    let strengths = [vec![2; 16 * count], vec![2; 16 * count]];
    let tables = &Tables { qp: vec![30; count], strengths, ..Tables::new(MBS) };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().map_err(|error| error.to_string())?;
    let seconds = |[luma, cb, cr]: &mut [Vec<u8>; 3], threads: bool| {
        let filters = &[SliceFilter::default()];
        let start = Instant::now();
        for _ in 0..20 {
            let mut luma = || deblock_luma(luma, tables, filters, 0..MBS[0], threads);
            let mut chroma = || deblock_chroma(cb, cr, tables, filters, 0, 0..MBS[0], threads);
            if threads {
                pool.join(luma, chroma);
            } else {
                luma();
                chroma();
            }
        }
        start.elapsed().as_secs_f64()
    };
    let (_, ratio) =
        gain(pairs, &mut planes, |planes| seconds(planes, true), |planes| seconds(planes, false));
    println!("deblocking {:31} {ratio}", "");
    Ok(())
}

/// What a stream of a kind gains.
fn gains(clip: &Clip, kind: &str, keyint: u32, pairs: usize) -> Result<(), String> {
    let config = |slices: usize, threads: usize| {
        let mut config = Config::new(clip.width, clip.height);
        (config.keyint, config.slices, config.threads) = (keyint, slices, threads);
        config
    };
    let coder = |config| Coder::new(clip, config);
    println!("{} {}x{}, {} frames, {kind}", clip.name, clip.width, clip.height, clip.frames.len());
    let whole = coder(config(1, 1))?.encode() as f64;
    for slices in [1, 2, 4, 8] {
        let mut both = [coder(config(slices, 2))?, coder(config(slices, 1))?];
        let bytes = both[1].encode() as f64;
        let (seconds, ratio) = gain(pairs, &mut both, |[two, _]| two.seconds(), |[_, one]| one.seconds());
        println!(
            "  {slices} slices, {:+5.2} % bytes {:7.1} frames/s {ratio}",
            100.0 * (bytes / whole - 1.0),
            clip.frames.len() as f64 / seconds
        );
    }
    let mut both = [coder(config(1, 1))?, coder(config(1, 1))?];
    // What two threads gain that have nothing to do with one another: the most that this machine gives.
    let (_, most) = gain(
        pairs,
        &mut both,
        |[alone, beside]| {
            let start = Instant::now();
            std::thread::scope(|scope| {
                scope.spawn(|| alone.encode());
                beside.encode();
            });
            start.elapsed().as_secs_f64()
        },
        |[alone, beside]| alone.seconds() + beside.seconds(),
    );
    println!("  the most {:33} {most}", "");
    Ok(())
}

/// Seconds that `one` takes, and how many times as long `other` does: in pairs, and in the fastest run of each, which
/// others on the machine have disturbed least.
fn gain<T>(
    pairs: usize,
    data: &mut T,
    mut one: impl FnMut(&mut T) -> f64,
    mut other: impl FnMut(&mut T) -> f64,
) -> (f64, String) {
    let mut least = [f64::MAX; 2];
    let [of_one, of_other] = &mut least;
    let keep = |least: &mut f64, seconds: f64| {
        *least = seconds.min(*least);
        seconds
    };
    let (seconds, ratio) =
        paired(pairs, data, |data| keep(of_one, one(data)), |data| keep(of_other, other(data)));
    (seconds, format!("{ratio} {:6.3}", least[1] / least[0]))
}

/// An encoder and its clip.
struct Coder<'c> {
    clip: &'c Clip,
    encoder: Encoder,
}

impl<'c> Coder<'c> {
    fn new(clip: &'c Clip, config: Config) -> Result<Self, String> {
        Ok(Self { clip, encoder: Encoder::new(config).map_err(|error| error.to_string())? })
    }

    /// Encodes the clip; says how many bytes it is.
    fn encode(&mut self) -> usize {
        // A stream of its own each time: a copy has memory of its own, and the same threads.
        let mut encoder = self.encoder.clone();
        let mut bytes = 0;
        let mut count = |packet: Option<Packet>| {
            let packet = black_box(packet);
            bytes += packet.as_ref().map_or(0, |packet| packet.bytes.len());
            packet.is_some()
        };
        for samples in &self.clip.frames {
            let frame = Frame::i420(self.clip.width, self.clip.height, samples).expect("a frame of the clip");
            count(encoder.encode(&frame).expect("a frame of its size"));
        }
        while count(encoder.flush().expect("frames that were taken")) {}
        bytes
    }

    fn seconds(&mut self) -> f64 {
        let start = Instant::now();
        self.encode();
        start.elapsed().as_secs_f64()
    }
}
