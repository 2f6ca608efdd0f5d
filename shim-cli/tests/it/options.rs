//! Every option of `shim jpeg`, seen in the file that it makes.

use std::fs;
use std::path::Path;

use predicates::prelude::*;
use predicates::str::contains;

use crate::common::{
    Folder, exif, frame, icc, jpeg, media, pixels, png, profile, segments, shim, with_marker,
};

/// The file that an image becomes with arguments.
fn file_of(input: &Path, arguments: &[&str]) -> Vec<u8> {
    let folder = Folder::new();
    let output = folder.path("out.jpg");
    jpeg(input, &output).args(arguments).assert().code(0);
    fs::read(output).unwrap()
}

/// The same for a small photograph.
fn file(arguments: &[&str]) -> Vec<u8> {
    file_of(&media("chelsea_227x149.png"), arguments)
}

/// The factors of each component, as one byte.
fn factors(file: &[u8]) -> Vec<u8> {
    frame(file).1[6..].as_chunks::<3>().0.iter().map(|component| component[1]).collect()
}

#[test]
fn subsampling() {
    for (name, luminance) in
        [("444", 0x11), ("422", 0x21), ("420", 0x22), ("440", 0x12), ("411", 0x41), ("4:2:2", 0x21)]
    {
        assert_eq!(factors(&file(&["--subsampling", name])), [luminance, 0x11, 0x11], "{name}");
    }
    assert_eq!(factors(&file(&["-s", "2x2,2x1,1x2"])), [0x22, 0x21, 0x12]);
    jpeg(&media("chelsea_227x149.png"), Path::new("out.jpg"))
        .args(["-s", "3x1,2x1,1x1"])
        .assert()
        .code(2)
        .stderr(contains("error: invalid sampling factors"));
}

#[test]
fn arithmetic() {
    let (sequential, progressive) = (file(&["--arithmetic"]), file(&["--arithmetic", "--progressive"]));
    assert_eq!((frame(&sequential).0, frame(&progressive).0), (0xc9, 0xca));
    assert!(sequential.len() < file(&["--optimize"]).len());
    assert!(with_marker(&sequential, 0xc4).is_empty());
}

#[test]
fn optimized_and_progressive() {
    let usual = file(&[]);
    let (optimized, progressive) = (file(&["--optimize"]), file(&["--progressive"]));
    assert_eq!((frame(&usual).0, frame(&optimized).0, frame(&progressive).0), (0xc0, 0xc0, 0xc2));
    assert!(optimized.len() < usual.len());
    assert_ne!(with_marker(&optimized, 0xc4), with_marker(&usual, 0xc4));
    assert_eq!(with_marker(&progressive, 0xda).len(), 10);
    assert_eq!(file(&["-O"]), optimized);
    assert_eq!(file(&["--optimize"]), optimized);
    assert_eq!(file(&["-p"]), progressive);
}

#[test]
fn trellis() {
    for arguments in [&["--optimize"][..], &["--progressive"]] {
        let (without, with) = (file(arguments), file(&[arguments, &["--trellis"]].concat()));
        assert_eq!(frame(&with).0, frame(&without).0);
        assert!(with.len() < without.len() * 9 / 10, "{} for {}", with.len(), without.len());
    }
}

