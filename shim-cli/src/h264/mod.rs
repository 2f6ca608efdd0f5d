//! `shim h264`.

mod report;
mod source;
mod timecodes;
mod y4m_header;

use std::collections::BTreeSet;
use std::io::{self, Seek, Write};
use std::iter;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use shim_files::{Output, Target};
use shim_h264::bitstream::{annex_b, avcc};
use shim_h264::syntax::stream::StreamReader;
use shim_h264::{
    Config, Deblocking, Edges, Encoder, FirstPass, Format, Frame, Packet, Plane, RateControl, Vbv,
};
use shim_mp4::{Fragments, Mp4, Video};

use crate::args::{self, H264, Profile};
use crate::failure::{FAILED, Failure, Reason};
use crate::jpeg::{print, useful_threads};
use crate::output::Named;
use crate::progress::Progress;
use crate::signals::{self, AtSignal};
use crate::standard::{self, input_name, is_standard, output_name};
use crate::{extension, identity};
use report::{Coded, Fidelity, Report, counted};
use source::{Broken, Next, Source};
use timecodes::Timecodes;

/// Frames a second of raw frames, unless told.
const USUAL_RATE: (u32, u32) = (30, 1);

/// The quality, unless something is said of it or of the rate.
const USUAL_QUALITY: f32 = 23.0;

/// Reads, encodes, writes and reports.
pub(crate) fn run(arguments: &H264) -> Result<ExitCode, Failure> {
    let (input, output) = (&arguments.input, arguments.output());
    extension::check(output, &[extension::BYTE_STREAM, extension::MP4])?;
    let beside = arguments.recon.iter().chain(&arguments.trace).map(PathBuf::as_path);
    let beside = beside.chain(arguments.written_pass());
    let inputs = iter::once(&**input).chain(arguments.timecodes.as_deref()).chain(arguments.read_pass());
    identity::check(inputs, iter::once(output).chain(beside))?;
    let mp4 = extension::has(output, extension::MP4);
    signals::watch(AtSignal::Finish)?;
    let mut source = match Source::open(arguments) {
        // A signal ends the input, which then looks cut off.
        Err(_) if signals::interrupted().is_some() => nothing_written(),
        source => source?,
    };
    for warning in warnings(arguments, &source) {
        eprintln!("warning: {warning}");
    }
    let timecodes = timecodes(arguments, mp4)?;
    let mut config = config(arguments, &source, timecodes.as_ref(), mp4);
    if let Some(path) = arguments.read_pass() {
        let pass = standard::read_text(path)?.parse();
        let wrong = |error: shim_h264::Error| Failure::input(path, Reason::Syntax(error.to_string()));
        config.first_pass = Some(pass.map_err(wrong)?);
    }
    let refused = |error| Failure::input(input, Reason::Video(error));
    let mut encoder = Encoder::new(config.clone()).map_err(refused)?;
    let mut side = Side::open(arguments, config.format)?;
    if mp4 {
        // In a byte stream they are among the frames.
        side.units(encoder.parameter_sets().iter().map(Vec::as_slice))?;
    }
    let format = Video { quicktime: extension::has(output, &["mov"]), ..Video::of(&mut encoder) };
    let target = Target { grows: arguments.fragment, ..target(arguments, output) };
    let mut video = Container::open(target, mp4, format)?;

    let Config { width, height, .. } = config;
    if !width.is_multiple_of(2) || !height.is_multiple_of(2) {
        let [wide, high] = [width, height].map(|side| side.next_multiple_of(2));
        eprintln!(
            "warning: {}: {width}x{height} is padded to {wide}x{high}: 4:2:0 video has even sides",
            input_name(input)
        );
    }
    let mut progress = Progress::new();
    progress.start("encoding", config.expected_frames.unwrap_or_default() as usize);
    let (mut coded, mut time, mut broken) = (Coded::new(config.frame_rate), Duration::ZERO, None);
    let mut fidelity = arguments.stats.then(Fidelity::default);
    let forced: BTreeSet<u64> =
        arguments.force_key_frames.iter().map(|keyframe| keyframe.frame(config.frame_rate)).collect();
    let mut given = 0;
    let mut write = |packet: &Packet,
                     recon: &Frame<'_>,
                     coded: &mut Coded,
                     fidelity: &mut Option<Fidelity>|
     -> Result<(), Failure> {
        coded.add(&packet.statistics);
        if let Some(fidelity) = fidelity {
            fidelity.compare(recon);
        }
        video.frame(packet, time_of(timecodes.as_ref(), arguments, packet.number)?)?;
        side.frame(packet, recon)
    };
    while arguments.frames.is_none_or(|most| given < most) && signals::interrupted().is_none() {
        let encode = |frame: &Frame<'_>| {
            let began = Instant::now();
            if forced.contains(&given) {
                encoder.force_keyframe();
            }
            given += 1;
            let packet = encoder.encode(frame)?;
            time += began.elapsed();
            if let Some(fidelity) = &mut fidelity {
                fidelity.take(frame);
            }
            Ok(packet)
        };
        match source.next(input, encode)? {
            Next::Frame(packet) => {
                if let Some(packet) = packet {
                    write(&packet, &encoder.reconstruction(), &mut coded, &mut fidelity)?;
                }
            }
            Next::End => break,
            Next::Broken(why) => {
                // A signal ends the input anywhere.
                broken = Some(why).filter(|_| signals::interrupted().is_none());
                break;
            }
        }
        progress.reach(coded.frames as usize);
        let rate = progress.rate("frames");
        progress.note(|| {
            format!(", {}, {rate}, {:.1} kbit/s", counted(coded.frames, "frame"), coded.kilobits_per_second())
        });
    }
    loop {
        let began = Instant::now();
        let packet = encoder.flush().map_err(refused)?;
        time += began.elapsed();
        let Some(packet) = packet else { break };
        write(&packet, &encoder.reconstruction(), &mut coded, &mut fidelity)?;
    }
    progress.finish();
    let interrupted = signals::interrupted();
    if coded.frames == 0 {
        drop((video, side));
        let reason = match (interrupted, broken) {
            (Some(_), _) => nothing_written(),
            (None, Some(broken)) => broken.reason(),
            (None, None) if arguments.seek > 0 => Reason::SeekPastEnd(arguments.seek),
            (None, None) => Reason::NoFrames,
        };
        return Err(Failure::input(input, reason));
    }
    video.finish()?;
    side.finish()?;
    let incomplete = broken.as_ref().is_some_and(Broken::loses_frames);
    if let Some(broken) = &broken {
        let kind = if incomplete { "error" } else { "warning" };
        eprintln!("{kind}: {}: {}", input_name(input), broken.message(arguments.seek + coded.frames));
    }
    if let Some(signal) = interrupted {
        let (output, frames) = (output_name(output), counted(coded.frames, "frame"));
        eprintln!("warning: interrupted by {signal} after {frames}: {output} is complete and ends there");
    }
    coded.missed = encoder.missed_bit_rate().map(|missed| missed.to_string());
    if let (None, Some(target)) = (&coded.missed, arguments.bitrate) {
        coded.missed = coded.missed_by_a_short_stream(target);
    }
    for warning in coded.warnings() {
        eprintln!("warning: {}: {warning}", output_name(output));
    }
    let truncated = incomplete || matches!(broken, Some(Broken::Truncated));
    let report = Report::new(arguments, &config, coded, time, truncated, interrupted, fidelity);
    if !arguments.quiet {
        print(&if arguments.json { report.json() } else { report.to_string() }, !is_standard(output))?;
    }
    if interrupted.is_some() {
        signals::end_by_signal();
    }
    Ok(if incomplete { ExitCode::from(FAILED) } else { ExitCode::SUCCESS })
}

