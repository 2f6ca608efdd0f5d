//! Files of the encoder, read by decoders that others wrote.

use crate::common::{
    Picture, QUALITIES, SUBSAMPLINGS, decode_djpeg, decode_jpeg_decoder, decode_zune, encode_cjpeg, tool,
};
use proptest::prelude::*;
use shim_jpeg::{Encoder, Image, Pixels, Subsampling};

/// Two decoders may differ by a rounding of the inverse transform and of the color conversion, and in how they
/// interpolate chrominance: on the photographs used here, no more than this.
const AGREEMENT_DB: f64 = 35.0;

/// Decodes with every decoder at hand, all of which must find the same size, and returns zune-jpeg's picture.
fn decode_by_all(file: &[u8], source: &Picture, djpeg: Option<&std::path::Path>) -> Picture {
    let decoded = decode_zune(file);
    let others = [Some(decode_jpeg_decoder(file)), djpeg.map(|djpeg| decode_djpeg(djpeg, file))];
    for other in others.into_iter().flatten() {
        // Sizes are compared by the measure itself.
        assert!(other.psnr(source) > decoded.psnr(source) - 1.0, "the decoders disagree");
    }
    decoded
}

#[test]
fn every_size_from_1x1_to_17x17() {
    let cat = Picture::media("chelsea.png");
    for (subsampling, name) in SUBSAMPLINGS {
        for width in 1..=17 {
            for height in 1..=17 {
                for picture in [cat.part(200, 120, width, height), cat.part(200, 120, width, height).green()]
                {
                    let file = picture.encode(90, subsampling);
                    let decoded = decode_zune(&file);
                    let psnr = decoded.psnr(&picture);
                    assert!(psnr > 28.0, "{width}x{height} {name}: {psnr} dB");
                    decode_jpeg_decoder(&file).psnr(&picture);
                }
            }
        }
    }
}

#[test]
fn every_size_from_1x1_to_17x17_by_djpeg() {
    let Some(djpeg) = tool("djpeg") else { return };
    let cat = Picture::media("chelsea.png");
    for (subsampling, _) in SUBSAMPLINGS {
        for side in 1..=17 {
            for (width, height) in [(side, side), (side, 18 - side), (side, 17), (17, side)] {
                let picture = cat.part(200, 120, width, height);
                decode_djpeg(&djpeg, &picture.encode(90, subsampling)).psnr(&picture);
                let gray = picture.green();
                decode_djpeg(&djpeg, &gray.encode(90, subsampling)).psnr(&gray);
            }
        }
    }
}

#[test]
fn every_quality() {
    let djpeg = tool("djpeg");
    let picture = Picture::media("chelsea_227x149.png");
    for picture in [picture.clone(), picture.green()] {
        for (subsampling, name) in SUBSAMPLINGS {
            let mut last = (0, 0.0);
            for quality in QUALITIES {
                let file = picture.encode(quality, subsampling);
                let psnr = decode_by_all(&file, &picture, djpeg.as_deref()).psnr(&picture);
                assert!((file.len(), psnr) > last, "{name} at {quality}: more bits for a worse picture");
                assert!(psnr > last.1, "{name} at {quality}: {psnr} dB after {} dB", last.1);
                last = (file.len(), psnr);
            }
            assert!(last.1 > AGREEMENT_DB, "{name} at quality 100: {} dB", last.1);
        }
    }
}

#[test]
fn noise_at_the_highest_quality() {
    let djpeg = tool("djpeg");
    for channels in [1, 3] {
        let picture = Picture::noise(67, 45, channels, 7);
        let file = picture.encode(100, Subsampling::S444);
        let psnr = decode_by_all(&file, &picture, djpeg.as_deref()).psnr(&picture);
        assert!(psnr > AGREEMENT_DB, "{psnr} dB");
    }
}

#[test]
fn black_and_white_checks_of_every_size() {
    // The largest coefficients there are: squares of 0 and 255, 1 to 8 samples wide, at every quality's extremes.
    for side in 1..=8 {
        let samples = (0..48 * 48).map(|i| if (i % 48 / side + i / 48 / side) % 2 == 0 { 0 } else { 255 });
        let picture = Picture { width: 48, height: 48, channels: 1, samples: samples.collect() };
        let decoded = decode_zune(&picture.encode(100, Subsampling::S444));
        assert!(decoded.largest_error(&picture) <= 2, "{side}");
        decode_zune(&picture.encode(1, Subsampling::S444));
    }
}

