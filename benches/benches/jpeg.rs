//! Prints how long the JPEG encoder takes beside those that people use.
//!
//! `cargo bench -p shim-benches --bench jpeg [-- [--pairs N] [--sizes] [PICTURE ..]]`. Pictures are PNG or JPEG files;
//! without any, the photographs of the repository are taken, and those beside the checkout if they are there. With
//! `--sizes`, the last of them is repeated or cut to sizes from 0.1 to 50 megapixels, and the time for a pixel of each
//! is printed.
//!
//! Every instruction-set level that the machine has is measured, the highest first, and at each of them squares of 16
//! to 512 pixels cut from the last picture as well, which both encoders code with memory that they keep.
//!
//! libjpeg-turbo is built from its sources with its SIMD code (`turbojpeg`, which needs `CMake` and nasm, and fails
//! without the latter) and always uses the best that the machine has; `jpeg-encoder` has its `simd` feature, and
//! averages chroma as the others do. All encode the same pixels in memory to memory, on one core, one after the other
//! in turn; the ratios are medians of pairs.

#![expect(clippy::cast_precision_loss, reason = "sizes of files and images are far below 2^52")]

use std::process::ExitCode;

use shim_benches::arguments::Arguments;
use shim_benches::measure::{Ratio, compare};
use shim_benches::picture::Picture;
use shim_jpeg::{Compressor, Encoder, Image, SimdLevel, Subsampling, limit_simd};

/// Interleaved pairs, unless told.
const PAIRS: usize = 21;
/// Sides of small squares.
const SQUARES: [usize; 7] = [16, 32, 64, 128, 256, 384, 512];

/// What libjpeg-turbo's time is divided by, at least: the median over all photographs and settings, and each of them.
fn limits(level: SimdLevel) -> Option<[f64; 2]> {
    match level {
        SimdLevel::V4 => Some([2.0, 1.7]),
        SimdLevel::V3 => Some([1.8, 1.5]),
        _ => None,
    }
}

/// What kind of file is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Process {
    Baseline,
    Optimized,
    Progressive,
}

/// One encoding by each encoder.
struct Contest<'p> {
    picture: &'p Picture,
    process: Process,
    turbo: turbojpeg::Compressor,
    memory: Vec<u8>,
    ours: Encoder,
    exact: Encoder,
    quality: u8,
    factor: jpeg_encoder::SamplingFactor,
}

impl<'p> Contest<'p> {
    fn new(
        picture: &'p Picture,
        quality: u8,
        subsampling: Subsampling,
        process: Process,
    ) -> Result<Self, turbojpeg::Error> {
        let (theirs, factor) = match subsampling {
            Subsampling::S444 => (turbojpeg::Subsamp::None, jpeg_encoder::SamplingFactor::R_4_4_4),
            _ => (turbojpeg::Subsamp::Sub2x2, jpeg_encoder::SamplingFactor::R_4_2_0),
        };
        let mut turbo = turbojpeg::Compressor::new()?;
        turbo.set_quality(i32::from(quality))?;
        turbo.set_subsamp(theirs)?;
        turbo.set_optimize(process == Process::Optimized)?;
        turbo.set_progressive(process == Process::Progressive)?;
        let length = turbojpeg::compressed_buf_len(picture.width, picture.height, theirs)?;
        let ours = Encoder::new()
            .quality(quality)
            .subsampling(subsampling)
            .optimized(process == Process::Optimized)
            .process(match process {
                Process::Progressive => shim_jpeg::Process::Progressive,
                Process::Baseline | Process::Optimized => shim_jpeg::Process::Sequential,
            });
        let exact = ours.clone().libjpeg_compatible(true);
        Ok(Self { picture, process, turbo, memory: vec![0; length], ours, exact, quality, factor })
    }

    /// The bytes of libjpeg-turbo's file.
    fn turbo(&mut self) -> usize {
        let Picture { pixels, width, height } = self.picture;
        let image = turbojpeg::Image {
            pixels: &pixels[..],
            width: *width,
            height: *height,
            pitch: 3 * width,
            format: turbojpeg::PixelFormat::RGB,
        };
        self.turbo.compress_to_slice(image, &mut self.memory).expect("memory enough")
    }

    fn shim(&self, encoder: &Encoder) -> Vec<u8> {
        let Picture { pixels, width, height } = self.picture;
        let image = Image::rgb(pixels, *width, *height).expect("a valid image");
        encoder.encode(&image).expect("memory does not fail")
    }

