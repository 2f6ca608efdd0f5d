//! Files are what they were: a change that makes encoding faster leaves every byte alone.
//!
//! The hashes are recorded in `reference/unchanged.tsv`. After a change that is meant to alter files:
//!
//! ```text
//! cargo test -p shim-jpeg --test unchanged -- --ignored record
//! ```

use std::fmt::Write;
use std::fs;
use std::path::Path;

use shim_jpeg::{ColorSpace, Encoder, Image, Pixels, Predictor, Process, Restart, Subsampling};

const RECORDED: &str = include_str!("reference/unchanged.tsv");

/// Sizes at and around those of blocks, MCUs, tiles and runs of MCUs.
const SIZES: [[usize; 2]; 22] = [
    [1, 1],
    [2, 3],
    [8, 8],
    [7, 13],
    [15, 17],
    [16, 16],
    [17, 16],
    [16, 300],
    [31, 33],
    [5, 65],
    [48, 5],
    [64, 64],
    [100, 37],
    [128, 128],
    [129, 65],
    [255, 34],
    [256, 49],
    [257, 70],
    [400, 100],
    [511, 33],
    [520, 50],
    [1100, 40],
];

/// Samples of gradients, edges and noise, in turn by region.
fn sample(x: usize, y: usize, c: usize) -> u8 {
    let noise = ((x * 7919 + y * 104_729 + c * 1299 + 12345).wrapping_mul(2_654_435_761) >> 13) as u8;
    match (x / 40 + y / 24) % 4 {
        0 => (3 * x + 2 * y + 50 * c) as u8,
        1 => noise,
        2 => (128 + 20 * c + (x + y) / 9) as u8 ^ (noise & 3),
        _ => {
            if (x / 5 + y / 3 + c).is_multiple_of(2) {
                20
            } else {
                250
            }
        }
    }
}

/// What is encoded, and how.
fn cases() -> Vec<(&'static str, Pixels, Encoder)> {
    let new = Encoder::new;
    vec![
        ("default", Pixels::Rgb, new()),
        ("q1", Pixels::Rgb, new().quality(1)),
        ("q75", Pixels::Rgb, new().quality(75)),
        ("q100", Pixels::Rgb, new().quality(100)),
        ("444", Pixels::Rgb, new().quality(75).subsampling(Subsampling::S444)),
        ("422", Pixels::Bgr, new().quality(75).subsampling(Subsampling::S422)),
        ("440", Pixels::Rgba, new().quality(75).subsampling(Subsampling::S440)),
        ("411", Pixels::Bgra, new().quality(75).subsampling(Subsampling::S411)),
        ("bgra", Pixels::Bgra, new().quality(60)),
        ("factors", Pixels::Rgb, new().sampling_factors(&[[2, 2], [2, 1], [1, 2]])),
        ("many blocks", Pixels::Rgb, new().sampling_factors(&[[4, 2], [2, 1], [2, 1]])),
        ("gray", Pixels::Gray, new().quality(75)),
        ("gray of rgb", Pixels::Rgb, new().quality(75).color_space(ColorSpace::Gray)),
        ("rgb", Pixels::Rgb, new().quality(75).color_space(ColorSpace::Rgb)),
        ("ycbcr", Pixels::YCbCr, new().quality(75)),
        ("cmyk", Pixels::Cmyk, new().quality(75)),
        ("ycck", Pixels::Cmyk, new().quality(75).color_space(ColorSpace::Ycck)),
        ("restart", Pixels::Rgb, new().restart(Restart::Mcus(3))),
        ("restart rows", Pixels::Rgb, new().restart(Restart::Rows(2))),
        ("exact", Pixels::Rgb, new().quality(75).exact(true)),
        ("exact 444", Pixels::Rgb, new().quality(95).exact(true).subsampling(Subsampling::S444)),
        ("exact q5", Pixels::Rgb, new().quality(5).exact(true)),
        ("optimized", Pixels::Rgb, new().quality(75).optimized(true)),
        ("progressive", Pixels::Rgb, new().quality(75).process(Process::Progressive)),
        ("progressive exact", Pixels::Rgb, new().quality(85).process(Process::Progressive).exact(true)),
        ("trellis", Pixels::Rgb, new().quality(75).trellis(true)),
        ("trellis progressive", Pixels::Rgb, new().quality(75).trellis(true).process(Process::Progressive)),
        ("lossless", Pixels::Rgb, new().process(Process::lossless(Predictor::Average))),
    ]
}

fn encoded(size: [usize; 2], pixels: Pixels, encoder: &Encoder) -> Vec<u8> {
    let [width, height] = size;
    let samples = pixels.samples();
    let all: Vec<u8> = (0..width * height * samples)
        .map(|i| sample(i / samples % width, i / samples / width, i % samples))
        .collect();
    let image = Image::interleaved(&all, pixels, width, height, width * samples).unwrap();
    encoder.encode(&image).unwrap()
}

/// FNV-1a.
fn hash(bytes: &[u8]) -> u64 {
    let step = |hash: u64, &byte: &u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, step)
}

#[test]
fn files_are_those_recorded() {
    let mut lines = RECORDED.lines().filter(|line| !line.starts_with('#'));
    for (name, pixels, encoder) in cases() {
        for size in SIZES {
            let now =
                format!("{name}\t{}x{}\t{:016x}", size[0], size[1], hash(&encoded(size, pixels, &encoder)));
            assert_eq!(Some(&now[..]), lines.next());
        }
    }
    assert_eq!(lines.next(), None);
}

#[test]
#[ignore = "writes the record"]
fn record() {
    let mut record = String::from(
        "# FNV-1a of files. Written by: cargo test -p shim-jpeg --test unchanged -- --ignored record\n",
    );
    for (name, pixels, encoder) in cases() {
        for size in SIZES {
            let hash = hash(&encoded(size, pixels, &encoder));
            writeln!(record, "{name}\t{}x{}\t{hash:016x}", size[0], size[1]).unwrap();
        }
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/reference/unchanged.tsv");
    fs::write(path, record).unwrap();
}
