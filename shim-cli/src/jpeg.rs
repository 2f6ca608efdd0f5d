//! `shim jpeg`.

use std::io::{self, Read, Write};
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::thread;
use std::time::{Duration, Instant};

use rayon::prelude::*;
use shim_jpeg::{Encoder, Error};
use shim_picture::rows::{self, Header, Opened};
use shim_picture::{Limits, Options, Picture, check_pixels};

use crate::args::{self, Jpeg};
use crate::failure::{FAILED, Failure, Reason};
use crate::jobs::{self, Job};
use crate::output::Named;
use crate::progress::{FilesProgress, Progress};
use crate::report::{Failed, Outcome, Report, Whole};
use crate::settings::Settings;
use crate::signals::{self, AtSignal};
use crate::standard::{self, input_name, is_standard, output_name};
use crate::stats::Stats;
use crate::{compare, extension, identity};

/// Reads, encodes, writes and reports. A failure is one that keeps all files from being encoded; of those that fail by
/// themselves the exit code tells.
pub(crate) fn run(arguments: &Jpeg) -> Result<ExitCode, Failure> {
    if let Err(message) = check(arguments) {
        args::wrong("jpeg", message);
    }
    let Jpeg { files, coding, metadata, reports } = arguments;
    check_files(arguments)?;
    signals::watch(AtSignal::Abandon)?;
    let threads = useful_threads(files.threads);
    start_threads(threads)?;
    if reports.compare {
        return compare::run(arguments);
    }
    let began = Instant::now();
    let (jobs, skipped) = jobs::plan(files);
    let many = files.out_dir.is_some();
    // Threads share out the files if there are several, and otherwise the rows of the image.
    let several = jobs.iter().filter(|job| job.is_ok()).count() > 1;
    let settings = Settings::new(coding, metadata, if several { 1 } else { threads })?;
    let wanted = Wanted {
        stats: reports.stats,
        limits: files.limits(),
        strict: files.strict,
        keep_smaller: files.keep_smaller,
    };
    let work = |job: Job, progress: &mut Progress| one(&job, &settings, wanted, progress);
    let warn = |outcome: &Outcome, bar: Option<&FilesProgress>| {
        if let Outcome::Done(report) = outcome {
            for warning in &report.warnings {
                let text = format!("warning: {}: {warning}", report.input);
                bar.map_or_else(|| eprintln!("{text}"), |bar| bar.complain(&text));
            }
        }
    };

    // Where there is one file, a setting may be at fault.
    let mut code = FAILED;
    let outcomes: Vec<Outcome> = if several {
        let bar = FilesProgress::new(jobs.len());
        let complain = |failure: Failure| {
            bar.complain(&format!("error: {failure}"));
            failed(&failure)
        };
        let each = |job: Result<Job, Failure>| {
            let outcome = job.and_then(|job| work(job, &mut Progress::silent())).unwrap_or_else(complain);
            warn(&outcome, Some(&bar));
            bar.advance();
            outcome
        };
        jobs.into_par_iter().with_max_len(1).map(each).collect()
    } else {
        let mut progress = Progress::new();
        let mut each = |job: Result<Job, Failure>| {
            let outcome = job.and_then(|job| work(job, &mut progress));
            progress.finish();
            let outcome = outcome.unwrap_or_else(|failure| {
                eprintln!("error: {}", if many { failure.to_string() } else { failure.message() });
                code = if many { FAILED } else { failure.code() };
                failed(&failure)
            });
            warn(&outcome, None);
            outcome
        };
        jobs.into_iter().map(&mut each).collect()
    };

    let whole = Whole::new(outcomes, skipped, began.elapsed());
    let text = if reports.json { whole.json() } else { whole.text(many) };
    if !reports.quiet && (many || whole.summary.failed == 0 || reports.json) {
        let to_stdout = files.out_dir.is_some() || !files.paths.last().is_some_and(|path| is_standard(path));
        print(&text, to_stdout)?;
    }
    Ok(if whole.summary.failed == 0 { ExitCode::SUCCESS } else { ExitCode::from(code) })
}

/// Prints results to stdout, or to stderr if stdout is where the image goes.
pub(crate) fn print(text: &str, to_stdout: bool) -> Result<(), Failure> {
    let mut stdout = io::stdout();
    let printed = if to_stdout {
        stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush())
    } else {
        io::stderr().write_all(text.as_bytes())
    };
    match printed {
        // Whoever has closed the pipe has read enough.
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Failure::output(Path::new("-"), Reason::Write(error)))
        }
        _ => Ok(()),
    }
}

/// Threads for one processor, at most: more would only take time to start.
const MOST_THREADS: usize = 4;