#[test]
fn a_scan_script() {
    let folder = Folder::new();
    let script = folder
        .with("scans.txt", b"# DC, then all else\n0 1,2: 0-0, 0, 0;\n0: 1-63, 0, 0;1:1-63,0,0;\n2: 1-63 0 0");
    let made = file(&["--scans", script.to_str().unwrap()]);
    assert_eq!(frame(&made).0, 0xc2);
    let scans = with_marker(&made, 0xda);
    assert_eq!(scans.len(), 4);
    assert_eq!(scans[0], [3, 1, 0x00, 2, 0x10, 3, 0x10, 0, 0, 0]);
    assert_eq!(scans[3], [1, 3, 0x01, 1, 63, 0]);

    // Whole coefficients are of a sequential file.
    let script = folder.with("scans.txt", b"0;\n1,2;");
    let made = file(&["--scans", script.to_str().unwrap()]);
    assert_eq!((frame(&made).0, with_marker(&made, 0xda).len()), (0xc0, 2));
    let decoded = |file: &[u8]| jpeg_decoder::Decoder::new(file).decode().unwrap();
    assert!(decoded(&made) == decoded(&file(&[])));
    // The command reads such files itself.
    let two = folder.with("two.jpg", &made);
    assert!(file_of(&two, &["-q", "50"]).len() < made.len());
    jpeg(&media("chelsea_227x149.png"), &folder.path("out.jpg"))
        .args(["--stats", "--scans", script.to_str().unwrap()])
        .assert()
        .code(0)
        .stdout(contains("PSNR 3"));

    for (script, message) in [
        (&b"0,1,2: 0-0, 0, 0;\n0: 1-x, 0, 0;"[..], "line 2: expected a number from 0 to 255, found `x`"),
        (b"", "no scans in the script"),
        (b"\xff", "not text in UTF-8"),
    ] {
        let script = folder.with("bad.txt", script);
        jpeg(&media("chelsea_227x149.png"), &folder.path("out.jpg"))
            .arg("--scans")
            .arg(&script)
            .assert()
            .code(2)
            .stderr(contains(format!("error: {}: ", script.display())).and(contains(message)));
    }
    // Scans that are no file are the encoder's to refuse.
    let script = folder.with("bad.txt", b"0: 1-63, 0, 0;");
    jpeg(&media("chelsea_227x149.png"), &folder.path("out.jpg"))
        .arg("--scans")
        .arg(&script)
        .assert()
        .code(2)
        .stderr(contains("scan 0"));
}

#[test]
fn restarts() {
    assert!(with_marker(&file(&[]), 0xdd).is_empty());
    // 227 pixels are 15 MCUs of 16.
    assert_eq!(with_marker(&file(&["--restart", "1"]), 0xdd), [[0, 15]]);
    assert_eq!(with_marker(&file(&["--restart", "7B"]), 0xdd), [[0, 7]]);
}

#[test]
fn gray_and_rgb() {
    let gray = file(&["--grayscale"]);
    assert_eq!(frame(&gray).1[5], 1);
    assert_eq!(file(&["--grayscale"]), gray);
    let rgb = file(&["--rgb", "-q", "100"]);
    assert_eq!(frame(&rgb).1[6..], [b'R', 0x11, 0, b'G', 0x11, 0, b'B', 0x11, 0]);
    let folder = Folder::new();
    // Gray stays gray.
    let one = folder.with("in.pgm", b"P5 1 1 255\n\x40");
    assert_eq!(frame(&file_of(&one, &["--rgb"])).1[5], 1);
    let red = folder.with("in.ppm", b"P6 1 1 255\n\xff\x10\x20");
    let out = folder.with("out.jpg", &file_of(&red, &["--rgb", "-q", "100"]));
    assert!(pixels(&out).iter().zip([255_u8, 16, 32]).all(|(got, wanted)| got.abs_diff(wanted) <= 2));
}

#[test]
fn quantization_tables() {
    let folder = Folder::new();
    let numbers = |first: usize| (first..first + 64).map(|n| format!("{n} ")).collect::<Vec<_>>().concat();
    let one = folder.with("one.txt", format!("# luminance\n{}", numbers(1)).as_bytes());
    let two = folder.with("two.txt", (numbers(1) + "\n" + &numbers(101)).as_bytes());
    let tables = |path: &Path, arguments: &[&str]| {
        let arguments = [&["--qtables", path.to_str().unwrap()], arguments].concat();
        let tables = with_marker(&file(&arguments), 0xdb);
        tables.into_iter().map(|table| table[1..5].to_vec()).collect::<Vec<_>>()
    };
    // In zigzag order, the third is the first of the second row.
    // Chrominance keeps the standard's, at cjpeg's own quality unless told.
    assert_eq!(tables(&one, &[]), [[1, 2, 9, 17], [9, 9, 9, 12]]);
    assert_eq!(tables(&one, &["-q", "50"]), [[1, 2, 9, 17], [17, 18, 18, 24]]);
    assert_eq!(tables(&two, &[]), [[1, 2, 9, 17], [101, 102, 109, 117]]);
    assert_eq!(tables(&two, &["-q", "50"]), [[1, 2, 9, 17], [101, 102, 109, 117]]);
    assert_eq!(tables(&two, &["-q", "25"]), [[2, 4, 18, 34], [202, 204, 218, 234]]);
    let bad = folder.with("bad.txt", b"1 2 3");
    jpeg(&media("chelsea_227x149.png"), &folder.path("out.jpg"))
        .arg("--qtables")
        .arg(&bad)
        .assert()
        .code(2)
        .stderr(contains("bad.txt: expected one or two tables of 64 numbers, found 3"));
    // Tables of 16 bits are for libjpeg-compatible files, unless they are to be baseline.
    let large = folder.with("large.txt", numbers(300).as_bytes());
    let exact = |arguments: &[&str]| {
        let file =
            file(&[&["--libjpeg-compatible", "--qtables", large.to_str().unwrap()], arguments].concat());
        (frame(&file).0, with_marker(&file, 0xdb)[0].len())
    };
    assert_eq!((exact(&[]), exact(&["--baseline"])), ((0xc1, 129), (0xc0, 65)));
    jpeg(&media("chelsea_227x149.png"), &folder.path("out.jpg"))
        .arg("--qtables")
        .arg(&large)
        .assert()
        .code(2)
        .stderr(contains("quantization table element 300"));
}

