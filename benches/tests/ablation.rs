//! The encoder on the runtime library writes the files of the staged one, and how often each of the two allocates.

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
    let pixels = if channels == 1 { Pixels::Gray } else { Pixels::Rgb };
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
                    let encoder = Encoder::new()
                        .libjpeg_compatible(true)
                        .baseline(true)
                        .quality(quality)
                        .subsampling(subsampling);
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

/// Allocations and their bytes in all of an encoding that keeps no file.
fn staged(width: usize, height: usize, subsampling: Subsampling, exact: bool) -> (u64, u64) {
    let samples = samples(&mut Random::new(1), width, height, 3);
    let image = image(&samples, width, height, 3);
    let encoder = Encoder::new().libjpeg_compatible(exact).subsampling(subsampling);
    let counted = allocation_counter::measure(|| {
        encoder.encode_to(&image, std::io::sink()).expect("a sink does not fail");
    });
    (counted.count_total, counted.bytes_total)
}

#[test]
fn allocations_are_counted() {
    let counted = allocation_counter::measure(|| drop(std::hint::black_box(vec![1_u8; 1000])));
    assert_eq!((counted.count_total, counted.bytes_total), (1, 1000));
}

#[test]
fn the_staged_encoder_allocates_as_often_for_any_image() {
    for subsampling in [Subsampling::S444, Subsampling::S420] {
        for exact in [false, true] {
            // A narrow image has several MCU rows side by side, as many as there are up to a full run.
            let (count, bytes) = staged(64, 512, subsampling, exact);
            assert!(count > 0);
            assert_eq!(staged(64, 64, subsampling, exact).0, count, "a small image");
            assert_eq!(staged(64, 1000, subsampling, exact), (count, bytes), "a high image");
            assert_eq!(staged(1000, 1000, subsampling, exact).0, count, "a large image");
        }
    }
}

#[test]
fn the_runtime_library_allocates_for_each_element() {
    let count = |side: usize| {
        let samples = samples(&mut Random::new(1), side, side, 3);
        let file =
            Encoder::new().libjpeg_compatible(true).encode(&image(&samples, side, side, 3)).expect("a file");
        let headers = Headers::of(&file).expect("a baseline file");
        let picture = Block::from_vec([side, side, 3], samples).expect("all samples");
        let encode = || drop(ablation::encode(&headers, &picture).expect("headers of the picture"));
        allocation_counter::measure(encode).count_total
    };
    let (small, large) = (count(16), count(32));
    assert!(small > 16 * 16 && large > 3 * small, "{small} and {large}");
}
