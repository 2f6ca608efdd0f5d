//! Speed against BD-rate of all presets, as an SVG file.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use plotters::chart::SeriesLabelPosition;
use plotters::coord::combinators::IntoLogRange;
use plotters::element::{Circle, EmptyElement, PathElement, Text};
use plotters::prelude::{
    BLACK, BindKeyPoints, ChartBuilder, Color, IntoDrawingArea, IntoFont, LineSeries, RGBColor, SVGBackend,
    WHITE,
};
use shim_benches::bd_rate::bd_rate;
use shim_benches::clip::Clip;
use shim_benches::measure::median;
use shim_h264::Preset;

use super::peers::{Effort, Gop, Kind};
use super::{Arguments, X264, curve, in_turn};

/// The presets of x264, in the order of its help.
const X264_PRESETS: [&str; 10] = [
    "ultrafast",
    "superfast",
    "veryfast",
    "faster",
    "fast",
    "medium",
    "slow",
    "slower",
    "veryslow",
    "placebo",
];

/// The QP at which speed is measured.
const QP: u8 = 27;

/// How long a curve takes of a preset that is timed once: its speed is a fraction of the others', and noise little of
/// it.
const SLOW: Duration = Duration::from_secs(8);

/// Pixels of the plot.
const SIZE: (u32, u32) = (1000, 640);

/// Colors that those tell apart who see fewer (Okabe and Ito, 2008).
const COLORS: [RGBColor; 3] = [RGBColor(0, 114, 178), RGBColor(213, 94, 0), RGBColor(0, 158, 115)];

/// The size of a label's font.
const FONT: i32 = 13;

/// An encoder, and its presets from the fastest to the slowest.
struct Series {
    name: &'static str,
    points: Vec<Measured>,
}

/// A preset.
struct Measured {
    preset: &'static str,
    /// How many times as fast as [`X264`], the geometric mean over the clips.
    speed: f64,
    /// BD-rate of luma against it in %, the median over the clips: one of much motion may have several hundred.
    rate: f64,
    /// The least and the greatest of each.
    ranges: [(f64, f64); 2],
}

/// Measures, prints a table, and writes the plot.
pub(super) fn write(clips: &[Clip], arguments: &Arguments) -> Result<(), String> {
    if clips.is_empty() {
        return Err("there are no clips".into());
    }
    let references: Vec<_> = clips.iter().map(|clip| curve(X264, clip)).collect::<Result<_, _>>()?;
    println!("P, QP {QP}: how many times as fast as {}, and BD-rate of luma against it in %", X264.name());
    println!("{:20} {:>6} {:>15} {:>8} {:>17}", "", "mean", "least to most", "median", "least to most");
    let measured = |kind: Kind, preset| {
        let (mut speeds, mut rates) = (Vec::new(), Vec::new());
        for (clip, reference) in clips.iter().zip(&references) {
            let began = Instant::now();
            let rate = bd_rate(reference, &curve(kind, clip)?);
            let pairs = if began.elapsed() > SLOW { 1 } else { arguments.pairs };
            rates.push(rate.ok_or_else(|| format!("{}: {} has no BD-rate", clip.name, kind.name()))?);
            let arguments = Arguments { qp: QP, pairs, ..arguments.clone() };
            speeds.push(in_turn(kind, X264, clip, Gop::P, &arguments)?.1.median);
        }
        let count = clips.len() as f64;
        let one = Measured {
            preset,
            speed: (speeds.iter().map(|speed| speed.ln()).sum::<f64>() / count).exp(),
            rate: median(rates.clone()),
            ranges: [speeds, rates].map(|all| range(all.into_iter())),
        };
        let Measured { speed, rate, ranges: [(slow, fast), (least, most)], .. } = one;
        println!(
            "{:20} {speed:6.2} {slow:6.2} to {fast:5.2} {rate:+8.1} {least:+7.1} to {most:+6.1}",
            kind.name()
        );
        Ok::<_, String>(one)
    };
    let series = [
        Series {
            name: "shim",
            points: Preset::ALL
                .into_iter()
                .map(|preset| measured(Kind::Shim(preset), preset.name()))
                .collect::<Result<_, _>>()?,
        },
        Series {
            name: "x264 (Baseline)",
            points: X264_PRESETS
                .into_iter()
                .map(|preset| measured(Kind::X264 { preset, assembly: true }, preset))
                .collect::<Result<_, _>>()?,
        },
        Series {
            name: "OpenH264",
            points: [Effort::Low, Effort::Medium, Effort::High]
                .into_iter()
                .map(|effort| measured(Kind::OpenH264(effort), effort.name()))
                .collect::<Result<_, _>>()?,
        },
    ];
    let title = format!(
        "P pictures of {} clips, {} frames each: mean speed and median BD-rate",
        clips.len(),
        arguments.frames
    );
    save(&arguments.plot, &svg(&series, &title).map_err(|error| error.to_string())?)
}

