//! Programs in C that link the library: the example, and calls that make no sense.

#![cfg(unix)]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::{env, fs};

use openh264::formats::YUVSource;
use shim_jpeg::{Encoder, Image};
use tempfile::TempDir;

/// What a program needs beside the static library, by `cargo rustc -p shim-capi -- --print native-static-libs`.
const SYSTEM: &[&str] = if cfg!(target_os = "macos") { &[] } else { &["-lpthread", "-ldl", "-lm"] };

/// How a program has the library.
#[derive(Clone, Copy)]
enum Linkage {
    Static,
    Dynamic,
}

/// The folder with `libshim_capi.a` and the dynamic library, which cargo makes for the tests of the package, and puts
/// beside them. Those one level above are of `cargo build`, and may be old.
fn libraries() -> PathBuf {
    let test = env::current_exe().expect("the path of the test");
    let folder = test.parent().expect("target/<profile>/deps").to_owned();
    assert!(folder.join("libshim_capi.a").exists(), "there is no libshim_capi.a in {}", folder.display());
    folder
}

/// Compiles and links `source`, which is in the folder of this package.
fn compiled(source: &str, linkage: Linkage, into: &TempDir) -> PathBuf {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let (libraries, program) = (libraries(), into.path().join("program"));
    let mut compiler = Command::new("cc");
    compiler
        .args(["-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic", "-g", "-I"])
        .arg(package.join("include"))
        .arg(package.join(source))
        .arg("-o")
        .arg(&program);
    match linkage {
        Linkage::Static => compiler.arg(libraries.join("libshim_capi.a")).args(SYSTEM),
        Linkage::Dynamic => compiler.arg("-L").arg(&libraries).arg("-lshim_capi").arg(rpath(&libraries)),
    };
    let output = compiler.output().unwrap_or_else(|error| {
        panic!("the tests of the C interface need a C compiler by the name of `cc`: {error}")
    });
    assert!(output.status.success(), "{compiler:?}: {}", String::from_utf8_lossy(&output.stderr));
    program
}

/// So that the program finds the library where it was linked.
fn rpath(libraries: &Path) -> String {
    format!("-Wl,-rpath,{}", libraries.display())
}

/// Runs a program with the library that it was linked with: Cargo's search path would put an older one of `cargo build`
/// first.
fn run(program: &Path, arguments: &[&Path]) -> Output {
    let mut command = Command::new(program);
    command.env_remove("LD_LIBRARY_PATH").env_remove("DYLD_FALLBACK_LIBRARY_PATH").args(arguments);
    command.output().expect("a program that can be run")
}

/// A picture of 61x43 pixels of so many samples, as a file of netpbm, and its samples.
fn picture(folder: &TempDir, samples: usize) -> (PathBuf, Vec<u8>) {
    let pixels: Vec<u8> = (0..61 * 43 * samples).map(|i| (i * i / 31 % 256) as u8).collect();
    let kind = if samples == 3 { "P6" } else { "P5" };
    let mut file = format!("{kind}\n# a comment\n61 43\n255\n").into_bytes();
    file.extend(&pixels);
    let path = folder.path().join("picture.ppm");
    fs::write(&path, file).expect("a file");
    (path, pixels)
}

#[test]
fn the_example_writes_the_file_of_the_encoder() {
    let folder = tempfile::tempdir().expect("a folder");
    let written = folder.path().join("picture.jpg");
    for linkage in [Linkage::Static, Linkage::Dynamic] {
        let program = compiled("examples/encode.c", linkage, &folder);
        for (samples, quality) in [(3, None), (3, Some(35)), (1, Some(80))] {
            let (path, pixels) = picture(&folder, samples);
            let text = quality.map(|quality: u8| PathBuf::from(quality.to_string()));
            let arguments: Vec<&Path> = [&*path, &written].into_iter().chain(text.as_deref()).collect();
            let output = run(&program, &arguments);
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
            let image = if samples == 3 { Image::rgb(&pixels, 61, 43) } else { Image::gray(&pixels, 61, 43) };
            let encoder = Encoder::new().quality(quality.unwrap_or(Encoder::DEFAULT_QUALITY));
            let wanted = encoder.encode(&image.expect("an image")).expect("a file");
            assert!(fs::read(&written).expect("a file") == wanted, "{samples} samples, {quality:?}");
        }
    }
}

