//! The examples of the README and of `--help`, run as they are written.
#![cfg(unix)]

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::common::{Folder, media};

/// The lines of a text that call the command, without comments behind them.
fn examples(text: &str) -> Vec<String> {
    let lines = text.lines().map(|line| line.split("  #").next().unwrap_or_default().trim());
    let calls =
        |line: &&str| line.starts_with("shim ") && !line.starts_with("shim [") || line.contains(" | shim ");
    lines.filter(calls).map(str::to_owned).collect()
}

/// The blocks of shell of a page.
fn shell(page: &str) -> String {
    page.split("```sh\n").skip(1).filter_map(|block| block.split("```").next()).collect()
}

fn help(subcommand: &str) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_shim")).args([subcommand, "--help"]).output().unwrap();
    let help = String::from_utf8(output.stdout).unwrap();
    help.split("Examples:").nth(1).expect("there are examples").to_owned()
}

fn y4m(frames: usize) -> Vec<u8> {
    let mut file = b"YUV4MPEG2 W32 H32 F25:1\n".to_vec();
    for n in 0..frames {
        file.extend(b"FRAME\n");
        file.extend((0..32 * 32 * 3 / 2).map(|i| (i * 7 + n * 3) as u8));
    }
    file
}

#[test]
fn as_written() {
    let readme = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../README.md")).unwrap();
    let all = [shell(&readme), help("jpeg"), help("h264")].map(|text| examples(&text));
    assert!(all.iter().all(|examples| examples.len() >= 4), "{all:?}");
    let has_ffmpeg = Command::new("ffmpeg").arg("-version").output().is_ok();
    assert!(has_ffmpeg || std::env::var_os("CI").is_none(), "ffmpeg is not installed");
    let path = std::env::join_paths(
        [Path::new(env!("CARGO_BIN_EXE_shim")).parent().unwrap().to_owned()]
            .into_iter()
            .chain(std::env::split_paths(&std::env::var_os("PATH").unwrap())),
    )
    .unwrap();
    let photo = fs::read(media("chelsea_227x149.png")).unwrap();
    for example in all.iter().flatten() {
        if example.starts_with("curl") || example.starts_with("ffmpeg") && !has_ffmpeg {
            eprintln!("skipped: {example}");
            continue;
        }
        let folder = Folder::new();
        folder.with("photo.png", &photo);
        fs::create_dir(folder.path("photos")).unwrap();
        folder.with("photos/one.png", &photo);
        folder.with("clip.y4m", &y4m(if example.contains("--seek") { 260 } else { 3 }));
        if example.contains("raw.yuv") {
            folder.with("raw.yuv", &vec![90; 1920 * 1080 * 3 / 2]);
        }
        if example.contains("clip.webm") {
            let source = "testsrc=size=1280x720:rate=25";
            let mut ffmpeg = Command::new("ffmpeg");
            ffmpeg.args([
                "-v",
                "error",
                "-f",
                "lavfi",
                "-i",
                source,
                "-frames:v",
                "1",
                "-c:v",
                "mjpeg",
                "-f",
                "avi",
            ]);
            assert!(ffmpeg.arg(folder.path("clip.webm")).status().unwrap().success());
        }
        let mut command = Command::new("sh");
        command.args(["-c", example]).current_dir(folder.path("")).env("PATH", &path);
        let output = command.output().unwrap();
        assert!(output.status.success(), "{example}: {}", String::from_utf8_lossy(&output.stderr));
    }
}
