//! Prints what the encoder takes through the runtime library, and staged: time and instructions.
//!
//! `cargo bench -p shim-benches --bench ablation [-- [--all] [SIDE ..]]`; the pictures are squares of 64, 256 and 1024
//! pixels a side unless told. Both write the same file, in the exact mode at 4:2:0.
//!
//! Instructions are counted by valgrind's callgrind, if it is installed: this program runs itself under it, once to
//! encode twice and once to encode once, and takes the difference. It does so up to 256 pixels a side, and with `--all`
//! for any; then the library takes some minutes. Valgrind knows no AVX-512, so that the staged kernels are those of
//! x86-64-v3 there.
//!
//! Allocations are counted by another program, `--bench allocations`, because counting them takes time.

#![expect(clippy::cast_precision_loss, reason = "counts of instructions are far below 2^52")]

use std::hint::black_box;
use std::process::{Command, ExitCode};

use shim_benches::measure::compare;
use subject::{QUALITY, SIDES, Subject};

mod subject;

/// The largest side for which the library's instructions are counted, unless told.
const COUNTED: usize = 256;

/// The argument by which the program calls itself: which encoder, the side, and how often.
const ENCODE: &str = "--encode";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    if let [flag, encoder, side, times] = &arguments[..]
        && flag == ENCODE
        && let (Ok(side), Ok(times)) = (side.parse(), times.parse())
    {
        let subject = Subject::new(side);
        for _ in 0..times {
            black_box(if encoder == "staged" { subject.staged() } else { subject.library() });
        }
        return ExitCode::SUCCESS;
    }
    let mut most = COUNTED;
    let mut sides = Vec::new();
    for argument in arguments {
        match (&argument[..], argument.parse()) {
            ("--all", _) => most = usize::MAX,
            (_, Ok(side)) if side > 0 => sides.push(side),
            _ => {
                eprintln!("{argument}: neither --all nor the side of a picture");
                return ExitCode::FAILURE;
            }
        }
    }
    if sides.is_empty() {
        sides.extend(SIDES);
    }
    if let Some(core) = core_affinity::get_core_ids().and_then(|cores| cores.last().copied()) {
        core_affinity::set_for_current(core);
    }
    println!(
        "4:2:0, quality {QUALITY}, exact; for each pixel, and how many times as much through the library"
    );
    println!(
        "{:>12} {:>10} {:>10} {:^20} {:>12} {:>12} {:>8}",
        "", "ns", "ns", "library / staged", "instructions", "instructions", "library"
    );
    println!(
        "{:>12} {:>10} {:>10} {:>6} {:>6} {:>6} {:>12} {:>12} {:>8}",
        "picture", "staged", "library", "median", "10 %", "90 %", "staged", "library", "/ staged"
    );
    let counts = Command::new("valgrind").arg("--version").output().is_ok();
    for side in sides {
        let mut subject = Subject::new(side);
        let pixels = subject.pixels();
        let pairs = if side > 512 { 7 } else { 31 };
        let (staged, ratio) =
            compare(pairs, &mut subject, |s| _ = black_box(s.staged()), |s| _ = black_box(s.library()));
        let staged = staged / pixels;
        print!(
            "{:>12} {staged:10.2} {:10.0} {:6.0} {:6.0} {:6.0}",
            format!("{side}x{side}"),
            staged * ratio.median,
            ratio.median,
            ratio.low,
            ratio.high
        );
        let library = if side <= most { instructions("library", side) } else { None };
        match (counts.then(|| instructions("staged", side)).flatten(), library) {
            (Some(staged), Some(library)) => {
                println!(" {:12.1} {:12.0} {:8.0}", staged / pixels, library / pixels, library / staged);
            }
            (Some(staged), None) => println!(" {:12.1} {:>12} {:>8}", staged / pixels, "--all", ""),
            _ => println!(" {:>12} {:>12} {:>8}", "-", "-", "-"),
        }
    }
    if !counts {
        println!("valgrind is missing: instructions are not counted");
    }
    ExitCode::SUCCESS
}

/// The instructions of one encoding.
fn instructions(encoder: &str, side: usize) -> Option<f64> {
    let run = |times: &str| {
        let output = Command::new("valgrind")
            .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
            .arg(std::env::current_exe().ok()?)
            .args([ENCODE, encoder, &side.to_string(), times])
            .output()
            .ok()?;
        let report = String::from_utf8_lossy(&output.stderr).into_owned();
        let line = report.lines().find_map(|line| line.split_once("Collected :"))?;
        line.1.trim().parse::<u64>().ok()
    };
    Some((run("2")? - run("1")?) as f64)
}
