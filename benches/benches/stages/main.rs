//! Prints how long each stage of the encoder takes, as the encoder calls it, for each level of instructions.
//!
//! `cargo bench -p shim-benches --bench stages [-- [--passes N] [PICTURE]]`. The picture is a PNG or JPEG file; without
//! one it is the photograph beside the checkout if it is there, or that of the repository repeated to 3.4 megapixels.
//! Nanoseconds are those for a pixel of the picture, whatever share of its samples the stage works on: the median of
//! the passes, and one in ten below.
//!
//! Rows of MCUs go through the stages in turn, so that each finds its input in the cache that the encoder would find it
//! in; the clock is read around each call of a kernel.

#![expect(clippy::cast_precision_loss, reason = "sizes of images are far below 2^52")]

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clock::Clock;
use shim::__private::limit_level;
use shim_benches::measure::median;
use shim_benches::picture::Picture;

mod clock;
mod entropy;
mod frame;
mod samples;

/// Passes over the picture, for each level, unless told.
const PASSES: usize = 31;
/// The quality of the tables.
const QUALITY: u8 = 75;

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1).filter(|argument| argument != "--bench");
    let (mut passes, mut file) = (PASSES, None::<PathBuf>);
    while let Some(argument) = arguments.next() {
        if argument == "--passes" {
            let Some(number) = arguments.next().and_then(|n| n.parse().ok()).filter(|&n: &usize| n > 0)
            else {
                eprintln!("--passes takes a number above 0");
                return ExitCode::FAILURE;
            };
            passes = number;
        } else {
            file = Some(argument.into());
        }
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let beside = root.join("../shared/media/flower_2268x1512.png");
    let picture = match file.or(beside.is_file().then_some(beside)) {
        Some(file) => Picture::open(&file),
        None => Picture::open(&root.join("media/coffee.png")).map(|coffee| coffee.repeated(2268, 1512)),
    };
    let picture = match picture {
        Ok(picture) => picture,
        Err(error) => {
            eprintln!("{error}");
            return ExitCode::FAILURE;
        }
    };
    if let Some(core) = core_affinity::get_core_ids().and_then(|cores| cores.last().copied()) {
        core_affinity::set_for_current(core);
    }
    // The levels that the machine has.
    let mut levels = vec![1, 3, 4];
    levels.retain(|&level| limit_level(level) == level);

    let mut stages = Stages::new(&picture);
    let mut clocks: Vec<_> = levels.iter().map(|_| Clock::default()).collect();
    for pass in 0..=passes {
        for (&level, clock) in levels.iter().zip(&mut clocks) {
            limit_level(level);
            let mut one = Clock::default();
            stages.run(&mut one);
            // The first pass touches memory for the first time.
            if pass > 0 {
                clock.add_pass(one);
            }
        }
    }

    let Picture { width, height, .. } = picture;
    println!("{width}x{height}, quality {QUALITY}: nanoseconds for a pixel");
    print!("{:44}", "");
    for level in &levels {
        print!(" {:^15}", format!("x86-64-v{level}"));
    }
    print!("\n{:44}", "stage");
    for _ in &levels {
        print!(" {:>8} {:>6}", "median", "10 %");
    }
    println!();
    let pixels = (width * height) as f64;
    let mut before = "";
    for (index, ([kind, stage], _)) in clocks[0].stages().enumerate() {
        if before != kind {
            println!("{kind}");
            before = kind;
        }
        print!("    {stage:40}");
        for clock in &clocks {
            let (_, times) = clock.stages().nth(index).expect("all levels have the same stages");
            let mut times: Vec<f64> = times.iter().map(|time| time.as_secs_f64() * 1e9 / pixels).collect();
            times.sort_by(f64::total_cmp);
            print!(" {:8.3} {:6.3}", median(times.clone()), times[times.len() / 10]);
        }
        println!();
    }
    ExitCode::SUCCESS
}

/// All stages, with their memory.
struct Stages<'p> {
    narrow: samples::Narrow<'p>,
    wide: samples::Wide,
}

impl<'p> Stages<'p> {
    fn new(picture: &'p Picture) -> Self {
        Self { narrow: samples::Narrow::new(picture), wide: samples::Wide::new(picture) }
    }

    fn run(&mut self, clock: &mut Clock) {
        self.narrow.run(clock);
        self.wide.run(clock);
    }
}
