//! What the tests share: frames, and decoders that others wrote.

#![allow(dead_code, reason = "each test uses a part")]

pub(crate) mod any;
pub(crate) mod dpb;
mod samples;

use std::io::{Read, Write};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

use openh264::decoder::{DecodeOptions, Decoder, Flush};
use openh264::formats::YUVSource;
use shim_h264::Frame;
use shim_h264::decide::Decisions;
use shim_h264::{Config, Encoder, Packet, RateControl};

pub(crate) use samples::{Rng, i420};

/// A configuration of Intra pictures alone at QP 26, for tests of what does not depend on rates and references. With
/// another rate there is still a packet for each frame at once.
pub(crate) fn intra(width: usize, height: usize) -> Config {
    let mut config = Config::new(width, height);
    (config.keyint, config.references, config.rate) = (1, Some(1), RateControl::ConstantQp(26));
    config.lookahead = Some(0);
    config
}

/// A frame of gradients, edges and noise, I420.
pub(crate) fn picture(width: usize, height: usize, seed: u64) -> Vec<u8> {
    let mut rng = Rng(seed);
    let mut samples = Vec::new();
    let chroma = (width.div_ceil(2), height.div_ceil(2));
    for (w, h) in [(width, height), chroma, chroma] {
        let (dx, dy, base) = (rng.below(9) as i32 - 4, rng.below(9) as i32 - 4, rng.below(256) as i32);
        // Flat planes, too, so that patterns of all kinds come out.
        let (noise, slope) = ([0, 0, 3, 40, 256][rng.below(5)], rng.below(3).min(1) as i32);
        let (edge, step) = (rng.below(w + 1), slope * rng.below(200) as i32);
        for y in 0..h {
            for x in 0..w {
                let mut value = base + slope * (dx * x as i32 + dy * y as i32) / 4;
                value += if x + y / 3 > edge { step } else { 0 };
                if noise > 0 {
                    value += rng.below(noise) as i32 - noise as i32 / 2;
                }
                samples.push(value.clamp(0, 255) as u8);
            }
        }
    }
    samples
}

/// The frames that `OpenH264` finds in a byte stream, I420.
pub(crate) fn openh264(stream: &[u8]) -> Vec<Vec<u8>> {
    let mut decoder = Decoder::new().expect("a decoder");
    let mut frames = Vec::new();
    let mut take = |yuv: &openh264::decoder::DecodedYUV<'_>| {
        let (width, height) = yuv.dimensions();
        let (strides, mut frame) = (yuv.strides(), Vec::new());
        for (plane, stride, w, h) in [
            (yuv.y(), strides.0, width, height),
            (yuv.u(), strides.1, width / 2, height / 2),
            (yuv.v(), strides.2, width / 2, height / 2),
        ] {
            frame.extend(plane.chunks(stride).take(h).flat_map(|row| &row[..w]));
        }
        frames.push(frame);
    };
    let options = DecodeOptions::new().flush_after_decode(Flush::NoFlush);
    for unit in openh264::nal_units(stream) {
        if let Some(yuv) = decoder.decode_with_options(unit, options.clone()).expect("OpenH264 decodes it") {
            take(&yuv);
        }
    }
    for yuv in decoder.flush_remaining().expect("OpenH264 decodes it") {
        take(&yuv);
    }
    frames
}