#[test]
fn instruction_sets() {
    let own = file(&[]);
    for level in ["baseline", "v2", "v3", "V4"] {
        assert!(file(&["--simd", level]) == own, "{level}");
    }
    let folder = Folder::new();
    jpeg(&media("chelsea_227x149.png"), &folder.path("out.jpg"))
        .args(["--simd", "sse9"])
        .assert()
        .code(2)
        .stderr(contains("one of baseline, v2, v3, v4"));
}

#[test]
fn twelve_bits() {
    let folder = Folder::new();
    let deep = png(2, 1, png::ColorType::Rgb, png::BitDepth::Sixteen, &[0x12; 12]);
    let made = file_of(&folder.with("deep.png", &deep), &["--bits", "12"]);
    let (marker, header) = frame(&made);
    assert_eq!((marker, header[0]), (0xc1, 12));
    let (marker, header) = frame(&file(&["--bits", "12", "--progressive"]));
    assert_eq!((marker, header[0]), (0xc2, 12));
}

#[test]
fn lossless() {
    let folder = Folder::new();
    let samples: Vec<u16> = (0..40 * 30_u32).map(|i| (i * i % 65_521) as u16).collect();
    let bytes: Vec<u8> = samples.iter().flat_map(|sample| sample.to_be_bytes()).collect();
    let deep = folder.with("deep.pgm", &[b"P5 40 30 65535\n", &bytes[..]].concat());
    let output = folder.path("out.jpg");
    jpeg(&deep, &output)
        .args(["--lossless", "7"])
        .assert()
        .code(0)
        .stdout(contains("out.jpg: lossless, predictor 7, grayscale, 16 bits, "));
    let file = fs::read(&output).unwrap();
    let (marker, header) = frame(&file);
    assert_eq!((marker, header[0], with_marker(&file, 0xda)[0][3]), (0xc3, 16, 7));
    // A decoder that others wrote has the very samples.
    let decoded = jpeg_decoder::Decoder::new(&file[..]).decode().unwrap();
    let decoded: Vec<_> = decoded.as_chunks().0.iter().map(|&pair| u16::from_ne_bytes(pair)).collect();
    assert_eq!(decoded, samples);

    let file = file_of(&media("chelsea_227x149.png"), &["--lossless", "1,2", "--restart", "1"]);
    let (marker, header) = frame(&file);
    assert_eq!((marker, header[0], &header[6..8]), (0xc3, 8, &[b'R', 0x11][..]));
    assert_eq!(with_marker(&file, 0xda)[0][7..], [1, 0, 2]);
    assert_eq!(frame(&file_of(&deep, &["--lossless", "1", "--bits", "10"])).1[0], 10);
    jpeg(&deep, &output).args(["--lossless", "4", "--stats"]).assert().code(0).stdout(contains("100.0 %"));
    // The command reads what it writes, and nothing is lost on the way.
    for (input, bits) in [(&deep, "16"), (&deep, "10"), (&media("chelsea_227x149.png"), "8")] {
        let first = file_of(input, &["--lossless", "7", "--bits", bits]);
        let again = file_of(&folder.with("first.jpg", &first), &["--lossless", "7", "--bits", bits]);
        assert!(again == first, "{bits}");
    }
    // But for what the decoder gets wrong.
    for option in [["--lossless", "1,2"], ["--lossless=1", "--restart=1"]] {
        let file = file_of(&deep, &option);
        jpeg(&folder.with("first.jpg", &file), &output)
            .assert()
            .code(1)
            .stderr(contains("first.jpg: unsupported JPEG file: a lossless image with restarts or a point"));
    }
    jpeg(&media("chelsea_227x149.png"), &output)
        .args(["--lossless", "1", "--stats"])
        .assert()
        .code(0)
        .stdout(contains("PSNR inf dB").and(contains("SSIM 1.0000")));

    for arguments in [
        &["--lossless", "8"][..],
        &["--lossless", "1", "-q", "50"],
        &["--lossless", "1", "-p"],
        &["--bits", "16"],
    ] {
        jpeg(&deep, &output).args(arguments).assert().code(2).stderr(contains("error: "));
    }
}

