//! The encoder on the runtime library writes the files of the staged one.

use shim_benches::ablation;
use shim_benches::ablation::headers::Headers;
use shim_benches::case::Random;
use shim_core::Block;
use shim_jpeg::{Encoder, Image, Pixels, Subsampling};

/// Slopes, edges and noise.
fn samples(random: &mut Random, width: usize, height: usize, channels: usize) -> Vec<u8> {
    let mut samples = Vec::with_capacity(width * height * channels);
    for (y, x) in (0..height).flat_map(|y| (0..width).map(move |x| (y, x))) {
        for c in 0..channels {
            let edge = if (x / 11 + y / 7).is_multiple_of(2) { 90 } else { 0 };
            samples.push((edge + 2 * x + (c + 1) * y + random.within(0, 30)) as u8);
        }
    }
    samples
}

fn image(samples: &[u8], width: usize, height: usize, channels: usize) -> Image<'_> {
    let pixels = if channels == 1 { Pixels::Grey } else { Pixels::Rgb };
    Image::interleaved(samples, pixels, width, height, channels * width).expect("a valid image")
}

#[test]
fn files_are_those_of_the_staged_encoder() {
    let mut random = Random::new(1);
    let sizes = [(1, 1), (8, 8), (9, 7), (16, 16), (17, 33), (24, 40), (31, 15), (50, 41)];
    for (width, height) in sizes {
        for channels in [1, 3] {
            for subsampling in [Subsampling::S444, Subsampling::S420] {
                for quality in [5, 75, 100] {
                    let samples = samples(&mut random, width, height, channels);
                    let encoder = Encoder::new().exact(true).quality(quality).subsampling(subsampling);
                    let wanted = encoder.encode(&image(&samples, width, height, channels)).expect("a file");
                    let headers = Headers::of(&wanted).expect("a baseline file");
                    let picture = Block::from_vec([height, width, channels], samples).expect("all samples");
                    let got = ablation::encode(&headers, &picture).expect("headers of the picture");
                    assert!(got == wanted, "{width}x{height}x{channels} {subsampling:?} {quality}");
                }
            }
        }
    }
}
