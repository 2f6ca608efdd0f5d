//! Files after public bug reports of other programs: what everyone reads is read, and what is wrong with it is told.

use std::fs;
use std::path::{Path, PathBuf};

use assert_cmd::Command;
use assert_cmd::assert::Assert;
use predicates::prelude::*;
use predicates::str::{contains, is_empty};

use crate::common::{Folder, exif, icc, jpeg, media, pixels, png, with_marker};

fn reported(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/reported").join(name)
}

/// The output of an input that is read.
fn read(folder: &Folder, input: &Path, options: &[&str]) -> (Assert, Vec<u8>) {
    let output = folder.path("out.jpg");
    let assert = jpeg(input, &output).args(options).assert().code(0);
    (assert, fs::read(output).unwrap())
}

/// A color JPEG file.
fn color_jpeg(folder: &Folder, options: &[&str]) -> Vec<u8> {
    let output = folder.path("color.jpg");
    jpeg(&media("chelsea_227x149.png"), &output).args(options).assert().code(0);
    fs::read(output).unwrap()
}

#[test]
fn what_is_wrong_is_told() {
    let folder = Folder::new();
    for (name, warning) in [
        ("j09-no-eoi.jpg", "warning: @: the file ends without an EOI marker\n"),
        ("j12-garbage-between-segments.jpg", "warning: @: corrupt JPEG data: "),
        (
            "j33-adobe-transform-5.jpg",
            "warning: @: corrupt JPEG data: an Adobe marker of unknown transform 5\n",
        ),
    ] {
        let input = reported(name);
        let warning = warning.replace('@', &input.display().to_string());
        read(&folder, &input, &[]).0.stderr(contains(&*warning));
        let strict = jpeg(&input, &folder.path("strict.jpg")).arg("--strict").assert().code(1);
        strict.stderr(contains("(--strict)"));
    }
}

#[test]
fn what_is_not_wrong_is_not_told() {
    let folder = Folder::new();
    for name in [
        "j04-sampling-1x1-2x2-2x2.jpg",
        "j04-sampling-3x1.jpg",
        "j06-ycc-jfif-and-adobe0.jpg",
        "j07-no-dht.jpg",
        "j07-avi1-no-dht.jpg",
        "j18-icc-twice.jpg",
        "n02-p2-comment-in-raster.pnm",
        "p08-exif-6-prefix.png",
    ] {
        read(&folder, &reported(name), &["--strict"]).0.stderr(is_empty());
    }
}

#[test]
fn a_profile_that_is_stored_twice_is_kept_once() {
    let folder = Folder::new();
    let (_, file) = read(&folder, &reported("j18-icc-twice.jpg"), &[]);
    let own = icc(&fs::read(reported("j18-icc-twice.jpg")).unwrap());
    assert_eq!(icc(&file), own[..own.len() / 2]);
}

#[test]
fn a_part_of_a_profile_is_dropped_with_a_warning() {
    let folder = Folder::new();
    let mut file = color_jpeg(&folder, &[]);
    let part = [&b"\xff\xe2\0\x14ICC_PROFILE\0\x01\x02"[..], b"data"].concat();
    file.splice(2..2, part);
    let (assert, written) = read(&folder, &folder.with("part.jpg", &file), &[]);
    assert.stderr(contains("ICC profile dropped: part 2 of 2 missing"));
    assert!(icc(&written).is_empty());
}

#[test]
fn the_orientation_of_exif_data_in_any_chunk_is_applied() {
    let folder = Folder::new();
    let prefixed = [b"Exif\0\0", &exif(6)[..]].concat();
    let digits: Vec<String> = prefixed.iter().map(|byte| format!("{byte:02x}")).collect();
    let digits = digits.concat();
    let text = format!("\nexif\n{:8}\n{digits}\n", prefixed.len());
    let whole = png(3, 2, png::ColorType::Grayscale, png::BitDepth::Eight, &[0, 50, 100, 150, 200, 250]);
    let write = |compressed: bool| {
        let mut file = Vec::new();
        let mut encoder = png::Encoder::new(&mut file, 3, 2);
        encoder.set_color(png::ColorType::Grayscale);
        let keyword = "Raw profile type exif".to_owned();
        if compressed {
            encoder.add_ztxt_chunk(keyword, text.clone()).unwrap();
        } else {
            encoder.add_text_chunk(keyword, text.clone()).unwrap();
        }
        encoder.write_header().unwrap().write_image_data(&[0, 50, 100, 150, 200, 250]).unwrap();
        file
    };
    read(&folder, &folder.with("upright.png", &whole), &[]).0.stdout(contains("3x2 gray"));
    for file in [write(false), write(true)] {
        read(&folder, &folder.with("turned.png", &file), &[]).0.stdout(contains("2x3 gray"));
    }
    read(&folder, &reported("p08-exif-6-prefix.png"), &[]).0.code(0);
}