#[test]
fn density() {
    let jfif = |arguments: &[&str]| with_marker(&file(arguments), 0xe0)[0][7..12].to_vec();
    assert_eq!(jfif(&[]), [0, 0, 1, 0, 1]);
    assert_eq!(jfif(&["--density", "300"]), [1, 1, 44, 1, 44]);
    assert_eq!(jfif(&["--density", "118x59dpcm"]), [2, 0, 118, 0, 59]);
    assert_eq!(jfif(&["--density", "4:3"]), [0, 0, 4, 0, 3]);
}

#[test]
fn files_of_metadata() {
    let folder = Folder::new();
    let (icc_data, exif_data) = (profile(*b"RGB ", 70_000), exif(6));
    let icc_file = folder.with("p.icc", &icc_data);
    let exif_file = folder.with("e.bin", &[b"Exif\0\0", &exif_data[..]].concat());
    let xmp = b"<x:xmpmeta xmlns:x='adobe:ns:meta/'/>";
    let xmp_file = folder.with("x.xml", xmp);
    let made = file(&[
        "--icc",
        icc_file.to_str().unwrap(),
        "--exif",
        exif_file.to_str().unwrap(),
        "--xmp",
        xmp_file.to_str().unwrap(),
        "--comment",
        "one",
        "--comment",
        "two",
    ]);
    assert_eq!(icc(&made), icc_data);
    assert_eq!(with_marker(&made, 0xe2).len(), 2);
    let exif_and_xmp =
        [[b"Exif\0\0", &exif_data[..]].concat(), [b"http://ns.adobe.com/xap/1.0/\0", &xmp[..]].concat()];
    assert_eq!(with_marker(&made, 0xe1), exif_and_xmp);
    assert_eq!(with_marker(&made, 0xfe), [b"one", b"two"]);

    // A profile has to be one of the colors that the file holds.
    let output = folder.path("out.jpg");
    jpeg(&media("coffee.png"), &output)
        .arg("--grayscale")
        .arg("--icc")
        .arg(&icc_file)
        .assert()
        .code(2)
        .stderr(contains("coffee.png: ICC profile is for RGB, but the file is grayscale"));
    let mut exif_data = exif_data;
    exif_data.resize(65_528, 0);
    let long = folder.with("long.bin", &exif_data);
    jpeg(&media("coffee.png"), &output)
        .arg("--exif")
        .arg(&long)
        .assert()
        .code(2)
        .stderr(contains("Exif data of 65528"));
    jpeg(&media("coffee.png"), &output)
        .args(["--icc", "missing.icc"])
        .assert()
        .code(1)
        .stderr(contains("missing.icc: cannot be read"));
}

#[test]
fn what_is_embedded_is_what_it_is_called() {
    let folder = Folder::new();
    let output = folder.path("out.jpg");
    let mut cut = profile(*b"RGB ", 500);
    cut.truncate(400);
    let mut unsigned = profile(*b"RGB ", 500);
    unsigned[36] = 0;
    let mut beyond = exif(1);
    beyond[7] = 200;
    for (option, contents, message) in [
        ("--icc", &b"hello"[..], "not an ICC profile: shorter than a header"),
        ("--icc", &unsigned, "not an ICC profile: no signature 'acsp'"),
        ("--icc", &cut, "not an ICC profile: its header gives another size"),
        ("--icc", &fs::read(media("chelsea_227x149.png")).unwrap(), "not an ICC profile: "),
        ("--exif", b"hello, world", "not Exif data: no TIFF header"),
        ("--exif", b"MM\0", "not Exif data: no TIFF header"),
        ("--exif", &beyond, "not Exif data: its first IFD lies beyond its end"),
        ("--xmp", b"<x/>", "not an XMP packet: no x:xmpmeta or rdf:RDF element"),
        ("--xmp", b"\xff\xfe<\0rdf:RDF", "not an XMP packet: not text in UTF-8"),
    ] {
        let file = folder.with("data", contents);
        let mut command = jpeg(&media("chelsea_227x149.png"), &output);
        let assert = command.arg(option).arg(&file).assert().code(2);
        assert.stderr(contains(format!("error: {}: {message}", file.display())));
        assert!(!output.exists());
    }
}

