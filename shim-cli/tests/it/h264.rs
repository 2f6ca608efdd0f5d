//! `shim h264` as a user meets it.

use std::fs;
use std::path::Path;

use assert_cmd::Command;
use predicates::prelude::*;
use predicates::str::{contains, is_empty};

use crate::common::Folder;

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
                r"out\.264: CRF 23, QP [0-9.]+( \([0-9]+ to [0-9]+\))?, [0-9]+ bytes, [0-9.]+ kbit/s\n",
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
fn threads_do_not_change_the_stream() {
    let stream = |arguments: &[&str]| {
        let through = h264(["-", "-"]).args(arguments).write_stdin(clip(3)).assert().code(0);
        through.get_output().stdout.clone()
    };
    let (one, two, three) =
        (stream(&[]), stream(&["--slices", "2"]), stream(&["--slices", "3", "--threads", "1"]));
    assert!(one != two && two != three);
    assert!(stream(&["--slices", "1", "--threads", "2"]) == one);
    assert!(stream(&["--slices", "2", "-j0"]) == two && stream(&["--slices", "3", "-j", "2"]) == three);
    // Several frames are encoded at once, except without a look-ahead.
    assert!(stream(&["--threads", "2"]) == one && stream(&["--threads", "8"]) == one);
    let in_slices = |arguments: &[&str]| stream(&[arguments, &["--lookahead", "0"]].concat());
    assert!(in_slices(&["--threads", "2"]) == in_slices(&["--slices", "2"]));
    // There are no more rows of macroblocks than three.
    assert!(in_slices(&["--threads", "8"]) == in_slices(&["--slices", "3"]));
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
    let (stream, frames) = code("rgb24", &red, &["--color", "bt709"]);
    // BT.709: Y is 16 + 219 / 255 * (0.2126 R + 0.7152 G + 0.0722 B), and so on.
    let near = |frames: &[u8], [y, cb, cr]: [u8; 3]| {
        let planes = [(0, y), (512, cb), (640, cr)];
        assert!(planes.iter().all(|&(at, wanted)| frames[at].abs_diff(wanted) <= 1), "{:?}", &frames[..8]);
    };
    assert_eq!(frames.len(), 2 * 16 * 32 * 3 / 2);
    near(&frames, [73, 115, 202]);
    // What players assume of so few rows.
    let (usual, _) = code("rgb24", &red, &[]);
    assert!(usual == code("rgb24", &red, &["--color", "bt601"]).0 && usual != stream);
    let full = code("rgb24", &red, &["--range", "full"]).0;
    assert!(full == code("rgb24", &red, &["--color", "bt601-full"]).0 && full != usual);
    near(&code("gray", &[200; 16 * 32], &[]).1, [188, 128, 128]);
    for (pixels, frame) in [
        ("bgr24", [40, 30, 200].repeat(16 * 32)),
        ("rgba", [200, 30, 40, 9].repeat(16 * 32)),
        ("bgra", [40, 30, 200, 9].repeat(16 * 32)),
    ] {
        assert!(code(pixels, &frame, &["--color", "bt709"]).0 == stream, "{pixels}");
    }
    let (other, frames) = code("rgb24", &red, &["--color", "bt601-full"]);
    assert!(other != stream);
    near(&frames, [82, 104, 212]);
    for wrong in [&["--pixels", "rgb24"][..], &["--size", "16x16", "--pixels", "yuv"], &["--color", "red"]] {
        h264(["-", "-"]).args(wrong).assert().code(2);
    }
    h264(["-", "-", "--size", "15x16", "--pixels", "rgba"])
        .write_stdin([0; 960])
        .assert()
        .code(0)
        .stderr(contains("warning: <stdin>: 15x16 is padded to 16x16: 4:2:0 video has even sides"));
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
    few.stderr(contains("out.264: ").and(contains("dropped: the VBV would underflow at any QP")));
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
    assert_eq!(boxes.iter().map(|(kind, _)| kind.as_str()).collect::<Vec<_>>(), ["ftyp", "moov", "mdat"]);
    assert_eq!(boxes[2].1 as u64, 8 + report["bytes"].as_u64().unwrap());
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
        .stderr(contains("in.y4m: truncated within frame 3; the frames before it were encoded"))
        .stdout(contains("2 frames\n"));
    assert_eq!(boxes(&fs::read(output).unwrap()).len(), 3);
    let raw = raw(48, 34, 2).concat();
    h264(["-", "-", "--size", "48x34"])
        .write_stdin(&raw[..raw.len() - 1])
        .assert()
        .code(0)
        .stderr(contains("warning: <stdin>: truncated within frame 2"));
}

