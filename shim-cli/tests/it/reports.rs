//! `--stats`, `--json` and `--compare`.

use std::fs;

use predicates::prelude::*;
use predicates::str::{contains, is_empty};
use serde_json::Value;

use crate::common::{Folder, jpeg, media, shim};

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
        let parts = ["headers", "metadata", "quantization_tables", "huffman_tables", "padding", "trailing"];
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
        .stdout(contains("PSNR and SSIM are not available").and(contains("Y AC")));
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
    assert_eq!(files[0]["coding"], "quality 90, grayscale");
    assert!(files[1]["error"].as_str().unwrap().contains("bad.pgm: truncated PNM file"));
    assert_eq!(files[1]["path"], bad.to_str().unwrap());
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

#[test]
fn comparison() {
    let folder = Folder::new();
    let input = media("chelsea_227x149.png");
    shim([&input])
        .args(["--compare", "--qualities", "50,90"])
        .assert()
        .code(0)
        .stderr(is_empty())
        .stdout(contains("chelsea_227x149.png: 227x149\n"))
        .stdout(contains("progressive 4:4:4       90"))
        .stdout(predicate::function(|text: &str| text.lines().count() == 2 + 6 * 2));
    let report = json(shim([&input]).args([
        "--compare",
        "--qualities",
        "50,90",
        "--json",
        "--setting",
        "",
        "--setting",
        "-p -s 444",
    ]));
    let curves = report["curves"].as_array().unwrap();
    assert_eq!(curves.iter().map(|curve| &curve["setting"]).collect::<Vec<_>>(), ["baseline", "-p -s 444"]);
    for curve in curves {
        let [low, high] = [&curve["points"][0], &curve["points"][1]];
        for figure in ["bytes", "bits_per_pixel", "psnr", "ssim"] {
            assert!(low[figure].as_f64().unwrap() < high[figure].as_f64().unwrap(), "{curve}");
        }
    }
    // The figures are those of the file that these options make, without its metadata.
    let output = folder.path("out.jpg");
    let file = json(jpeg(&input, &output).args(["-p", "-s", "444", "-q", "50", "-m", "none", "--json"]));
    assert_eq!(file["files"][0]["bytes"], curves[1]["points"][0]["bytes"]);
}

#[cfg(feature = "plot")]
#[test]
fn a_plot() {
    let folder = Folder::new();
    let plot = folder.path("curves.svg");
    let samples: Vec<u8> = (0..48 * 32 * 3_u32).map(|i| (i * i % 251) as u8).collect();
    let input = folder.with("in.ppm", &[b"P6 48 32 255\n", &samples[..]].concat());
    shim([&input])
        .args(["--compare", "--qualities", "50,90", "--plot"])
        .arg(&plot)
        .assert()
        .code(0)
        .stdout(contains("baseline 4:2:0"));
    let svg = fs::read_to_string(&plot).unwrap();
    assert!(svg.starts_with("<svg ") && svg.trim_end().ends_with("</svg>"));
    for text in ["bits per pixel", "PSNR (dB)", "SSIM", "progressive 4:4:4"] {
        assert!(svg.contains(text), "{text}");
    }
    // Two figures, a line and two dots for each setting.
    assert_eq!(svg.matches("<circle ").count(), 2 * 6 * 2);
    shim([&input])
        .args(["--compare", "--plot"])
        .arg(folder.path("curves.gif"))
        .assert()
        .code(2)
        .stderr(contains("a plot is a file with the extension .svg"));
    shim([&input])
        .args(["--compare", "--plot"])
        .arg(folder.path("missing/curves.svg"))
        .assert()
        .code(1)
        .stderr(contains("missing/curves.svg: cannot be written"));
}

#[cfg(feature = "plot-png")]
#[test]
fn a_plot_as_png() {
    let folder = Folder::new();
    let plot = folder.path("curves.PNG");
    let input = folder.with("in.pgm", &[&b"P5 32 32 255\n"[..], &[7; 1024]].concat());
    shim([input]).args(["--compare", "--qualities", "50,90", "--plot"]).arg(&plot).assert().code(0);
    let decoder = png::Decoder::new(std::io::Cursor::new(fs::read(plot).unwrap()));
    let info = decoder.read_info().unwrap().info().clone();
    assert_eq!((info.width, info.height), (1280, 560));
}

#[test]
fn what_a_comparison_does_not_take() {
    let input = media("chelsea_227x149.png");
    for arguments in
        [&["--quality", "3"][..], &["--progressive"], &["-m", "all"], &["--stats"], &["-o", "x"], &["b.jpg"]]
    {
        shim([&input]).arg("--compare").args(arguments).assert().code(2).stderr(contains("error: "));
    }
    shim([&input]).args(["--compare", "--setting", "--what"]).assert().code(2).stderr(contains("--what"));
    shim(["missing.png", "--compare"]).assert().code(1).stderr(contains("missing.png: cannot be read"));
}
