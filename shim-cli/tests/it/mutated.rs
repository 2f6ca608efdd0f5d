//! Damaged inputs give an error, or a file that others read.

use std::fs;
use std::path::Path;

use assert_cmd::Command;

use crate::common::{Folder, media};

/// A generator of numbers (xorshift64).
struct Random(u64);

impl Random {
    fn below(&mut self, most: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % most as u64) as usize
    }
}

/// A file with bytes changed, taken out, doubled or cut off.
fn mutated(file: &[u8], random: &mut Random) -> Vec<u8> {
    let mut file = file.to_vec();
    for _ in 0..=random.below(4) {
        // Headers decide most.
        let reach = if random.below(2) == 0 { file.len().min(600) } else { file.len() };
        let at = random.below(reach.max(1));
        match random.below(5) {
            0 if !file.is_empty() => file[at] = random.below(256) as u8,
            1 if !file.is_empty() => file[at] ^= 1 << random.below(8),
            2 => drop(file.drain(at..(at + random.below(40)).min(file.len()))),
            3 => {
                let part = file[at..(at + random.below(40)).min(file.len())].to_vec();
                file.splice(at..at, part);
            }
            _ => file.truncate(at.max(file.len() / 2)),
        }
    }
    file
}

/// Runs the command on mutations of a file; how many it took.
fn survives(command: &str, source: &Path, extension: &str, count: usize) -> usize {
    let folder = Folder::new();
    let (file, mut taken) = (fs::read(source).unwrap(), 0);
    let mut random = Random(0x9e37_79b9_7f4a_7c15 ^ file.len() as u64);
    for number in 0..count {
        let name = format!("in.{}", source.extension().unwrap().display());
        let input = folder.with(&name, &mutated(&file, &mut random));
        let output = folder.path(&format!("out.{extension}"));
        let mut run = Command::cargo_bin("shim").unwrap();
        run.arg(command).args([&input, &output]).args(["--threads", "1"]);
        let made = run.timeout(std::time::Duration::from_mins(1)).ok();
        let (code, error) = match &made {
            Ok(output) => (output.status.code(), &output.stderr),
            Err(error) => {
                let output = error.as_output().unwrap();
                (output.status.code(), &output.stderr)
            }
        };
        let error = String::from_utf8_lossy(error);
        assert!(matches!(code, Some(0 | 1)), "mutation {number} of {name}: {code:?} {error}");
        assert!(!error.contains("panicked"), "mutation {number} of {name}: {error}");
        assert_eq!(output.exists(), code == Some(0) || error.contains("were encoded"), "{number}: {error}");
        if !output.exists() {
            continue;
        }
        taken += 1;
        let made = fs::read(&output).unwrap();
        if extension == "jpg" {
            let cursor = zune_jpeg::zune_core::bytestream::ZCursor::new(made);
            zune_jpeg::JpegDecoder::new(cursor).decode().unwrap();
        } else {
            assert_eq!(made[4..8], *b"ftyp");
        }
        fs::remove_file(output).unwrap();
    }
    taken
}

#[test]
fn damaged_images() {
    let folder = Folder::new();
    let (png, jpg) = (media("chelsea_227x149.png"), folder.path("a.jpg"));
    let mut made = Command::cargo_bin("shim").unwrap();
    made.arg("jpeg").args([&png, &jpg]).args(["-p", "-m", "all"]).assert().code(0);
    let ppm = folder.with("a.ppm", &[&b"P6 # a comment\n20 10 255\n"[..], &[77; 600]].concat());
    for (source, count) in [(&png, 60), (&jpg, 120), (&ppm, 60)] {
        let taken = survives("jpeg", source, "jpg", count);
        assert!(taken < count, "{}", source.display());
    }
}

#[test]
fn damaged_video() {
    let folder = Folder::new();
    let frame = [&b"FRAME\n"[..], &[90; 32 * 18 * 3 / 2]].concat();
    let clip = [&b"YUV4MPEG2 W32 H18 F25:1 Ip A1:1 C420jpeg\n"[..], &frame.repeat(3)].concat();
    let clip = folder.with("a.y4m", &clip);
    let taken = survives("h264", &clip, "mp4", 60);
    assert!((1..60).contains(&taken));
}