/// Ends the program, which a signal has interrupted before there was a frame.
fn nothing_written() -> ! {
    let signal = signals::interrupted().map_or_else(|| "a signal".to_owned(), ToString::to_string);
    eprintln!("error: interrupted by {signal} before the first frame: nothing was written");
    signals::end_by_signal()
}

/// A bit rate below which kbit/s were probably meant.
const FEW_BITS: u64 = 5000;

/// Warnings about doubtful arguments and a header without a frame rate.
fn warnings(arguments: &H264, source: &Source) -> Vec<String> {
    let rates = [
        ("--bitrate", arguments.bitrate),
        ("--maxrate", arguments.maxrate),
        ("--bufsize", arguments.bufsize),
    ];
    let few = rates.into_iter().filter_map(|(option, bits)| {
        let bits = bits.filter(|&bits| bits < FEW_BITS)?;
        Some(format!("{option} {bits} is {bits} bits, not kilobits: did you mean {bits}k?"))
    });
    let unknown = arguments.size.is_none()
        && source.header.frame_rate.is_none()
        && arguments.fps.is_none()
        && arguments.timecodes.is_none();
    let rate = unknown.then(|| {
        let (input, (frames, _)) = (input_name(&arguments.input), USUAL_RATE);
        format!("{input}: its header gives no frame rate; encoding at {frames} frames/s (--fps sets it)")
    });
    few.chain(rate).collect()
}

