//! Files of one pass take as much memory for a high image as for a low one, and no allocation for each row.

use std::io;

use allocation_counter::{AllocationInfo, measure};
use shim_jpeg::{ColorSpace, Encoder, Image, Pixels, Predictor, Process, Restart, Subsampling};

/// Pixels of a row.
const WIDTH: usize = 512;

/// What an encoding of an image of so many strips of 32 rows takes.
fn of_strips(encoder: &Encoder, strips: usize) -> AllocationInfo {
    let width = WIDTH;
    // A gradient with some noise.
    let rows: Vec<u8> =
        (0..width * 32 * 3).map(|i| (i / 3 % width / 2 + i / (3 * width) + i * i / 3 % 11) as u8).collect();
    measure(|| {
        let mut file = encoder.strips(Pixels::Rgb, width, 32 * strips, io::sink()).unwrap();
        for _ in 0..strips {
            file.push(&Image::rgb(&rows, width, 32).unwrap()).unwrap();
        }
        file.finish().unwrap();
    })
}

#[test]
fn memory_does_not_grow_with_the_height() {
    for encoder in [
        Encoder::new(),
        Encoder::new().libjpeg_compatible(true),
        Encoder::new().subsampling(Subsampling::S444).restart(Restart::Rows(1)),
        Encoder::new().subsampling(Subsampling::S411).restart(Restart::Mcus(3)),
        Encoder::new().process(Process::lossless(Predictor::Average)).optimized(false),
        Encoder::new()
            .process(Process::lossless(Predictor::Average))
            .optimized(false)
            .color_space(ColorSpace::Gray),
    ] {
        let [low, high] = [4, 64].map(|strips| of_strips(&encoder, strips));
        println!("{} bytes in {} allocations at most, for any height", high.bytes_max, high.count_total);
        assert_eq!(low.bytes_max, high.bytes_max);
        assert_eq!(low.count_total, high.count_total);
        assert!(high.bytes_max < 2 << 20, "{} bytes", high.bytes_max);
    }
}

/// Strips that do not fill rows of MCUs wait in memory that is used again.
#[test]
fn waiting_rows_take_no_more() {
    let rows = vec![7; 300 * 5 * 3];
    let of = |strips: usize| {
        measure(|| {
            let mut file = Encoder::new().strips(Pixels::Rgb, 300, 5 * strips, io::sink()).unwrap();
            for _ in 0..strips {
                file.push(&Image::rgb(&rows, 300, 5).unwrap()).unwrap();
            }
            file.finish().unwrap();
        })
    };
    let [low, high] = [16, 160].map(of);
    assert_eq!((low.bytes_max, low.count_total), (high.bytes_max, high.count_total));
}

/// Optimized files keep symbols, of two bytes each and two more behind great values; progressive ones keep coefficients
/// of two bytes, and the symbols of one scan.
#[test]
#[expect(clippy::cast_precision_loss, reason = "both are far below 2^52")]
fn what_is_kept_of_an_image() {
    let kept = |encoder: &Encoder| {
        let [low, high] = [4, 64].map(|strips| of_strips(encoder, strips).bytes_max);
        (high - low) as f64 / (60 * 32 * WIDTH * 3 / 2) as f64
    };
    let optimized = kept(&Encoder::new().optimized(true));
    let progressive = kept(&Encoder::new().process(Process::Progressive));
    println!("optimized {optimized:.2}, progressive {progressive:.2} bytes for a sample");
    assert!(optimized < 0.6 && progressive < 2.7, "optimized {optimized:.2}, progressive {progressive:.2}");
}
