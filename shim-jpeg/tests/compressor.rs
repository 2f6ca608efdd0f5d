//! An encoder that keeps its memory writes the files of one that does not, and allocates once.

use allocation_counter::measure;
use shim_jpeg::{ColorSpace, Encoder, Error, Image, Pixels, Predictor, Process, Restart, Subsampling};

fn samples(n: usize, seed: usize) -> Vec<u8> {
    (0..n).map(|i| (i * (i + seed) / 7 % 251) as u8).collect()
}

#[test]
fn files_are_those_of_the_encoder() {
    for encoder in [
        Encoder::new(),
        Encoder::new().libjpeg_compatible(true).subsampling(Subsampling::S422),
        Encoder::new().restart(Restart::Mcus(3)),
        Encoder::new().optimized(true),
        Encoder::new().process(Process::Progressive),
        Encoder::new().process(Process::lossless(Predictor::Average)),
        Encoder::new().color_space(ColorSpace::Gray),
    ] {
        let mut compressor = encoder.compressor();
        assert_eq!(compressor.encoder(), &encoder);
        let mut file = Vec::new();
        // Shapes that stay, and that change in width, height or nothing but the pixels' order.
        for (seed, (width, height, pixels)) in [
            (40, 50, Pixels::Rgb),
            (40, 50, Pixels::Rgb),
            (40, 50, Pixels::Bgr),
            (1, 1, Pixels::Bgr),
            (40, 16, Pixels::Rgb),
            (700, 33, Pixels::Rgb),
            (700, 33, Pixels::Rgb),
            (40, 50, Pixels::Rgb),
        ]
        .into_iter()
        .enumerate()
        {
            let rows = samples(width * height * 3, seed);
            let image = Image::interleaved(&rows, pixels, width, height, 3 * width).unwrap();
            compressor.encode_into(&image, &mut file).unwrap();
            assert_eq!(file, encoder.encode(&image).unwrap(), "{width}x{height} of {pixels:?}, {encoder:?}");
        }
    }
}

#[test]
fn nothing_is_allocated_after_the_first_image() {
    let (one, other) = (samples(3 * 100 * 70, 1), samples(3 * 100 * 70, 2));
    for encoder in [
        Encoder::new(),
        Encoder::new().libjpeg_compatible(true),
        Encoder::new().subsampling(Subsampling::S444).restart(Restart::Rows(1)),
        Encoder::new().quality(75).color_space(ColorSpace::Rgb),
    ] {
        let mut compressor = encoder.compressor();
        let mut file = Vec::with_capacity(1 << 16);
        compressor.encode_into(&Image::rgb(&one, 100, 70).unwrap(), &mut file).unwrap();
        let image = Image::rgb(&other, 100, 70).unwrap();
        let used = measure(|| compressor.encode_into(&image, &mut file).unwrap());
        assert_eq!(used.count_total, 0, "{encoder:?}");
        assert_eq!(file, encoder.encode(&image).unwrap());
    }
}

#[test]
fn an_error_leaves_no_file_and_no_state() {
    let rows = samples(3 * 40 * 50, 0);
    let rgb = Image::rgb(&rows, 40, 50).unwrap();
    let ycck = Image::interleaved(&rows, Pixels::Ycck, 20, 20, 80).unwrap();
    let encoder = Encoder::new();
    let mut compressor = encoder.clone().color_space(ColorSpace::YCbCr).compressor();
    let mut file = vec![1, 2, 3];
    assert!(matches!(compressor.encode_into(&ycck, &mut file), Err(Error::Color { .. })));
    assert!(file.is_empty());
    compressor.encode_into(&rgb, &mut file).unwrap();
    assert_eq!(file, encoder.encode(&rgb).unwrap());
    assert!(compressor.encode_into(&ycck, &mut file).is_err() && file.is_empty());
    compressor.encode_into(&rgb, &mut file).unwrap();
    assert_eq!(file, encoder.encode(&rgb).unwrap());
}
