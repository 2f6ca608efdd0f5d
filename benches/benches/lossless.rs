//! Prints how long the lossless process (T.81 Annex H) takes beside libjpeg-turbo's.
//!
//! `cargo bench -p shim-benches --bench lossless [-- [--pairs N] [PICTURE ..]]`, with pictures as `jpeg` has them. Both
//! code the same pixels, RGB and the green samples as gray, by predictor 1 and with Huffman tables that fit the image,
//! which is what libjpeg-turbo does unless told; `fixed` is the encoder with tables that it has beforehand. Before
//! anything is measured, libjpeg-turbo decodes files of all predictors, and must find the pixels themselves.

#![expect(clippy::cast_precision_loss, reason = "sizes of files and images are far below 2^52")]

use std::hint::black_box;
use std::process::ExitCode;

use shim_benches::arguments::Arguments;
use shim_benches::measure::compare;
use shim_jpeg::{Encoder, Image, Pixels, Predictor, Process};

/// Interleaved pairs, unless told.
const PAIRS: usize = 11;
/// What libjpeg-turbo's time is divided by, at least.
const LIMIT: f64 = 3.0;

/// The samples of a photograph, of one or three components.
struct Picture {
    samples: Vec<u8>,
    width: usize,
    height: usize,
    components: usize,
}

impl Picture {
    fn format(&self) -> turbojpeg::PixelFormat {
        if self.components == 1 { turbojpeg::PixelFormat::GRAY } else { turbojpeg::PixelFormat::RGB }
    }

    fn shim(&self, encoder: &Encoder) -> Vec<u8> {
        let Self { samples, width, height, components } = self;
        let pixels = if *components == 1 { Pixels::Gray } else { Pixels::Rgb };
        let image = Image::interleaved(samples, pixels, *width, *height, components * width);
        encoder.encode(&image.expect("a valid image")).expect("memory does not fail")
    }

    /// Whether libjpeg-turbo finds these samples in a file.
    fn is_in(&self, file: &[u8]) -> bool {
        let mut samples = vec![0; self.samples.len()];
        let image = turbojpeg::Image {
            pixels: &mut samples[..],
            width: self.width,
            height: self.height,
            pitch: self.components * self.width,
            format: self.format(),
        };
        let decoded = turbojpeg::Decompressor::new().and_then(|mut turbo| turbo.decompress(file, image));
        decoded.is_ok() && samples == self.samples
    }
}

/// libjpeg-turbo with its memory.
struct Turbo<'p> {
    picture: &'p Picture,
    compressor: turbojpeg::Compressor,
    memory: Vec<u8>,
}

impl<'p> Turbo<'p> {
    fn new(picture: &'p Picture) -> Result<Self, turbojpeg::Error> {
        let mut compressor = turbojpeg::Compressor::new()?;
        compressor.set_lossless(true)?;
        let subsampling =
            if picture.components == 1 { turbojpeg::Subsamp::Gray } else { turbojpeg::Subsamp::None };
        compressor.set_subsamp(subsampling)?;
        let length = turbojpeg::compressed_buf_len(picture.width, picture.height, subsampling)?;
        Ok(Self { picture, compressor, memory: vec![0; length] })
    }

    /// The bytes of its file.
    fn encode(&mut self) -> usize {
        let Picture { samples, width, height, components } = self.picture;
        let image = turbojpeg::Image {
            pixels: &samples[..],
            width: *width,
            height: *height,
            pitch: components * width,
            format: self.picture.format(),
        };
        self.compressor.compress_to_slice(image, &mut self.memory).expect("memory enough")
    }
}

fn main() -> ExitCode {
    let usual = ["media/chelsea.png", "../shared/media/flower_2268x1512.png"];
    let arguments = match Arguments::read(PAIRS, &[], &usual) {
        Ok(arguments) => arguments,
        Err(sentence) => {
            eprintln!("{sentence}");
            return ExitCode::FAILURE;
        }
    };
    if let Some(core) = core_affinity::get_core_ids().and_then(|cores| cores.last().copied()) {
        core_affinity::set_for_current(core);
    }
    println!("how many times as fast as libjpeg-turbo 3.1: the median, and one in ten on either side");
    println!("{:36} {:>9} {:^20} {:^20} {:>14}", "", "MP/s", "shim", "fixed", "size %");
    let mut least = f64::INFINITY;
    for (name, picture) in arguments.pictures {
        let shim_benches::picture::Picture { pixels: rgb, width, height } = picture;
        let gray = rgb.iter().skip(1).step_by(3).copied().collect();
        for (samples, components) in [(rgb, 3), (gray, 1)] {
            let picture = Picture { samples, width, height, components };
            least = least.min(contest(
                &picture,
                arguments.pairs,
                &format!("{name} {width}x{height}x{components}"),
            ));
        }
    }
    println!("least {least:.2} (wanted {LIMIT:.1})");
    ExitCode::SUCCESS
}

/// Prints one row; how many times as fast as libjpeg-turbo the encoder is.
fn contest(picture: &Picture, pairs: usize, name: &str) -> f64 {
    for number in 1..=7 {
        let predictor = Predictor::try_from(number).expect("one of the table's");
        for optimized in [true, false] {
            let file =
                picture.shim(&Encoder::new().process(Process::lossless(predictor)).optimized(optimized));
            assert!(picture.is_in(&file), "{name}: predictor {number} loses");
        }
    }
    let ours = Encoder::new().process(Process::lossless(Predictor::Left));
    let fixed = ours.clone().optimized(false);
    let mut turbo = Turbo::new(picture).expect("settings that it knows");
    let theirs = turbo.encode();
    let size = |encoder| 100.0 * (picture.shim(encoder).len() as f64 / theirs as f64 - 1.0);
    let sizes = [size(&ours), size(&fixed)];
    let megapixels = (picture.width * picture.height) as f64 / 1e6;
    // Their time over ours: the second is divided by the first.
    let (nanoseconds, optimized) = compare(
        pairs,
        &mut turbo,
        |turbo| drop(black_box(turbo.picture.shim(&ours))),
        |turbo| _ = black_box(turbo.encode()),
    );
    let (_, direct) = compare(
        pairs,
        &mut turbo,
        |turbo| drop(black_box(turbo.picture.shim(&fixed))),
        |turbo| _ = black_box(turbo.encode()),
    );
    println!(
        "{name:36} {:9.1} {optimized} {direct} {:+7.2} {:+7.2}",
        megapixels / nanoseconds * 1e9,
        sizes[0],
        sizes[1],
    );
    optimized.median
}