#[test]
fn the_longest_row_and_the_longest_column() {
    for (width, height) in [(65_535, 1), (1, 65_535), (65_535, 9), (9, 65_535)] {
        let samples = (0..width * height).map(|i| (i / 7 % 256) as u8).collect();
        let picture = Picture { width, height, channels: 1, samples };
        let decoded = decode_zune(&picture.encode(90, Subsampling::S420));
        assert!(decoded.psnr(&picture) > 30.0, "{width}x{height}");
    }
    let picture = Picture { width: 65_535, height: 3, channels: 3, samples: vec![77; 65_535 * 9] };
    let decoded = decode_jpeg_decoder(&picture.encode(90, Subsampling::S420));
    assert!(decoded.largest_error(&picture) <= 2);
}

#[test]
fn the_layout_of_the_input_does_not_matter() {
    let picture = Picture::media("chelsea_227x149.png");
    let Picture { width, height, ref samples, .. } = picture;
    let plane = |c: usize| samples[c..].iter().step_by(3).copied().collect::<Vec<_>>();
    let planes = [plane(0), plane(1), plane(2)];
    let spread = |rows: &[u8], row: usize, stride: usize| {
        rows.chunks(row)
            .flat_map(|r| r.iter().copied().chain(std::iter::repeat_n(99, stride - row)))
            .collect()
    };
    for (subsampling, _) in SUBSAMPLINGS {
        let encode =
            |image: Image<'_>| Encoder::new().quality(75).subsampling(subsampling).encode(&image).unwrap();
        let wanted = picture.encode(75, subsampling);
        let spaced: Vec<u8> = spread(samples, 3 * width, 701);
        assert_eq!(encode(Image::rgb_with_stride(&spaced, width, height, 701).unwrap()), wanted);
        let [r, g, b] = &planes;
        assert_eq!(encode(Image::rgb_planes([r, g, b], width, height).unwrap()), wanted);
        let spaced: [Vec<u8>; 3] = planes.each_ref().map(|plane| spread(plane, width, 256));
        let [r, g, b] = &spaced;
        assert_eq!(encode(Image::rgb_planes_with_stride([r, g, b], width, height, 256).unwrap()), wanted);
        for (pixels, order) in
            [(Pixels::Bgr, &[2, 1, 0][..]), (Pixels::Rgba, &[0, 1, 2, 0]), (Pixels::Bgra, &[2, 1, 0, 1])]
        {
            let samples: Vec<u8> =
                picture.samples.chunks(3).flat_map(|pixel| order.iter().map(|&c| pixel[c])).collect();
            let image =
                Image::interleaved(&samples, pixels, width, height, pixels.samples() * width).unwrap();
            assert_eq!(encode(image), wanted, "{pixels:?}");
        }
    }
}

#[test]
fn a_small_image_is_no_further_from_its_source_than_libjpeg_turbos() {
    let Some(cjpeg) = tool("cjpeg") else { return };
    let cat = Picture::media("chelsea.png");
    for (width, height) in [(1, 1), (7, 13), (2, 1), (1, 9), (8, 8), (16, 16), (17, 15), (33, 31)] {
        let picture = cat.part(180, 90, width, height);
        for (subsampling, name) in SUBSAMPLINGS {
            for quality in QUALITIES {
                let ours = decode_zune(&picture.encode(quality, subsampling)).largest_error(&picture);
                let theirs =
                    decode_zune(&encode_cjpeg(&cjpeg, &picture, quality, name)).largest_error(&picture);
                assert!(
                    ours <= theirs.saturating_add(2),
                    "{width}x{height} {name} {quality}: {ours} > {theirs}"
                );
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Whatever the samples: the file is well formed and of the right size, and at the highest quality near its source.
    #[test]
    fn any_image_can_be_decoded(
        width in 1..70_usize,
        height in 1..70_usize,
        gray in any::<bool>(),
        quality in 1..=100_u8,
        halved in any::<bool>(),
        seed in any::<u64>(),
    ) {
        let picture = Picture::noise(width, height, if gray { 1 } else { 3 }, seed);
        let subsampling = if halved { Subsampling::S420 } else { Subsampling::S444 };
        let file = picture.encode(quality, subsampling);
        let psnr = decode_zune(&file).psnr(&picture);
        decode_jpeg_decoder(&file).psnr(&picture);
        if quality == 100 && (gray || !halved) {
            prop_assert!(psnr > AGREEMENT_DB, "{} dB", psnr);
        }
    }
}
