//! The command, the Rust API and the C API make the same file of the same input. `shim-py/tests/test_front_ends.py` compares
//! the package for Python with the command, over the same images and more.
#![allow(unsafe_code, reason = "the C API is called as from C")]

use std::fs;
use std::mem::zeroed;
use std::path::{Path, PathBuf};
use std::ptr::null_mut;

use assert_cmd::Command;
use shim_capi as c;
use shim_h264::{Config, Conversion, Encoder, Frame, Pixels, Preset, RateControl};
use shim_jpeg::{Process, Subsampling};
use shim_picture::{Embedding, Options, Part, Picture};

use crate::common::{Folder, jpeg, media};

/// Settings of a JPEG file: options of the command, and what they are to the Rust API and to the C API.
type JpegSetting =
    (&'static [&'static str], fn(shim_jpeg::Encoder) -> shim_jpeg::Encoder, fn(*mut c::Encoder));

fn rust_as_it_is(encoder: shim_jpeg::Encoder) -> shim_jpeg::Encoder {
    encoder
}

const JPEG: [JpegSetting; 4] = [
    (&[], rust_as_it_is, |_| ()),
    (
        &["-q", "61", "-s", "444"],
        |encoder| encoder.quality(61).subsampling(Subsampling::S444),
        // SAFETY: a live encoder.
        |encoder| unsafe {
            c::shim_jpeg_encoder_set_quality(encoder, 61);
            c::shim_jpeg_encoder_set_subsampling(encoder, c::SHIM_JPEG_SUBSAMPLING_444);
        },
    ),
    (
        &["-p"],
        |encoder| encoder.process(Process::Progressive),
        // SAFETY: a live encoder.
        |encoder| unsafe {
            c::shim_jpeg_encoder_set_progressive(encoder, 1);
        },
    ),
    (
        &["-e", "-O"],
        |encoder| encoder.libjpeg_compatible(true).optimized(true),
        // SAFETY: a live encoder.
        |encoder| unsafe {
            c::shim_jpeg_encoder_set_libjpeg_compatible(encoder, 1);
            c::shim_jpeg_encoder_set_optimized(encoder, 1);
        },
    ),
];

fn samples() -> Vec<PathBuf> {
    let reported = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/reported");
    let mut paths: Vec<_> = fs::read_dir(reported).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.push(media("chelsea_227x149.png"));
    paths.sort();
    paths
}

/// The file that the C API makes of the pixels of a picture, which has no metadata but its density.
fn by_c(picture: &Picture, set: fn(*mut c::Encoder)) -> Vec<u8> {
    let pixels = if picture.kind.is_gray() { c::SHIM_JPEG_PIXELS_GRAY } else { c::SHIM_JPEG_PIXELS_RGB };
    let samples = picture.bytes().unwrap();
    // SAFETY: a structure of numbers and pointers, begun as in C.
    let mut image: c::Image = unsafe { zeroed() };
    image.struct_size = size_of::<c::Image>();
    (image.width, image.height, image.pixels) = (picture.width as u32, picture.height as u32, pixels);
    (image.sample_bytes, image.bits, image.plane_count) = (1, 8, 1);
    image.planes[0] = samples.as_ptr().cast();
    image.plane_sizes[0] = samples.len();
    // SAFETY: the objects are live, and freed last.
    unsafe {
        let encoder = c::shim_jpeg_encoder_new();
        set(encoder);
        let density = match picture.metadata.density {
            Some(shim_jpeg::Density::Aspect(x, y)) => Some((c::SHIM_JPEG_DENSITY_ASPECT, x, y)),
            Some(shim_jpeg::Density::PerInch(x, y)) => Some((c::SHIM_JPEG_DENSITY_PER_INCH, x, y)),
            Some(shim_jpeg::Density::PerCentimeter(x, y)) => {
                Some((c::SHIM_JPEG_DENSITY_PER_CENTIMETRE, x, y))
            }
            _ => None,
        };
        if let Some((unit, x, y)) = density {
            assert_eq!(c::shim_jpeg_encoder_set_density(encoder, unit, x.into(), y.into()), c::SHIM_OK);
        }
        let mut buffer = null_mut();
        assert_eq!(c::shim_jpeg_encode(encoder, &raw const image, &raw mut buffer), c::SHIM_OK);
        let size = c::shim_jpeg_buffer_size(buffer);
        let file = std::slice::from_raw_parts(c::shim_jpeg_buffer_data(buffer), size).to_vec();
        c::shim_jpeg_buffer_free(buffer);
        c::shim_jpeg_encoder_free(encoder);
        file
    }
}

