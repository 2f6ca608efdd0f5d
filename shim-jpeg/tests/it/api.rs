//! What is promised of settings, errors and images beside the files that they lead to.

use std::error::Error as _;
use std::io::{self, Write};

use shim_jpeg::{
    ColorSpace, Density, Encoder, Error, Image, Pixels, Predictor, Process, Restart, ScanSpec, Subsampling,
};

fn samples(n: usize, seed: usize) -> Vec<u8> {
    (0..n).map(|i| (i * (i + seed) / 7 % 251) as u8).collect()
}

#[test]
fn settings_are_told_as_they_were_set() {
    let new = Encoder::new();
    assert_eq!((new.get_quality(), new.get_subsampling()), (90, Some(Subsampling::S420)));
    assert_eq!((new.get_process(), new.get_restart()), (&Process::Sequential, Restart::Never));
    assert_eq!((new.get_quantization_tables(), new.get_sampling_factors()), (None, None));
    assert_eq!((new.get_color_space(), new.get_optimized()), (None, None));
    assert_eq!((new.is_libjpeg_compatible(), new.is_baseline(), new.is_trellis()), (false, false, false));
    assert_eq!(new.get_density(), Density::Aspect(1, 1));
    let scans = Process::Scans(vec![ScanSpec::new(&[0], [0, 63], [0, 0])]);
    let set = new
        .quality(7)
        .sampling_factors(&[[2, 1], [1, 1], [1, 1]])
        .quantization_tables([3; 64], [4; 64])
        .color_space(ColorSpace::Rgb)
        .libjpeg_compatible(true)
        .baseline(true)
        .optimized(false)
        .trellis(true)
        .process(scans.clone())
        .restart(Restart::Rows(2))
        .density(Density::PerCentimeter(30, 40));
    assert_eq!((set.get_quality(), set.get_subsampling()), (7, None));
    assert_eq!(set.get_sampling_factors(), Some(&[[2, 1], [1, 1], [1, 1]][..]));
    assert_eq!(set.get_quantization_tables(), Some(&[[3; 64], [4; 64]]));
    assert_eq!((set.get_color_space(), set.get_optimized()), (Some(ColorSpace::Rgb), Some(false)));
    assert_eq!((set.get_process(), set.get_restart()), (&scans, Restart::Rows(2)));
    assert_eq!((set.is_libjpeg_compatible(), set.is_baseline(), set.is_trellis()), (true, true, true));
    assert_eq!(set.get_density(), Density::PerCentimeter(30, 40));
    let lossless = Process::Lossless { predictor: Predictor::Plane, point_transform: 0 };
    assert_eq!(Process::lossless(Predictor::Plane), lossless);
}

/// A writer that is full.
struct Full;

