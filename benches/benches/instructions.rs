//! Prints how many instructions each stage of the JPEG encoder takes: figures that no other program on the machine moves.
//!
//! `cargo bench -p shim-benches --bench instructions [-- PICTURE ..]`, on Linux with valgrind. Pictures are PNG or JPEG
//! files; without any, the photographs of the repository are taken, and the one beside the checkout if it is there.
//!
//! The program runs itself under callgrind, which has no AVX-512: on a machine with AVX2 the kernels are those of
//! x86-64-v3. One thread encodes at 4:2:0 and quality 75. What functions of the C library take is counted by itself; a
//! string instruction counts once for each of its steps there.

#![expect(clippy::cast_precision_loss, reason = "counts are far below 2^52")]

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, ExitCode};

use shim_benches::arguments::Arguments;
use shim_benches::picture::Picture;
use shim_jpeg::{Encoder, Image, Process, Subsampling};

/// The stages, by parts of the names of their functions. Anything else is driving.
const STAGES: [(&str, &[&str]); 6] = [
    ("conversion", &["kernels::color", "kernels::planes", "kernels::downsample"]),
    ("transform, quantization", &["kernels::transform::transform", "kernels::spectra", "kernels::trellis"]),
    ("zigzag, masks", &["kernels::transform::sequence", "kernels::transform::scan_masks"]),
    (
        "codewords",
        &["kernels::huffman", "kernels::tokens", "kernels::progressive", "kernels::mcu", "shim_codec::bits"],
    ),
    ("stuffing", &["kernels::bits"]),
    ("C library", &["__mem", "malloc", "calloc", "free"]),
];

/// The function whose instructions are counted, and those that it calls.
#[inline(never)]
fn encode_once(encoder: &Encoder, image: &Image<'_>) -> Vec<u8> {
    encoder.encode(image).expect("memory does not fail")
}

/// The kinds of file.
fn encoders() -> [(&'static str, Encoder); 4] {
    let baseline = Encoder::new().quality(75).subsampling(Subsampling::S420);
    [
        ("baseline", baseline.clone()),
        ("optimized", baseline.clone().optimized(true)),
        ("progressive", baseline.clone().process(Process::Progressive)),
        ("libjpeg-compatible", baseline.libjpeg_compatible(true)),
    ]
}

/// Encodes a picture, in the process that is counted.
fn encode(file: &str, kind: &str) -> ExitCode {
    let Ok(Picture { pixels, width, height }) = Picture::open(Path::new(file)) else {
        return ExitCode::FAILURE;
    };
    let image = Image::rgb(&pixels, width, height).expect("a valid image");
    let encoders = encoders();
    let (_, encoder) = encoders.iter().find(|(name, _)| *name == kind).expect("a kind of file");
    std::hint::black_box(encode_once(encoder, &image));
    ExitCode::SUCCESS
}

/// The instructions of each function by itself, of a file that callgrind wrote.
fn by_function(profile: &str) -> BTreeMap<String, u64> {
    // The first mention of a function gives its name a number; later ones have the number alone.
    let mut names: BTreeMap<&str, &str> = BTreeMap::new();
    let mut counts = BTreeMap::new();
    let (mut function, mut is_of_call) = ("", false);
    for line in profile.lines() {
        let named = line.strip_prefix("fn=").or_else(|| line.strip_prefix("cfn="));
        if let Some((number, name)) = named.and_then(|name| name.split_once(')')) {
            if let Some(name) = name.strip_prefix(' ') {
                names.insert(number, name);
            }
            if line.starts_with("fn=") {
                function = names.get(number).copied().unwrap_or_default();
            }
        } else if line.starts_with("calls=") {
            is_of_call = true;
        } else if line.starts_with(|first: char| first.is_ascii_digit() || "+-*".contains(first)) {
            let count = line.split(' ').nth(1).and_then(|count| count.parse::<u64>().ok());
            // The line after a call has what the called function takes.
            if let (Some(count), false) = (count, std::mem::take(&mut is_of_call)) {
                *counts.entry(function.to_owned()).or_default() += count;
            }
        }
    }
    counts
}

/// Counts the instructions of an encoding.
fn count(file: &Path, kind: &str, folder: &Path) -> Result<BTreeMap<String, u64>, String> {
    let own = std::env::current_exe().map_err(|error| error.to_string())?;
    let out = folder.join("callgrind.out");
    let status = Command::new("valgrind")
        .args(["--quiet", "--tool=callgrind", "--toggle-collect=*encode_once*"])
        .arg(format!("--callgrind-out-file={}", out.display()))
        .arg(own)
        .args(["--encode", kind])
        .arg(file)
        .status()
        .map_err(|error| format!("valgrind: {error}"))?;
    if !status.success() {
        return Err(format!("valgrind: {status}"));
    }
    let profile = std::fs::read_to_string(&out).map_err(|error| format!("{}: {error}", out.display()))?;
    Ok(by_function(&profile))
}

fn run() -> Result<(), String> {
    let usual = ["../shared/media/flower_2268x1512.png", "media/coffee.png"];
    let Arguments { pictures, files, .. } = Arguments::read(1, &[], &usual)?;
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    for ((name, picture), file) in pictures.iter().zip(&files) {
        println!(
            "{name}, {:.2} megapixels: millions of instructions, and instructions for a pixel",
            picture.megapixels()
        );
        let pixels = picture.megapixels() * 1e6;
        print!("{:24}", "");
        for (kind, _) in encoders() {
            print!("{kind:>26}");
        }
        println!();
        let counts: Vec<_> =
            encoders().iter().map(|(kind, _)| count(file, kind, folder.path())).collect::<Result<_, _>>()?;
        let stage_of = |function: &str| {
            let stage = STAGES.iter().find(|(_, parts)| parts.iter().any(|part| function.contains(part)));
            stage.map_or("driving", |(stage, _)| *stage)
        };
        let rows = STAGES.iter().map(|(stage, _)| *stage).chain(["driving", "sum"]);
        for row in rows {
            print!("{row:24}");
            for functions in &counts {
                let own = functions.iter().filter(|(name, _)| row == "sum" || stage_of(name) == row);
                let sum = own.map(|(_, count)| *count).sum::<u64>() as f64;
                print!("{:>18.2}{:>8.2}", sum / 1e6, sum / pixels);
            }
            println!();
        }
    }
    Ok(())
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    if let [encoding, kind, file] = &arguments[..]
        && encoding == "--encode"
    {
        return encode(file, kind);
    }
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}