/// All frames that ffmpeg finds in a byte stream, I420 one behind the other; none where there is no ffmpeg.
pub(crate) fn ffmpeg(stream: &[u8]) -> Option<Vec<u8>> {
    let arguments = "-v error -xerror -f h264 -i - -fps_mode passthrough -f rawvideo -pix_fmt yuv420p -";
    let child = Command::new("ffmpeg")
        .args(arguments.split(' '))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let Ok(mut child) = child else {
        assert!(std::env::var_os("CI").is_none(), "ffmpeg is not there");
        println!("skipped: ffmpeg is not there");
        return None;
    };
    let (mut input, stream) = (child.stdin.take().expect("a pipe"), stream.to_vec());
    let writer = std::thread::spawn(move || input.write_all(&stream));
    let mut frames = Vec::new();
    child.stdout.take().expect("a pipe").read_to_end(&mut frames).expect("it is read");
    let output = child.wait_with_output().expect("it ends");
    writer.join().expect("it ends").expect("it is written");
    assert!(
        output.stderr.is_empty() && output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    Some(frames)
}

/// All frames that the reference software's decoder finds in a byte stream, I420 one behind the other; none unless
/// `SHIM_LDECOD` is the path of a built `ldecod`.
pub(crate) fn ldecod(stream: &[u8]) -> Option<Vec<u8>> {
    static NUMBER: AtomicUsize = AtomicUsize::new(0);
    let program = std::env::var_os("SHIM_LDECOD")?;
    // It leaves a log in the working directory.
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let folder = std::env::temp_dir().join(format!("shim-ldecod-{}-{number}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    std::fs::write(folder.join("in.264"), stream).expect("it is written");
    let output = Command::new(program)
        .args(["-s", "-i", "in.264", "-o", "out.yuv"])
        .current_dir(&folder)
        .output()
        .expect("SHIM_LDECOD is the path of a program");
    assert!(output.status.success(), "ldecod: {}", String::from_utf8_lossy(&output.stderr));
    let frames = std::fs::read(folder.join("out.yuv")).expect("ldecod has an output");
    std::fs::remove_dir_all(&folder).expect("the folder is there");
    Some(frames)
}

/// Codes frames, and gives the stream and the reconstructions.
pub(crate) fn encode<D: Decisions>(
    config: &Config,
    decisions: D,
    frames: &[Vec<u8>],
) -> (Vec<u8>, Vec<Vec<u8>>) {
    let mut encoder = Encoder::with_decisions(config.clone(), decisions).expect("a legal configuration");
    let (mut stream, mut recon) = (Vec::new(), Vec::new());
    let mut given = frames.iter();
    while let Some(packet) = next(&mut encoder, &mut given) {
        stream.extend(packet.bytes);
        recon.push(i420(&encoder.reconstruction()));
    }
    (stream, recon)
}

/// The next packet of an encoder that takes the frames one by one as it needs them; none behind the last.
pub(crate) fn next<'f, D: Decisions>(
    encoder: &mut Encoder<D>,
    frames: &mut impl Iterator<Item = &'f Vec<u8>>,
) -> Option<Packet> {
    let (width, height) = (encoder.config().width, encoder.config().height);
    for frame in frames {
        let frame = Frame::i420(width, height, frame).expect("a legal frame");
        if let Some(packet) = encoder.encode(&frame).expect("it is coded") {
            return Some(packet);
        }
    }
    encoder.flush().expect("it is coded")
}

/// That decoders find in the stream what was reconstructed, and that its pictures and references are numbered by the
/// rules.
pub(crate) fn exact(stream: &[u8], recon: &[Vec<u8>], with_ffmpeg: bool, what: &str) {
    dpb::check(stream, recon.len(), what);
    let found = openh264(stream);
    assert_eq!(found.len(), recon.len(), "OpenH264: frames of {what}");
    for (number, (found, recon)) in found.iter().zip(recon).enumerate() {
        same(found, recon, &format!("OpenH264: frame {number} of {what}"));
    }
    if with_ffmpeg && let Some(found) = ffmpeg(stream) {
        same(&found, &recon.concat(), &format!("ffmpeg: {what}"));
    }
    if let Some(found) = ldecod(stream) {
        same(&found, &recon.concat(), &format!("ldecod: {what}"));
    }
}

fn same(found: &[u8], wanted: &[u8], what: &str) {
    assert_eq!(found.len(), wanted.len(), "{what}");
    if let Some(place) = found.iter().zip(wanted).position(|(a, b)| a != b) {
        let more = found.iter().zip(wanted).filter(|(a, b)| a != b).count();
        panic!("{what}: sample {place} is {}, not {}; {more} differ", found[place], wanted[place]);
    }
}