impl Write for Full {
    fn write(&mut self, _: &[u8]) -> io::Result<usize> {
        Err(io::Error::new(io::ErrorKind::StorageFull, "no room"))
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn errors_are_compared_and_cloned() {
    assert_eq!(Image::gray(&[], 0, 3).unwrap_err(), Error::Dimensions { width: 0, height: 3 });
    let pixels = samples(300, 0);
    let image = Image::rgb(&pixels, 10, 10).unwrap();
    let error = Encoder::new().encode_to(&image, Full).unwrap_err();
    assert_eq!(error, error.clone());
    assert_eq!(error, io::Error::from(io::ErrorKind::StorageFull).into());
    assert_ne!(error, io::Error::from(io::ErrorKind::BrokenPipe).into());
    assert_eq!(error.to_string(), "the encoded image could not be written: no room");
    assert!(error.source().is_some());
    let clone = error.clone();
    let Error::Io(error) = error else { panic!("{error}") };
    assert_eq!(error.kind(), io::ErrorKind::StorageFull);
    // Shared with a clone, and alone.
    let Error::Io(shared) = clone.clone() else { panic!("{clone}") };
    for error in [shared, error] {
        let error = io::Error::from(error);
        assert_eq!((error.kind(), error.to_string()), (io::ErrorKind::StorageFull, "no room".to_owned()));
    }
}

/// The segments of a file up to its frame: markers and contents.
fn segments(file: &[u8]) -> Vec<(u8, Vec<u8>)> {
    let (mut all, mut at) = (Vec::new(), 2);
    loop {
        let (marker, length) = (file[at + 1], usize::from(u16::from_be_bytes([file[at + 2], file[at + 3]])));
        all.push((marker, file[at + 4..at + 2 + length].to_vec()));
        if marker & 0xf0 == 0xc0 && marker != 0xc4 {
            return all;
        }
        at += 2 + length;
    }
}

#[test]
fn application_segments_are_written_in_order() {
    let pixels = samples(300, 0);
    let image = Image::rgb(&pixels, 10, 10).unwrap();
    for process in [Process::Sequential, Process::Progressive, Process::lossless(Predictor::Left)] {
        let encoder = Encoder::new()
            .process(process)
            .color_space(ColorSpace::YCbCr)
            .comment(b"last")
            .app_segment(15, &[])
            .exif(b"II*\0")
            .app_segment(0, b"JFXX\0")
            .app_segment(11, &vec![7; 65_533]);
        let markers: Vec<u8> = segments(&encoder.encode(&image).unwrap()).iter().map(|s| s.0).collect();
        assert_eq!(markers[..6], [0xe0, 0xe1, 0xef, 0xe0, 0xeb, 0xfe]);
        let file = encoder.encode(&image).unwrap();
        let [_, _, empty, jfxx, long, ..] = &segments(&file)[..] else { panic!("segments are missing") };
        assert_eq!((&empty.1[..], &jfxx.1[..], &long.1[..]), (&[][..], &b"JFXX\0"[..], &vec![7; 65_533][..]));
        assert!(jpeg_decoder::Decoder::new(&file[..]).read_info().is_ok());
    }
    for n in [16, 255] {
        assert_eq!(Encoder::new().app_segment(n, &[]).encode(&image), Err(Error::ApplicationSegment(n)));
    }
    let long = Encoder::new().app_segment(3, &vec![0; 65_534]).encode(&image);
    assert!(matches!(long, Err(Error::Metadata { bytes: 65_534, most: 65_533, .. })));
}

/// Planes of Cb and Cr as large as that of Y, whose samples repeat those of smaller planes.
fn repeated(plane: &[u8], [width, height]: [usize; 2], [h, v]: [usize; 2]) -> Vec<u8> {
    let own = width.div_ceil(h);
    (0..width * height).map(|i| plane[i / width / v * own + i % width / h]).collect()
}

#[test]
fn subsampled_planes_are_coded_as_they_are() {
    for subsampling in Subsampling::ALL {
        let [h, v] = subsampling.luminance().map(usize::from);
        for (width, height) in
            [(1_usize, 1_usize), (2, 3), (16, 16), (17, 33), (64, 64), (300, 21), (1030, 40)]
        {
            let (own, rows) = (width.div_ceil(h), height.div_ceil(v));
            let [y, cb, cr] =
                [(width * height, 1), (own * rows, 2), (own * rows, 3)].map(|(n, s)| samples(n, s));
            let image =
                Image::ycbcr_planes([&y, &cb, &cr], *subsampling, width, height, [width, own]).unwrap();
            let full = [&cb, &cr].map(|plane| repeated(plane, [width, height], [h, v]));
            let large =
                Image::planar(&[&y, &full[0], &full[1]], Pixels::YCbCr, width, height, width).unwrap();
            for encoder in [
                Encoder::new(),
                Encoder::new().libjpeg_compatible(true).quality(75),
                Encoder::new().optimized(true),
                Encoder::new().process(Process::Progressive),
                Encoder::new().restart(Restart::Mcus(2)),
            ] {
                let encoder = encoder.subsampling(*subsampling);
                let case = format!("{subsampling} of {width}x{height}, {encoder:?}");
                assert_eq!(encoder.encode(&image), encoder.encode(&large), "{case}");
            }
            // Gaps between rows.
            let gaps = |plane: &[u8], own: usize| {
                plane.chunks(own).flat_map(|row| [row, &[99; 5]].concat()).collect::<Vec<_>>()
            };
            let [y, cb, cr] = [gaps(&y, width), gaps(&cb, own), gaps(&cr, own)];
            let strided =
                Image::ycbcr_planes([&y, &cb, &cr], *subsampling, width, height, [width + 5, own + 5])
                    .unwrap();
            let encoder = Encoder::new().subsampling(*subsampling);
            assert_eq!(encoder.encode(&strided), encoder.encode(&image));
        }
    }
}

#[test]
fn subsampled_planes_that_do_not_fit_are_refused() {
    let (y, c) = (samples(35, 0), samples(12, 1));
    let planes = |y: usize, cb: usize, cr: usize, strides| {
        Image::ycbcr_planes(
            [&samples(y, 0), &samples(cb, 1), &samples(cr, 2)],
            Subsampling::S420,
            7,
            5,
            strides,
        )
        .map(|_| ())
    };
    assert_eq!(planes(35, 12, 12, [7, 4]), Ok(()));
    assert_eq!(planes(34, 12, 12, [7, 4]), Err(Error::TooFewSamples { needed: 35, given: 34 }));
    assert_eq!(planes(35, 11, 12, [7, 4]), Err(Error::TooFewSamples { needed: 12, given: 11 }));
    assert_eq!(planes(35, 12, 11, [7, 4]), Err(Error::TooFewSamples { needed: 12, given: 11 }));
    assert_eq!(planes(35, 12, 12, [6, 4]), Err(Error::Stride { stride: 6, row: 7 }));
    assert_eq!(planes(35, 12, 12, [7, 3]), Err(Error::Stride { stride: 3, row: 4 }));
    let size = Image::ycbcr_planes([&y, &c, &c], Subsampling::S420, 0, 5, [7, 4]);
    assert_eq!(size.map(|_| ()), Err(Error::Dimensions { width: 0, height: 5 }));

    let image = Image::ycbcr_planes([&y, &c, &c], Subsampling::S420, 7, 5, [7, 4]).unwrap();
    let new = Encoder::new;
    for encoder in [
        new().subsampling(Subsampling::S444),
        new().sampling_factors(&[[2, 2], [2, 1], [1, 1]]),
        new().process(Process::lossless(Predictor::Left)),
    ] {
        assert_eq!(encoder.encode(&image), Err(Error::Sampling));
    }
    for space in [ColorSpace::Gray, ColorSpace::Rgb] {
        assert_eq!(
            new().color_space(space).encode(&image),
            Err(Error::Color { pixels: Pixels::YCbCr, space })
        );
    }
    let mut strips = new().strips(Pixels::YCbCr, 7, 5, Vec::new()).unwrap();
    assert_eq!(strips.push(&image), Err(Error::Strip));
}