#[test]
fn colors_that_are_not_converted_are_told() {
    let folder = Folder::new();
    let output = folder.path("out.jpg");
    let with = |change: &dyn Fn(&mut png::Info<'_>)| {
        let (mut file, mut info) = (Vec::new(), png::Info::with_size(1, 1));
        (info.color_type, info.bit_depth) = (png::ColorType::Rgb, png::BitDepth::Eight);
        change(&mut info);
        let encoder = png::Encoder::with_info(&mut file, info).unwrap();
        encoder.write_header().unwrap().write_image_data(&[1, 2, 3]).unwrap();
        file
    };
    let scaled = |value: u32| png::ScaledFloat::from_scaled(value);
    let chunk = |kind: &[u8; 4], data: &[u8]| {
        let mut file = with(&|_| ());
        let mut chunk = (data.len() as u32).to_be_bytes().to_vec();
        chunk.extend(kind);
        chunk.extend(data);
        chunk.extend(crc32(&chunk[4..]).to_be_bytes());
        // Behind IHDR.
        file.splice(33..33, chunk);
        file
    };
    let icc = with(&|info| {
        info.icc_profile = Some(profile(*b"RGB ", 500).into());
        info.source_gamma = Some(scaled(100_000));
    });
    let primaries = |red: u32| {
        let all = [31_270, 32_900, red, 33_000, 30_000, 60_000, 15_000, 6_000];
        chunk(b"cHRM", &all.iter().flat_map(|value: &u32| value.to_be_bytes()).collect::<Vec<_>>())
    };
    for (file, message) in [
        (chunk(b"gAMA", &100_000_u32.to_be_bytes()), Some("the gamma of 1/1.00 of the gAMA chunk")),
        (chunk(b"gAMA", &55_555_u32.to_be_bytes()), Some("the gamma of 1/1.80 of the gAMA chunk")),
        (chunk(b"gAMA", &45_455_u32.to_be_bytes()), None),
        (primaries(64_000), None),
        (primaries(68_000), Some("the set of primaries, other than sRGB's, of the cHRM chunk")),
        (chunk(b"cICP", &[9, 16, 0, 1]), Some("cICP: primaries 9, transfer 16")),
        (chunk(b"cICP", &[1, 13, 0, 1]), None),
        (icc, None),
        (with(&|_| ()), None),
    ] {
        let input = folder.with("in.png", &file);
        let assert = jpeg(&input, &output).assert().code(0);
        match message {
            Some(message) => {
                let wanted = format!("warning: {}: colors are taken for sRGB: {message}", input.display());
                assert.stderr(contains(wanted).and(contains("is neither applied nor recorded")));
            }
            None => drop(assert.stderr(predicates::str::is_empty())),
        }
    }
}

/// The check of a PNG chunk.
fn crc32(data: &[u8]) -> u32 {
    !data.iter().fold(u32::MAX, |crc, &byte| {
        (0..8).fold(
            crc ^ u32::from(byte),
            |crc, _| if crc & 1 == 1 { crc >> 1 ^ 0xedb8_8320 } else { crc >> 1 },
        )
    })
}

#[test]
fn unsupported_files_are_not_called_damaged() {
    let folder = Folder::new();
    let refused = |contents: &[u8], message: &str| {
        let input = folder.with("in.jpg", contents);
        let assert = jpeg(&input, &folder.path("out.jpg")).assert().code(1);
        assert.stderr(contains(format!("in.jpg: unsupported JPEG file: {message}")));
    };
    refused(&file(&["--bits", "12"]), "12-bit samples");
    let mut arithmetic = file(&[]);
    let frame = arithmetic.windows(2).position(|pair| pair == [0xff, 0xc0]).unwrap();
    for (marker, name) in [
        (0xc9, "arithmetic coding (SOF9)"),
        (0xca, "arithmetic coding (SOF10)"),
        (0xc5, "hierarchical or differential coding (SOF5)"),
    ] {
        arithmetic[frame + 1] = marker;
        refused(&arithmetic, name);
    }
}

