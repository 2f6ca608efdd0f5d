//! `shim jpeg --compare`.

use std::process::ExitCode;

use clap::error::ErrorKind;
use clap::{CommandFactory, Parser};
use rayon::prelude::*;
use serde::Serialize;
use shim_picture::metrics::Metrics;
use shim_picture::{Options, Picture};

use crate::args::{Coding, Jpeg, MetadataArgs, Setting};
use crate::failure::{Failure, Reason};
use crate::jpeg::{bits_per_pixel, print};
#[cfg(feature = "plot")]
use crate::output::Named;
use crate::progress::{FilesProgress, Progress};
use crate::settings::Settings;
use crate::standard::{self, input_name};
use crate::{report, stats, table};

/// The settings that are compared if no others are asked for: a name, and options.
const USUAL: [(&str, &str); 6] = [
    ("baseline 4:2:0", ""),
    ("optimized 4:2:0", "--optimize"),
    ("progressive 4:2:0", "--progressive"),
    ("trellis 4:2:0", "--trellis --progressive"),
    ("baseline 4:4:4", "-s 444"),
    ("progressive 4:4:4", "-s 444 --progressive"),
];

/// An image at many qualities with several settings.
#[derive(Debug, Serialize)]
pub(crate) struct Comparison {
    pub(crate) input: String,
    pub(crate) width: usize,
    pub(crate) height: usize,
    pub(crate) curves: Vec<Curve>,
}

/// One setting.
#[derive(Debug, Serialize)]
pub(crate) struct Curve {
    pub(crate) setting: String,
    pub(crate) points: Vec<Point>,
}

/// One file.
#[derive(Debug, Serialize)]
pub(crate) struct Point {
    pub(crate) quality: u8,
    pub(crate) bytes: usize,
    pub(crate) bits_per_pixel: f64,
    #[serde(flatten)]
    pub(crate) metrics: Option<Metrics>,
}

/// Encodes, measures, and prints or plots.
pub(crate) fn run(arguments: &Jpeg) -> Result<ExitCode, Failure> {
    let Jpeg { files, reports, .. } = arguments;
    let input = &files.paths[0];
    let settings = match &reports.setting[..] {
        [] => USUAL.iter().map(|&(name, options)| (name.to_owned(), parse(options))).collect(),
        own => own.iter().map(|options| (named(options), parse(options))).collect::<Vec<_>>(),
    };
    #[cfg(feature = "plot")]
    if let Some(plot) = &reports.plot {
        crate::plot::target(plot).checked()?;
    }
    let mut progress = Progress::new();
    let file = standard::read(input)?;
    let of_input = Settings::new(&arguments.coding, &MetadataArgs::none(), 1)?;
    let options = Options { bits: Some(8), ..of_input.options(files.limits()) };
    let decoded = rayon::scope(|_| Picture::decode(&file, options, &mut progress));
    let picture = decoded.map_err(|error| Failure::input(input, error))?;
    for damage in &picture.metadata.damage {
        if files.strict {
            return Err(Failure::input(input, Reason::Strict(damage.clone())));
        }
        eprintln!("warning: {}: {damage}", input_name(input));
    }
    progress.finish();

    let bar = FilesProgress::new(settings.len() * reports.qualities.len());
    let point = |coding: &Coding, quality: u8| {
        let coding = Coding { quality: Some(quality), ..coding.clone() };
        let settings = Settings::new(&coding, &MetadataArgs::none(), 1)?;
        let refused = |reason| Failure::input(input, reason);
        let encoder = settings.encoder(&picture).map_err(refused)?;
        let image = picture.image().map_err(|error| refused(Reason::Encode(error)))?;
        let file = encoder.encode(&image).map_err(|error| refused(Reason::Encode(error)))?;
        let metrics = stats::measure(&picture, &file);
        bar.advance();
        Ok(Point {
            quality,
            bytes: file.len(),
            bits_per_pixel: bits_per_pixel(&picture, file.len()),
            metrics,
        })
    };
    let curve = |(setting, coding): (String, Coding)| {
        let points = reports.qualities.par_iter().map(|&quality| point(&coding, quality));
        Ok(Curve { setting, points: points.collect::<Result<_, Failure>>()? })
    };
    let curves = settings.into_par_iter().map(curve).collect::<Result<_, Failure>>()?;
    drop(bar);

    let comparison =
        Comparison { input: input_name(input), width: picture.width, height: picture.height, curves };
    #[cfg(feature = "plot")]
    if let Some(path) = &reports.plot {
        crate::plot::target(path).written(&crate::plot::file(&comparison, path))?;
    }
    print(&if reports.json { report::json(&comparison) } else { text(&comparison) }, true)?;
    Ok(ExitCode::SUCCESS)
}

/// The name of a setting, as typed.
fn named(options: &str) -> String {
    let options = options.trim();
    if options.is_empty() { "baseline".to_owned() } else { options.to_owned() }
}

/// Encoding options; what is wrong with them ends the program, as a wrong command line does.
fn parse(options: &str) -> Coding {
    let Setting { coding } = Setting::parse_from(options.split_whitespace());
    if let Some(fault) = coding.fault() {
        Setting::command().error(ErrorKind::ValueValidation, fault).exit();
    }
    coding
}

fn text(comparison: &Comparison) -> String {
    let mut table = table::new(&["setting", "quality", "bytes", "bits per pixel", "PSNR", "SSIM"]);
    let none = || "-".to_owned();
    for Curve { setting, points } in &comparison.curves {
        for Point { quality, bytes, bits_per_pixel, metrics } in points {
            table.add_row([
                setting.clone(),
                quality.to_string(),
                bytes.to_string(),
                format!("{bits_per_pixel:.3}"),
                metrics.as_ref().map_or_else(none, |m| format!("{:.2}", m.psnr)),
                metrics.as_ref().and_then(|m| m.ssim).map_or_else(none, |ssim| format!("{ssim:.4}")),
            ]);
        }
    }
    let Comparison { input, width, height, .. } = comparison;
    format!("{input}: {width}x{height}\n{}\n", table.trim_fmt())
}
