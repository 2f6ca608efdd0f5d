//! Modes by subsamplings by odd sizes by restart intervals by colors: every file is read by decoders that others wrote.

use std::fs;
use std::process::Command;

use crate::common::{Picture, decode_djpeg, decode_jpeg_decoder, decode_zune, tool};
use shim_jpeg::{ColorSpace, Encoder, Image, Pixels, Process, Restart, Subsampling};

/// A file of the matrix.
struct Case {
    name: String,
    file: Vec<u8>,
    /// What it was made of.
    source: Picture,
    /// A name that files of equal pixels share.
    pixels: String,
}

const SIZES: [(usize, usize); 8] =
    [(1, 1), (1, 29), (31, 1), (8, 8), (16, 17), (33, 15), (65, 50), (129, 67)];

const SUBSAMPLINGS: [Subsampling; 5] =
    [Subsampling::S420, Subsampling::S444, Subsampling::S422, Subsampling::S440, Subsampling::S411];

const RESTARTS: [Restart; 3] = [Restart::Never, Restart::Rows(1), Restart::Mcus(3)];

/// All files.
fn cases() -> Vec<Case> {
    let cat = Picture::media("chelsea.png");
    let mut cases = Vec::new();
    for (width, height) in SIZES {
        let source = cat.part(150, 90, width, height);
        for subsampling in SUBSAMPLINGS {
            for restart in RESTARTS {
                let encoder = Encoder::new().quality(85).subsampling(subsampling).restart(restart);
                let processes = [
                    ("baseline", encoder.clone()),
                    ("optimized", encoder.clone().optimized(true)),
                    ("progressive", encoder.clone().process(Process::Progressive)),
                    ("exact", encoder.clone().libjpeg_compatible(true)),
                    ("exact, progressive", encoder.libjpeg_compatible(true).process(Process::Progressive)),
                ];
                for (process, encoder) in processes {
                    cases.push(Case {
                        name: format!("{width}x{height} {subsampling:?} {restart:?} {process}"),
                        file: encoder.encode(&source.image()).unwrap(),
                        source: source.clone(),
                        pixels: format!("{width}x{height} {subsampling:?} {}", process.starts_with("exact")),
                    });
                }
            }
        }
        let gray = source.green();
        for (process, encoder) in [
            ("baseline", Encoder::new()),
            ("progressive", Encoder::new().process(Process::Progressive)),
            ("restarts", Encoder::new().restart(Restart::Mcus(2))),
        ] {
            cases.push(Case {
                name: format!("{width}x{height} gray {process}"),
                file: encoder.encode(&gray.image()).unwrap(),
                source: gray.clone(),
                pixels: format!("{width}x{height} gray"),
            });
        }
        for process in ["baseline", "progressive"] {
            let encoder = Encoder::new().color_space(ColorSpace::Rgb).process(if process == "progressive" {
                Process::Progressive
            } else {
                Process::Sequential
            });
            cases.push(Case {
                name: format!("{width}x{height} RGB {process}"),
                file: encoder.encode(&source.image()).unwrap(),
                source: source.clone(),
                pixels: format!("{width}x{height} RGB"),
            });
        }
    }
    cases
}

#[test]
fn every_file_decodes_everywhere_and_modes_agree() {
    let cases = cases();
    assert!(cases.len() >= 500, "{} files", cases.len());
    let djpeg = tool("djpeg");
    let mut pixels = std::collections::HashMap::new();
    for Case { name, file, source, pixels: shared } in &cases {
        let decoded = decode_zune(file);
        let psnr = decoded.psnr(source);
        assert!(psnr > 24.0, "{name}: {psnr} dB");
        let by_another = decode_jpeg_decoder(file);
        assert!(
            by_another.psnr(&decoded) > 24.0,
            "{name}: {} dB between decoders",
            by_another.psnr(&decoded)
        );
        let by_djpeg = djpeg.as_ref().map(|djpeg| decode_djpeg(djpeg, file));
        // Only the coding differs among baseline, optimized and progressive files, with or without restarts.
        let all = (decoded, by_another, by_djpeg);
        let (first, same) = pixels.entry(shared).or_insert_with(|| (name, all.clone()));
        assert!(*same == all, "{name} has other pixels than {first}");
    }
}