    /// The file by an encoder that keeps its memory.
    fn kept(&self, compressor: &mut Compressor, file: &mut Vec<u8>) {
        let Picture { pixels, width, height } = self.picture;
        let image = Image::rgb(pixels, *width, *height).expect("a valid image");
        compressor.encode_into(&image, file).expect("memory does not fail");
        std::hint::black_box(file);
    }

    fn jpeg_encoder(&self) -> Vec<u8> {
        let Picture { pixels, width, height } = self.picture;
        let mut file = Vec::new();
        let mut encoder = jpeg_encoder::Encoder::new(&mut file, self.quality);
        encoder.set_sampling_factor(self.factor);
        encoder.set_chroma_subsampling_method(jpeg_encoder::ChromaSubsamplingMethod::Average);
        encoder.set_optimized_huffman_tables(self.process == Process::Optimized);
        encoder.set_progressive(self.process == Process::Progressive);
        let size = (*width as u16, *height as u16);
        encoder.encode(pixels, size.0, size.1, jpeg_encoder::ColorType::Rgb).expect("memory does not fail");
        file
    }

    /// The encoder of the crate `image`, which has a quality and no other setting.
    fn image_crate(&self) -> Vec<u8> {
        let Picture { pixels, width, height } = self.picture;
        let mut file = Vec::new();
        let mut encoder = image::codecs::jpeg::JpegEncoder::new_with_quality(&mut file, self.quality);
        let size = (*width as u32, *height as u32);
        encoder.encode(pixels, size.0, size.1, image::ExtendedColorType::Rgb8).expect("memory does not fail");
        file
    }

    /// PSNR of a file, in decibels.
    fn psnr(&self, file: &[u8]) -> f64 {
        let decoded = image::load_from_memory(file).expect("a JPEG file").to_rgb8();
        let square = |(a, b): (&u8, &u8)| f64::from(a.abs_diff(*b)).powi(2);
        let sum: f64 = self.picture.pixels.iter().zip(decoded.as_raw()).map(square).sum();
        10.0 * (255.0 * 255.0 * self.picture.pixels.len() as f64 / sum).log10()
    }
}

fn main() -> ExitCode {
    let usual =
        ["media/coffee.png", "../shared/media/flower_2268x1512.png", "../shared/media/kleiber_6028x3391.jpg"];
    let arguments = match Arguments::read(PAIRS, &["--sizes"], &usual) {
        Ok(arguments) => arguments,
        Err(sentence) => {
            eprintln!("{sentence}");
            return ExitCode::FAILURE;
        }
    };
    if let Some(core) = core_affinity::get_core_ids().and_then(|cores| cores.last().copied()) {
        core_affinity::set_for_current(core);
    }
    let Arguments { pairs, switches, pictures, .. } = arguments;
    if !switches.is_empty() {
        if let Some((name, picture)) = pictures.last() {
            by_size(name, picture, pairs);
        }
        return ExitCode::SUCCESS;
    }
    println!("how many times as fast as libjpeg-turbo 3.1: the median, and one in ten on either side");
    for &level in SimdLevel::ALL.iter().rev() {
        if limit_simd(level) == level {
            println!("\nlevel {level}");
            photographs(level, &pictures, pairs);
            if let Some((name, picture)) = pictures.last() {
                squares(name, picture, pairs);
            }
        }
    }
    ExitCode::SUCCESS
}

/// Prints a table for each process, of all pictures and settings.
fn photographs(level: SimdLevel, pictures: &[(String, Picture)], pairs: usize) {
    for process in [Process::Baseline, Process::Optimized, Process::Progressive] {
        println!("{:44} {:>9} {:^20} {:^20} {:>7}", "", "turbo", "shim", "shim, exact", "jpeg-");
        println!(
            "{:44} {:>9} {:>6} {:>6} {:>6} {:>6} {:>6} {:>6} {:>7} {:>7} {:>7} {:>7}",
            format!("{process:?}"),
            "MP/s",
            "median",
            "10 %",
            "90 %",
            "median",
            "10 %",
            "90 %",
            "encoder",
            "image",
            "size %",
            "dB"
        );
        let (mut all, mut exact) = (Vec::new(), Vec::new());
        for (name, picture) in pictures {
            for (subsampling, density) in [(Subsampling::S420, "4:2:0"), (Subsampling::S444, "4:4:4")] {
                for quality in [75, 90] {
                    let Picture { width, height, .. } = picture;
                    let name = format!("{name} {width}x{height} {density} {quality}");
                    let contest =
                        Contest::new(picture, quality, subsampling, process).expect("known settings");
                    let [ours, bit_exact] = measure(contest, pairs, &name);
                    all.push(ours);
                    exact.push(bit_exact);
                }
            }
        }
        let least = all.iter().copied().fold(f64::INFINITY, f64::min);
        let [median, exact] = [all, exact].map(shim_benches::measure::median);
        let wanted = match limits(level) {
            Some([median, least]) if process == Process::Baseline => {
                format!("; wanted: median {median:.1}, least {least:.1}, exact 1.3")
            }
            _ => String::new(),
        };
        println!("median {median:.2}, least {least:.2}, exact {exact:.2}{wanted}");
    }
}