#[test]
fn what_cannot_be_encoded_leaves_the_output_alone() {
    let folder = Folder::new();
    let output = folder.with("out.264", b"precious");
    let refused_with = |code: i32, name: &str, file: &[u8], arguments: &[&str], message: &str| {
        let input = folder.with(name, file);
        let assert = h264([&input, &output]).args(arguments).assert();
        assert.code(code).stdout(is_empty()).stderr(contains(message));
        assert_eq!(fs::read(&output).unwrap(), b"precious", "{name}");
    };
    let refused = |name: &str, file: &[u8], arguments: &[&str], message: &str| {
        refused_with(1, name, file, arguments, message);
    };
    let wrong = |name: &str, arguments: &[&str], message: &str| {
        refused_with(2, name, &clip(1), arguments, message);
    };
    refused("empty", b"", &[], "empty: the file is empty");
    refused("png", b"\x89PNG\r\n\x1a\n, and more\n", &[], "png: unsupported file: not Y4M");
    refused("header", &y4m(16, 16, "F25:1", &[]), &[], "header: no frames");
    refused("cut", &clip(1)[..300], &[], "cut: truncated video file");
    refused("cut header", &clip(1)[..20], &[], "cut header: truncated Y4M file");
    let planes = vec![vec![0; 16 * 16 * 3]];
    refused("444", &y4m(16, 16, "F25:1 C444", &planes), &[], "444: unsupported Y4M file");
    refused("0", &y4m(0, 16, "F25:1", &[]), &[], "0: ");
    refused("huge", b"YUV4MPEG2 W999999999999 H999999999999 F25:1\n", &[], "huge: ");
    wrong("level", &["--level", "1", "--fps", "100000"], "level 1.0");
    wrong("no level", &["--level", "7.7"], "level 7.7 is not supported");
    wrong("slices", &["--slices", "4"], "error: 4 slices are out of range 1 to 3");
    refused("missing folder", &clip(1), &["--recon", "/no/such/folder/recon"], "/no/such/folder/recon");
    h264([Path::new("/no/such/file"), &output]).assert().code(1).stderr(contains("cannot be read"));
    wrong(
        "rate",
        &["--bitrate", "2M", "--maxrate", "1M", "--bufsize", "1M"],
        "2000000 bit/s exceeds the VBV",
    );
    wrong("few bits", &["--maxrate", "1k", "--bufsize", "1M"], "960 bit/s is too low");
    wrong("buffer", &["--maxrate", "1M", "--bufsize", "100"], "VBV buffer is too small");
    wrong(
        "level of rate",
        &["--level", "1", "--bitrate", "1M"],
        "bit rate (MaxBR) exceeds the limit of level 1.0",
    );
    wrong(
        "keyint",
        &["--keyint", "10", "--min-keyint", "11"],
        "minimum keyframe interval 11 is out of range",
    );
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

/// The report of ffprobe on the first video stream of a file, where there is an ffprobe.
fn ffprobe(file: &Path) -> Option<serde_json::Value> {
    let mut command = std::process::Command::new("ffprobe");
    command.args(["-v", "error", "-of", "json", "-show_streams", "-show_format"]).arg(file);
    let Ok(output) = command.output() else {
        assert!(std::env::var_os("CI").is_none(), "ffprobe is not installed");
        eprintln!("skipped: ffprobe is not installed");
        return None;
    };
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Some(serde_json::from_slice(&output.stdout).unwrap())
}

/// What a Y4M file and the options say of range, shape and color is in the stream and in the container.
#[test]
fn metadata_of_the_source_is_kept() {
    let folder = Folder::new();
    let frames = raw(64, 48, 2);
    for (parameters, arguments, wanted) in [
        ("", &[][..], [None, None, None, None, None]),
        ("XCOLORRANGE=FULL", &[], [Some("pc"), None, None, None, None]),
        ("XYSCSS=420 XCOLORRANGE=LIMITED", &[], [Some("tv"), None, None, None, None]),
        ("XCOLORRANGE=LIMITED", &["--range", "full"], [Some("pc"), None, None, None, None]),
        ("A4:3", &[], [None, Some("4:3"), None, None, None]),
        ("A4:3", &["--sar", "200:100"], [None, Some("2:1"), None, None, None]),
        ("A3000:2002", &[], [None, Some("1500:1001"), None, None, None]),
        (
            "",
            &["--color", "bt2020nc", "--colorprim", "bt2020", "--transfer", "arib-std-b67"],
            [Some("tv"), None, Some("bt2020nc"), Some("bt2020"), Some("arib-std-b67")],
        ),
        (
            "",
            &["--color", "bt470bg", "--colorprim", "bt470bg", "--transfer", "smpte170m"],
            [Some("tv"), None, Some("bt470bg"), Some("bt470bg"), Some("smpte170m")],
        ),
        (
            "A12:11",
            &["--color", "bt709-full", "--colorprim", "bt2020", "--transfer", "smpte2084"],
            [Some("pc"), Some("12:11"), Some("bt709"), Some("bt2020"), Some("smpte2084")],
        ),
    ] {
        let input = folder.with("in.y4m", &y4m(64, 48, &format!("F25:1 {parameters}"), &frames));
        for name in ["out.264", "out.mp4", "out.mov"] {
            let output = folder.path(name);
            h264([&input, &output]).args(arguments).assert().code(0).stderr(is_empty());
            let Some(report) = ffprobe(&output) else { continue };
            let stream = &report["streams"][0];
            let keys =
                ["color_range", "sample_aspect_ratio", "color_space", "color_primaries", "color_transfer"];
            let found = keys.map(|key| stream[key].as_str().filter(|text| *text != "unknown"));
            // Square samples are the same as none that are spoken of.
            let found = found.map(|value| value.filter(|text| *text != "1:1" && *text != "0:1"));
            assert_eq!(found, wanted, "{name} of {parameters}, {arguments:?}");
        }
    }
    if let Some(report) = ffprobe(&folder.path("out.mov")) {
        assert_eq!(report["format"]["tags"]["major_brand"], "qt  ");
        assert_eq!(ffprobe(&folder.path("out.mp4")).unwrap()["format"]["tags"]["major_brand"], "isom");
    }
    // The boxes by themselves, whatever ffprobe makes of them.
    let has = |name: &str, text: &[u8]| {
        let file = fs::read(folder.path(name)).unwrap();
        file.windows(text.len()).any(|window| window == text)
    };
    assert!(
        has("out.mp4", b"colrnclx\0\x09\0\x10\0\x01\x80") && has("out.mov", b"colrnclc\0\x09\0\x10\0\x01")
    );
    assert!(has("out.mp4", b"pasp\0\0\0\x0c\0\0\0\x0b"));
}

#[test]
fn interlaced_video_is_refused_unless_told() {
    let folder = Folder::new();
    let output = folder.path("out.264");
    for (order, name) in [("It", "top field first"), ("Ib", "bottom field first"), ("Im", "mixed modes")] {
        let input = folder.with("in.y4m", &y4m(48, 34, &format!("F25:1 {order}"), &raw(48, 34, 1)));
        let message = format!("in.y4m: interlaced video ({name}) is not supported: deinterlace it, or");
        h264([&input, &output]).assert().code(1).stderr(contains(message).and(contains("--no-interlaced")));
        assert!(!output.exists());
        h264([&input, &output]).arg("--no-interlaced").assert().code(0);
        fs::remove_file(&output).unwrap();
    }
    for order in ["Ip", "I?", ""] {
        let input = folder.with("in.y4m", &y4m(48, 34, &format!("F25:1 {order}"), &raw(48, 34, 1)));
        h264([&input, &output]).assert().code(0);
    }
}

#[test]
fn what_is_not_y4m_is_named() {
    let folder = Folder::new();
    let refused = |contents: &[u8], message: &str| {
        let input = folder.with("in", contents);
        let assert = h264([&input, &folder.path("out.264")]).assert().code(1);
        assert.stderr(contains("in: unsupported ").and(contains(message)).and(contains("damaged").not()));
    };
    let output = folder.path("clip.mp4");
    h264([&folder.with("in.y4m", &clip(2)), &output]).assert().code(0);
    refused(&fs::read(&output).unwrap(), "an MP4 or QuickTime file, not Y4M; decode it first (ffmpeg -i IN");
    refused(b"\x1a\x45\xdf\xa3, and so on\n", "a Matroska or WebM file");
    refused(b"\0\0\0\x01\x67\x42\n", "a coded video stream");
    refused(&y4m(16, 16, "F25:1 C411", &raw(16, 16, 1)), "Y4M file: colorspace 411; convert it to 4:2:0");
    refused(&y4m(16, 16, "F25:1 C420p10", &raw(16, 16, 2)), "Y4M file: colorspace 420p10");
}

#[test]
fn the_container_follows_from_the_extension() {
    let folder = Folder::new();
    let input = folder.with("in.y4m", &clip(1));
    for name in ["out.mkv", "out.avi", "out.ts", "out.webm", "out.x", "out.mp4.tmp"] {
        let output = folder.path(name);
        let extension = name.rsplit('.').next().unwrap();
        h264([&input, &output]).assert().code(2).stdout(is_empty()).stderr(contains(format!(
            "{name}: cannot write .{extension} files; supported: .264 .h264 .avc .26l .mp4 .m4v .mov (or - for stdout)"
        )));
        assert!(!output.exists());
    }
    for name in ["out.264", "out.h264", "out.AVC", "out.26l", "out"] {
        h264([&input, &folder.path(name)]).assert().code(0);
        assert!(fs::read(folder.path(name)).unwrap().starts_with(&[0, 0, 0, 1]));
    }
    for name in ["out.mp4", "out.M4V", "out.mov"] {
        h264([&input, &folder.path(name)]).assert().code(0);
        assert_eq!(boxes(&fs::read(folder.path(name)).unwrap())[0].0, "ftyp");
    }
    h264([&input, Path::new("/dev/null")]).assert().code(0);
}

/// The frames that ffmpeg finds in a file without an error, where there is an ffmpeg.
fn decoded(file: &Path) -> Option<Vec<u8>> {
    let mut command = std::process::Command::new("ffmpeg");
    command.args(["-v", "error", "-i"]).arg(file).args(["-f", "rawvideo", "-"]);
    let Ok(decoded) = command.output() else {
        assert!(std::env::var_os("CI").is_none(), "ffmpeg is not installed");
        eprintln!("skipped: ffmpeg is not installed");
        return None;
    };
    assert!(decoded.stderr.is_empty(), "{}", String::from_utf8_lossy(&decoded.stderr));
    Some(decoded.stdout)
}

/// A fragmented file decodes to what the whole one does, and so does each part of it that ends with a fragment.
#[test]
fn fragments_play_as_far_as_they_go() {
    let folder = Folder::new();
    let (frames, size) = (60, 48 * 34 * 3 / 2);
    let input = folder.with("in.y4m", &clip(frames));
    let (whole, output) = (folder.path("whole.mp4"), folder.path("out.mp4"));
    h264([&input, &whole]).args(["--keyint", "40"]).assert().code(0);
    h264([&input, &output]).args(["--keyint", "40", "--fragment"]).assert().code(0);
    let file = fs::read(&output).unwrap();
    let found = boxes(&file);
    let kinds: Vec<&str> = found.iter().map(|(kind, _)| kind.as_str()).collect();
    // A second, what is left before the keyframe, and from there on.
    assert_eq!(kinds, ["ftyp", "moov", "moof", "mdat", "moof", "mdat", "moof", "mdat"]);
    let wanted = decoded(&whole);
    assert!(decoded(&output) == wanted);
    // Without its last fragment, what is before it plays.
    let last = found[..6].iter().map(|(_, length)| length).sum::<usize>();
    let cut = folder.with("cut.mp4", &file[..last]);
    if let (Some(played), Some(wanted)) = (decoded(&cut), &wanted) {
        assert_eq!(played.len(), 40 * size);
        assert!(played == wanted[..40 * size]);
    }
    // The byte stream of a file that grows is that of another.
    let (stream, growing) = (folder.path("a.264"), folder.path("b.264"));
    h264([&input, &stream]).assert().code(0);
    h264([&input, &growing]).arg("--fragment").assert().code(0);
    assert!(fs::read(&stream).unwrap() == fs::read(&growing).unwrap());
}

/// An MP4 file decodes to what the byte stream does: its index is right.
#[test]
fn the_index_comes_first() {
    let folder = Folder::new();
    let input = folder.with("in.y4m", &clip(40));
    let frames = |name: &str| {
        let output = folder.path(name);
        h264([&input, &output]).args(["--keyint", "7"]).assert().code(0);
        decoded(&output)
    };
    assert!(frames("out.mp4") == frames("out.264"));
    assert!(frames("out.mov").is_none_or(|frames| frames.len() == 40 * 48 * 34 * 3 / 2));
    let kinds: Vec<_> =
        boxes(&fs::read(folder.path("out.mp4")).unwrap()).into_iter().map(|(kind, _)| kind).collect();
    assert_eq!(kinds, ["ftyp", "moov", "mdat"]);
}

#[test]
fn options_of_the_input() {
    let folder = Folder::new();
    let frames = raw(48, 34, 6);
    let run = |arguments: &[&str], stdin: Vec<u8>| {
        let through = h264(["-", "-", "-q", "30"]).args(arguments).write_stdin(stdin).assert().code(0);
        through.get_output().stdout.clone()
    };
    let part = |range: std::ops::Range<usize>| run(&[], y4m(48, 34, "F25:1", &frames[range]));
    let whole = y4m(48, 34, "F25:1", &frames);
    assert!(run(&["--seek", "2"], whole.clone()) == part(2..6));
    assert!(run(&["--seek", "2", "--frames", "3"], whole.clone()) == part(2..5));
    let size = ["--size", "48x34", "--fps", "25"];
    assert!(run(&[&size[..], &["--seek", "4"]].concat(), frames.concat()) == part(4..6));
    h264(["-", "-", "--seek", "6"]).write_stdin(whole.clone()).assert().code(1).stderr(contains("no frames"));

    let nv12: Vec<u8> = frames
        .iter()
        .flat_map(|frame| {
            let (luma, chroma) = frame.split_at(48 * 34);
            let (cb, cr) = chroma.split_at(chroma.len() / 2);
            let pairs: Vec<u8> = cb.iter().zip(cr).flat_map(|(&cb, &cr)| [cb, cr]).collect();
            [luma, &pairs].concat()
        })
        .collect();
    assert!(run(&[&size[..], &["--pix-fmt", "nv12"]].concat(), nv12) == part(0..6));
    assert!(run(&[&size[..], &["--pix-fmt", "yuv420p"]].concat(), frames.concat()) == part(0..6));
    for (fps, shown) in [("29.97", "29.97"), ("12.5", "12.5"), ("30000/1001", "29.97"), ("23.976", "23.976")]
    {
        h264(["-", "-", "--fps", fps])
            .write_stdin(whole.clone())
            .assert()
            .code(0)
            .stderr(contains(format!("48x34, {shown} frames/s, 6 frames\n")));
    }
    // What is asked for by another name is the same.
    for profile in ["baseline", "constrained-baseline"] {
        assert!(run(&["--profile", profile], whole.clone()) == part(0..6));
    }
    h264(["-", "-", "--profile", "high"]).assert().code(2).stderr(contains("constrained-baseline"));
    let input = folder.with("in.y4m", &whole);
    let quiet = h264([&input, &folder.path("out.264")]).arg("--quiet").assert().code(0);
    quiet.stdout(is_empty()).stderr(is_empty());
}

#[test]
fn many_threads_start_in_no_time() {
    let folder = Folder::new();
    let input = folder.with("in.y4m", &clip(1));
    h264([&input, &folder.path("out.264")]).args(["-j", "1024"]).assert().code(0);
}

#[test]
fn odd_sizes_are_padded() {
    let folder = Folder::new();
    let input = folder.with("in.y4m", &y4m(47, 33, "F25:1 C420jpeg", &raw(47, 33, 3)));
    let (output, recon) = (folder.path("out.mp4"), folder.path("out.yuv"));
    let assert =
        h264([&input, &output]).args(["--qp", "4", "--stats", "--json", "--recon"]).arg(&recon).assert();
    let assert = assert.code(0).stderr(contains("47x33 is padded to 48x34"));
    let report: serde_json::Value = serde_json::from_slice(&assert.get_output().stdout).unwrap();
    assert!(report["psnr"].as_f64().unwrap() > 45.0, "{report}");
    assert_eq!(fs::metadata(recon).unwrap().len(), 3 * 48 * 34 * 3 / 2);
    // The size in the sample entry is that of the stream.
    let file = fs::read(output).unwrap();
    let entry = file.windows(4).position(|four| four == b"avc1").unwrap();
    let entries: Vec<usize> = (entry..file.len() - 32).filter(|&at| file[at..at + 4] == *b"avc1").collect();
    let sizes: Vec<[u8; 4]> = entries.iter().map(|at| file[at + 28..at + 32].try_into().unwrap()).collect();
    assert!(sizes.contains(&[0, 48, 0, 34]), "{sizes:?}");
}

/// The part of rows of samples from a column and a row on.
fn cropped(samples: &[u8], width: usize, [w, h]: [usize; 2], [x, y]: [usize; 2]) -> Vec<u8> {
    samples.chunks_exact(width).skip(y).take(h).flat_map(|row| &row[x..x + w]).copied().collect()
}

#[test]
fn frames_are_cropped() {
    let run = |arguments: &[&str], stdin: Vec<u8>| {
        let through = h264(["-", "-", "-q", "30"]).args(arguments).write_stdin(stdin).assert().code(0);
        through.get_output().stdout.clone()
    };
    for (width, height, size, at) in [
        (48, 34, [30, 22], [6, 4]),
        (47, 33, [31, 19], [16, 14]),
        (47, 33, [47, 33], [0, 0]),
        (48, 34, [2, 2], [46, 32]),
    ] {
        let crop = format!("{}x{}+{}+{}", size[0], size[1], at[0], at[1]);
        let frames = raw(width, height, 3);
        let [half, half_at] = [size.map(|side: usize| side.div_ceil(2)), at.map(|side| side / 2)];
        let wide = width.div_ceil(2);
        let planes = |frame: &[u8]| -> [Vec<u8>; 3] {
            let (luma, chroma) = frame.split_at(width * height);
            let (cb, cr) = chroma.split_at(chroma.len() / 2);
            [luma, cb, cr].map(<[u8]>::to_vec)
        };
        let parts: Vec<Vec<u8>> = frames
            .iter()
            .map(|frame| {
                let [luma, cb, cr] = planes(frame);
                let [cb, cr] = [cb, cr].map(|plane| cropped(&plane, wide, half, half_at));
                [cropped(&luma, width, size, at), cb, cr].concat()
            })
            .collect();
        let wanted = run(&[], y4m(size[0], size[1], "F25:1", &parts));
        let crop = ["--crop", &crop];
        assert!(run(&crop, y4m(width, height, "F25:1", &frames)) == wanted, "{crop:?}");
        let sides = format!("{width}x{height}");
        let of_size = [&["--size", &sides, "--fps", "25"], &crop[..]].concat();
        assert!(run(&of_size, frames.concat()) == wanted, "{crop:?}");
        let pairs = frames.iter().flat_map(|frame| {
            let [luma, cb, cr] = planes(frame);
            luma.into_iter().chain(cb.into_iter().zip(cr).flat_map(|(cb, cr)| [cb, cr]))
        });
        let nv12 = run(&[&of_size[..], &["--pix-fmt", "nv12"]].concat(), pairs.collect());
        assert!(nv12 == wanted, "{crop:?}");

        let pixels: Vec<u8> = (0..3 * width * height).map(|i| (i * i / 7) as u8).collect();
        let part = cropped(&pixels, 3 * width, [3 * size[0], size[1]], [3 * at[0], at[1]]);
        let rgb = |size: &str, crop: &[&str], pixels| {
            run(&[&["--size", size, "--pix-fmt", "rgb24"], crop].concat(), pixels)
        };
        assert!(rgb(&sides, &crop, pixels) == rgb(&format!("{}x{}", size[0], size[1]), &[], part));
    }
}

#[test]
fn a_part_that_is_not_within_the_frame_is_refused() {
    for wrong in ["49x34+0+0", "48x33+0+2", "2x2+48+0", "16x16+4294967296+0"] {
        let message = format!("--crop {wrong} is not within the frame of 48x34");
        h264(["-", "-", "--crop", wrong]).write_stdin(clip(1)).assert().code(2).stderr(contains(&message));
        let sized = ["-", "-", "--size", "48x34", "--crop", wrong];
        h264(sized).write_stdin(raw(48, 34, 1).concat()).assert().code(2).stderr(contains(&message));
    }
    for wrong in ["48x34", "16x16+1+0", "16x16+0+1", "0x0+0+0"] {
        h264(["-", "-", "--crop", wrong]).assert().code(2).stderr(contains("WxH+X+Y"));
    }
}

/// The JSON report of a clip, and what was said beside it.
fn reported(input: &Path, output: &Path, arguments: &[&str]) -> (serde_json::Value, String) {
    let assert = h264([input, output]).args(arguments).arg("--json").assert().code(0);
    let output = assert.get_output();
    let said = String::from_utf8(output.stderr.clone()).unwrap();
    (serde_json::from_slice(&output.stdout).unwrap(), said)
}

#[test]
fn keyframes_are_forced_by_number_and_time() {
    let folder = Folder::new();
    let (input, output) = (folder.with("in.y4m", &clip(40)), folder.path("out.264"));
    let keyframes = |arguments: &[&str]| -> Vec<usize> {
        h264([&input, &output]).arg("--no-scenecut").args(arguments).assert().code(0);
        let stream = fs::read(&output).unwrap();
        // The types of the slices, each of which is a frame.
        let units = stream.windows(4).filter(|four| four[..3] == [0, 0, 1]).map(|four| four[3] & 31);
        let slices = units.filter(|kind| matches!(kind, 1 | 5)).enumerate();
        slices.filter(|&(_, kind)| kind == 5).map(|(number, _)| number).collect()
    };
    assert_eq!(keyframes(&[]), [0]);
    assert_eq!(keyframes(&["--force-key-frames", "7"]), [0, 7]);
    // 25 frames/s: a second is frame 25, and what lies between two frames is the later one.
    assert_eq!(keyframes(&["--force-key-frames", "1s,3,0.41s,100"]), [0, 3, 11, 25]);
    assert_eq!(keyframes(&["--force-key-frames", "3", "--seek", "10", "--keyint", "20"]), [0, 3, 23]);
    for wrong in ["", "x", "-1", "1.5", "1,,2"] {
        h264([&input, &output]).args(["--force-key-frames", wrong]).assert().code(2);
    }
}

#[test]
fn slices_have_a_maximum_size() {
    let folder = Folder::new();
    let (input, output) = (folder.with("in.y4m", &clip(3)), folder.path("out.264"));
    let sizes = |arguments: &[&str]| -> Vec<usize> {
        h264([&input, &output]).args(arguments).assert().code(0);
        let stream = fs::read(&output).unwrap();
        let starts: Vec<usize> =
            (0..stream.len() - 3).filter(|&at| stream[at..at + 4] == [0, 0, 0, 1]).collect();
        let ends = starts.iter().skip(1).copied().chain([stream.len()]);
        let units = starts.iter().zip(ends).map(|(&start, end)| &stream[start + 4..end]);
        units.filter(|unit| matches!(unit[0] & 31, 1 | 5)).map(<[u8]>::len).collect()
    };
    assert_eq!(sizes(&["--qp", "10"]).len(), 3);
    let small = sizes(&["--qp", "10", "--slice-max-size", "150"]);
    assert!(small.len() > 5 && small.iter().all(|&size| size <= 150), "{small:?}");
    h264([&input, &output])
        .args(["--slice-max-size", "63"])
        .assert()
        .code(2)
        .stderr(contains("maximum slice size of 63 bytes is too small: it must be at least 64"));
}

#[test]
fn tunes_are_deblocking_filters() {
    let folder = Folder::new();
    let (input, output) = (folder.with("in.y4m", &clip(3)), folder.path("out.264"));
    let stream = |arguments: &[&str]| {
        h264([&input, &output]).args(["--qp", "40"]).args(arguments).assert().code(0);
        fs::read(&output).unwrap()
    };
    let usual = stream(&[]);
    for (tune, same) in [
        ("film", &["--deblock", "-1:-1"][..]),
        ("animation", &["--deblock", "1:1"]),
        ("grain", &["--deblock", "-2:-2"]),
        ("stillimage", &["--deblock", "-3:-3"]),
        ("fastdecode", &["--no-deblock"]),
    ] {
        let tuned = stream(&["--tune", tune]);
        assert!(tuned == stream(same) && tuned != usual, "{tune}");
        // An option of its own comes before the tune.
        assert!(stream(&["--tune", tune, "--deblock", "0:0"]) == usual, "{tune}");
    }
    assert!(stream(&["--tune", "psnr"]) == usual && stream(&["-t", "zerolatency"]) == usual);
    for wrong in [&["--tune", "ssim2"][..], &["--deblock", "7:0"], &["--deblock", "0:0", "--no-deblock"]] {
        h264([&input, &output]).args(wrong).assert().code(2);
    }
}

#[test]
fn a_missed_bit_rate_gets_a_warning() {
    let folder = Folder::new();
    let (input, output) = (folder.with("in.y4m", &clip(75)), folder.path("out.264"));
    let (report, said) = reported(&input, &output, &["--bitrate", "60k"]);
    assert_eq!((said.as_str(), &report["warnings"]), ("", &serde_json::json!([])));
    // The highest QP has more bits than this, and the lowest fewer than that.
    let (report, said) = reported(&input, &output, &["--bitrate", "100"]);
    assert!(said.contains("% above the bit rate asked for, at the highest QP"), "{said}");
    let warning = report["warnings"][0].as_str().unwrap();
    assert!(said.contains(warning), "{said} {warning}");
    let (_, said) = reported(&input, &output, &["--bitrate", "30M"]);
    assert!(said.contains("% below the bit rate asked for, at the lowest QP"), "{said}");
    // In a clip of less than two seconds rate control has not converged, and it is missed all the same.
    let (report, said) = reported(&input, &output, &["--bitrate", "10k", "--frames", "40"]);
    assert!(said.contains("above the bit rate asked for; 40 frames are few to meet it with"), "{said}");
    assert!(said.contains(report["warnings"][0].as_str().unwrap()), "{said}");
}

#[test]
fn bits_that_are_probably_kilobits_are_asked_about() {
    let folder = Folder::new();
    let (input, output) = (folder.with("in.y4m", &clip(3)), folder.path("out.264"));
    h264([&input, &output])
        .args(["--bitrate", "500"])
        .assert()
        .code(0)
        .stderr(contains("warning: --bitrate 500 is 500 bits, not kilobits: did you mean 500k?"));
    h264([&input, &output])
        .args(["--bitrate", "60k", "--maxrate", "800", "--bufsize", "60k"])
        .assert()
        .stderr(contains("--maxrate 800 is 800 bits"));
    h264([&input, &output]).args(["--bitrate", "5000"]).assert().stderr(contains("did you mean").not());
}

#[test]
fn a_y4m_file_is_no_raw_video() {
    let folder = Folder::new();
    let (input, output) = (folder.with("in.y4m", &clip(3)), folder.path("out.264"));
    h264([&input, &output])
        .args(["--size", "48x34"])
        .assert()
        .code(1)
        .stderr(contains("this is a Y4M file, which gives its own frame size: leave out --size"));
    h264([Path::new("-"), &output])
        .args(["--size", "48x34"])
        .write_stdin(clip(3))
        .assert()
        .code(1)
        .stderr(contains("<stdin>: this is a Y4M file"));
    assert_eq!(folder.names(), ["in.y4m"]);
    // Raw frames that are shorter than the mark of a Y4M file, and those that begin like it.
    h264([Path::new("-"), &output]).args(["--size", "2x2"]).write_stdin(*b"YUV4MP").assert().code(0);
}

#[test]
fn a_header_without_a_rate_or_a_size() {
    let folder = Folder::new();
    let output = folder.path("out.264");
    let unknown = folder.with("unknown.y4m", &y4m(48, 34, "F0:0 C420jpeg", &raw(48, 34, 2)));
    let warning = "its header gives no frame rate; encoding at 30 frames/s (--fps sets it)";
    h264([&unknown, &output]).assert().code(0).stderr(contains(warning));
    h264([&unknown, &output]).args(["--fps", "25"]).assert().code(0).stderr(is_empty());
    let narrow = folder.with("narrow.y4m", b"YUV4MPEG2 H34 F25:1\nFRAME\n");
    h264([&narrow, &output])
        .assert()
        .code(1)
        .stderr(contains("damaged Y4M file: its header gives no frame width"));
    let whole = folder.with("in.y4m", &clip(3));
    h264([&whole, &output])
        .args(["--seek", "3"])
        .assert()
        .code(1)
        .stderr(contains("no frames after the 3 that --seek skips"));
}

/// Options as users of x264 and ffmpeg have them.
#[test]
fn habits() {
    let folder = Folder::new();
    let (input, output) = (folder.with("in.y4m", &clip(6)), folder.path("out.264"));
    let stream = |arguments: &[&str]| {
        h264([&input, &output]).args(arguments).assert().code(0).stderr(is_empty());
        fs::read(&output).unwrap()
    };
    assert!(stream(&["--keyint", "infinite", "--bframes", "0"]) == stream(&["--keyint", "1000000"]));
    assert!(stream(&["--level", "41"]) == stream(&["--level", "4.1"]));
    for (other, own) in [("faster", "fast"), ("placebo", "veryslow")] {
        assert!(stream(&["--preset", other]) == stream(&["--preset", own]), "{other}");
    }
    assert!(stream(&["--psnr", "--ssim"]) == stream(&["--stats"]));
    let (named, positional) = (folder.path("named.264"), stream(&[]));
    h264([&input]).arg("-o").arg(&named).assert().code(0);
    assert!(fs::read(&named).unwrap() == positional);
    h264([&input, &output]).arg("--output").arg(&named).assert().code(2);
    h264([&input]).assert().code(2);
    h264([&input, &output]).args(["--bframes", "3"]).assert().code(2).stderr(contains("no B-frames"));
    for (option, value, expected) in [
        ("--refs", "many", "expected a whole number from 1 to 16"),
        ("--frames", "some", "expected a whole number from 0"),
        ("--keyint", "0", "expected a number of frames from 1, or infinite"),
    ] {
        h264([&input, &output]).args([option, value]).assert().code(2).stderr(contains(expected));
    }
}

/// Without --refs a preset has its own number of reference frames, and no more than a level allows.
#[test]
fn reference_frames_are_those_of_the_preset() {
    let folder = Folder::new();
    let (input, output) = (folder.with("in.y4m", &clip(2)), folder.path("out.264"));
    let trace = folder.path("trace");
    let references = |input: &Path, arguments: &[&str]| -> u32 {
        h264([input, &*output]).args(arguments).arg("--trace").arg(&trace).assert().code(0);
        let trace = fs::read_to_string(&trace).unwrap();
        let line = trace.lines().find(|line| line.contains("max_num_ref_frames")).unwrap();
        line.rsplit_once('(').unwrap().1.trim_end_matches(')').parse().unwrap()
    };
    for preset in shim_h264::Preset::ALL {
        let (wanted, preset) = (preset.references(), preset.name());
        assert_eq!(references(&input, &["--preset", preset]), u32::from(wanted), "{preset}");
        assert_eq!(references(&input, &["--preset", preset, "--refs", "2"]), 2, "{preset}");
    }
    // Level 1 holds 396 macroblocks: 4 frames of 99.
    let input = folder.with("qcif.y4m", &y4m(176, 144, "F15:1", &raw(176, 144, 1)));
    assert_eq!(references(&input, &["--preset", "veryslow", "--level", "1"]), 4);
    h264([&input, &output])
        .args(["--refs", "5", "--level", "1"])
        .assert()
        .code(2)
        .stderr(contains("MaxDpbFrames"));
}

/// The times of the frames of a file, in seconds, where there is an ffprobe.
fn times(file: &Path) -> Option<Vec<f64>> {
    let mut command = std::process::Command::new("ffprobe");
    command.args(["-v", "error", "-of", "csv=p=0", "-show_entries", "packet=pts_time"]).arg(file);
    let Ok(output) = command.output() else {
        assert!(std::env::var_os("CI").is_none(), "ffprobe is not installed");
        return None;
    };
    let text = String::from_utf8(output.stdout).unwrap();
    Some(text.lines().map(|line| line.trim_end_matches(',').parse().unwrap()).collect())
}

#[test]
fn frames_have_the_times_of_a_file() {
    let folder = Folder::new();
    let input = folder.with("in.y4m", &y4m(48, 34, "F25:1", &raw(48, 34, 5)));
    let codes = folder.with("times.txt", b"# timecode format v2\n0\n40\n100.5\n101\n1200\n");
    let near = |found: Option<Vec<f64>>, wanted: &[f64]| {
        let Some(found) = found else { return };
        assert_eq!(found.len(), wanted.len());
        assert!(found.iter().zip(wanted).all(|(a, b)| (a - b).abs() < 1e-5), "{found:?}");
    };
    for arguments in [&["--timecodes"][..], &["--fragment", "--tcfile-in"]] {
        let output = folder.path("out.mp4");
        h264([&input, &output]).args(arguments).arg(&codes).assert().code(0).stderr(is_empty());
        near(times(&output), &[0.0, 0.04, 0.1005, 0.101, 1.2]);
        h264([&input, &output]).args(["--seek", "2"]).args(arguments).arg(&codes).assert().code(0);
        near(times(&output), &[0.0, 0.0005, 1.0995]);
    }
    let rates = folder.with("rates.txt", b"# timecode format v1\nAssume 10\n1,2,20\n");
    let output = folder.path("rates.mov");
    h264([&input, &output]).arg("--timecodes").arg(&rates).assert().code(0);
    near(times(&output), &[0.0, 0.1, 0.15, 0.2, 0.3]);

    // Too few, none, and no container for them: nothing is left behind.
    let output = folder.path("none.mp4");
    let few = folder.with("few.txt", b"# timecode format v2\n0\n40\n");
    let refused = h264([&input, &output]).arg("--timecodes").arg(&few).assert().code(2);
    refused.stderr(contains("few.txt: no time for frame 2"));
    let plain = folder.with("plain.txt", b"0\n40\n");
    let wrong = h264([&input, &output]).arg("--timecodes").arg(&plain).assert().code(2);
    wrong.stderr(contains("plain.txt: no line `# timecode format v1` or `v2`"));
    let bare = h264([&input, &folder.path("none.264")]).arg("--timecodes").arg(&codes).assert().code(2);
    bare.stderr(contains("--timecodes needs an MP4 or MOV file"));
    assert!(!output.exists() && !folder.path("none.264").exists());
}

#[test]
fn frames_wait_for_the_ones_after_them() {
    let folder = Folder::new();
    let (input, output, recon) =
        (folder.with("in.y4m", &clip(9)), folder.path("out.264"), folder.path("out.yuv"));
    for lookahead in ["0", "1", "5", "250"] {
        let recon = recon.to_str().unwrap();
        let arguments = ["--stats", "--recon", recon, "--aq-strength", "1", "--lookahead", lookahead];
        let (report, _) = reported(&input, &output, &arguments);
        assert_eq!(report["frames"], 9);
        // Each reconstruction is compared with its own source.
        assert!(report["psnr"].as_f64().unwrap() > 30.0, "{report}");
        assert_eq!(fs::metadata(recon).unwrap().len(), 9 * 48 * 34 * 3 / 2);
    }
    h264([&input, &output]).args(["--lookahead", "251"]).assert().code(2);
    h264([&input, &output]).args(["--aq-strength", "nan"]).assert().code(2);
}

#[test]
fn a_second_pass_reads_what_the_first_one_wrote() {
    let folder = Folder::new();
    let (input, output, pass) =
        (folder.with("in.y4m", &clip(60)), folder.path("out.264"), folder.path("out.pass"));
    let run =
        |arguments: &[&str]| h264([&input, &output]).args(arguments).arg("--pass-file").arg(&pass).assert();
    run(&["--bitrate", "60k", "--pass", "2"]).code(1).stderr(contains("out.pass"));
    run(&["--bitrate", "60k", "--pass", "1"]).code(0);
    assert_eq!(fs::read_to_string(&pass).unwrap().lines().count(), 61);
    run(&["--bitrate", "60k", "--pass", "2", "--lookahead", "5"]).code(0).stderr(is_empty());
    fs::write(&pass, "x264").unwrap();
    run(&["--bitrate", "60k", "--pass", "2"])
        .code(2)
        .stderr(contains("out.pass: ").and(contains("line 1 is not one of the statistics of a first pass")));
    // There is a bit rate to keep, and a file.
    run(&["--pass", "1"]).code(2);
    run(&["--bitrate", "60k"]).code(2);
    run(&["--bitrate", "60k", "--pass", "3"]).code(2);
    h264([&input, &output]).args(["--bitrate", "60k", "--pass", "1"]).assert().code(2);
}
