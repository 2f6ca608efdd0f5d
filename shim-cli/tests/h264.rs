//! `shim h264` as a user meets it.

mod common;

use std::fs;
use std::path::Path;

use assert_cmd::Command;
use predicates::prelude::*;
use predicates::str::{contains, is_empty};

use common::Folder;

/// `shim h264` and arguments.
fn h264<A: AsRef<std::ffi::OsStr>>(arguments: impl IntoIterator<Item = A>) -> Command {
    let mut command = Command::cargo_bin("shim").unwrap();
    command.arg("h264").args(arguments);
    command
}

/// Raw frames of a gradient that moves.
fn raw(width: usize, height: usize, frames: usize) -> Vec<Vec<u8>> {
    let samples = width * height + 2 * (width.div_ceil(2) * height.div_ceil(2));
    (0..frames).map(|n| (0..samples).map(|i| (3 * (i % width) + i / width + 5 * n) as u8).collect()).collect()
}

fn y4m(width: usize, height: usize, parameters: &str, frames: &[Vec<u8>]) -> Vec<u8> {
    let mut file = format!("YUV4MPEG2 W{width} H{height} {parameters}\n").into_bytes();
    for frame in frames {
        file.extend(b"FRAME\n");
        file.extend(frame);
    }
    file
}

fn clip(frames: usize) -> Vec<u8> {
    y4m(48, 34, "F25:1 Ip C420jpeg", &raw(48, 34, frames))
}

#[test]
fn encodes_a_clip_and_says_what_it_did() {
    let folder = Folder::new();
    let (input, output, recon) =
        (folder.with("in.y4m", &clip(3)), folder.path("out.264"), folder.path("out.yuv"));
    h264([&input, &output])
        .arg("--stats")
        .arg("--recon")
        .arg(&recon)
        .assert()
        .code(0)
        .stderr(is_empty())
        .stdout(contains("in.y4m: 48x34, 25 frames/s, 3 frames\n"))
        .stdout(
            predicate::str::is_match(
                r"out\.264: quality 23, QP [0-9.]+( \([0-9]+ to [0-9]+\))?, [0-9]+ bytes, [0-9.]+ kbit/s\n",
            )
            .unwrap(),
        )
        .stdout(
            predicate::str::is_match(r"PSNR [0-9.]+ dB \(Y [0-9.]+, Cb .*\), SSIM [01]\.[0-9]{4}\n").unwrap(),
        )
        .stdout(predicate::str::is_match(r"\nencoded in [0-9.]+ ms, [0-9.]+ frames/s\n$").unwrap());
    assert!(fs::read(&output).unwrap().starts_with(&[0, 0, 0, 1]));
    assert_eq!(fs::metadata(&recon).unwrap().len(), 3 * 48 * 34 * 3 / 2);
    assert_eq!(folder.names(), ["in.y4m", "out.264", "out.yuv"]);
}

#[test]
fn raw_frames_and_pipes_give_the_same_stream() {
    let folder = Folder::new();
    let input = folder.with("in.y4m", &clip(3));
    let wanted = {
        let output = folder.path("out.264");
        h264([&input, &output]).args(["--qp", "30"]).assert().code(0);
        fs::read(output).unwrap()
    };
    let raw = raw(48, 34, 3).concat();
    let through = h264(["-", "-", "--qp", "30", "--size", "48x34", "--fps", "25"])
        .write_stdin(raw)
        .assert()
        .code(0)
        .stderr(contains("<stdin>: 48x34, 25 frames/s, 3 frames\n"));
    assert!(through.get_output().stdout == wanted);
    let through = h264(["-", "-", "-q30"]).write_stdin(clip(3)).assert().code(0);
    assert!(through.get_output().stdout == wanted);
    let alone = h264(["-", "-", "-q30", "--keyint", "1"]).write_stdin(clip(3)).assert().code(0);
    assert!(alone.get_output().stdout.len() > wanted.len());
    let first = h264(["-", "-", "-q30", "--frames", "1"]).write_stdin(clip(3)).assert().code(0);
    let first = first.get_output().stdout.clone();
    assert!(wanted.starts_with(&first) && first.len() < wanted.len());
}

