//! The final report.

use std::fmt;
use std::time::Duration;

use serde::Serialize;

use crate::stats::Stats;

/// One file.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Report {
    pub(crate) input: String,
    pub(crate) output: String,
    pub(crate) width: usize,
    pub(crate) height: usize,
    /// Whether the source is gray.
    pub(crate) gray: bool,
    pub(crate) input_bytes: usize,
    pub(crate) bytes: usize,
    pub(crate) bits_per_pixel: f64,
    /// Description of the coding process.
    pub(crate) coding: String,
    /// Notes about the source.
    pub(crate) notes: Vec<String>,
    /// Text for stderr.
    pub(crate) warnings: Vec<String>,
    pub(crate) encode_ms: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) stats: Option<Stats>,
}

/// One file that failed.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Failed {
    /// The file that could not be read, encoded or written.
    pub(crate) path: String,
    /// The message, which names it, too.
    pub(crate) error: String,
}

/// All files.
#[derive(Debug, Serialize)]
pub(crate) struct Whole {
    pub(crate) files: Vec<Outcome>,
    pub(crate) summary: Summary,
}

/// The result for a file.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub(crate) enum Outcome {
    Done(Box<Report>),
    Failed(Failed),
}

/// All files together.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub(crate) struct Summary {
    pub(crate) encoded: usize,
    pub(crate) failed: usize,
    /// Files that were there already and stay.
    pub(crate) skipped: usize,
    pub(crate) input_bytes: usize,
    pub(crate) bytes: usize,
    pub(crate) seconds: f64,
}

impl Whole {
    pub(crate) fn new(files: Vec<Outcome>, skipped: usize, time: Duration) -> Self {
        let mut summary = Summary { skipped, seconds: time.as_secs_f64(), ..Summary::default() };
        for outcome in &files {
            match outcome {
                Outcome::Done(report) => {
                    summary.encoded += 1;
                    summary.input_bytes += report.input_bytes;
                    summary.bytes += report.bytes;
                }
                Outcome::Failed(_) => summary.failed += 1,
            }
        }
        Self { files, summary }
    }

    /// Without JSON; `many` files have a line each, if there are no statistics of them, and a summary.
    pub(crate) fn text(&self, many: bool) -> String {
        let mut text = String::new();
        for outcome in &self.files {
            match outcome {
                // Errors were told when they happened.
                Outcome::Failed(_) => {}
                Outcome::Done(report) if many && report.stats.is_none() => text += &report.line(),
                Outcome::Done(report) => text += &report.to_string(),
            }
        }
        if many { text + &self.summary.to_string() } else { text }
    }

    /// As JSON.
    pub(crate) fn json(&self) -> String {
        json(self)
    }
}

/// A report as JSON. Numbers that are not finite are null.
pub(crate) fn json(report: &impl Serialize) -> String {
    serde_json::to_string_pretty(report).expect("reports have no keys but strings") + "\n"
}

impl Report {
    /// In one line.
    fn line(&self) -> String {
        let Self { input, output, input_bytes, bytes, bits_per_pixel, .. } = self;
        let notes = self.notes.iter().flat_map(|note| [", ", note]).collect::<String>();
        format!(
            "{input} -> {output}: {input_bytes} to {bytes} bytes, {bits_per_pixel:.2} bits per pixel{notes}\n"
        )
    }
}

impl fmt::Display for Report {
    #[expect(clippy::cast_precision_loss, reason = "images have fewer than 2^52 pixels")]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { input, output, width, height, input_bytes, bytes, bits_per_pixel, coding, .. } = self;
        let samples = if self.gray { "grayscale" } else { "RGB" };
        let notes = self.notes.iter().flat_map(|note| [", ", note]).collect::<String>();
        let megapixels = (width * height) as f64 / 1e6;
        writeln!(f, "{input}: {width}x{height} {samples}, {input_bytes} bytes{notes}")?;
        writeln!(f, "{output}: {coding}, {bytes} bytes, {bits_per_pixel:.2} bits per pixel")?;
        if let Some(stats) = &self.stats {
            write!(f, "{stats}")?;
        }
        let speed = megapixels / (self.encode_ms / 1e3).max(1e-9);
        writeln!(f, "encoded in {:.1} ms, {speed:.1} megapixels/s", self.encode_ms)
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { encoded, failed, skipped, input_bytes, bytes, seconds } = self;
        let files = if *encoded == 1 { "file" } else { "files" };
        write!(f, "{encoded} {files} encoded, {input_bytes} to {bytes} bytes, in {seconds:.1} s")?;
        if *skipped > 0 {
            write!(f, "; {skipped} skipped")?;
        }
        if *failed > 0 { writeln!(f, "; {failed} failed") } else { writeln!(f) }
    }
}
