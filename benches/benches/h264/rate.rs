//! Average bit rates: how far a stream is from what was asked for, and its quality beside x264's at the same rate.

use std::path::Path;
use std::process::Command;

use plotters::chart::SeriesLabelPosition;
use plotters::coord::combinators::IntoLogRange;
use plotters::element::{Circle, PathElement};
use plotters::prelude::{
    BLACK, BindKeyPoints, ChartBuilder, Color, IntoDrawingArea, LineSeries, RGBColor, SVGBackend, WHITE,
};
use shim_benches::bd_rate::{Point, bd_rate};
use shim_benches::clip::Clip;
use shim_h264::{Config, Preset, RateControl};
use shim_picture::metrics::ssim_of_planes;
use tempfile::TempDir;

use super::peers::{Coder, X264, written};
use super::{decode, plot};

/// Bit rates that are asked for, in kbit/s.
const RATES: [u64; 6] = [100, 200, 350, 600, 1000, 2000];
/// Deviation from the rate above which it is out of reach, in %: the greatest QP takes more, or the least one less.
const OUT_OF_REACH: f64 = 10.0;
/// Frames from one IDR picture to the next, at most.
const KEYINT: u32 = 250;

/// The tools of an encoder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Tools {
    /// No look-ahead.
    None,
    /// A look-ahead, with QP by what depends on a macroblock (mb-tree).
    Tree,
    /// Adaptive quantization as well.
    Adaptive,
}

impl Tools {
    /// How they are called in a table.
    const fn name(self) -> &'static str {
        match self {
            Self::None => "no look-ahead",
            Self::Tree => "mb-tree",
            Self::Adaptive => "mb-tree, AQ",
        }
    }

    /// The options of x264. All have one reference, and no psychovisual decisions.
    const fn x264(self) -> &'static str {
        match self {
            Self::None => "--tune psnr --rc-lookahead 0 --sync-lookahead 0 --no-mbtree",
            Self::Tree => "--tune psnr",
            Self::Adaptive => "--tune ssim",
        }
    }

    /// A stream of x264.
    fn by_x264(self, x264: &X264, rate: u64) -> Result<Vec<u8>, String> {
        let tools = self.x264();
        x264.stream(&format!(
            "--preset medium --profile baseline --ref 1 --bframes 0 --threads 1 --keyint {KEYINT} {tools} \
             --bitrate {rate}"
        ))
    }

    /// One of the default preset.
    fn by_shim(self, clip: &Clip, rate: u64) -> Result<Vec<u8>, String> {
        let mut config = Config::new(clip.width, clip.height);
        config.frame_rate = clip.frame_rate;
        config.rate = RateControl::AverageBitRate(1000 * rate);
        (config.preset, config.references, config.keyint) = (Preset::Medium, Some(1), KEYINT);
        config.expected_frames = Some(clip.frames.len() as u64);
        if self == Self::None {
            config.lookahead = Some(0);
        }
        if self != Self::Adaptive {
            config.aq_strength = Some(0.0);
        }
        Coder::shim(clip, config)?.stream()
    }
}

/// The curves: whether shim's, the tools, and the color (Okabe and Ito, 2008).
const SERIES: [(bool, Tools, RGBColor); 6] = [
    (true, Tools::None, RGBColor(86, 180, 233)),
    (false, Tools::None, RGBColor(230, 159, 0)),
    (true, Tools::Tree, RGBColor(0, 114, 178)),
    (false, Tools::Tree, RGBColor(213, 94, 0)),
    (true, Tools::Adaptive, RGBColor(0, 158, 115)),
    (false, Tools::Adaptive, RGBColor(204, 121, 167)),
];

fn name((shim, tools, _): (bool, Tools, RGBColor)) -> String {
    format!("{} {}", if shim { "shim" } else { "x264" }, tools.name())
}

/// A stream: its bit rate in kbit/s, and its quality.
#[derive(Clone, Copy)]
struct Coded {
    rate: f64,
    /// PSNR of luma, the mean over the frames.
    psnr: f64,
    /// Mean SSIM of luma in dB, -10 log10(1 - SSIM).
    ssim: f64,
    vmaf: Option<f64>,
}

impl Coded {
    /// Deviation in % from the rate that was asked for in kbit/s.
    fn missed(&self, asked: u64) -> f64 {
        100.0 * (self.rate / asked as f64 - 1.0)
    }