#[test]
fn quiet() {
    let folder = Folder::new();
    let assert = jpeg(&media("chelsea_227x149.png"), &folder.path("out.jpg")).arg("--quiet").assert().code(0);
    assert.stdout(predicates::str::is_empty()).stderr(predicates::str::is_empty());
}

/// A PNG file with a profile, Exif, XMP and a density of 300.
fn png_with_metadata(orientation: u8) -> Vec<u8> {
    let mut file = Vec::new();
    let mut info = png::Info::with_size(2, 1);
    info.color_type = png::ColorType::Rgb;
    info.bit_depth = png::BitDepth::Eight;
    info.icc_profile = Some(profile(*b"RGB ", 500).into());
    info.exif_metadata = Some(exif(orientation).into());
    info.pixel_dims = Some(png::PixelDimensions { xppu: 11_811, yppu: 11_811, unit: png::Unit::Meter });
    let mut encoder = png::Encoder::with_info(&mut file, info).unwrap();
    encoder.add_itxt_chunk("XML:com.adobe.xmp".to_owned(), "<x tiff:Orientation=\"6\"/>".to_owned()).unwrap();
    encoder.write_header().unwrap().write_image_data(&[1, 2, 3, 250, 251, 252]).unwrap();
    file
}

/// What a file keeps of metadata: the profile's length, Exif's orientation, XMP, comments and density.
fn kept(file: &[u8]) -> (usize, Option<u8>, Option<String>, usize, [u8; 5]) {
    let app1 = with_marker(file, 0xe1);
    let exif = app1.iter().find(|s| s.starts_with(b"Exif\0\0")).map(|s| s[25]);
    let xmp = app1.iter().find_map(|s| s.strip_prefix(b"http://ns.adobe.com/xap/1.0/\0"));
    let xmp = xmp.map(|xmp| String::from_utf8(xmp.to_vec()).unwrap());
    let density = with_marker(file, 0xe0)[0][7..12].try_into().unwrap();
    (icc(file).len(), exif, xmp, with_marker(file, 0xfe).len(), density)
}

#[test]
fn the_profile_is_kept_and_the_rest_if_asked_for() {
    let folder = Folder::new();
    let source = folder.with("in.png", &png_with_metadata(6));
    let (none, inch, aspect) = (None, [1, 1, 44, 1, 44], [0, 0, 1, 0, 1]);
    let xmp = Some("<x tiff:Orientation=\"1\"/>".to_owned());
    assert_eq!(kept(&file_of(&source, &[])), (500, None, none.clone(), 0, inch));
    assert_eq!(kept(&file_of(&source, &["-m", "none"])), (0, None, none.clone(), 0, aspect));
    let all = file_of(&source, &["--copy-metadata", "all"]);
    assert_eq!(kept(&all), (500, Some(1), xmp.clone(), 0, inch));
    // Turned once, and told to be upright.
    assert_eq!(frame(&all).1[1..5], [0, 2, 0, 1]);
    assert_eq!(kept(&file_of(&source, &["-m", "exif,density"])), (0, Some(1), none.clone(), 0, inch));

    // The same from a JPEG file, which has comments, too.
    let first = folder.path("first.jpg");
    jpeg(&source, &first).args(["-m", "all", "--comment", "hi"]).assert().code(0);
    assert_eq!(kept(&file_of(&first, &["-m", "all"])), (500, Some(1), xmp, 1, inch));
    assert_eq!(kept(&file_of(&first, &[])), (500, None, none, 0, inch));
    // What the options say comes first.
    let own = folder.with("own.icc", &profile(*b"RGB ", 300));
    assert_eq!(kept(&file_of(&first, &["--icc", own.to_str().unwrap()])).0, 300);
    assert_eq!(kept(&file_of(&first, &["-m", "all", "--density", "72"])).4, [1, 0, 72, 0, 72]);
}

#[test]
fn a_profile_of_other_colors_is_left_out_and_this_is_told() {
    let folder = Folder::new();
    let source = folder.with("in.png", &png_with_metadata(1));
    let output = folder.path("out.jpg");
    let told = "ICC profile dropped: it does not match the color space";
    jpeg(&source, &output).arg("--grayscale").assert().code(0).stdout(contains(told));
    assert!(icc(&fs::read(&output).unwrap()).is_empty());
    jpeg(&source, &output).assert().code(0).stdout(contains(told).not());
}