/// The times of frames, if a file gives them.
fn timecodes(arguments: &H264, mp4: bool) -> Result<Option<Timecodes>, Failure> {
    let Some(path) = &arguments.timecodes else { return Ok(None) };
    if !mp4 {
        args::wrong("h264", "--timecodes needs an MP4 or MOV file: a byte stream has no times");
    }
    let timecodes = Timecodes::parse(&standard::read_text(path)?);
    timecodes.map(Some).map_err(|reason| Failure::input(path, reason))
}

/// The time of a frame by its number in the stream, if a file gives them.
fn time_of(timecodes: Option<&Timecodes>, arguments: &H264, frame: u64) -> Result<Option<u64>, Failure> {
    let (Some(timecodes), Some(path)) = (timecodes, &arguments.timecodes) else { return Ok(None) };
    let frame = arguments.seek + frame;
    let missing = || Failure::input(path, Reason::Syntax(format!("no time for frame {frame}")));
    timecodes.time(frame).map(Some).ok_or_else(missing)
}

/// Builds the configuration of the encoder.
fn config(arguments: &H264, source: &Source, timecodes: Option<&Timecodes>, mp4: bool) -> Config {
    let mut config = Config::new(source.width, source.height);
    let average = timecodes.and_then(Timecodes::frame_rate);
    config.frame_rate = arguments.fps.or(average).or(source.header.frame_rate).unwrap_or(USUAL_RATE);
    config.variable_frame_rate = timecodes.is_some();
    config.rate = match *arguments {
        H264 { qp: Some(qp), .. } => RateControl::ConstantQp(qp),
        H264 { bitrate: Some(bits), .. } => RateControl::AverageBitRate(bits),
        H264 { crf, .. } => RateControl::ConstantQuality(crf.unwrap_or(USUAL_QUALITY)),
    };
    config.expected_frames = source.expected().into_iter().chain(arguments.frames).min();
    if let Some(tune) = arguments.tune {
        config.tune(tune);
    }
    config.lookahead = arguments.lookahead.or(config.lookahead);
    config.aq_strength = arguments.aq_strength.or(config.aq_strength);
    config.mb_tree = !arguments.no_mbtree;
    config.vbv = arguments.maxrate.zip(arguments.bufsize).map(|(rate, bits)| Vbv::new(rate, bits));
    config.preset = arguments.preset;
    config.keyint = arguments.keyint;
    config.scene_cut = (arguments.scenecut || arguments.no_scenecut).then_some(arguments.scenecut);
    config.min_keyint = arguments.min_keyint;
    config.references = arguments.refs;
    config.constrained_intra_pred = arguments.constrained_intra;
    let threads = match arguments.threads {
        0 => std::thread::available_parallelism().map_or(1, NonZero::get),
        threads => threads,
    };
    config.threads = useful_threads(threads);
    config.slices = match arguments.slices {
        Some(slices) => slices,
        None if config.encodes_frames_at_once() => 1,
        None => threads.min(source.height.div_ceil(16)).max(1),
    };
    if !config.encodes_frames_at_once() {
        // More threads than slices would gain nothing: what they share beside slices takes a small part of the time.
        config.threads = useful_threads(threads.min(config.slices.max(1)));
    }
    match arguments.profile {
        // Streams conform to both.
        None | Some(Profile::Baseline | Profile::ConstrainedBaseline) => {}
    }
    debug_assert!(arguments.bframes.is_none_or(|frames| frames == 0), "the parser takes no other number");
    config.level = arguments.level;
    config.full_range = arguments.full_range().or(source.header.full_range);
    config.color = arguments.color();
    if arguments.pix_fmt.pixels().is_some() {
        // The parameter sets are read before the first frame.
        config.color = Some(config.rgb_color());
    }
    (config.primaries, config.transfer) = (arguments.colorprim, arguments.transfer);
    config.sample_aspect_ratio = arguments.sar.or(source.header.sample_aspect_ratio);
    config.access_unit_delimiters = arguments.aud;
    config.max_slice_size = arguments.slice_max_size;
    if let Some((alpha, beta)) = arguments.deblock {
        config.deblocking = Deblocking { edges: Some(Edges::All), alpha, beta };
    }
    if arguments.no_deblock {
        config.deblocking = Deblocking { edges: Some(Edges::None), ..Deblocking::default() };
    }
    if mp4 {
        config.format = Format::Avcc;
    }
    config
}

/// The file that the video is written to.
struct Container {
    target: Target,
    output: Output,
    layout: Layout,
}

/// Container format.
enum Layout {
    ByteStream,
    Whole(Mp4),
    Fragmented(Fragments),
}