    fn of(clip: &Clip, stream: &[u8], vmaf: Option<&Vmaf>) -> Result<Self, String> {
        let said = |error: String| format!("{}: {error}", clip.name);
        let decoded = decode::decode(stream).map_err(|error| said(error.to_string()))?;
        let seconds = clip.frames.len() as f64 * f64::from(clip.frame_rate.1) / f64::from(clip.frame_rate.0);
        let psnr = clip.psnr(&decoded).map_err(said)?.luma;
        let luma = clip.width * clip.height;
        let ssims = clip.frames.iter().zip(&decoded);
        let ssims = ssims.filter_map(|(a, b)| ssim_of_planes(&a[..luma], &b[..luma], clip.width));
        let ssim = ssims.sum::<f64>() / clip.frames.len() as f64;
        Ok(Self {
            rate: 8e-3 * stream.len() as f64 / seconds,
            psnr,
            ssim: -10.0 * (1.0 - ssim).max(1e-10).log10(),
            vmaf: vmaf.map(|vmaf| vmaf.of(stream)).transpose().map_err(said)?,
        })
    }
}

/// A clip in a file, with which ffmpeg compares streams.
struct Vmaf {
    folder: TempDir,
}

impl Vmaf {
    /// Nothing where ffmpeg has no libvmaf.
    fn new(clip: &Clip) -> Result<Option<Self>, String> {
        let filters = Command::new("ffmpeg").args(["-v", "error", "-filters"]).output();
        if !filters.is_ok_and(|found| String::from_utf8_lossy(&found.stdout).contains(" libvmaf ")) {
            return Ok(None);
        }
        Ok(Some(Self { folder: written(clip)? }))
    }

    fn of(&self, stream: &[u8]) -> Result<f64, String> {
        let coded = self.folder.path().join("in.264");
        std::fs::write(&coded, stream).map_err(|error| error.to_string())?;
        // By number: a byte stream has no times.
        let graph = "[0:v]settb=AVTB,setpts=N[a];[1:v]settb=AVTB,setpts=N[b];[a][b]libvmaf";
        let run = Command::new("ffmpeg")
            .args(["-v", "info", "-nostdin", "-nostats", "-i"])
            .arg(&coded)
            .arg("-i")
            .arg(self.folder.path().join("in.y4m"))
            .args(["-lavfi", graph, "-f", "null", "-"])
            .output();
        let run = run.map_err(|error| format!("ffmpeg: {error}"))?;
        let said = String::from_utf8_lossy(&run.stderr);
        let score = said.rsplit_once("VMAF score: ").and_then(|(_, score)| score.split_whitespace().next());
        score.and_then(|score| score.parse().ok()).ok_or_else(|| format!("ffmpeg has no VMAF: {said}"))
    }
}

/// Prints a table for each clip, and draws the curves of SSIM to a file if one is named.
pub(super) fn print(clips: &[Clip], file: &Path) -> Result<(), String> {
    println!(
        "P, average bit rate, {}, one reference, keyframes at most {KEYINT} frames apart",
        Preset::Medium
    );
    let mut curves = Vec::new();
    // By tools: the greatest deviation from the rate, the greatest loss of PSNR against x264 at the same rate.
    let mut worst = [Tools::None, Tools::Tree, Tools::Adaptive].map(|tools| (tools, 0.0_f64, 0.0_f64));
    for clip in clips {
        let (x264, vmaf) = (X264::new(clip)?, Vmaf::new(clip)?);
        println!(
            "\n{:44} {:>7} {:>8} {:>8} {:>8} {:>8} {:>6}",
            super::title(clip),
            "asked",
            "kbit/s",
            "missed",
            "luma dB",
            "SSIM dB",
            "VMAF"
        );
        let mut all = Vec::new();
        for series in SERIES {
            let (shim, tools, _) = series;
            let mut curve = Vec::new();
            for rate in RATES {
                let stream = if shim { tools.by_shim(clip, rate) } else { tools.by_x264(&x264, rate) };
                let coded = Coded::of(clip, &stream?, vmaf.as_ref())?;
                println!(
                    "  {:42} {rate:7} {:8.1} {:+7.2}% {:8.3} {:8.3} {:>6}",
                    name(series),
                    coded.rate,
                    coded.missed(rate),
                    coded.psnr,
                    coded.ssim,
                    coded.vmaf.map_or("-".into(), |vmaf| format!("{vmaf:.2}"))
                );
                curve.push(coded);
            }
            all.push(curve);
        }
        for (pair, (tools, missed, less)) in all.chunks(2).zip(&mut worst) {
            let [ours, theirs] = pair else { unreachable!("shim and x264 alternate") };
            let mut reached = Vec::new();
            for (&coded, rate) in ours.iter().zip(RATES) {
                let deviation = coded.missed(rate).abs();
                if deviation < OUT_OF_REACH {
                    *missed = missed.max(deviation);
                    reached.push(coded);
                }
            }
            let differences: Vec<_> =
                reached.iter().filter_map(|coded| Some(coded.psnr - at(theirs, coded.rate)?)).collect();
            *less = differences.iter().copied().fold(*less, f64::min);
            let delta = |quality: fn(&Coded) -> f64| {
                let points = |curve: &[Coded]| -> Vec<_> {
                    curve.iter().map(|coded| Point { rate: coded.rate, psnr: quality(coded) }).collect()
                };
                bd_rate(&points(theirs), &points(&reached))
                    .map_or("-".into(), |delta| format!("{delta:+.1} %"))
            };
            let differences: Vec<_> = differences.iter().map(|more| format!("{more:+.2}")).collect();
            println!(
                "  {}: shim against x264 {} dB, BD-rate {} (PSNR), {} (SSIM)",
                tools.name(),
                differences.join(" "),
                delta(|coded| coded.psnr),
                delta(|coded| coded.ssim)
            );
        }
        curves.push(all);
    }
    for (tools, missed, less) in worst {
        println!("{}: at worst {missed:.2} % from the rate, and {less:+.2} dB against x264", tools.name());
    }
    if file.as_os_str().is_empty() {
        return Ok(());
    }
    plot::save(file, &svg(clips, &curves).map_err(|error| error.to_string())?)
}