#[test]
fn the_example_says_what_is_wrong_and_leaves_no_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let program = compiled("examples/encode.c", Linkage::Static, &folder);
    let (path, written) = (picture(&folder, 3).0, folder.path().join("picture.jpg"));
    let refused = |arguments: &[&Path], wanted: &str| {
        let output = run(&program, arguments);
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && said.contains(wanted), "{said}");
        assert!(!written.exists());
    };
    refused(&[&path, &written, Path::new("101")], "quality 101 is out of range 1 to 100");
    refused(&[Path::new("/nowhere"), &written], "/nowhere");
    refused(&[&path], "usage");
    let broken = folder.path().join("broken.ppm");
    for (contents, wanted) in [
        ("P6 61 43 255\nshort", "ends before"),
        ("P6 0 43 255\n", "not a PGM"),
        ("P6 61 70000 255\n", "not a PGM"),
        ("P3 1 1 255\n1 2 3", "not a PGM"),
        ("P6 1 1 65535\n", "not a PGM"),
        ("P6 # and no more", "not a PGM"),
        ("", "not a PGM"),
    ] {
        fs::write(&broken, contents).expect("a file");
        refused(&[&broken, &written], wanted);
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_stops_the_example() {
    let folder = tempfile::tempdir().expect("a folder");
    let program = compiled("examples/encode.c", Linkage::Static, &folder);
    // A link, so that it is the link that the program removes.
    let full = folder.path().join("full.jpg");
    std::os::unix::fs::symlink("/dev/full", &full).expect("a link");
    let pixels = vec![b'#'; 900 * 900 * 3];
    let path = folder.path().join("large.ppm");
    fs::write(&path, [&b"P6 900 900 255\n"[..], &pixels].concat()).expect("a file");
    let output = run(&program, &[&path, &full]);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success() && said.contains("full.jpg"), "{said}");
    assert!(fs::symlink_metadata(full).is_err());
}

#[test]
fn calls_that_make_no_sense_are_errors() {
    let folder = tempfile::tempdir().expect("a folder");
    for linkage in [Linkage::Static, Linkage::Dynamic] {
        for program in ["tests/c/hostile.c", "tests/c/hostile_h264.c"] {
            let output = run(&compiled(program, linkage, &folder), &[]);
            let said = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "{}: {said}", output.status);
            assert!(output.stdout.ends_with(b" 0 failures\n"));
        }
    }
}

/// The frames that `OpenH264` finds in a byte stream, I420.
fn decoded(stream: &[u8]) -> Vec<u8> {
    let mut decoder = openh264::decoder::Decoder::new().expect("a decoder");
    let mut frames = Vec::new();
    let mut take = |yuv: &openh264::decoder::DecodedYUV<'_>| {
        let ((width, height), strides) = (yuv.dimensions(), yuv.strides());
        for (plane, stride, w, h) in [
            (yuv.y(), strides.0, width, height),
            (yuv.u(), strides.1, width / 2, height / 2),
            (yuv.v(), strides.2, width / 2, height / 2),
        ] {
            frames.extend(plane.chunks(stride).take(h).flat_map(|row| &row[..w]));
        }
    };
    for unit in openh264::nal_units(stream) {
        if let Some(yuv) = decoder.decode(unit).expect("OpenH264 decodes it") {
            take(&yuv);
        }
    }
    for yuv in decoder.flush_remaining().expect("OpenH264 decodes it") {
        take(&yuv);
    }
    frames
}

#[test]
fn the_example_writes_video_that_decodes_to_what_it_shows() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    let (width, height, frames) = (50, 38, 4);
    let samples: Vec<u8> = (0..frames)
        .flat_map(|n| (0..width * height * 3 / 2).map(move |i| ((i % width) * 3 + i / width + 5 * n) as u8))
        .collect();
    fs::write(path("in.yuv"), &samples).expect("a file");
    let sides = ["50", "38"].map(PathBuf::from);
    let run = |program: &Path, input: &Path, more: &[&Path]| {
        run(program, &[&[&*sides[0], &*sides[1], input, &*path("out.264")], more].concat())
    };
    for linkage in [Linkage::Static, Linkage::Dynamic] {
        let program = compiled("examples/encode_h264.c", linkage, &folder);
        let output = run(&program, &path("in.yuv"), &[Path::new("30"), &path("shown.yuv")]);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let shown = fs::read(path("shown.yuv")).expect("a file");
        assert_eq!(shown.len(), samples.len());
        assert!(decoded(&fs::read(path("out.264")).expect("a file")) == shown);

        let refused = |input: &Path, more: &[&Path], wanted: &str| {
            let output = run(&program, input, more);
            let said = String::from_utf8_lossy(&output.stderr);
            assert!(!output.status.success() && said.contains(wanted), "{said}");
        };
        refused(&path("in.yuv"), &[Path::new("52")], "52");
        refused(&path("nothing.yuv"), &[], "nothing.yuv");
        fs::write(path("short.yuv"), &samples[..samples.len() - 1]).expect("a file");
        refused(&path("short.yuv"), &[], "ends within a frame");
        assert!(!path("out.264").exists());
    }
}