#[test]
fn files_without_their_last_chunk() {
    let folder = Folder::new();
    let whole = fs::read(media("chelsea_227x149.png")).unwrap();
    let gray16 = png(5, 4, png::ColorType::Grayscale, png::BitDepth::Sixteen, &[7; 40]);
    for whole in [&whole, &gray16] {
        let end = whole.len() - 12;
        // Read by rows, and read whole.
        for options in [&[][..], &["--stats"]] {
            let wanted = read(&folder, &folder.with("whole.png", whole), options).1;
            let (assert, file) = read(&folder, &folder.with("cut.png", &whole[..end]), options);
            assert.stderr(contains("the file ends without an IEND chunk"));
            assert!(file == wanted);
            let cut = folder.with("cut.png", &whole[..end - 1]);
            let _ = jpeg(&cut, &folder.path("out.jpg")).args(options).arg("--strict").assert().code(1);
        }
    }
}

#[test]
fn truncated_files_are_accepted_if_wanted() {
    let folder = Folder::new();
    let jpeg_file = color_jpeg(&folder, &[]);
    let progressive = color_jpeg(&folder, &["--progressive"]);
    let png_file = fs::read(media("chelsea_227x149.png")).unwrap();
    for (name, file) in [("a.jpg", jpeg_file), ("b.jpg", progressive), ("c.png", png_file)] {
        for length in [file.len() / 2, file.len() * 3 / 4, file.len() - 40] {
            let cut = folder.with(name, &file[..length]);
            let refused = jpeg(&cut, &folder.path("out.jpg")).assert().code(1);
            refused.stderr(contains("truncated").and(contains("--allow-truncated")));
            read(&folder, &cut, &["--allow-truncated"])
                .0
                .stderr(contains("warning: ").and(contains("ends").or(contains("truncated"))));
        }
        // There is no image in it.
        let cut = folder.with(name, &file[..40]);
        let _ = jpeg(&cut, &folder.path("none.jpg")).arg("--allow-truncated").assert().code(1);
    }
}

#[test]
fn metadata_that_no_segment_holds_is_dropped_with_a_warning() {
    let folder = Folder::new();
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, 1, 1);
    encoder.set_color(png::ColorType::Grayscale);
    encoder
        .add_itxt_chunk(
            "XML:com.adobe.xmp".to_owned(),
            format!("<x:xmpmeta>{}</x:xmpmeta>", " ".repeat(70_000)),
        )
        .unwrap();
    encoder.write_header().unwrap().write_image_data(&[1]).unwrap();
    let input = folder.with("long.png", &file);
    let (assert, written) = read(&folder, &input, &["-m", "all"]);
    assert.stderr(contains("XMP packet of 70023 bytes dropped: a JPEG file holds 65504 at most"));
    assert!(with_marker(&written, 0xe1).is_empty());
    read(&folder, &input, &[]).0.stderr(is_empty());
}

#[test]
fn extended_xmp_is_copied_with_its_packet() {
    let folder = Folder::new();
    let mut file = color_jpeg(&folder, &[]);
    let segment = |identifier: &[u8], data: &[u8]| {
        let length = (identifier.len() + data.len() + 2) as u16;
        [&[0xff, 0xe1][..], &length.to_be_bytes(), identifier, data].concat()
    };
    let packet = segment(b"http://ns.adobe.com/xap/1.0/\0", b"<x:xmpmeta/>");
    let part = segment(b"http://ns.adobe.com/xmp/extension/\0", &[b'0'; 50]);
    file.splice(2..2, [packet, part].concat());
    let input = folder.with("xmp.jpg", &file);
    let (_, written) = read(&folder, &input, &["-m", "xmp"]);
    let parts = with_marker(&written, 0xe1);
    assert!(parts.len() == 2 && parts[1].starts_with(b"http://ns.adobe.com/xmp/extension/\x00000"));
    assert!(with_marker(&read(&folder, &input, &[]).1, 0xe1).is_empty());
}