pub(super) fn save(file: &Path, text: &str) -> Result<(), String> {
    // Cargo runs benchmarks in the folder of their package.
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(file);
    fs::write(&file, text).map_err(|error| format!("{}: {error}", file.display()))
}

pub(super) fn range(all: impl Iterator<Item = f64>) -> (f64, f64) {
    all.fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), value| (least.min(value), most.max(value)))
}

/// The plot: a line through the presets of each encoder.
fn svg(series: &[Series], title: &str) -> Result<String, Box<dyn std::error::Error>> {
    // Rates are drawn as ratios, so that twice the bits are as far up as half are down.
    let place = |point: &Measured| (point.speed, 1.0 + point.rate / 100.0);
    let places = || series.iter().flat_map(|series| &series.points).map(place);
    let (slow, fast) = range(places().map(|(speed, _)| speed));
    let (least, most) = range(places().map(|(_, rate)| rate));
    let (speeds, rates) = ((slow / 1.3, 1.6 * fast), (least / 1.06, 1.06 * most));
    let ticks = |(from, to): (f64, f64), all: &[f64]| -> Vec<f64> {
        all.iter().copied().filter(|tick| (from..to).contains(tick)).collect()
    };
    let speed_ticks = ticks(speeds, &[0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0]);
    let rate_ticks = ticks(rates, &[0.6, 0.7, 0.8, 0.9, 1.0, 1.1, 1.2, 1.4, 1.6, 2.0, 2.5, 3.0, 4.0, 6.0]);
    let mut text = String::new();
    {
        let root = SVGBackend::with_string(&mut text, SIZE).into_drawing_area();
        root.fill(&WHITE)?;
        let mut chart = ChartBuilder::on(&root)
            .caption(title, ("sans-serif", 18))
            .margin(12)
            .x_label_area_size(44)
            .y_label_area_size(56)
            .build_cartesian_2d(
                (speeds.0..speeds.1).log_scale().with_key_points(speed_ticks),
                (rates.0..rates.1).log_scale().with_key_points(rate_ticks),
            )?;
        chart
            .configure_mesh()
            .x_desc(format!("speed, times that of {} (one core; to the right is faster)", X264.name()))
            .y_desc(format!("BD-rate of luma against {}, % (lower is smaller)", X264.name()))
            .x_label_formatter(&|x| format!("{x}"))
            .y_label_formatter(&|y| format!("{:+.0}", 100.0 * (y - 1.0)))
            .light_line_style(WHITE)
            .label_style(("sans-serif", 14))
            .draw()?;
        let dots = places().map(|place| chart.plotting_area().map_coordinate(&place));
        let mut labels = Labels { taken: dots.map(|(x, y)| [x - 5, y - 5, x + 5, y + 5]).collect() };
        for (series, color) in series.iter().zip(COLORS) {
            let places = || series.points.iter().map(place);
            let style = color.stroke_width(2);
            chart
                .draw_series(LineSeries::new(places(), style))?
                .label(series.name)
                .legend(move |(x, y)| PathElement::new([(x, y), (x + 18, y)], style));
            chart.draw_series(places().map(|place| Circle::new(place, 4, color.filled())))?;
            let font = ("sans-serif", FONT).into_font().color(&color);
            for point in &series.points {
                let place = place(point);
                let at = chart.plotting_area().map_coordinate(&place);
                let offset = labels.offset(at, point.preset);
                chart
                    .draw_series([EmptyElement::at(place) + Text::new(point.preset, offset, font.clone())])?;
            }
        }
        chart
            .configure_series_labels()
            .position(SeriesLabelPosition::UpperLeft)
            .label_font(("sans-serif", 14))
            .background_style(WHITE.mix(0.8))
            .border_style(BLACK.mix(0.3))
            .draw()?;
        root.present()?;
    }
    Ok(text)
}

/// The pixels of dots and labels: left, top, right and bottom of each.
struct Labels {
    taken: Vec<[i32; 4]>,
}

impl Labels {
    /// Where a label goes beside its dot: at the first place that nothing else has.
    fn offset(&mut self, (x, y): (i32, i32), text: &str) -> (i32, i32) {
        let (wide, high) = (text.len() as i32 * FONT * 9 / 16, FONT);
        let right = [-15, 3, -28, 16, -41, 29].map(|down| (7, down));
        let left = right.map(|(_, down)| (-7 - wide, down));
        let places = right.into_iter().zip(left).flat_map(|(right, left)| [right, left]);
        let of = |(across, down): (i32, i32)| [x + across, y + down, x + across + wide, y + down + high];
        let free = |place: &(i32, i32)| {
            let [l, t, r, b] = of(*place);
            self.taken
                .iter()
                .all(|&[left, top, right, bottom]| r <= left || right <= l || b <= top || bottom <= t)
        };
        let offset = places.into_iter().find(free).unwrap_or((7, -15));
        self.taken.push(of(offset));
        offset
    }
}
