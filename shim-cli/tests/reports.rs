//! `--stats` and `--json`.

mod common;

use std::fs;

use predicates::prelude::*;
use predicates::str::contains;
use serde_json::Value;

use common::{Folder, jpeg, media, shim};

/// What a command prints, as JSON.
fn json(command: &mut assert_cmd::Command) -> Value {
    let output = command.output().unwrap();
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {output:?}"))
}

#[test]
fn stats_count_every_bit() {
    let folder = Folder::new();
    let output = folder.path("out.jpg");
    for arguments in
        [&[][..], &["--progressive"], &["--restart", "1", "-s", "444"], &["--grayscale", "--optimize"]]
    {
        let arguments = [&["--stats", "--json"], arguments].concat();
        let report = json(jpeg(&media("chelsea_227x149.png"), &output).args(&arguments));
        let file = &report["files"][0];
        let bytes = fs::metadata(&output).unwrap().len();
        assert_eq!(file["bytes"], bytes);
        let bits = &file["stats"]["bits"];
        let parts = ["headers", "metadata", "quantisation_tables", "huffman_tables", "padding", "trailing"];
        let mut sum: u64 = parts.iter().map(|part| bits[part].as_u64().unwrap()).sum();
        for component in bits["components"].as_array().unwrap() {
            sum += component["dc"].as_u64().unwrap() + component["ac"].as_u64().unwrap();
        }
        assert_eq!(sum, 8 * bytes, "{arguments:?}");
        let quality = &file["stats"]["quality"];
        assert!(quality["psnr"].as_f64().unwrap() > 30.0, "{quality}");
        assert!((0.9..1.0).contains(&quality["ssim"].as_f64().unwrap()), "{quality}");
    }
}

#[test]
fn stats_for_people() {
    let folder = Folder::new();
    jpeg(&media("chelsea_227x149.png"), &folder.path("out.jpg"))
        .args(["--stats", "-p"])
        .assert()
        .code(0)
        .stdout(contains("Cb AC").and(contains("Huffman tables")).and(contains("100.0 %")))
        .stdout(contains("Y Cb Cr   0-0  1 up"))
        .stdout(predicate::str::is_match(r"PSNR \d+\.\d\d dB \(Y \d+\.\d\d, Cb .*\), SSIM 0\.9\d+").unwrap());
    // Without a decoder for them, files of 12 bits are only counted.
    jpeg(&media("chelsea_227x149.png"), &folder.path("out.jpg"))
        .args(["--stats", "--bits", "12"])
        .assert()
        .code(0)
        .stdout(contains("PSNR and SSIM are not known").and(contains("Y AC")));
}

#[test]
fn a_report_of_many_files() {
    let folder = Folder::new();
    let good = folder.with("good.pgm", b"P5 2 1 255\nab");
    let bad = folder.with("bad.pgm", b"P5 2 1 255\na");
    let mut command = shim([&good, &bad]);
    let report = json(command.arg("-o").arg(folder.path("out")).arg("--json"));
    let files = report["files"].as_array().unwrap();
    assert_eq!(files[0]["width"], 2);
    assert_eq!(files[0]["coding"], "quality 90, grey");
    assert!(files[1]["error"].as_str().unwrap().contains("bad.pgm: truncated PNM file"));
    assert_eq!((&report["summary"]["encoded"], &report["summary"]["failed"]), (&1.into(), &1.into()));
    // Of a single file, too.
    let report = json(jpeg(&bad, &folder.path("out.jpg")).arg("--json"));
    assert!(report["files"][0]["error"].is_string());
}

#[test]
fn a_report_does_not_get_into_the_image() {
    let output = shim(["-", "-", "--json"]).write_stdin("P5 2 1 255\nab").output().unwrap();
    assert_eq!(
        (&output.stdout[..2], &output.stdout[output.stdout.len() - 2..]),
        (&[0xff, 0xd8][..], &[0xff, 0xd9][..])
    );
    assert!(serde_json::from_slice::<Value>(&output.stderr).is_ok());
}
