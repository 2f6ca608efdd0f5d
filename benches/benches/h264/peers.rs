//! The encoders that are measured, each behind the same two questions: what it writes, and how long it takes.

use std::path::PathBuf;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use openh264::OpenH264API;
use openh264::encoder::{
    Complexity, EncoderConfig, FrameRate, IntraFramePeriod, QpRange, RateControlMode, UsageType,
};
use openh264::formats::YUVSlices;
use shim::{SimdLevel, limit_simd};
use shim_benches::clip::Clip;
use shim_h264::{Config, Encoder, Frame, Preset, RateControl};
use tempfile::TempDir;

/// Which pictures are Intra.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Gop {
    /// All of them, each IDR.
    Intra,
    /// The first; P pictures follow.
    P,
}

/// Whether encoders use no AVX-512.
static ONLY_AVX2: AtomicBool = AtomicBool::new(false);

/// Lets encoders use AVX2 at most, as far as they can be told.
pub(crate) fn limit_to_avx2() {
    limit_simd(SimdLevel::V3);
    ONLY_AVX2.store(true, Ordering::Relaxed);
}

/// An encoder with settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Shim(Preset),
    OpenH264(Effort),
    X264 { preset: &'static str, assembly: bool },
}

/// Complexity of `OpenH264`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Effort {
    Low,
    Medium,
    High,
}

impl Effort {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
        }
    }
}

impl From<Effort> for Complexity {
    fn from(effort: Effort) -> Self {
        match effort {
            Effort::Low => Self::Low,
            Effort::Medium => Self::Medium,
            Effort::High => Self::High,
        }
    }
}

impl Kind {
    pub(crate) fn name(self) -> String {
        match self {
            Self::Shim(preset) => format!("shim {preset}"),
            Self::OpenH264(effort) => format!("OpenH264 {}", effort.name()),
            Self::X264 { preset, assembly } => {
                format!("x264 {preset}{}", if assembly { "" } else { " --no-asm" })
            }
        }
    }
}

