//! Prints how small files with trellis quantization are beside mozjpeg's, and how long they take.
//!
//! `cargo bench -p shim-benches --bench trellis [-- [--pairs N] [PICTURE ..]]`. Pictures are PNG or JPEG files; without
//! any, the photographs of the repository are taken, and those beside the checkout if they are there.
//!
//! mozjpeg is built from its sources with its SIMD code (the crate `mozjpeg`, which needs nasm) and has its defaults: a
//! progressive file with trellis quantization, its own quantization tables, and scans that were searched. Ours is
//! progressive with [`Encoder::trellis`]. The quality scales differ, so files are compared at the same PSNR of RGB
//! pixels: ours is that of the quality that comes nearest, and its size is interpolated between qualities. Both encode
//! the same pixels in memory to memory, on one core, one after the other in turn; the ratios are medians of pairs.

#![expect(clippy::cast_precision_loss, reason = "sizes of files and images are far below 2^52")]

use std::process::ExitCode;

use shim_benches::arguments::Arguments;
use shim_benches::measure::{compare, median};
use shim_benches::picture::Picture;
use shim_jpeg::{Encoder, Image, Process, Subsampling};

/// Interleaved pairs, unless told.
const PAIRS: usize = 7;
/// What mozjpeg's size is multiplied by at most, and its time divided by at least.
const LIMITS: [f64; 2] = [1.03, 2.0];
/// Of mozjpeg's scale.
const QUALITIES: [u8; 5] = [40, 60, 75, 85, 92];

/// A picture that both encode.
struct Photograph(Picture);

impl Photograph {
    fn mozjpeg(&self, quality: u8, subsampling: Subsampling) -> Vec<u8> {
        let mut encoder = mozjpeg::Compress::new(mozjpeg::ColorSpace::JCS_RGB);
        encoder.set_size(self.0.width, self.0.height);
        encoder.set_quality(quality.into());
        let size = if subsampling == Subsampling::S444 { (1, 1) } else { (2, 2) };
        encoder.set_chroma_sampling_pixel_sizes(size, size);
        let mut encoder = encoder.start_compress(Vec::new()).expect("settings that it knows");
        encoder.write_scanlines(&self.0.pixels).expect("memory does not fail");
        encoder.finish().expect("memory does not fail")
    }

    fn shim(&self, encoder: &Encoder) -> Vec<u8> {
        let image = Image::rgb(&self.0.pixels, self.0.width, self.0.height).expect("a valid image");
        encoder.encode(&image).expect("memory does not fail")
    }

    /// PSNR of a file, in decibels.
    fn psnr(&self, file: &[u8]) -> f64 {
        let decoded = image::load_from_memory(file).expect("a JPEG file").to_rgb8();
        let square = |(a, b): (&u8, &u8)| f64::from(a.abs_diff(*b)).powi(2);
        let sum: f64 = self.0.pixels.iter().zip(decoded.as_raw()).map(square).sum();
        10.0 * (255.0 * 255.0 * self.0.pixels.len() as f64 / sum).log10()
    }

    /// The quality whose file is nearest to a PSNR, and the size of a file of just that PSNR.
    fn at(&self, encoder: &Encoder, psnr: f64) -> (u8, f64) {
        let of = |quality| {
            let file = self.shim(&encoder.clone().quality(quality));
            (quality, self.psnr(&file), file.len() as f64)
        };
        let (mut low, mut high) = (of(1), of(100));
        while high.0 - low.0 > 1 {
            let middle = of(u8::midpoint(low.0, high.0));
            if middle.1 < psnr {
                low = middle;
            } else {
                high = middle;
            }
        }
        let part = ((psnr - low.1) / (high.1 - low.1)).clamp(0.0, 1.0);
        let size = (low.2.ln() * (1.0 - part) + high.2.ln() * part).exp();
        (if part < 0.5 { low.0 } else { high.0 }, size)
    }
}

fn main() -> ExitCode {
    let usual = [
        "media/chelsea.png",
        "media/coffee.png",
        "../shared/media/flower_2268x1512.png",
        "../shared/media/kleiber_6028x3391.jpg",
    ];
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
    println!("progressive files with a trellis beside mozjpeg's defaults, at the same PSNR");
    println!(
        "{:40} {:>7} {:>7} {:>9} {:>5} {:>7} | {:>6} {:>6} {:>6} {:>6}",
        "picture", "mozjpeg", "dB", "bytes", "ours", "size %", "MP/s", "faster", "10 %", "90 %"
    );
    let (mut sizes, mut speeds) = (Vec::new(), Vec::new());
    for (file, picture) in arguments.pictures {
        let mut picture = Photograph(picture);
        let (width, height) = (picture.0.width, picture.0.height);
        for (subsampling, name) in [(Subsampling::S420, "4:2:0"), (Subsampling::S444, "4:4:4")] {
            let encoder = Encoder::new().subsampling(subsampling).process(Process::Progressive).trellis(true);
            for theirs in QUALITIES {
                let other = picture.mozjpeg(theirs, subsampling);
                let psnr = picture.psnr(&other);
                let (ours, size) = picture.at(&encoder, psnr);
                let ratio = size / other.len() as f64;
                print!(
                    "{:40} {theirs:7} {psnr:7.2} {:9} {ours:5} {:+7.2} |",
                    format!("{file} {width}x{height} {name}"),
                    other.len(),
                    100.0 * (ratio - 1.0)
                );
                sizes.push(ratio);
                if theirs != 75 {
                    println!();
                    continue;
                }
                let encoder = encoder.clone().quality(ours);
                // Their time over ours: the second is divided by the first.
                let (nanoseconds, faster) = compare(
                    arguments.pairs,
                    &mut picture,
                    |it| drop(std::hint::black_box(it.shim(&encoder))),
                    |it| drop(std::hint::black_box(it.mozjpeg(theirs, subsampling))),
                );
                println!(" {:6.1} {faster}", (width * height) as f64 / nanoseconds * 1e3);
                speeds.push(faster.median);
            }
        }
    }
    let most = sizes.iter().copied().fold(0.0, f64::max);
    let least = speeds.iter().copied().fold(f64::INFINITY, f64::min);
    println!(
        "size: median {:.3}, most {most:.3} (wanted {:.2}); times as fast: median {:.2}, least {least:.2} (wanted {:.1})",
        median(sizes),
        LIMITS[0],
        median(speeds),
        LIMITS[1]
    );
    ExitCode::SUCCESS
}
