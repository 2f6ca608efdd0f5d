//! Prints how long each kernel of the encoders takes at each instruction-set level.
//!
//! `cargo bench -p shim-benches --bench levels [-- [--seconds N] [jpeg | h264]]`, on Linux with perf. A level that does
//! not make a kernel faster costs the build time of a version and its bytes in each program, so that kernels have the
//! versions whose time is at most 0.97 of that of the next lower one.
//!
//! The program runs itself under `perf record` and counts the samples in the functions that are compiled for a level.
//! Levels take turns, so that a change of the clock's speed meets all of them. Encoders have one thread.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};

use shim_benches::clip::Clip;
use shim_benches::picture::Picture;
use shim_h264::{Config, Frame, Preset, RateControl};
use shim_jpeg::{Encoder, Image, Pixels, Predictor, Process, SimdLevel, Subsampling, limit_simd};

/// Seconds of a turn, unless told.
const SECONDS: u64 = 5;
/// How often each level has its turn.
const TURNS: usize = 4;
/// Samples a second.
const FREQUENCY: &str = "1999";
/// The share of an encoder's time below which a kernel has no row.
const LEAST_SHARE: f64 = 0.0005;

/// The photograph, in each process and with each transform.
struct Jpeg {
    picture: Picture,
    /// Its samples in 12 bits.
    deep: Vec<u16>,
}

impl Jpeg {
    fn open(root: &Path) -> Result<Self, String> {
        let file = root.join("media/coffee.png");
        let picture = Picture::open(&file).map_err(|error| format!("{}: {error}", file.display()))?;
        let deep = picture.pixels.iter().map(|sample| u16::from(*sample) * 16).collect();
        Ok(Self { picture, deep })
    }

    fn encode(&self) {
        let Picture { pixels, width, height } = &self.picture;
        let image = Image::rgb(pixels, *width, *height).expect("a valid image");
        let deep = Image::interleaved16(&self.deep, 12, Pixels::Rgb, *width, *height, 3 * width)
            .expect("a valid image");
        let planes: Vec<Vec<u8>> =
            (0..3).map(|i| pixels.iter().skip(i).step_by(3).copied().collect()).collect();
        let planes = [&planes[0][..], &planes[1], &planes[2]];
        let planes = Image::rgb_planes(planes, *width, *height).expect("a valid image");
        let usual = Encoder::new().quality(75).subsampling(Subsampling::S420);
        let lossless = Process::Lossless { predictor: Predictor::default(), point_transform: 0 };
        let progressive = usual.clone().process(Process::Progressive);
        for (encoder, image) in [
            (usual.clone(), &image),
            (usual.clone().subsampling(Subsampling::S444).quality(90), &image),
            (usual.clone().subsampling(Subsampling::S422).libjpeg_compatible(true), &image),
            (usual.clone().subsampling(Subsampling::S420), &deep),
            (usual.clone(), &planes),
            (usual.clone().optimized(true), &image),
            (progressive.clone(), &image),
            (progressive.trellis(true), &image),
            (usual.clone().process(lossless.clone()), &image),
            (usual.process(lossless), &deep),
        ] {
            std::hint::black_box(encoder.encode(image).expect("memory does not fail"));
        }
    }
}

/// A clip, at a fast, the usual and a slow preset.
struct H264(Clip);

impl H264 {
    fn open(root: &Path) -> Result<Self, String> {
        Ok(Self(Clip::open(&root.join("../shared/media/bunny_320x176_30.y4m"), 8)?))
    }

    fn encode(&self) {
        let Clip { width, height, frames, .. } = &self.0;
        for preset in [Preset::Superfast, Preset::Medium, Preset::Slower] {
            let mut config = Config::new(*width, *height);
            config.rate = RateControl::ConstantQp(27);
            config.preset = preset;
            let mut encoder = shim_h264::Encoder::new(config).expect("a legal configuration");
            for frame in frames {
                let frame = Frame::i420(*width, *height, frame).expect("a legal frame");
                std::hint::black_box(encoder.encode(&frame).expect("a frame of the configured size"));
            }
        }
    }
}

/// Encodes for a while, and prints how often.
fn work(what: &str, level: SimdLevel, seconds: u64) -> Result<(), String> {
    if let Some(core) = core_affinity::get_core_ids().and_then(|cores| cores.last().copied()) {
        core_affinity::set_for_current(core);
    }
    limit_simd(level);
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let encode: Box<dyn Fn()> = match what {
        "jpeg" => Jpeg::open(&root).map(|jpeg| Box::new(move || jpeg.encode()) as _)?,
        _ => H264::open(&root).map(|h264| Box::new(move || h264.encode()) as _)?,
    };
    let start = Instant::now();
    let mut count = 0;
    while start.elapsed() < Duration::from_secs(seconds) {
        encode();
        count += 1;
    }
    println!("{count}");
    Ok(())
}

