//! The final report.

use std::collections::VecDeque;
use std::fmt;
use std::time::Duration;

use serde::Serialize;
use shim_h264::{Config, Frame, PictureKind, RateControl, Statistics};
use shim_picture::metrics::{psnr, ssim_of_planes, sum_of_squares};

use crate::args::H264;
use crate::standard::{input_name, output_name};

/// One video.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Report {
    input: String,
    output: String,
    width: usize,
    height: usize,
    frames_per_second: f64,
    frames: u64,
    bytes: u64,
    kilobits_per_second: f64,
    /// The rate control option that was given.
    #[serde(flatten)]
    asked: Asked,
    /// QP in the mean over the frames, the least and the greatest.
    mean_qp: f64,
    least_qp: u8,
    greatest_qp: u8,
    /// Frames at which decoding can begin, and those of them where a scene does.
    idr_pictures: u64,
    scene_cuts: u64,
    /// Frames that were too large for the buffer or the level at first.
    coded_again: u64,
    /// Frames that were encoded in a second.
    encoded_per_second: f64,
    encode_ms: f64,
    /// Whether the input ended within a frame.
    truncated: bool,
    /// The signal that ended the encoding.
    #[serde(skip_serializing_if = "Option::is_none")]
    interrupted: Option<&'static str>,
    /// Warnings, as printed.
    warnings: Vec<String>,
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    fidelity: Option<Measured>,
}

/// The quantity that rate control keeps.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
enum Asked {
    Qp(u8),
    Crf(f32),
    /// Bits a second.
    Bitrate(u64),
}

/// Totals of the coded frames.
#[derive(Clone, Debug)]
pub(super) struct Coded {
    frames_per_second: f64,
    pub(super) frames: u64,
    bits: u64,
    qps: u64,
    least_qp: u8,
    greatest_qp: u8,
    idr_pictures: u64,
    scene_cuts: u64,
    again: u64,
    dropped: u64,
    beyond_level: u64,
    /// The bit rate asked for, if the video misses it by far.
    pub(super) missed: Option<String>,
}

impl Coded {
    /// No frames yet, of so many a second.
    pub(super) fn new((frames, seconds): (u32, u32)) -> Self {
        Self {
            frames_per_second: f64::from(frames) / f64::from(seconds),
            frames: 0,
            bits: 0,
            qps: 0,
            least_qp: u8::MAX,
            greatest_qp: 0,
            idr_pictures: 0,
            scene_cuts: 0,
            again: 0,
            dropped: 0,
            beyond_level: 0,
            missed: None,
        }
    }

    /// Adds a frame.
    pub(super) fn add(&mut self, frame: &Statistics) {
        self.frames += 1;
        self.bits += frame.bits;
        self.qps += u64::from(frame.qp);
        self.least_qp = self.least_qp.min(frame.qp);
        self.greatest_qp = self.greatest_qp.max(frame.qp);
        self.idr_pictures += u64::from(frame.kind != PictureKind::P);
        self.scene_cuts += u64::from(frame.kind == PictureKind::SceneCut);
        self.again += u64::from(frame.attempts > 1);
        self.dropped += u64::from(frame.dropped);
        self.beyond_level += u64::from(frame.beyond_level);
    }

    #[expect(clippy::cast_precision_loss, reason = "numbers of frames and bits are far below 2^52")]
    pub(super) fn kilobits_per_second(&self) -> f64 {
        1e-3 * self.bits as f64 * self.frames_per_second / self.frames as f64
    }

    /// Warnings.
    pub(super) fn warnings(&self) -> Vec<String> {
        let dropped = "dropped: the VBV would underflow at any QP";
        let beyond = "beyond the limits of the level (MinCR, SliceRate)";
        [(self.dropped, dropped), (self.beyond_level, beyond)]
            .into_iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, what)| format!("{} {what}", counted(count, "frame")))
            .chain(self.missed.clone())
            .collect()
    }

    /// How far a stream that is too short for the encoder's rate control to converge misses its bit rate, if by a tenth
    /// or more.
    #[expect(clippy::cast_precision_loss, reason = "bit rates are far below 2^52")]
    pub(super) fn missed_by_a_short_stream(&self, target: u64) -> Option<String> {
        let kilobits = self.kilobits_per_second();
        let percent = 1e5 * kilobits / target as f64 - 100.0;
        let side = if percent > 0.0 { "above" } else { "below" };
        (percent.abs() >= 10.0).then(|| {
            let frames = counted(self.frames, "frame");
            let percent = percent.abs();
            format!("{kilobits:.1} kbit/s is {percent:.0} % {side} the bit rate asked for; {frames} are few to meet it with")
        })
    }
}

/// A number of things.
pub(super) fn counted(count: u64, thing: &str) -> String {
    format!("{count} {thing}{}", if count == 1 { "" } else { "s" })
}

/// PSNR and SSIM of all frames. What cannot differ has a PSNR of infinity, which is `null` in JSON.
#[derive(Clone, Debug, Serialize)]
struct Measured {
    /// Of the samples of Y, Cb and Cr together, and of each, in decibels.
    psnr: f64,
    component_psnr: [f64; 3],
    /// The mean SSIM of Y, of frames of at least 11x11 samples.
    ssim: Option<f64>,
}