#[test]
fn a_turned_jpeg_file_is_not_turned_twice() {
    let folder = Folder::new();
    let exif_file = folder.with("exif", &exif(6));
    let turned = folder.with("turned.jpg", &file(&["--exif", exif_file.to_str().unwrap()]));
    assert_eq!(kept(&fs::read(&turned).unwrap()).1, Some(6));
    let made = file_of(&turned, &["-m", "exif"]);
    assert_eq!(kept(&made).1, Some(1));
    assert_eq!(frame(&made).1[1..5], [0, 227, 0, 149]);
    let again = file_of(&folder.with("again.jpg", &made), &["-m", "exif"]);
    assert_eq!(frame(&again).1[1..5], [0, 227, 0, 149]);
}

#[test]
fn threads_do_not_change_the_file() {
    let one = file(&["--threads", "1"]);
    assert_eq!(file(&["-j", "3"]), one);
    assert_eq!(file(&[]), one);
}

#[test]
fn segments_come_in_the_order_that_readers_expect() {
    let markers: Vec<_> =
        segments(&file(&["--comment", "x"])).into_iter().map(|(marker, _)| marker).collect();
    assert_eq!(markers, [0xe0, 0xfe, 0xdb, 0xdb, 0xc0, 0xc4, 0xc4, 0xc4, 0xc4, 0xda]);
}

#[test]
fn a_size_or_a_psnr_finds_its_quality() {
    let folder = Folder::new();
    let output = folder.path("out.jpg");
    let run = |arguments: &[&str]| jpeg(&media("chelsea_227x149.png"), &output).args(arguments).assert();
    run(&["--size", "6k"]).success().stdout(contains("quality "));
    let size = std::fs::metadata(&output).unwrap().len();
    assert!((5000..=6000).contains(&size), "{size}");
    run(&["--psnr", "40"]).success().stdout(contains("quality "));
    run(&["--size", "100"]).code(1).stderr(contains("no quality fits the file in 100 bytes"));
    run(&["--psnr", "400"]).code(1).stderr(contains("no quality reaches a PSNR of 400 dB"));
    run(&["--psnr", "nan"]).code(2).stderr(contains("PSNR"));
}

#[test]
fn what_cannot_be_combined() {
    let folder = Folder::new();
    for arguments in [
        &["--grayscale", "--rgb"][..],
        &["--size", "2k", "--quality", "3"],
        &["--size", "2k", "--psnr", "30"],
        &["--libjpeg-compatible", "--trellis"],
        &["--psnr", "30", "--lossless", "1"],
        &["--size", "0"],
        &["--progressive", "--scans", "x"],
        &["--bits", "10"],
        &["--restart", "x"],
        &["--density", "0"],
        &["--copy-metadata", "gps"],
        &["--force"],
        &["--suffix", "x"],
        &["--plot", "x.svg"],
        &["--threads", "-1"],
    ] {
        let output = folder.path("out.jpg");
        jpeg(&media("chelsea_227x149.png"), &output)
            .args(arguments)
            .assert()
            .code(2)
            .stderr(contains("error: "));
    }
    assert_eq!(folder.names(), [""; 0]);
}

/// Libjpeg-compatible files are those of cjpeg, where it is installed, also where it departs from what is usual.
#[test]
fn exact_files_are_those_of_cjpeg() {
    let folder = Folder::new();
    let numbers = |first: usize| (first..first + 64).map(|n| format!("{n} ")).collect::<Vec<_>>().concat();
    let one = folder.with("one.txt", numbers(1).as_bytes());
    let two = folder.with("two.txt", (numbers(1) + &numbers(101)).as_bytes());
    let script = folder.with("scans.txt", b"0; 1; 2;");
    let [one, two, script] = [&one, &two, &script].map(|path| path.to_str().unwrap());
    let ppm = {
        let samples: Vec<u8> = (0..64 * 48 * 3_usize).map(|i| (i * i / 97 % 251) as u8).collect();
        folder.with("in.ppm", &[b"P6 64 48 255\n", &samples[..]].concat())
    };
    for (ours, theirs) in [
        (&["-q", "10"][..], &["-quality", "10"][..]),
        (&["-q", "10", "--baseline"], &["-quality", "10", "-baseline"]),
        (&["-q", "75", "--scans", script], &["-quality", "75", "-scans", script]),
        (&["--qtables", one], &["-qtables", one]),
        (&["--qtables", one, "-q", "20"], &["-qtables", one, "-quality", "20"]),
        (&["--qtables", two], &["-qtables", two]),
        (&["--qtables", two, "-q", "20"], &["-qtables", two, "-quality", "20"]),
        (&["--qtables", two, "-q", "20", "--baseline"], &["-qtables", two, "-quality", "20", "-baseline"]),
    ] {
        let mut cjpeg = std::process::Command::new("cjpeg");
        let Ok(output) = cjpeg.args(["-dct", "int"]).args(theirs).arg(&ppm).output() else {
            assert!(std::env::var_os("CI").is_none(), "cjpeg is not installed");
            eprintln!("skipped: cjpeg is not installed");
            return;
        };
        let wanted = output.stdout;
        assert!(file_of(&ppm, &[&["--libjpeg-compatible"], ours].concat()) == wanted, "{theirs:?}");
    }
}