impl Container {
    fn open(target: Target, mp4: bool, video: Video) -> Result<Self, Failure> {
        let mut output = target.opened()?;
        // A pipe cannot be completed at its beginning, so it gets fragments.
        let fragment = target.grows || output.stream_position().is_err();
        let layout = match (mp4, fragment) {
            (false, _) => Ok(Layout::ByteStream),
            (true, false) => Mp4::new(video, &mut output).map(Layout::Whole),
            (true, true) => Fragments::new(video, &mut output).map(Layout::Fragmented),
        };
        let layout = layout.map_err(|error| target.failure(error))?;
        Ok(Self { target, output, layout })
    }

    fn frame(&mut self, packet: &Packet, time: Option<u64>) -> Result<(), Failure> {
        let (bytes, keyframe, output) = (&packet.bytes, packet.keyframe, &mut self.output);
        let written = match (&mut self.layout, time) {
            (Layout::Whole(mp4), Some(time)) => mp4.frame_at(bytes, keyframe, time, output),
            (Layout::Whole(mp4), None) => mp4.frame(bytes, keyframe, output),
            (Layout::Fragmented(mp4), Some(time)) => mp4.frame_at(bytes, keyframe, time, output),
            (Layout::Fragmented(mp4), None) => mp4.frame(bytes, keyframe, output),
            (Layout::ByteStream, _) => output.write_all(bytes),
        };
        written.map_err(|error| self.target.failure(error))
    }

    fn finish(mut self) -> Result<(), Failure> {
        let written = match self.layout {
            Layout::Whole(mp4) => match self.output.regular_file() {
                Some(file) => mp4.finish(file),
                None => mp4.finish_unread(&mut self.output),
            },
            Layout::Fragmented(mut mp4) => mp4.flush(&mut self.output),
            Layout::ByteStream => Ok(()),
        };
        written.map_err(|error| self.target.failure(error))?;
        self.target.finished(self.output)
    }
}

/// Outputs besides the video.
struct Side {
    recon: Option<Beside>,
    trace: Option<(Beside, Box<StreamReader>)>,
    pass: Option<(Beside, FirstPass)>,
    format: Format,
}

/// A file that is written beside the video.
struct Beside {
    target: Target,
    output: Output,
}

impl Beside {
    fn open(target: Target) -> Result<Self, Failure> {
        Ok(Self { output: target.opened()?, target })
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        self.output.write_all(bytes).map_err(|error| self.target.failure(error))
    }

    fn finish(self) -> Result<(), Failure> {
        self.target.finished(self.output)
    }
}

impl Side {
    fn open(arguments: &H264, format: Format) -> Result<Self, Failure> {
        let open = |path| Beside::open(target(arguments, path));
        let trace = arguments.trace.as_deref().map(open).transpose()?;
        let pass = arguments.written_pass().map(open).transpose()?;
        Ok(Self {
            pass: pass.map(|file| (file, FirstPass::default())),
            recon: arguments.recon.as_deref().map(open).transpose()?,
            trace: trace.map(|file| (file, Box::default())),
            format,
        })
    }

    fn frame(&mut self, packet: &Packet, recon: &Frame<'_>) -> Result<(), Failure> {
        if let Some(file) = &mut self.recon {
            recon.planes().iter().flat_map(Plane::rows).try_for_each(|row| file.write(row))?;
        }
        if let Some((_, pass)) = &mut self.pass {
            pass.extend([packet.statistics]);
        }
        match self.format {
            Format::AnnexB => self.units(annex_b::units(&packet.bytes)),
            Format::Avcc => self.units(avcc::units(&packet.bytes)),
        }
    }

    /// Traces NAL units.
    fn units<'u>(&mut self, mut units: impl Iterator<Item = &'u [u8]>) -> Result<(), Failure> {
        let Some((file, reader)) = &mut self.trace else { return Ok(()) };
        units.try_for_each(|unit| {
            // The encoder's own units can be read.
            let read = reader.read(unit).map_err(|error| file.target.failure(io::Error::other(error)));
            file.write(reader.trace.take().as_bytes()).and(read.map(drop))
        })
    }

    fn finish(self) -> Result<(), Failure> {
        self.recon.map_or(Ok(()), Beside::finish)?;
        if let Some((mut file, pass)) = self.pass {
            file.write(pass.to_string().as_bytes())?;
            file.finish()?;
        }
        self.trace.map_or(Ok(()), |(file, _)| file.finish())
    }
}

/// A file that is replaced when the whole of the new one is ready.
fn target(arguments: &H264, path: &Path) -> Target {
    Target { source: Some(arguments.input.clone()), ..Target::replacing(path) }
}