#[test]
fn images_are_the_same_file() {
    let folder = Folder::new();
    let output = folder.path("out.jpg");
    let options = Options { bits: Some(8), ..Options::default() };
    let embedding = Embedding { keep: vec![Part::Icc, Part::Density], ..Embedding::default() };
    for (arguments, set, set_by_c) in JPEG {
        for input in samples() {
            jpeg(&input, &output).args(arguments).assert().code(0);
            let command = fs::read(&output).unwrap();
            let picture = Picture::decode(&fs::read(&input).unwrap(), options, &mut ()).unwrap();
            let space = picture.color_space(None, false);
            let encoder = embedding.apply(set(shim_jpeg::Encoder::new()), &picture.metadata, space).unwrap();
            let rust = encoder.encode(&picture.image().unwrap()).unwrap();
            assert!(rust == command, "{} with {arguments:?}: the Rust API", input.display());
            if picture.metadata.icc.is_none() {
                let c = by_c(&picture, set_by_c);
                assert!(c == command, "{} with {arguments:?}: the C API", input.display());
            }
        }
    }
}

const WIDTH: usize = 96;
const HEIGHT: usize = 64;

/// Frames of a moving pattern.
fn frames(bytes: usize) -> Vec<Vec<u8>> {
    let frame = |n: usize| (0..bytes).map(|i| (i / 7 * (i / 300 + 3) + 5 * n) as u8).collect();
    (0..6).map(frame).collect()
}

/// The stream of the C API.
fn stream_by_c(preset: u32, pixels: u32, frames: &[Vec<u8>]) -> Vec<u8> {
    // SAFETY: the objects are live, and freed last.
    unsafe {
        let encoder = c::shim_h264_encoder_new(WIDTH as u32, HEIGHT as u32);
        assert_eq!(c::shim_h264_encoder_set_preset(encoder, preset), c::SHIM_OK);
        assert_eq!(c::shim_h264_encoder_set_quality(encoder, 30.0), c::SHIM_OK);
        let mut packet: c::H264Packet = zeroed();
        packet.struct_size = size_of::<c::H264Packet>();
        let mut stream = Vec::new();
        let mut take = |packet: &c::H264Packet| {
            let bytes =
                (!packet.data.is_null()).then(|| std::slice::from_raw_parts(packet.data, packet.size));
            stream.extend_from_slice(bytes.unwrap_or_default());
            bytes.is_some()
        };
        for samples in frames {
            let mut frame: c::H264Frame = zeroed();
            frame.struct_size = size_of::<c::H264Frame>();
            (frame.width, frame.height, frame.pixels) = (WIDTH as u32, HEIGHT as u32, pixels);
            let planes: [&[u8]; 3] = if pixels == c::SHIM_H264_PIXELS_I420 {
                let (luma, chroma) = samples.split_at(WIDTH * HEIGHT);
                let (cb, cr) = chroma.split_at(chroma.len() / 2);
                [luma, cb, cr]
            } else {
                [samples, &[], &[]]
            };
            (frame.planes, frame.plane_sizes) = (planes.map(<[u8]>::as_ptr), planes.map(<[u8]>::len));
            assert_eq!(c::shim_h264_encode(encoder, &raw const frame, &raw mut packet), c::SHIM_OK);
            take(&packet);
        }
        loop {
            assert_eq!(c::shim_h264_flush(encoder, &raw mut packet), c::SHIM_OK);
            if !take(&packet) {
                break;
            }
        }
        c::shim_h264_encoder_free(encoder);
        stream
    }
}

#[test]
fn presets_are_the_same_stream() {
    let folder = Folder::new();
    for (number, preset) in (0..).zip(Preset::ALL) {
        for (name, pixels, by_c, bytes) in [
            ("yuv420p", None, c::SHIM_H264_PIXELS_I420, WIDTH * HEIGHT * 3 / 2),
            ("rgb24", Some(Pixels::Rgb), c::SHIM_H264_PIXELS_RGB, WIDTH * HEIGHT * 3),
            ("gray", Some(Pixels::Gray), c::SHIM_H264_PIXELS_GRAY, WIDTH * HEIGHT),
        ] {
            let frames = frames(bytes);
            let input = folder.with("in.raw", &frames.concat());
            let output = folder.path("out.264");
            let mut command = Command::cargo_bin("shim").unwrap();
            command.arg("h264").args([&input, &output]).args(["--size", "96x64", "--pix-fmt", name]);
            command.args(["--preset", preset.name(), "--crf", "30", "--slices", "1"]).assert().code(0);
            let command = fs::read(&output).unwrap();

            let mut config = Config::new(WIDTH, HEIGHT);
            (config.preset, config.rate) = (preset, RateControl::ConstantQuality(30.0));
            let color = config.rgb_color();
            let mut conversion = pixels.map(|pixels| Conversion::new(WIDTH, HEIGHT, pixels, color).unwrap());
            let mut encoder = Encoder::new(config).unwrap();
            let mut rust = Vec::new();
            for samples in &frames {
                let frame = match &mut conversion {
                    Some(conversion) => conversion.frame(samples, bytes / HEIGHT).unwrap(),
                    None => Frame::i420(WIDTH, HEIGHT, samples).unwrap(),
                };
                rust.extend(encoder.encode(&frame).unwrap().map(|packet| packet.bytes));
            }
            rust.extend(std::iter::from_fn(|| encoder.flush().unwrap()).map(|packet| packet.bytes));
            let rust = rust.concat();
            assert!(rust == command, "{preset} of {name}: the Rust API");
            assert!(stream_by_c(number, by_c, &frames) == command, "{preset} of {name}: the C API");
        }
    }
}