/// As many threads as were asked for, but for those beyond all use.
pub(crate) fn useful_threads(threads: usize) -> usize {
    threads.min(MOST_THREADS * thread::available_parallelism().map_or(1, NonZero::get))
}

/// Has so many threads share the work, 0 for one on each core.
fn start_threads(threads: usize) -> Result<(), Failure> {
    let started = rayon::ThreadPoolBuilder::new().num_threads(threads).build_global();
    started.map_err(|_| Failure::input(Path::new("--threads"), Reason::Encode(Error::Threads(threads))))
}

/// Checks of options that clap cannot express.
fn check(arguments: &Jpeg) -> Result<(), &'static str> {
    let Jpeg { files, reports, .. } = arguments;
    let inputs = match (reports.compare, &files.out_dir, &files.paths[..]) {
        (true, _, inputs @ [_]) | (false, Some(_), inputs) | (false, None, [inputs @ .., _])
            if !inputs.is_empty() =>
        {
            inputs
        }
        (true, ..) => return Err("--compare expects one image"),
        _ => return Err("expected one input and one output file, or --out-dir"),
    };
    if !reports.compare && files.out_dir.is_none() && inputs.len() != 1 {
        return Err("expected one input and one output file, or --out-dir");
    }
    if inputs.iter().filter(|path| is_standard(path)).count() > 1 {
        return Err("stdin can be read only once");
    }
    arguments.coding.fault().map_or(Ok(()), Err)
}

/// Checks that no output overwrites an input, and that extensions match formats.
fn check_files(arguments: &Jpeg) -> Result<(), Failure> {
    let Jpeg { files, coding, metadata, reports } = arguments;
    let settings = [&coding.scans, &coding.qtables, &metadata.icc, &metadata.exif, &metadata.xmp];
    let settings = settings.into_iter().flatten().map(PathBuf::as_path);
    #[cfg(feature = "plot")]
    if let (true, Some(plot)) = (reports.compare, &reports.plot) {
        return identity::check(files.paths.iter().map(PathBuf::as_path).chain(settings), [&**plot]);
    }
    match &files.paths[..] {
        [input, output] if files.out_dir.is_none() && !reports.compare => {
            extension::check(output, &[extension::JPEG])?;
            identity::check(settings.chain([&**input]), [&**output])
        }
        _ => Ok(()),
    }
}

fn failed(failure: &Failure) -> Outcome {
    Outcome::Failed(Failed { path: failure.path().to_owned(), error: failure.to_string() })
}

/// Limits on an input, and whether statistics are wanted.
#[derive(Clone, Copy, Debug)]
struct Wanted {
    stats: bool,
    limits: Limits,
    /// Whether damage is an error.
    strict: bool,
    /// Whether a JPEG file stays as it is where it is smaller.
    keep_smaller: bool,
}

/// Does one job.
fn one(
    job: &Job,
    settings: &Settings,
    Wanted { stats, limits, strict, keep_smaller }: Wanted,
    progress: &mut Progress,
) -> Result<Outcome, Failure> {
    let Job { input, output } = job;
    let failure = |reason| Failure::input(input, reason);
    let options = settings.options(limits);
    output.checked()?;
    let opened = standard::open(input).and_then(rows::open);
    let mut bytes = match opened.map_err(|error| failure(Reason::Read(error)))? {
        // The whole image is needed to measure, to find a quality, to make it smaller, and to show what there is of a truncated
        // one.
        Opened::Rows(header)
            if !stats
                && !settings.finds_quality()
                && !limits.truncated
                && options.fit.size([header.width, header.height]).is_none() =>
        {
            check_pixels(header.width as u32, header.height as u32, limits.max_pixels)
                .map_err(|error| failure(error.into()))?;
            return by_rows(job, header, settings, options, strict, progress);
        }
        Opened::Rows(header) => header.into_bytes(),
        Opened::Other(bytes) => bytes,
    };
    let mut source = Vec::new();
    bytes.read_to_end(&mut source).map_err(|error| failure(Reason::Read(error)))?;
    let decoded = rayon::scope(|_| Picture::decode(&source, options, progress));
    let picture = decoded.map_err(|error| failure(error.into()))?;
    if let Some(damage) = picture.metadata.damage.first().filter(|_| strict) {
        return Err(failure(Reason::Strict(damage.clone())));
    }
    let encoder = settings.encoder(&picture).map_err(failure)?;
    let (file, quality, time) =
        encode(settings, &encoder, &picture, progress).map_err(|error| failure(Reason::Encode(error)))?;
    let stats = stats.then(|| Stats::new(&picture, &file));
    progress.finish();
    let kept = keep_smaller && shim_picture::jpeg::is_jpeg(&source) && source.len() <= file.len();
    let file = if kept { source } else { file };
    output.written(&file)?;
    let mut outcome = done(job, settings, &picture, file.len(), quality, time, stats);
    if let (true, Outcome::Done(report)) = (kept, &mut outcome) {
        report.notes.push("copied unchanged, since the new file would not be smaller".to_owned());
    }
    Ok(outcome)
}