/// An encoder at work on a clip.
pub(crate) enum Coder<'c> {
    Shim(&'c Clip, Box<Encoder>),
    OpenH264(&'c Clip, Box<openh264::encoder::Encoder>),
    X264 { x264: X264, arguments: String, frames: usize },
}

/// A clip in a folder of its own, which x264 reads.
pub(crate) struct X264 {
    folder: TempDir,
}

impl<'c> Coder<'c> {
    /// Each begins anew with an IDR picture after the frames of the clip, so that it can be run again and again.
    pub(crate) fn new(kind: Kind, clip: &'c Clip, gop: Gop, qp: u8) -> Result<Self, String> {
        let frames = clip.frames.len();
        let keyint = if gop == Gop::Intra { 1 } else { frames as u32 };
        let said = |error: &dyn std::fmt::Display| format!("{}: {error}", kind.name());
        match kind {
            Kind::Shim(preset) => {
                let mut config = Config::new(clip.width, clip.height);
                config.frame_rate = clip.frame_rate;
                config.rate = RateControl::ConstantQp(qp);
                config.preset = preset;
                (config.keyint, config.scene_cut) = (keyint, Some(false));
                Self::shim(clip, config).map_err(|error| said(&error))
            }
            Kind::OpenH264(effort) => {
                assembly();
                let config = EncoderConfig::new()
                    .complexity(effort.into())
                    .usage_type(UsageType::CameraVideoRealTime)
                    // Without rate control a QP cannot be given; in this mode it is kept within its range.
                    .rate_control_mode(RateControlMode::Quality)
                    .qp(QpRange::new(qp, qp))
                    .max_frame_rate(FrameRate::from_hz(clip.frame_rate.0 as f32 / clip.frame_rate.1 as f32))
                    .intra_frame_period(IntraFramePeriod::from_num_frames(keyint))
                    .num_threads(1)
                    // The same pictures at the same QP as the others.
                    .skip_frames(false)
                    .scene_change_detect(false)
                    .adaptive_quantization(false)
                    .background_detection(false);
                let encoder = openh264::encoder::Encoder::with_api_config(OpenH264API::from_source(), config);
                Ok(Self::OpenH264(clip, Box::new(encoder.map_err(|error| said(&error))?)))
            }
            Kind::X264 { preset, assembly } => {
                let x264 = X264::new(clip)?;
                // Without `--ipratio 1.0` it codes I pictures at a QP that is lower by 3.
                let mut arguments = format!(
                    "--preset {preset} --profile baseline --tune psnr --ipratio 1.0 --qp {qp} --threads 1 --bframes 0 \
                     --scenecut 0"
                );
                arguments += if gop == Gop::Intra { " --keyint 1" } else { " --keyint infinite" };
                arguments += match assembly {
                    false => " --no-asm",
                    true if ONLY_AVX2.load(Ordering::Relaxed) => " --asm AVX2",
                    true => "",
                };
                Ok(Self::X264 { x264, arguments, frames })
            }
        }
    }

    /// Ours, with settings of its own.
    pub(crate) fn shim(clip: &'c Clip, config: Config) -> Result<Self, String> {
        Ok(Self::Shim(clip, Box::new(Encoder::new(config).map_err(|error| error.to_string())?)))
    }

    /// What it writes.
    pub(crate) fn stream(&mut self) -> Result<Vec<u8>, String> {
        let mut stream = Vec::new();
        match self {
            Self::Shim(clip, encoder) => each(clip, encoder, |bytes| stream.extend(bytes)),
            Self::OpenH264(clip, encoder) => {
                each_openh264(clip, encoder, |coded| coded.write_vec(&mut stream));
            }
            Self::X264 { x264, arguments, .. } => stream = x264.stream(arguments)?,
        }
        Ok(stream)
    }

    /// How long it takes for all frames.
    pub(crate) fn seconds(&mut self) -> f64 {
        let start = Instant::now();
        match self {
            Self::Shim(clip, encoder) => each(clip, encoder, |bytes| drop(std::hint::black_box(bytes))),
            Self::OpenH264(clip, encoder) => {
                each_openh264(clip, encoder, |coded| _ = std::hint::black_box(coded));
            }
            // As it says itself: without the start of the process, with the reading of the file from memory.
            Self::X264 { x264, arguments, frames } => {
                let speed = x264.run(arguments).expect("it worked before");
                return *frames as f64 / speed;
            }
        }
        start.elapsed().as_secs_f64()
    }
}

fn each(clip: &Clip, encoder: &mut Encoder, mut take: impl FnMut(Vec<u8>)) {
    for frame in &clip.frames {
        let frame = Frame::i420(clip.width, clip.height, frame).expect("a legal frame");
        let packet = encoder.encode(&frame).expect("a frame of the configured size");
        if let Some(packet) = packet {
            take(packet.bytes);
        }
    }
    while let Some(packet) = encoder.flush().expect("frames that were taken") {
        take(packet.bytes);
    }
}

fn each_openh264(
    clip: &Clip,
    encoder: &mut openh264::encoder::Encoder,
    mut take: impl FnMut(&openh264::encoder::EncodedBitStream<'_>),
) {
    let (width, height) = (clip.width, clip.height);
    for frame in 0..clip.frames.len() {
        let [luma, cb, cr] = clip.planes(frame);
        let source = YUVSlices::new((luma, cb, cr), (width, height), (width, width / 2, width / 2));
        take(&encoder.encode(&source).expect("a frame that OpenH264 takes"));
    }
}

/// Whether x264 can be run.
pub(crate) fn x264_is_there() -> bool {
    Command::new("x264").arg("--version").output().is_ok_and(|output| output.status.success())
}

/// A folder with the clip in `in.y4m`.
pub(crate) fn written(clip: &Clip) -> Result<TempDir, String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let file = std::fs::File::create(folder.path().join("in.y4m")).map_err(|error| error.to_string())?;
    clip.write(std::io::BufWriter::new(file)).map_err(|error| error.to_string())?;
    Ok(folder)
}

impl X264 {
    /// Writes the clip.
    pub(crate) fn new(clip: &Clip) -> Result<Self, String> {
        Ok(Self { folder: written(clip)? })
    }

    fn output(&self) -> PathBuf {
        self.folder.path().join("out.264")
    }

    /// Runs it, on the core of this thread, which a process inherits: the frames a second that it prints.
    fn run(&self, arguments: &str) -> Result<f64, String> {
        let mut command = Command::new("x264");
        command.args(arguments.split_whitespace());
        command.args(["--demuxer", "y4m", "--muxer", "raw", "--no-progress", "-o"]).arg(self.output());
        let run = command.arg(self.folder.path().join("in.y4m")).output();
        let run = run.map_err(|error| format!("x264: {error}"))?;
        let said = String::from_utf8_lossy(&run.stderr);
        // `encoded 30 frames, 118.20 fps, 5123.40 kb/s`.
        let speed = said.rsplit_once(" fps").and_then(|(before, _)| before.rsplit_once(' ')?.1.parse().ok());
        match speed {
            Some(speed) if run.status.success() => Ok(speed),
            _ => Err(format!("x264: {said}")),
        }
    }

    /// What it writes.
    pub(crate) fn stream(&self, arguments: &str) -> Result<Vec<u8>, String> {
        self.run(arguments)?;
        std::fs::read(self.output()).map_err(|error| error.to_string())
    }
}

/// Fails to link where `OpenH264` was built without its assembly, which is dropped without a word when nasm is missing.
#[cfg(target_arch = "x86_64")]
fn assembly() {
    #[expect(unsafe_code, reason = "the names are linked, nothing is called")]
    unsafe extern "C" {
        fn WelsSampleSatd16x16_sse41();
        fn WelsQuantFour4x4_sse2();
    }
    std::hint::black_box([WelsSampleSatd16x16_sse41 as *const (), WelsQuantFour4x4_sse2 as *const ()]);
}

#[cfg(not(target_arch = "x86_64"))]
fn assembly() {}