/// Distortion of the decoded frames.
#[derive(Clone, Debug, Default)]
pub(super) struct Fidelity {
    squares: [u64; 3],
    samples: [u64; 3],
    ssim: f64,
    frames: u64,
    /// The sizes and planes of frames that were taken, without gaps between rows.
    sources: VecDeque<([usize; 2], [Vec<u8>; 3])>,
    /// Memory for more of them.
    spare: Vec<[Vec<u8>; 3]>,
    /// A plane of the reconstruction.
    recon: Vec<u8>,
}

impl Fidelity {
    /// Takes a frame that is encoded, of which [`compare`](Self::compare) gets the reconstruction.
    pub(super) fn take(&mut self, source: &Frame<'_>) {
        let mut planes = self.spare.pop().unwrap_or_default();
        for (samples, plane) in planes.iter_mut().zip(source.planes()) {
            samples.clear();
            // Samples of a plane may be a step apart.
            plane.rows().for_each(|row| samples.extend(row.iter().step_by(plane.step())));
        }
        self.sources.push_back(([source.width(), source.height()], planes));
    }

    /// Compares the first of the frames that were taken.
    pub(super) fn compare(&mut self, recon: &Frame<'_>) {
        let Some(([width, height], source)) = self.sources.pop_front() else { return };
        let chroma = width.div_ceil(2);
        for (c, (given, (plane, width))) in
            source.iter().zip(recon.planes().iter().zip([width, chroma, chroma])).enumerate()
        {
            // A decoder shows more of an odd size.
            self.recon.clear();
            let rows = if c == 0 { height } else { height.div_ceil(2) };
            plane.rows().take(rows).for_each(|row| self.recon.extend_from_slice(&row[..width]));
            self.squares[c] += sum_of_squares(given, &self.recon);
            self.samples[c] += given.len() as u64;
            if c == 0 {
                self.ssim += ssim_of_planes(given, &self.recon, width).unwrap_or(f64::NAN);
            }
        }
        self.frames += 1;
        self.spare.push(source);
    }

    #[expect(clippy::cast_precision_loss, reason = "sums are far below 2^52")]
    fn measured(&self) -> Measured {
        let of = |squares: u64, samples: u64| psnr(squares as f64 / samples as f64);
        let ssim = self.ssim / self.frames as f64;
        Measured {
            psnr: of(self.squares.iter().sum(), self.samples.iter().sum()),
            component_psnr: std::array::from_fn(|c| of(self.squares[c], self.samples[c])),
            ssim: ssim.is_finite().then_some(ssim),
        }
    }
}

impl Report {
    #[expect(clippy::cast_precision_loss, reason = "numbers of frames and bytes are far below 2^52")]
    pub(super) fn new(
        arguments: &H264,
        config: &Config,
        coded: Coded,
        time: Duration,
        truncated: bool,
        interrupted: Option<&'static str>,
        fidelity: Option<Fidelity>,
    ) -> Self {
        let Coded {
            frames_per_second,
            frames,
            bits,
            qps,
            least_qp,
            greatest_qp,
            idr_pictures,
            scene_cuts,
            again,
            ..
        } = coded;
        Self {
            input: input_name(&arguments.input),
            output: output_name(arguments.output()),
            width: config.width,
            height: config.height,
            frames_per_second,
            frames,
            bytes: bits / 8,
            kilobits_per_second: coded.kilobits_per_second(),
            asked: match config.rate {
                RateControl::ConstantQp(qp) => Asked::Qp(qp),
                RateControl::AverageBitRate(bits) => Asked::Bitrate(bits),
                RateControl::ConstantQuality(quality) => Asked::Crf(quality),
            },
            mean_qp: qps as f64 / frames as f64,
            least_qp,
            greatest_qp,
            idr_pictures,
            scene_cuts,
            coded_again: again,
            encoded_per_second: frames as f64 / time.as_secs_f64(),
            encode_ms: 1e3 * time.as_secs_f64(),
            truncated,
            interrupted,
            warnings: coded.warnings(),
            fidelity: fidelity.map(|fidelity| fidelity.measured()),
        }
    }

    pub(super) fn json(&self) -> String {
        let mut text = serde_json::to_string_pretty(self).expect("it has only texts and numbers");
        text.push('\n');
        text
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { input, output, width, height, frames_per_second, frames, bytes, .. } = self;
        let rate = (1e3 * frames_per_second).round() / 1e3;
        writeln!(f, "{input}: {width}x{height}, {rate} frames/s, {frames} frames")?;
        write!(f, "{output}: ")?;
        match self.asked {
            Asked::Qp(_) => {}
            Asked::Crf(quality) => write!(f, "CRF {quality}, ")?,
            Asked::Bitrate(bits) => write!(f, "ABR {bits} bit/s, ")?,
        }
        if self.least_qp == self.greatest_qp {
            write!(f, "QP {}", self.least_qp)?;
        } else {
            write!(f, "QP {:.1} ({} to {})", self.mean_qp, self.least_qp, self.greatest_qp)?;
        }
        writeln!(f, ", {bytes} bytes, {:.1} kbit/s", self.kilobits_per_second)?;
        if let Some(Measured { psnr, component_psnr: [y, cb, cr], ssim }) = &self.fidelity {
            write!(f, "PSNR {psnr:.2} dB (Y {y:.2}, Cb {cb:.2}, Cr {cr:.2})")?;
            ssim.map_or(Ok(()), |ssim| write!(f, ", SSIM {ssim:.4}"))?;
            writeln!(f)?;
        }
        writeln!(f, "encoded in {:.1} ms, {:.1} frames/s", self.encode_ms, self.encoded_per_second)
    }
}