/// With one input, `-o` takes the name of a file too.
#[test]
fn an_output_file_by_option() {
    let folder = Folder::new();
    let input = media("chelsea_227x149.png");
    let (plain, named, own) = (folder.path("plain.jpg"), folder.path("named.jpg"), folder.path("own.jpg"));
    jpeg(&input, &plain).assert().code(0);
    shim([input.as_os_str(), "-o".as_ref(), named.as_os_str()]).assert().code(0);
    assert!(named.is_file() && fs::read(&named).unwrap() == fs::read(&plain).unwrap());
    // A folder of that name is a folder, and so is what two inputs go to.
    fs::create_dir(&own).unwrap();
    shim([input.as_os_str(), "-o".as_ref(), own.as_os_str()]).assert().code(0);
    assert!(own.join("chelsea_227x149.jpg").is_file());
    let other = media("chelsea.png");
    let both = folder.path("both.jpg");
    shim([input.as_os_str(), other.as_os_str(), "-o".as_ref(), both.as_os_str()]).assert().code(0);
    assert!(both.join("chelsea.jpg").is_file());
}

/// Coded data that a decoder makes the best of.
#[test]
fn corrupt_jpeg_input_gets_a_warning() {
    let folder = Folder::new();
    let (whole, output) = (folder.path("whole.jpg"), folder.path("out.jpg"));
    jpeg(&media("chelsea_227x149.png"), &whole).assert().code(0).stderr(predicates::str::is_empty());
    jpeg(&whole, &output).arg("--strict").assert().code(0).stderr(predicates::str::is_empty());
    let mut file = fs::read(&whole).unwrap();
    let end = file.len() - 2;
    file.splice(end..end, [1, 2, 3]);
    let corrupt = folder.with("corrupt.jpg", &file);
    let warning = "corrupt JPEG data in scan 1: 3 extraneous bytes before a marker";
    jpeg(&corrupt, &output)
        .assert()
        .code(0)
        .stderr(contains(format!("warning: {}: {warning}", corrupt.display())));
    fs::remove_file(&output).unwrap();
    jpeg(&corrupt, &output)
        .arg("--strict")
        .assert()
        .code(1)
        .stderr(contains(format!("{warning} (--strict)")));
    assert!(!output.exists());
    shim([corrupt.as_os_str(), "--compare".as_ref(), "--qualities".as_ref(), "50".as_ref()])
        .assert()
        .code(0)
        .stderr(contains(warning));
}

#[test]
fn large_images_are_made_smaller() {
    let folder = Folder::new();
    let (input, output) = (media("chelsea_227x149.png"), folder.path("out.jpg"));
    let size = |arguments: &[&str]| {
        jpeg(&input, &output).args(arguments).assert().code(0);
        let [h1, h0, w1, w0, ..] = frame(&fs::read(&output).unwrap()).1[1..] else {
            panic!("a frame header")
        };
        [u16::from_be_bytes([w1, w0]), u16::from_be_bytes([h1, h0])]
    };
    assert_eq!(size(&[]), [227, 149]);
    assert_eq!(size(&["--max-width", "100"]), [100, 66]);
    assert_eq!(size(&["--max-width", "100", "--max-height", "50"]), [76, 50]);
    assert_eq!(size(&["--max-width", "1000", "--max-height", "149"]), [227, 149]);
    let of = |filter: &str| {
        size(&["--max-width", "100", "--resize-filter", filter]);
        fs::read(&output).unwrap()
    };
    assert_ne!(of("area"), of("lanczos"));
    for wrong in [["--max-width", "0"], ["--max-height", "x"], ["--resize-filter", "bicubic"]] {
        jpeg(&input, &output).args(wrong).assert().code(2);
    }
}