/// The kernel that a function was compiled for, from the name of the function: `path::kernel::__shim_version::v3`.
fn kernel(symbol: &str) -> Option<String> {
    let (path, _) = symbol.split_once("::__shim_version::")?;
    let mut names: Vec<&str> = path.rsplit("::").take(2).collect();
    names.reverse();
    Some(names.join("::"))
}

/// Samples in each kernel and in all, and how often the work was done.
#[derive(Default)]
struct Samples {
    kernels: BTreeMap<String, f64>,
    all: f64,
    count: f64,
}

impl Samples {
    /// Those of one turn.
    fn add(&mut self, what: &str, level: usize, seconds: u64) -> Result<(), String> {
        let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
        let data = folder.path().join("perf.data");
        let program = std::env::current_exe().map_err(|error| error.to_string())?;
        let recorded = Command::new("perf")
            .args(["record", "--quiet", "-e", "cpu-clock", "-F", FREQUENCY, "-o"])
            .arg(&data)
            .arg(program)
            .args(["--work", what, &level.to_string(), &seconds.to_string()])
            .output();
        let recorded = recorded.map_err(|error| format!("perf cannot be run: {error}"))?;
        let count: f64 = String::from_utf8_lossy(&recorded.stdout)
            .trim()
            .parse()
            .map_err(|_| String::from_utf8_lossy(&recorded.stderr).into_owned())?;
        let listed = Command::new("perf").args(["script", "-F", "ip,sym", "-i"]).arg(&data).output();
        let listed = listed.map_err(|error| format!("perf cannot be run: {error}"))?;
        for line in String::from_utf8_lossy(&listed.stdout).lines() {
            self.all += 1.0;
            let symbol = line.trim().split_once(' ').map_or("", |(_, symbol)| symbol);
            if let Some(kernel) = kernel(symbol) {
                *self.kernels.entry(kernel).or_default() += 1.0;
            }
        }
        self.count += count;
        Ok(())
    }

    /// Samples of a kernel each time that the work is done.
    fn of(&self, kernel: &str) -> f64 {
        self.kernels.get(kernel).copied().unwrap_or(0.0) / self.count
    }
}

/// Prints the table of an encoder.
fn table(what: &str, seconds: u64) -> Result<(), String> {
    let levels: Vec<usize> = (0..SimdLevel::ALL.len())
        .filter(|level| limit_simd(SimdLevel::ALL[*level]) == SimdLevel::ALL[*level])
        .collect();
    let mut samples: Vec<Samples> = levels.iter().map(|_| Samples::default()).collect();
    for _ in 0..TURNS {
        for (level, samples) in levels.iter().zip(&mut samples) {
            samples.add(what, *level, seconds)?;
        }
    }
    let names: Vec<String> = levels.iter().map(|level| SimdLevel::ALL[*level].to_string()).collect();
    print!("{what:44} {:>7}", "share %");
    for name in &names[1..] {
        print!("{name:>9}");
    }
    println!(" / the level before");
    let baseline = &samples[0];
    let mut kernels: Vec<&String> = baseline.kernels.keys().collect();
    kernels.sort_by(|a, b| baseline.kernels[*b].total_cmp(&baseline.kernels[*a]));
    for kernel in kernels {
        let share = baseline.kernels[kernel] / baseline.all;
        if share < LEAST_SHARE {
            continue;
        }
        let ratios =
            samples.windows(2).map(|pair| format!("{:9.2}", pair[1].of(kernel) / pair[0].of(kernel)));
        println!("{kernel:44} {:7.1} {}", 100.0 * share, ratios.collect::<String>());
    }
    Ok(())
}

/// Does what the arguments ask for.
fn run(arguments: &[&str]) -> Result<(), String> {
    let seconds = |text: &str| text.parse().map_err(|_| format!("`{text}` is not a number of seconds"));
    match arguments {
        ["--work", what, level, time] => {
            let level = level.parse().ok().and_then(|level: usize| SimdLevel::ALL.get(level));
            work(
                what,
                *level.ok_or("--work takes an encoder, the number of a level, and seconds")?,
                seconds(time)?,
            )
        }
        [] => ["jpeg", "h264"].iter().try_for_each(|what| table(what, SECONDS)),
        [what @ ("jpeg" | "h264")] => table(what, SECONDS),
        ["--seconds", time] => ["jpeg", "h264"].iter().try_for_each(|what| table(what, seconds(time)?)),
        ["--seconds", time, what @ ("jpeg" | "h264")] => table(what, seconds(time)?),
        _ => Err("the arguments are [--seconds N] [jpeg | h264]".to_owned()),
    }
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    match run(&arguments.iter().map(String::as_str).collect::<Vec<_>>()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(sentence) => {
            eprintln!("{sentence}");
            ExitCode::FAILURE
        }
    }
}