#[test]
fn files_are_valid_to_exiftool() {
    let Some(exiftool) = tool("exiftool") else { return };
    let folder = tempfile::tempdir().unwrap();
    let cases = cases();
    for (i, case) in cases.iter().enumerate() {
        fs::write(folder.path().join(format!("{i:04}.jpg")), &case.file).unwrap();
    }
    let output =
        Command::new(exiftool).args(["-validate", "-warning", "-a", "-s3", "-q"]).arg(folder.path()).output();
    let output = output.unwrap();
    let (said, complaints) =
        (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{complaints}");
    let valid = said.lines().filter(|line| *line == "OK").count();
    let other = said.lines().filter(|line| !line.starts_with("====") && *line != "OK").collect::<Vec<_>>();
    assert!(valid == cases.len() && other.is_empty(), "{valid} of {}: {other:?}", cases.len());
}

/// C, M, Y and K, or Y, Cb, Cr and K: the decoders hand the samples over as they are, or as RGB.
#[test]
fn four_components() {
    let cat = Picture::media("chelsea.png").part(100, 60, 77, 45);
    let cmyk: Vec<u8> = cat
        .samples
        .as_chunks::<3>()
        .0
        .iter()
        .flat_map(|&[r, g, b]| [255 - r, 255 - g, 255 - b, r / 2])
        .collect();
    let image = Image::interleaved(&cmyk, Pixels::Cmyk, 77, 45, 77 * 4).unwrap();
    for (space, subsampling) in [
        (ColorSpace::Cmyk, Subsampling::S420),
        (ColorSpace::Ycck, Subsampling::S444),
        (ColorSpace::Ycck, Subsampling::S420),
    ] {
        for progressive in [false, true] {
            let encoder = Encoder::new()
                .quality(95)
                .color_space(space)
                .subsampling(subsampling)
                .process(if progressive { Process::Progressive } else { Process::Sequential });
            let file = encoder.encode(&image).unwrap();
            let mut decoder = jpeg_decoder::Decoder::new(&file[..]);
            let decoded = decoder.decode().unwrap();
            assert_eq!(decoder.info().unwrap().pixel_format, jpeg_decoder::PixelFormat::CMYK32);
            // The decoder takes every such file for one of Adobe's, which are inverted.
            let squares: u64 =
                decoded.iter().zip(&cmyk).map(|(&a, &b)| u64::from((255 - a).abs_diff(b)).pow(2)).sum();
            let mean = squares / decoded.len() as u64;
            assert!(mean < 60, "{space:?} {subsampling:?}: a mean square of {mean}");
            if let Some(djpeg) = tool("djpeg") {
                decode_djpeg(&djpeg, &file);
            }
        }
    }
}

/// Samples 0 and 255 by the signs of a basis function, which make the largest coefficients there are: DC of -1024 and
/// 1016, AC of up to 1023 at quality 100; and what is flat, or as hard as can be.
#[test]
fn extremes() {
    let mut pictures = vec![Picture::noise(100, 37, 3, 7), Picture::noise(64, 64, 1, 3)];
    for value in [0, 255] {
        pictures.push(Picture { width: 40, height: 40, channels: 3, samples: vec![value; 4800] });
    }
    let checks = |frequency: usize| {
        let sign = |x: usize| (2 * (x % 8) + 1) * frequency % 32;
        let positive = move |x| !(9..24).contains(&sign(x));
        (0..64 * 64).map(move |i| if positive(i % 64) == positive(i / 64) { 255 } else { 0 }).collect()
    };
    pictures.extend((0..8).map(|u| Picture { width: 64, height: 64, channels: 1, samples: checks(u) }));
    for picture in &pictures {
        for quality in [1, 50, 96, 97, 100] {
            for encoder in [
                Encoder::new(),
                Encoder::new().libjpeg_compatible(true),
                Encoder::new().libjpeg_compatible(true).baseline(true),
                Encoder::new().optimized(true),
                Encoder::new().process(Process::Progressive),
                Encoder::new()
                    .process(Process::Progressive)
                    .libjpeg_compatible(true)
                    .subsampling(Subsampling::S444),
                Encoder::new()
                    .process(Process::Progressive)
                    .libjpeg_compatible(true)
                    .baseline(true)
                    .subsampling(Subsampling::S444),
            ] {
                let file = encoder.quality(quality).encode(&picture.image()).unwrap();
                let decoded = decode_zune(&file);
                if has_wide_tables(&file) {
                    // The transform of jpeg-decoder saturates at 16 bits, which products with elements above 255
                    // exceed.
                    if let Some(djpeg) = tool("djpeg") {
                        assert!(decoded.psnr(&decode_djpeg(&djpeg, &file)) > 30.0);
                    }
                } else {
                    assert!(decoded.psnr(&decode_jpeg_decoder(&file)) > 30.0);
                }
                if quality == 100 && picture.channels == 1 {
                    assert!(decoded.largest_error(picture) <= 3, "{}", decoded.largest_error(picture));
                }
            }
        }
    }
}

/// Whether quantization tables have elements of 16 bits (Pq of T.81 B.2.4.1).
fn has_wide_tables(file: &[u8]) -> bool {
    segments(file, 0xdb).iter().any(|table| table[0] >> 4 == 1)
}

/// The parameters of all segments of one marker.
fn segments(file: &[u8], marker: u8) -> Vec<&[u8]> {
    let (mut at, mut found) = (2, Vec::new());
    while file[at + 1] != 0xda {
        let length = usize::from(u16::from_be_bytes([file[at + 2], file[at + 3]]));
        if file[at + 1] == marker {
            found.push(&file[at + 4..at + 2 + length]);
        }
        at += 2 + length;
    }
    found
}

#[test]
fn metadata_comes_back() {
    let cat = Picture::media("chelsea.png").part(0, 0, 20, 20);
    let profile: Vec<u8> = (0..100_000_u32).map(|i| (i * 7 % 251) as u8).collect();
    // A TIFF header of an empty directory.
    let exif = b"II\x2a\0\x08\0\0\0\0\0\0\0\0\0";
    let file = Encoder::new()
        .density(shim_jpeg::Density::PerInch(300, 150))
        .icc_profile(&profile)
        .exif(exif)
        .xmp(b"<x:xmpmeta xmlns:x=\"adobe:ns:meta/\"/>")
        .comment(b"one")
        .comment(b"two")
        .encode(&cat.image())
        .unwrap();
    decode_zune(&file);
    let mut decoder = jpeg_decoder::Decoder::new(&file[..]);
    decoder.decode().unwrap();
    assert_eq!(decoder.icc_profile().unwrap(), profile);
    assert_eq!(decoder.exif_data().unwrap(), exif);
    assert_eq!(segments(&file, 0xfe), [b"one", b"two"]);
    assert_eq!(segments(&file, 0xe0), [b"JFIF\0\x01\x01\x01\x01\x2c\0\x96\0\0"]);
    assert_eq!(segments(&file, 0xe1).len(), 2);
}

/// Bad settings are found before the first byte.
#[test]
fn bad_settings_write_nothing() {
    use shim_jpeg::{Error, ScanSpec};
    type Expected = fn(&Error) -> bool;
    let cat = Picture::media("chelsea.png").part(0, 0, 20, 20);
    let cases: [(Encoder, Expected); 9] = [
        (Encoder::new().quality(0), |e| matches!(e, Error::Quality(0))),
        (Encoder::new().sampling_factors(&[[2, 2]]), |e| matches!(e, Error::Sampling)),
        (Encoder::new().sampling_factors(&[[3, 1], [2, 1], [1, 1]]), |e| matches!(e, Error::Sampling)),
        (Encoder::new().color_space(ColorSpace::Cmyk), |e| matches!(e, Error::Color { .. })),
        (Encoder::new().quantization_tables([0; 64], [1; 64]), |e| matches!(e, Error::QuantizationTable(0))),
        (Encoder::new().quantization_tables([1; 64], [256; 64]), |e| {
            matches!(e, Error::QuantizationTable(256))
        }),
        (Encoder::new().process(Process::Scans(Vec::new())), |e| matches!(e, Error::Script { scan: 0, .. })),
        (Encoder::new().process(Process::Scans(vec![ScanSpec::new(&[9], [0, 0], [0, 0])])), |e| {
            matches!(e, Error::Script { scan: 0, .. })
        }),
        (Encoder::new().comment(&vec![0; 70_000]), |e| matches!(e, Error::Metadata { bytes: 70_000, .. })),
    ];
    for (encoder, expected) in cases {
        let mut written = Vec::new();
        let error = encoder.encode_to(&cat.image(), &mut written).unwrap_err();
        assert!(expected(&error) && written.is_empty(), "{error:?}");
    }
    let words = vec![0; 400];
    let image = Image::interleaved16(&words, 10, Pixels::Gray, 20, 20, 20).unwrap();
    assert!(matches!(Encoder::new().encode(&image), Err(Error::Bits(10))));
    assert!(matches!(Image::interleaved16(&words, 17, Pixels::Gray, 20, 20, 20), Err(Error::Bits(17))));
    assert!(matches!(
        Image::planar(&[&[0; 400][..]; 2], Pixels::Rgb, 20, 20, 20),
        Err(Error::Planes { needed: 3, given: 2 })
    ));
}

/// More than ten blocks to an MCU are more than a scan may interleave (T.81 B.2.3): each component has its own.
#[test]
fn too_many_blocks_for_one_scan() {
    let cat = Picture::media("chelsea.png").part(20, 20, 131, 75);
    for factors in [[[4, 4], [1, 1], [2, 2]], [[4, 2], [4, 2], [4, 2]], [[3, 3], [1, 1], [3, 1]]] {
        for (encoder, restarts) in [
            (Encoder::new(), false),
            (Encoder::new().optimized(true), false),
            (Encoder::new().restart(Restart::Rows(1)), true),
        ] {
            let file = encoder.sampling_factors(&factors).encode(&cat.image()).unwrap();
            if let Some(djpeg) = tool("djpeg") {
                assert!(decode_djpeg(&djpeg, &file).psnr(&cat) > 37.0);
            }
            // jpeg-decoder loses count of restarts in scans of one component; zune-jpeg does not read such scans.
            if !restarts {
                assert!(decode_jpeg_decoder(&file).psnr(&cat) > 25.0);
            }
        }
    }
}