/// Prints the times for small squares, by encoders that keep their memory.
fn squares(name: &str, picture: &Picture, pairs: usize) {
    println!("{name}, 4:2:0, quality 75: {:>8} {:>10} {:>20}", "square", "shim us", "times libjpeg-turbo");
    for side in SQUARES {
        let square = picture.repeated(side, side);
        let contest =
            Contest::new(&square, 75, Subsampling::S420, Process::Baseline).expect("known settings");
        let compressor = contest.ours.compressor();
        let (nanoseconds, ratio) = compare(
            pairs,
            &mut (contest, compressor, Vec::new()),
            |(contest, compressor, file)| contest.kept(compressor, file),
            |(contest, ..)| _ = std::hint::black_box(contest.turbo()),
        );
        println!("{side:>40} {:>10.1} {ratio}", nanoseconds / 1e3);
    }
}

/// Prints one row; how many times as fast as libjpeg-turbo the encoder is, and the bit-exact one.
fn measure(mut contest: Contest<'_>, pairs: usize, name: &str) -> [f64; 2] {
    let theirs = contest.turbo();
    let file = contest.shim(&contest.ours);
    let size = 100.0 * (file.len() as f64 / theirs as f64 - 1.0);
    let decibels = contest.psnr(&file) - contest.psnr(&contest.memory[..theirs]);
    // Their time over ours: the second is divided by the first.
    let (_, ours) = compare(
        pairs,
        &mut contest,
        |it| drop(std::hint::black_box(it.shim(&it.ours))),
        |it| _ = std::hint::black_box(it.turbo()),
    );
    let (_, exact) = compare(
        pairs,
        &mut contest,
        |it| drop(std::hint::black_box(it.shim(&it.exact))),
        |it| _ = std::hint::black_box(it.turbo()),
    );
    let (nanoseconds, slower): (f64, Ratio) = compare(
        pairs.min(5),
        &mut contest,
        |it| _ = std::hint::black_box(it.turbo()),
        |it| drop(std::hint::black_box(it.jpeg_encoder())),
    );
    let (_, slowest): (f64, Ratio) = compare(
        pairs.min(3),
        &mut contest,
        |it| _ = std::hint::black_box(it.turbo()),
        |it| drop(std::hint::black_box(it.image_crate())),
    );
    println!(
        "{:44} {:9.1} {} {} {:7.2} {:7.2} {:+7.2} {:+7.3}",
        name,
        contest.picture.megapixels() / nanoseconds * 1e9,
        ours,
        exact,
        1.0 / slower.median,
        1.0 / slowest.median,
        size,
        decibels
    );
    [ours.median, exact.median]
}

/// Prints the time for a pixel of pictures of 0.1 to 50 megapixels.
fn by_size(name: &str, picture: &Picture, pairs: usize) {
    println!(
        "{name}, 4:2:0, quality 75: {:>10} {:>12} {:>20}",
        "megapixels", "shim ns/px", "times libjpeg-turbo"
    );
    for megapixels in [0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0_f64] {
        // Three to two.
        let height = (megapixels * 1e6 / 1.5).sqrt() as usize;
        let sized = picture.repeated(height * 3 / 2, height);
        let mut contest =
            Contest::new(&sized, 75, Subsampling::S420, Process::Baseline).expect("known settings");
        let (nanoseconds, ratio) = compare(
            pairs,
            &mut contest,
            |it| drop(std::hint::black_box(it.shim(&it.ours))),
            |it| _ = std::hint::black_box(it.turbo()),
        );
        println!("{:>40.1} {:>12.2} {ratio}", megapixels, nanoseconds / 1e6 / sized.megapixels());
    }
}