/// PSNR at a rate, on the line through the two points of a curve that are next to it, over the logarithm of the rate.
/// `None` beyond its ends, where nothing was measured.
fn at(curve: &[Coded], rate: f64) -> Option<f64> {
    let mut curve = curve.to_vec();
    curve.sort_by(|a, b| a.rate.total_cmp(&b.rate));
    // Up to 5 % beyond: streams miss the rate that was asked for.
    if !(0.95 * curve[0].rate..1.05 * curve[curve.len() - 1].rate).contains(&rate) {
        return None;
    }
    let after = curve.iter().position(|point| point.rate > rate).unwrap_or(curve.len() - 1).max(1);
    let [a, b] = [curve[after - 1], curve[after]];
    let span = (b.rate / a.rate).ln();
    let part = if span > 1e-3 { (rate / a.rate).ln() / span } else { 0.0 };
    Some(a.psnr + (b.psnr - a.psnr) * part)
}

/// SSIM over the rate, a chart for each clip.
fn svg(clips: &[Clip], curves: &[Vec<Vec<Coded>>]) -> Result<String, Box<dyn std::error::Error>> {
    const CHART: (u32, u32) = (500, 340);
    let rows = clips.len().div_ceil(2);
    let mut text = String::new();
    {
        let size = (2 * CHART.0, rows as u32 * CHART.1);
        let root = SVGBackend::with_string(&mut text, size).into_drawing_area();
        root.fill(&WHITE)?;
        for ((area, clip), all) in root.split_evenly((rows, 2)).iter().zip(clips).zip(curves) {
            let points = all.iter().flatten();
            let (slow, fast) = plot::range(points.clone().map(|coded| coded.rate));
            let (least, most) = plot::range(points.map(|coded| coded.ssim));
            let ticks: Vec<_> = RATES.iter().map(|&rate| rate as f64).collect();
            let mut chart = ChartBuilder::on(area)
                .caption(super::title(clip), ("sans-serif", 15))
                .margin(10)
                .x_label_area_size(36)
                .y_label_area_size(44)
                .build_cartesian_2d(
                    (0.95 * slow..1.05 * fast).log_scale().with_key_points(ticks),
                    least - 0.3..most + 0.3,
                )?;
            chart
                .configure_mesh()
                .x_desc("kbit/s")
                .y_desc("SSIM of luma, dB")
                .x_label_formatter(&|x| format!("{x}"))
                .light_line_style(WHITE)
                .draw()?;
            for (series, curve) in SERIES.into_iter().zip(all) {
                let places = || curve.iter().map(|coded| (coded.rate, coded.ssim));
                let (.., color) = series;
                let style = color.stroke_width(2);
                chart
                    .draw_series(LineSeries::new(places(), style))?
                    .label(name(series))
                    .legend(move |(x, y)| PathElement::new([(x, y), (x + 18, y)], style));
                chart.draw_series(places().map(|place| Circle::new(place, 3, color.filled())))?;
            }
            chart
                .configure_series_labels()
                .position(SeriesLabelPosition::LowerRight)
                .background_style(WHITE.mix(0.8))
                .border_style(BLACK.mix(0.3))
                .draw()?;
        }
        root.present()?;
    }
    Ok(text)
}