#[test]
fn a_gain_map_is_not_dropped_in_silence() {
    let folder = Folder::new();
    let mut file = color_jpeg(&folder, &[]);
    let packet = b"http://ns.adobe.com/xap/1.0/\0<x:xmpmeta hdrgm:Version=\"1.0\" dc:title=\"t\"/>";
    let segment = [&[0xff, 0xe1][..], &(packet.len() as u16 + 2).to_be_bytes(), packet].concat();
    file.splice(2..2, segment);
    let (assert, written) = read(&folder, &folder.with("hdr.jpg", &file), &["-m", "all"]);
    assert.stderr(contains("gain map dropped"));
    let [kept] = &with_marker(&written, 0xe1)[..] else { panic!("one packet") };
    assert!(kept.ends_with(b"<x:xmpmeta  dc:title=\"t\"/>"));
}

#[test]
fn sides_beyond_libjpeg_are_told() {
    let folder = Folder::new();
    let wide = |width: usize| {
        folder.with("wide.pgm", &[format!("P5 {width} 1 255\n").as_bytes(), &vec![9; width]].concat())
    };
    read(&folder, &wide(65_501), &[]).0.stderr(contains("a side of 65501 pixels is above 65500"));
    read(&folder, &wide(65_500), &[]).0.stderr(is_empty());
}

#[test]
fn a_limit_of_scans() {
    let folder = Folder::new();
    let script = "0: 0-0, 0, 1; 0: 1-63, 0, 1; 0: 0-0, 1, 0; 0: 1-63, 1, 0;\n";
    let script = folder.with("scans", script.as_bytes());
    let output = folder.path("scans.jpg");
    let mut command = jpeg(&media("chelsea_227x149.png"), &output);
    let _ = command.arg("--grayscale").arg("--scans").arg(script).assert().code(0);
    read(&folder, &output, &["--max-scans", "4"]).0.stderr(is_empty());
    let refused = jpeg(&output, &folder.path("out.jpg")).args(["--max-scans", "3"]).assert().code(1);
    refused.stderr(contains("4 scans are above the limit of 3").and(contains("--max-scans")));
}

/// Two frames of 16x16 samples.
fn clip(header: &str) -> Vec<u8> {
    let mut file = format!("YUV4MPEG2 W16 H16 {header}C420\n").into_bytes();
    for frame in 0..2_u8 {
        file.extend(b"FRAME\n");
        file.extend((0..384_u32).map(|i| (i * 7 % 200) as u8 + frame));
    }
    file
}

fn h264(input: &Path, output: &Path) -> Command {
    let mut command = Command::cargo_bin("shim").unwrap();
    command.arg("h264").arg(input).arg(output);
    command
}

#[test]
fn what_follows_the_last_frame_does_not_lose_the_others() {
    let folder = Folder::new();
    let whole = clip("F25:1 ");
    let output = folder.path("out.mp4");
    let _ = h264(&folder.with("whole.y4m", &whole), &output).assert().code(0);
    let wanted = fs::read(&output).unwrap();
    for (tail, code, message) in [
        (&b"\n"[..], 0, "warning: @: ignored the data after frame 2, which is not a frame\n"),
        (b"junk\n", 0, "warning: @: ignored the data after frame 2, which is not a frame\n"),
        (&[0; 3000], 0, "warning: @: ignored the data after frame 2, which is not a frame\n"),
        (b"FRA", 0, "warning: @: truncated within frame 3; the frames before it were encoded\n"),
        (b"FRAME\nabc", 0, "warning: @: truncated within frame 3; the frames before it were encoded\n"),
        (&whole, 1, "error: @: another Y4M stream follows frame 2, of which nothing was encoded"),
    ] {
        let input = folder.with("tail.y4m", &[&whole, tail].concat());
        let message = message.replace('@', &input.display().to_string());
        for options in [&[][..], &["--fragment"]] {
            let assert = h264(&input, &output).args(options).assert().code(code);
            assert.stderr(contains(&*message)).stdout(contains("2 frames"));
            if options.is_empty() {
                assert!(fs::read(&output).unwrap() == wanted, "{}", tail.escape_ascii());
            }
        }
    }
    // No frame comes before it.
    let header = &whole[..=whole.iter().position(|&byte| byte == b'\n').unwrap()];
    let input = folder.with("none.y4m", &[header, b"\n"].concat());
    let _ = h264(&input, &folder.path("none.mp4"))
        .assert()
        .code(1)
        .stderr(contains("its header is not followed by a frame"));
    assert!(!folder.path("none.mp4").exists());
}