/// Does one job whose image is encoded while it is read.
fn by_rows(
    job: &Job,
    header: Header,
    settings: &Settings,
    options: Options,
    strict: bool,
    progress: &mut Progress,
) -> Result<Outcome, Failure> {
    let Job { input, output } = job;
    let failure = |reason| Failure::input(input, reason);
    let mut rows = header.rows().map_err(|error| failure(error.into()))?;
    let mut picture = Picture::without_samples(&mut rows, options);
    let encoder = settings.encoder(&picture).map_err(failure)?;
    let (width, height, bits, pixels) = (picture.width, picture.height, picture.bits(), picture.kind.pixels);
    progress.start("encoding", height);
    let mut time = Duration::ZERO;
    let writer = Counted { inner: output.opened()?, count: 0 };
    // What cannot be written is the output's to say.
    let refused = |error| match error {
        Error::Io(error) => output.failure(error.into()),
        error => failure(Reason::Encode(error)),
    };
    let strips = if bits == 8 {
        encoder.strips(pixels, width, height, writer)
    } else {
        encoder.strips16(bits, pixels, width, height, writer)
    };
    let mut strips = strips.map_err(refused)?;
    let read = rows.each_strip::<Reason>(options, |samples, rows| {
        let began = Instant::now();
        strips.push(&samples.image(pixels, width, rows)?)?;
        time += began.elapsed();
        progress.reach(height - strips.remaining());
        Ok(())
    });
    let (bytes, damage) = read.map_err(|reason| match reason {
        Reason::Encode(error) => refused(error),
        reason => failure(reason),
    })?;
    picture.file_bytes = bytes;
    if let Some(damage) = damage {
        if strict {
            return Err(failure(Reason::Strict(damage.to_owned())));
        }
        picture.metadata.damage.push(damage.to_owned());
    }
    let began = Instant::now();
    let Counted { inner, count } = strips.finish().map_err(refused)?;
    time += began.elapsed();
    output.finished(inner)?;
    progress.finish();
    Ok(done(job, settings, &picture, count, None, time, None))
}

/// A writer that counts.
struct Counted<W> {
    inner: W,
    count: usize,
}

impl<W: Write> Write for Counted<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.inner.write(bytes)?;
        self.count += written;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

/// The reports about an output file.
fn done(
    job: &Job,
    settings: &Settings,
    picture: &Picture,
    bytes: usize,
    quality: Option<u8>,
    time: Duration,
    stats: Option<Stats>,
) -> Outcome {
    let Job { input, output } = job;
    let mut notes = Vec::new();
    if let Some(background) = picture.kind.flattened {
        notes.push(format!("transparency composited over {background}"));
    }
    if settings.embedding.drops_profile(&picture.metadata, settings.space(picture)) {
        notes.push("ICC profile dropped: it does not match the color space".to_owned());
    }
    Outcome::Done(Box::new(Report {
        input: input_name(input),
        output: output_name(&output.path),
        width: picture.width,
        height: picture.height,
        gray: picture.kind.is_gray(),
        input_bytes: picture.file_bytes,
        bytes,
        bits_per_pixel: bits_per_pixel(picture, bytes),
        coding: settings.describe(picture, quality),
        notes,
        warnings: settings.embedding.warnings(picture),
        encode_ms: 1e3 * time.as_secs_f64(),
        stats,
    }))
}

/// Bits of a file of so many bytes to a pixel of its image.
#[expect(clippy::cast_precision_loss, reason = "sizes of files and images are far below 2^52")]
pub(crate) fn bits_per_pixel(picture: &Picture, bytes: usize) -> f64 {
    8.0 * bytes as f64 / (picture.width * picture.height) as f64
}

/// Encodes to memory; the file, its quality if that was to be found, and the time that it took.
fn encode(
    settings: &Settings,
    encoder: &Encoder,
    picture: &Picture,
    progress: &mut Progress,
) -> Result<(Vec<u8>, Option<u8>, Duration), Error> {
    let image = picture.image()?;
    progress.start("encoding", image.height());
    let began = Instant::now();
    let (file, quality) = settings.encode(encoder, &image, |done| progress.reach(done))?;
    Ok((file, quality, began.elapsed()))
}
