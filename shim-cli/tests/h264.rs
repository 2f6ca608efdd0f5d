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
        .stdout(predicate::str::is_match(r"out\.264: QP 26, [0-9]+ bytes, [0-9.]+ kbit/s\n").unwrap())
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
    for wrong in [
        &["--qp", "52"][..],
        &["--keyint", "0"],
        &["--refs", "17"],
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