#[test]
fn threads_divide_slices_and_do_not_change_the_stream() {
    let stream = |arguments: &[&str]| {
        let through = h264(["-", "-"]).args(arguments).write_stdin(clip(3)).assert().code(0);
        through.get_output().stdout.clone()
    };
    let (one, two, three) =
        (stream(&[]), stream(&["--slices", "2"]), stream(&["--slices", "3", "--threads", "1"]));
    assert!(one != two && two != three);
    assert!(stream(&["--slices", "1", "--threads", "2"]) == one);
    assert!(stream(&["--threads", "2"]) == two && stream(&["--slices", "2", "-j0"]) == two);
    // There are no more rows of macroblocks than three.
    assert!(stream(&["--threads", "8"]) == three && stream(&["--slices", "3", "-j", "2"]) == three);
}

#[test]
fn frames_of_red_green_and_blue() {
    let folder = Folder::new();
    let recon = folder.path("out.yuv");
    let code = |pixels: &str, frame: &[u8], arguments: &[&str]| {
        let assert = h264(["-", "-", "--size", "16x32", "--pixels", pixels, "--qp", "4", "--recon"])
            .arg(&recon)
            .args(arguments)
            .write_stdin(frame.repeat(2))
            .assert()
            .code(0)
            .stderr(contains("16x32, 30 frames/s, 2 frames\n"));
        (assert.get_output().stdout.clone(), fs::read(&recon).unwrap())
    };
    let red = [200, 30, 40].repeat(16 * 32);
    let (stream, frames) = code("rgb24", &red, &[]);
    // BT.709: Y is 16 + 219 / 255 * (0.2126 R + 0.7152 G + 0.0722 B), and so on.
    let near = |frames: &[u8], [y, cb, cr]: [u8; 3]| {
        let planes = [(0, y), (512, cb), (640, cr)];
        assert!(planes.iter().all(|&(at, wanted)| frames[at].abs_diff(wanted) <= 1), "{:?}", &frames[..8]);
    };
    assert_eq!(frames.len(), 2 * 16 * 32 * 3 / 2);
    near(&frames, [73, 115, 202]);
    for (pixels, frame) in [
        ("bgr24", [40, 30, 200].repeat(16 * 32)),
        ("rgba", [200, 30, 40, 9].repeat(16 * 32)),
        ("bgra", [40, 30, 200, 9].repeat(16 * 32)),
    ] {
        assert!(code(pixels, &frame, &["--colour", "bt709"]).0 == stream, "{pixels}");
    }
    let (other, frames) = code("rgb24", &red, &["--color", "bt601-full"]);
    assert!(other != stream);
    near(&frames, [82, 104, 212]);
    for wrong in [&["--pixels", "rgb24"][..], &["--size", "16x16", "--pixels", "yuv"], &["--colour", "red"]] {
        h264(["-", "-"]).args(wrong).assert().code(2);
    }
    h264(["-", "-", "--size", "15x16", "--pixels", "rgba"])
        .write_stdin([0; 960])
        .assert()
        .code(1)
        .stderr(contains("frames of 15x16 cannot be coded"));
}

#[test]
fn rate_and_quality_are_as_asked_for() {
    let folder = Folder::new();
    let (input, output) = (folder.with("in.y4m", &clip(60)), folder.path("out.264"));
    let report = |arguments: &[&str]| {
        let report =
            h264([&input, &output]).args(arguments).arg("--json").assert().code(0).stderr(is_empty());
        serde_json::from_slice::<serde_json::Value>(&report.get_output().stdout).unwrap()
    };
    let usual = report(&[]);
    assert_eq!((&usual["crf"], &usual["qp"], &usual["bitrate"]), (&23.0.into(), &().into(), &().into()));
    assert_eq!(report(&["--crf", "23"])["bytes"], usual["bytes"]);
    assert!(report(&["--crf", "30.5"])["bytes"].as_u64() < usual["bytes"].as_u64());
    let constant = report(&["--qp", "31"]);
    assert_eq!([&constant["qp"], &constant["least_qp"], &constant["greatest_qp"]], [31; 3]);
    let rate = report(&["--bitrate", "60k", "--maxrate", "0.1M", "--bufsize", "100k"]);
    assert_eq!(rate["bitrate"], 60_000);
    let found = rate["kilobits_per_second"].as_f64().unwrap();
    assert!((50.0..70.0).contains(&found), "{found}");
    // Of noise there are too many bits also at the highest QP.
    let mut noise = raw(48, 34, 20);
    for (i, sample) in noise.iter_mut().flatten().enumerate() {
        *sample =
            (i as u32).wrapping_mul(2_654_435_761).rotate_left(9).wrapping_mul(2_654_435_761).to_be_bytes()
                [0];
    }
    let noise = folder.with("noise.y4m", &y4m(48, 34, "F25:1", &noise));
    let few =
        h264([&noise, &output]).args(["--qp", "0", "--maxrate", "14k", "--bufsize", "14k"]).assert().code(0);
    few.stderr(contains("out.264: ").and(contains("had no room in the buffer at any QP")));
}

