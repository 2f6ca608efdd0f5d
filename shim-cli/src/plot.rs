//! Curves of size against quality.
//!
//! The text of an SVG file is drawn by whoever shows it, so that no font is needed here. Only for PNG files, with the
//! feature `plot-png`, there is one.

use std::path::Path;

use plotters::chart::SeriesLabelPosition;
use plotters::coord::Shift;
use plotters::drawing::DrawingAreaErrorKind;
use plotters::prelude::*;
#[cfg(feature = "plot-png")]
use plotters::style::{FontStyle, register_font};

use shim_files::Target;

use crate::compare::{Comparison, Point};

type Area<B> = DrawingArea<B, Shift>;
type Error<B> = DrawingAreaErrorKind<<B as DrawingBackend>::ErrorType>;

/// Pixels of a plot.
const SIZE: (u32, u32) = (1280, 560);

/// Colors that those tell apart who see fewer (Okabe and Ito, 2008).
const COLORS: [RGBColor; 7] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(86, 180, 233),
    RGBColor(230, 159, 0),
    RGBColor(0, 0, 0),
];

/// The file of a plot, which is replaced if it is there.
pub(crate) fn target(path: &Path) -> Target {
    Target::replacing(path)
}

/// The extensions of files that plots can be.
pub(crate) const EXTENSIONS: &[&str] = if cfg!(feature = "plot-png") { &["svg", "png"] } else { &["svg"] };

/// A plot in the format that the name of its file says: PSNR on the left, SSIM on the right, both over bits per pixel.
pub(crate) fn file(comparison: &Comparison, path: &Path) -> Vec<u8> {
    #[cfg(feature = "plot-png")]
    {
        register_font("sans-serif", FontStyle::Normal, dejavu::sans::regular())
            .unwrap_or_else(|_| unreachable!("the font is one"));
        if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("png")) {
            return png(comparison);
        }
    }
    let _ = path;
    svg(comparison).into_bytes()
}

fn svg(comparison: &Comparison) -> String {
    let mut text = String::new();
    {
        let root = SVGBackend::with_string(&mut text, SIZE).into_drawing_area();
        draw(&root, comparison).expect("a string takes all that is written to it");
    }
    text
}

#[cfg(feature = "plot-png")]
fn png(comparison: &Comparison) -> Vec<u8> {
    let (width, height) = SIZE;
    let mut samples = vec![0; (width * height * 3) as usize];
    {
        let root = BitMapBackend::with_buffer(&mut samples, SIZE).into_drawing_area();
        draw(&root, comparison).expect("memory takes all that is drawn to it");
    }
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, width, height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::Fast);
    encoder.set_filter(png::Filter::Adaptive);
    let written = encoder.write_header().and_then(|mut writer| writer.write_image_data(&samples));
    written.expect("memory takes all that is written to it");
    file
}

fn draw<B: DrawingBackend>(root: &Area<B>, comparison: &Comparison) -> Result<(), Error<B>>
where
    B::ErrorType: 'static,
{
    root.fill(&WHITE)?;
    let Comparison { input, width, height, .. } = comparison;
    let root = root.titled(&format!("{input}, {width}x{height}"), ("sans-serif", 18))?;
    let (left, right) = root.split_horizontally(640);
    panel(&left, comparison, "PSNR (dB)", |point| Some(point.metrics.as_ref()?.psnr))?;
    panel(&right, comparison, "SSIM", |point| point.metrics.as_ref()?.ssim)?;
    root.present()
}

/// One figure over bits per pixel, a curve for each setting.
fn panel<B: DrawingBackend>(
    area: &Area<B>,
    comparison: &Comparison,
    name: &str,
    figure: impl Fn(&Point) -> Option<f64>,
) -> Result<(), Error<B>>
where
    B::ErrorType: 'static,
{
    let place =
        |point: &Point| Some((point.bits_per_pixel, figure(point).filter(|figure| figure.is_finite())?));
    let curves: Vec<(&str, Vec<(f64, f64)>)> = comparison
        .curves
        .iter()
        .map(|curve| (curve.setting.as_str(), curve.points.iter().filter_map(place).collect()))
        .collect();
    let all = || curves.iter().flat_map(|(_, points)| points);
    let (least, most) =
        all().fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b): (f64, f64), &(_, y)| (a.min(y), b.max(y)));
    let widest = all().fold(0.0, |x: f64, point| x.max(point.0));
    // Of an image without figures the axes are drawn alone.
    let (least, most) = if least <= most { (least, most) } else { (0.0, 1.0) };
    let margin = (0.05 * (most - least)).max(1e-3);

    let mut chart = ChartBuilder::on(area)
        .margin(12)
        .x_label_area_size(40)
        .y_label_area_size(60)
        .build_cartesian_2d(0.0..1.05 * widest.max(1e-3), least - margin..most + margin)?;
    chart.configure_mesh().x_desc("bits per pixel").y_desc(name).light_line_style(WHITE).draw()?;
    for ((setting, points), color) in curves.into_iter().zip(COLORS.into_iter().cycle()) {
        let style = color.stroke_width(2);
        let dots = points.clone().into_iter().map(|point| Circle::new(point, 3, style.filled()));
        chart.draw_series(dots)?;
        chart
            .draw_series(LineSeries::new(points, style))?
            .label(setting)
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 18, y)], style));
    }
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::LowerRight)
        .background_style(WHITE.mix(0.8))
        .border_style(BLACK.mix(0.3))
        .draw()
}