#[test]
fn a_header_without_a_frame_rate_is_told() {
    let folder = Folder::new();
    let output = folder.path("out.264");
    for header in ["", "F0:0 "] {
        let assert = h264(&folder.with("in.y4m", &clip(header)), &output).assert().code(0);
        assert.stderr(contains("its header gives no frame rate; encoding at 30 frames/s (--fps sets it)"));
    }
    let input = folder.with("in.y4m", &clip("F25 "));
    h264(&input, &output)
        .assert()
        .code(1)
        .stderr(contains("the frame rate in its header is F25, not like F25:1"));
}

/// The samples that djpeg reads in a file, if it does.
fn djpeg(input: &Path) -> Option<Vec<u8>> {
    let output = std::process::Command::new("djpeg").arg(input).output().ok()?;
    let header = output.stdout.split(|&byte| byte == b'\n').take(3).map(|line| line.len() + 1).sum::<usize>();
    output.status.success().then(|| output.stdout[header..].to_vec())
}

/// Factors of any kind, which cjpeg writes and djpeg reads.
#[test]
fn sampling_factors_are_read_as_djpeg_reads_them() {
    let folder = Folder::new();
    let (width, height) = (83_u32, 61_u32);
    let mut image = format!("P6\n{width} {height}\n255\n").into_bytes();
    for at in 0..width * height {
        let (x, y) = (at % width, at / width);
        image.extend([3 * x, 4 * y, 255 - x - 2 * y].map(|sample| sample as u8));
    }
    let (image, file) = (folder.with("in.ppm", &image), folder.path("in.jpg"));
    let usual = ["1x1", "2x1", "1x2", "2x2", "4x1", "1x4", "4x2", "2x4", "4x4"]
        .map(|first| format!("{first},1x1,1x1"));
    let mut all = usual.to_vec();
    let mut random = 1_u64;
    while all.len() < 60 {
        let factors: Vec<u64> = (0..6)
            .map(|_| {
                random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                1 + (random >> 60) % 4
            })
            .collect();
        let blocks: u64 = factors.chunks(2).map(|hv| hv[0] * hv[1]).sum();
        // An MCU has ten blocks at most.
        if blocks <= 10 {
            all.push(
                factors.chunks(2).map(|hv| format!("{}x{}", hv[0], hv[1])).collect::<Vec<_>>().join(","),
            );
        }
    }
    let mut compared = 0;
    for (i, factors) in all.iter().enumerate() {
        let process = if i % 2 == 0 { "-progressive" } else { "-optimize" };
        let cjpeg = std::process::Command::new("cjpeg")
            .args([process, "-sample", factors, "-outfile"])
            .arg(&file)
            .arg(&image)
            .output();
        let Ok(cjpeg) = cjpeg else {
            assert!(std::env::var_os("CI").is_none(), "cjpeg is not installed");
            eprintln!("skipped: cjpeg is not installed");
            return;
        };
        let Some(wanted) = djpeg(&file).filter(|_| cjpeg.status.success()) else { continue };
        read(&folder, &file, &["-q", "100", "-s", "444", "--strict"]).0.stderr(is_empty());
        let got = pixels(&folder.path("out.jpg"));
        let error: u64 = got.iter().zip(&wanted).map(|(a, b)| u64::from(a.abs_diff(*b))).sum();
        assert!(
            got.len() == wanted.len() && error < 3 * got.len() as u64 / 2,
            "{factors} {process}: {error}"
        );
        compared += 1;
    }
    assert!(compared >= 20, "{compared}");
}