#[test]
fn scenes_begin_with_a_key_frame_unless_told() {
    let folder = Folder::new();
    let mut frames = raw(48, 34, 20);
    // Another scene in the second half.
    for (n, frame) in frames.iter_mut().enumerate().skip(10) {
        for (i, sample) in frame.iter_mut().enumerate() {
            *sample = ((i % 48 / 3 + n / 2) * (i / 96) * 5) as u8;
        }
    }
    let (input, output) = (folder.with("in.y4m", &y4m(48, 34, "F25:1", &frames)), folder.path("out.264"));
    let cuts = |arguments: &[&str]| {
        let report = h264([&input, &output]).args(arguments).arg("--json").assert().code(0);
        let report: serde_json::Value = serde_json::from_slice(&report.get_output().stdout).unwrap();
        [&report["idr_pictures"], &report["scene_cuts"]].map(|count| count.as_u64().unwrap())
    };
    assert_eq!(cuts(&["--keyint", "50"]), [2, 1]);
    assert_eq!(cuts(&["--no-scenecut"]), [1, 0]);
    assert_eq!(cuts(&["--min-keyint", "11"]), [1, 0]);
}

/// The kinds and lengths of the boxes of a file.
fn boxes(mut file: &[u8]) -> Vec<(String, usize)> {
    let mut all = Vec::new();
    while !file.is_empty() {
        let short = u32::from_be_bytes(file[..4].try_into().unwrap()) as usize;
        let length = match short {
            1 => u64::from_be_bytes(file[8..16].try_into().unwrap()) as usize,
            length => length,
        };
        all.push((String::from_utf8(file[4..8].to_vec()).unwrap(), length));
        file = &file[length..];
    }
    all
}

#[test]
fn mp4_files_are_complete() {
    let folder = Folder::new();
    let (input, output, trace) =
        (folder.with("in.y4m", &clip(4)), folder.path("out.mp4"), folder.path("trace"));
    let report = h264([&input, &output]).arg("--json").arg("--trace").arg(&trace).assert().code(0);
    let report: serde_json::Value = serde_json::from_slice(&report.get_output().stdout).unwrap();
    assert_eq!((&report["frames"], &report["truncated"]), (&4.into(), &false.into()));
    let boxes = boxes(&fs::read(&output).unwrap());
    assert_eq!(boxes.iter().map(|(kind, _)| kind.as_str()).collect::<Vec<_>>(), ["ftyp", "mdat", "moov"]);
    assert_eq!(boxes[1].1 as u64, 16 + report["bytes"].as_u64().unwrap());
    let trace = fs::read_to_string(trace).unwrap();
    assert!(trace.contains("\n@8       profile_idc") && trace.contains("frame_crop_bottom_offset"));
    assert_eq!(trace.matches(" first_mb_in_slice ").count(), 4);
    // The same file again, which is replaced.
    h264([&input, &output]).assert().code(0);
}

