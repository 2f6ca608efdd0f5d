//! Prints how many times as fast the JPEG encoder is with two threads as with one, and how many times as fast two
//! encoders are that share nothing, which is the most that the machine gives.
//!
//! `cargo bench -p shim-benches --bench threads [-- [--pairs N] [PICTURE ..]]`. Pictures are PNG or JPEG files; without
//! any, the photographs of the repository are taken, and those beside the checkout if they are there. Nothing is
//! pinned: the ratio means something on a machine that has nothing else to do, and two cores at least.

use std::process::ExitCode;

use shim_benches::arguments::Arguments;
use shim_benches::measure::{compare, median};
use shim_jpeg::{Encoder, Image, Predictor, Process};

/// Interleaved pairs, unless told.
const PAIRS: usize = 21;
/// How many times as fast two threads are to be.
const LIMIT: f64 = 1.8;

fn main() -> ExitCode {
    let usual =
        ["media/coffee.png", "../shared/media/flower_2268x1512.png", "../shared/media/kleiber_6028x3391.jpg"];
    let Arguments { pairs, pictures, .. } = match Arguments::read(PAIRS, &[], &usual) {
        Ok(arguments) => arguments,
        Err(sentence) => {
            eprintln!("{sentence}");
            return ExitCode::FAILURE;
        }
    };
    println!("how many times as fast two threads are as one: the median, and one in ten on either side");
    let (mut baseline, mut ceiling) = (Vec::new(), Vec::new());
    for (name, picture) in &pictures {
        let image = Image::rgb(&picture.pixels, picture.width, picture.height).expect("a valid image");
        for quality in [75, 90] {
            let encoder = Encoder::new().quality(quality);
            for (process, encoder) in [
                ("baseline", encoder.clone()),
                ("exact", encoder.clone().libjpeg_compatible(true)),
                ("optimized", encoder.clone().optimized(true)),
                ("progressive", encoder.clone().process(Process::Progressive)),
                ("lossless", encoder.process(Process::lossless(Predictor::Left))),
            ] {
                let mut both = [encoder.clone().threads(2), encoder];
                let encode = |encoder: &Encoder| {
                    drop(std::hint::black_box(encoder.encode(&image).expect("memory does not fail")));
                };
                let (nanoseconds, ratio) =
                    compare(pairs, &mut both, |[two, _]| encode(two), |[_, one]| encode(one));
                println!(
                    "{:44} {:9.1} MP/s {ratio}",
                    format!("{name} {}x{} {process} {quality}", picture.width, picture.height),
                    picture.megapixels() / nanoseconds * 1e9,
                );
                if process == "baseline" {
                    baseline.push(ratio.median);
                    let mut alone = both[1].clone();
                    let mut beside = both[1].clone();
                    // What two threads gain that have nothing to do with one another: the most that this machine gives.
                    let (_, most) = compare(
                        pairs,
                        &mut [&mut alone, &mut beside],
                        |[alone, beside]| {
                            std::thread::scope(|scope| {
                                scope.spawn(|| encode(alone));
                                encode(beside);
                            });
                        },
                        |[alone, beside]| {
                            encode(alone);
                            encode(beside);
                        },
                    );
                    println!("{:44} {:14} {most}", "", "the most");
                    ceiling.push(most.median);
                }
            }
        }
    }
    if !baseline.is_empty() {
        println!(
            "baseline: median {:.2} (wanted {LIMIT}); two encoders that share nothing: {:.2}",
            median(baseline),
            median(ceiling)
        );
    }
    ExitCode::SUCCESS
}
