//! Libjpeg-compatible files beside those that libjpeg-turbo's `cjpeg` writes, in every mode that both have: they are the same bytes.
//!
//! Where `cjpeg` is not installed the tests have nothing to compare with, and say so.

use std::path::Path;
use std::process::Command;

use crate::common::{Picture, run, tool};
use shim_jpeg::{ColorSpace, Encoder, Process, Restart, ScanSpec, Subsampling};

/// A change of settings.
type Change = fn(Encoder) -> Encoder;

/// Settings of both encoders.
struct Mode {
    encoder: Encoder,
    arguments: Vec<String>,
}

impl Mode {
    fn new(quality: u8) -> Self {
        Self { encoder: Encoder::new().libjpeg_compatible(true).quality(quality), arguments: Vec::new() }
            .with(&["-dct", "int", "-quality", &quality.to_string()], |e| e)
    }

    fn with(mut self, arguments: &[&str], change: impl FnOnce(Encoder) -> Encoder) -> Self {
        self.arguments.extend(arguments.iter().map(|&a| a.to_owned()));
        self.encoder = change(self.encoder);
        self
    }
}

fn compare(tool: &Path, picture: &Picture, mode: &Mode) {
    let ours = mode.encoder.encode(&picture.image()).unwrap();
    let theirs = run(Command::new(tool).args(&mode.arguments), &picture.pnm()).0;
    if ours != theirs {
        let at = ours.iter().zip(&theirs).position(|(a, b)| a != b);
        let (ours, theirs) = (ours.len(), theirs.len());
        let (width, height) = (picture.width, picture.height);
        panic!("{width}x{height} {:?}: {ours} bytes for {theirs}, other from {at:?} on", mode.arguments);
    }
}

#[test]
fn every_mode() {
    let Some(tool) = tool("cjpeg") else { return };
    let cat = Picture::media("chelsea.png");
    let pictures = [(227, 149), (64, 64), (33, 17), (7, 13), (1, 1), (130, 1), (1, 70)]
        .map(|(width, height)| cat.part(100, 80, width, height));
    let samplings: [(&str, Option<Subsampling>, [u8; 2]); 9] = [
        ("1x1", Some(Subsampling::S444), [1, 1]),
        ("2x1", Some(Subsampling::S422), [2, 1]),
        ("2x2", Some(Subsampling::S420), [2, 2]),
        ("1x2", Some(Subsampling::S440), [1, 2]),
        ("4x1", Some(Subsampling::S411), [4, 1]),
        ("4x2", None, [4, 2]),
        ("1x4", None, [1, 4]),
        ("2x4", None, [2, 4]),
        ("3x1", None, [3, 1]),
    ];
    let processes: [(&[&str], Change); 5] = [
        (&[], |e| e),
        (&["-optimize"], |e| e.optimized(true)),
        (&["-progressive"], |e| e.process(Process::Progressive)),
        (&["-arithmetic"], |e| e.arithmetic(true)),
        (&["-arithmetic", "-progressive"], |e| e.arithmetic(true).process(Process::Progressive)),
    ];
    let restarts: [(&[&str], Change); 4] = [
        (&[], |e| e),
        (&["-restart", "1"], |e| e.restart(Restart::Rows(1))),
        (&["-restart", "1B"], |e| e.restart(Restart::Mcus(1))),
        (&["-restart", "7B"], |e| e.restart(Restart::Mcus(7))),
    ];
    for picture in &pictures {
        for (name, subsampling, luminance) in &samplings {
            for (process, change) in &processes {
                for (restart, restarted) in &restarts {
                    for quality in [40, 90, 100] {
                        let mode = Mode::new(quality)
                            .with(&["-sample", name], |e| match subsampling {
                                Some(subsampling) => e.subsampling(*subsampling),
                                None => e.sampling_factors(&[*luminance, [1, 1], [1, 1]]),
                            })
                            .with(process, change)
                            .with(restart, restarted);
                        compare(&tool, picture, &mode);
                    }
                }
            }
        }
    }
}

/// Qualities up to 23 have tables of 16 bits, unless `-baseline` keeps them to 8.
#[test]
fn every_quality() {
    let Some(tool) = tool("cjpeg") else { return };
    let cat = Picture::media("chelsea.png").part(100, 80, 131, 67);
    for quality in 1..=100 {
        compare(&tool, &cat, &Mode::new(quality));
        compare(&tool, &cat, &Mode::new(quality).with(&["-baseline"], |e| e.baseline(true)));
    }
    for quality in [1, 5, 23] {
        compare(&tool, &cat, &Mode::new(quality).with(&["-optimize"], |e| e.optimized(true)));
        compare(
            &tool,
            &cat,
            &Mode::new(quality).with(&["-progressive"], |e| e.process(Process::Progressive)),
        );
        compare(&tool, &cat, &Mode::new(quality).with(&["-grayscale"], |e| e.color_space(ColorSpace::Gray)));
    }
}

#[cfg(feature = "rayon")]
fn with_threads(encoder: Encoder, threads: usize) -> Encoder {
    encoder.threads(threads)
}

#[cfg(not(feature = "rayon"))]
fn with_threads(encoder: Encoder, _: usize) -> Encoder {
    encoder
}

/// Sequential files of several scans: each table is there once, unless it is made for its scan.
#[test]
fn scripts() {
    let Some(tool) = tool("cjpeg") else { return };
    let cat = Picture::media("chelsea.png").part(100, 80, 131, 67);
    let folder = tempfile::tempdir().unwrap();
    let whole = |components: &[u8]| ScanSpec::new(components, [0, 63], [0, 0]);
    for (text, scans) in [
        ("0; 1; 2;", [&[0][..], &[1], &[2]].map(whole).to_vec()),
        ("0; 1 2;", [&[0][..], &[1, 2]].map(whole).to_vec()),
        ("0 1; 2;", [&[0, 1][..], &[2]].map(whole).to_vec()),
        ("2; 0; 1;", [&[2][..], &[0], &[1]].map(whole).to_vec()),
    ] {
        let script = folder.path().join("script");
        std::fs::write(&script, text).unwrap();
        let arguments = ["-scans", script.to_str().unwrap()];
        for (restart, change) in [(&[][..], Restart::Never), (&["-restart", "1"], Restart::Rows(1))] {
            for threads in [1, 3] {
                let mode = |optimize: &[&str]| {
                    let mode = Mode::new(50).with(&arguments, |e| {
                        with_threads(e.process(Process::Scans(scans.clone())).restart(change), threads)
                    });
                    mode.with(restart, |e| e).with(optimize, |e| e.optimized(!optimize.is_empty()))
                };
                compare(&tool, &cat, &mode(&[]));
                compare(&tool, &cat, &mode(&["-optimize"]));
            }
        }
    }
}

/// Arithmetic coding loses nothing: `djpeg` reads the same pixels from it as from Huffman codes.
#[test]
fn arithmetic_files_hold_the_same_coefficients() {
    let Some(tool) = tool("djpeg") else { return };
    let picture = Picture::media("chelsea.png").part(100, 80, 227, 149);
    let decoded =
        |encoder: &Encoder| run(&mut Command::new(&tool), &encoder.encode(&picture.image()).unwrap()).0;
    for trellis in [false, true] {
        for restart in [Restart::Never, Restart::Rows(2)] {
            for process in [Process::Sequential, Process::Progressive] {
                let huffman = Encoder::new().trellis(trellis).restart(restart).process(process);
                let arithmetic = huffman.clone().arithmetic(true);
                assert_eq!(decoded(&with_threads(arithmetic, 2)), decoded(&huffman), "{huffman:?}");
            }
        }
    }
}