#[test]
fn a_clip_that_ends_within_a_frame_is_finished() {
    let folder = Folder::new();
    let whole = clip(3);
    let input = folder.with("in.y4m", &whole[..whole.len() - 7]);
    let output = folder.path("out.mp4");
    h264([&input, &output])
        .assert()
        .code(0)
        .stderr(contains("in.y4m: it ends within frame 3; those before it are encoded"))
        .stdout(contains("2 frames\n"));
    assert_eq!(boxes(&fs::read(output).unwrap()).len(), 3);
    let raw = raw(48, 34, 2).concat();
    h264(["-", "-", "--size", "48x34"])
        .write_stdin(&raw[..raw.len() - 1])
        .assert()
        .code(0)
        .stderr(contains("warning: <stdin>: it ends within frame 2"));
}

#[test]
fn what_cannot_be_encoded_leaves_the_output_alone() {
    let folder = Folder::new();
    let output = folder.with("out.264", b"precious");
    let frames = |width, height| raw(width, height, 1);
    let refused = |name: &str, file: &[u8], arguments: &[&str], message: &str| {
        let input = folder.with(name, file);
        h264([&input, &output]).args(arguments).assert().code(1).stdout(is_empty()).stderr(contains(message));
        assert_eq!(fs::read(&output).unwrap(), b"precious", "{name}");
    };
    refused("empty", b"", &[], "empty: the file is empty");
    refused("png", b"\x89PNG\r\n\x1a\n, and more\n", &[], "png: damaged Y4M file");
    refused("header", &y4m(16, 16, "F25:1", &[]), &[], "header: there is no frame in it");
    refused("cut", &clip(1)[..300], &[], "cut: truncated video file");
    refused("cut header", &clip(1)[..20], &[], "cut header: truncated Y4M file");
    let planes = vec![vec![0; 16 * 16 * 3]];
    refused("444", &y4m(16, 16, "F25:1 C444", &planes), &[], "444: unsupported Y4M file");
    refused("odd", &y4m(15, 16, "F25:1", &frames(15, 16)), &[], "odd: frames of 15x16 cannot be coded");
    refused("0", &y4m(0, 16, "F25:1", &[]), &[], "0: ");
    refused("huge", b"YUV4MPEG2 W999999999999 H999999999999 F25:1\n", &[], "huge: ");
    refused("level", &clip(1), &["--level", "1", "--fps", "100000"], "level 1.0");
    refused("no level", &clip(1), &["--level", "7.7"], "there is no level 77");
    refused("slices", &clip(1), &["--slices", "4"], "frames of 3 rows of macroblocks cannot have 4 slices");
    refused("missing folder", &clip(1), &["--recon", "/no/such/folder/recon"], "/no/such/folder/recon");
    h264([Path::new("/no/such/file"), &output]).assert().code(1).stderr(contains("cannot be read"));
    refused(
        "rate",
        &clip(1),
        &["--bitrate", "2M", "--maxrate", "1M", "--bufsize", "1M"],
        "2000000 bits a second",
    );
    refused("few bits", &clip(1), &["--maxrate", "1k", "--bufsize", "1M"], "960 bits a second are too few");
    refused("buffer", &clip(1), &["--maxrate", "1M", "--bufsize", "100"], "a buffer with ");
    refused(
        "level of rate",
        &clip(1),
        &["--level", "1", "--bitrate", "1M"],
        "level 1.0 has fewer bits a second",
    );
    refused("keyint", &clip(1), &["--keyint", "10", "--min-keyint", "11"], "at least 11 frames");
    for wrong in [
        &["--qp", "52"][..],
        &["--crf", "52"],
        &["--bitrate", "0"],
        &["--bitrate", "fast"],
        &["--qp", "20", "--crf", "20"],
        &["--crf", "20", "--bitrate", "1M"],
        &["--maxrate", "1M"],
        &["--bufsize", "1M"],
        &["--min-keyint", "0"],
        &["--min-keyint", "5", "--no-scenecut"],
        &["--keyint", "0"],
        &["--refs", "17"],
        &["--threads", "2000"],
        &["--size", "16"],
        &["--fps", "0"],
        &["--level", "x"],
        &["--preset", "x"],
        &[],
    ] {
        h264(["only one"]).args(wrong).assert().code(2);
    }
    assert!(folder.names().iter().all(|name| !name.starts_with(".shim")));
}
