//! Files are what they were: a change that makes encoding faster or the code shorter leaves every byte alone.
//!
//! The hashes are recorded in `reference/unchanged.tsv`. After a change that is meant to alter files:
//!
//! ```text
//! cargo test -p shim-jpeg --test unchanged -- --ignored record
//! ```

mod corpus;
mod picture;
mod record;

use std::fs;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;

use corpus::{Case, Goal, cases};
use picture::{Memory, Picture};
use record::recorded;
use shim_jpeg::{Encoder, SimdLevel, limit_simd};

/// Held by a test that sets the level of instruction sets, which is the process's, or counts on the best one.
static LEVEL: Mutex<()> = Mutex::new(());

fn level() -> MutexGuard<'static, ()> {
    LEVEL.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Case {
    /// The line, of files that come in another of the ways in which a file is made. Each has a number.
    fn line_otherwise(&self, way: usize) -> String {
        self.line_of(|picture| match way % 4 {
            0 => in_strips(&self.encoder, self, picture, &[1, 20, 7]),
            1 => again(&self.encoder, picture),
            2 => to_writer(&with_threads(&self.encoder, 2), picture),
            _ => in_strips(&with_threads(&self.encoder, 3), self, picture, &[40, 3]),
        })
    }
}

/// The file of an image that comes in strips of these heights, over and over.
fn in_strips(encoder: &Encoder, case: &Case, picture: &Picture, heights: &[usize]) -> Vec<u8> {
    let image = picture.image();
    // Planes of less density do not come in strips.
    if matches!(case.format.memory, Memory::Subsampled(_)) {
        return to_writer(encoder, picture);
    }
    let (pixels, width, height) = (image.pixels(), image.width(), image.height());
    let mut strips = match case.format.bits {
        None => encoder.strips(pixels, width, height, Vec::new()),
        Some(bits) => encoder.strips16(bits, pixels, width, height, Vec::new()),
    }
    .unwrap();
    let mut y = 0;
    for rows in heights.iter().cycle() {
        let rows = *rows.min(&(height - y));
        if rows == 0 {
            break;
        }
        strips.push(&picture.rows(y, rows)).unwrap();
        y += rows;
    }
    strips.finish().unwrap()
}

/// The second file by one `Compressor`.
fn again(encoder: &Encoder, picture: &Picture) -> Vec<u8> {
    let mut compressor = encoder.compressor();
    let mut file = Vec::new();
    for _ in 0..2 {
        compressor.encode_into(&picture.image(), &mut file).unwrap();
    }
    file
}

fn to_writer(encoder: &Encoder, picture: &Picture) -> Vec<u8> {
    let mut file = Vec::new();
    encoder.encode_to(&picture.image(), &mut file).unwrap();
    file
}

#[cfg(feature = "rayon")]
fn with_threads(encoder: &Encoder, threads: usize) -> Encoder {
    encoder.clone().threads(threads)
}

#[cfg(not(feature = "rayon"))]
fn with_threads(encoder: &Encoder, _: usize) -> Encoder {
    encoder.clone()
}

/// Asserts that each case, with its number, has its line of the record. The cores share the work.
fn check(line_of: impl Fn(usize, &Case) -> Option<String> + Sync) {
    let lines = recorded();
    let cases = cases();
    assert_eq!(cases.len(), lines.len(), "lines of the record");
    let all: Vec<_> = cases.iter().zip(lines).enumerate().collect();
    let threads = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        for first in 0..threads {
            let own = all.iter().skip(first).step_by(threads);
            let line_of = &line_of;
            scope.spawn(move || {
                for (k, (case, line)) in own {
                    if let Some(now) = line_of(*k, case) {
                        assert_eq!(now, *line);
                    }
                }
            });
        }
    });
}

#[test]
fn files_are_those_recorded() {
    let _level = level();
    check(|_, case| Some(case.line()));
}

/// Strips, a `Compressor`, and several threads, in turn, for every third line.
#[test]
fn files_are_the_same_however_they_are_made() {
    let _level = level();
    check(|k, case| {
        let made = k.is_multiple_of(3) && matches!(case.goal, Goal::Settings);
        made.then(|| case.line_otherwise(k / 3))
    });
}

#[test]
fn files_are_the_same_at_every_level() {
    let _level = level();
    let best = limit_simd(SimdLevel::V4);
    for &level in SimdLevel::ALL.iter().filter(|&&level| level < best) {
        assert_eq!(limit_simd(level), level);
        check(|_, case| case.levels.contains(&level).then(|| case.line()));
    }
    limit_simd(best);
}

#[test]
#[ignore = "writes the record"]
fn record() {
    let mut record = String::from(
        "# FNV-1a of files. Written by: cargo test -p shim-jpeg --test unchanged -- --ignored record\n",
    );
    for case in cases() {
        record += &case.line();
        record.push('\n');
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/reference/unchanged.tsv");
    fs::write(path, record).unwrap();
}
