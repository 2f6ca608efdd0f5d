//! Prints the times of programs in their most natural form over those of plain Rust at the same level: of eighteen that
//! the compiler was tuned with, of twenty-five that authors wrote from the documentation alone, or of ten that it was not
//! tuned with; and of tasks on one thread over those of the loop without `#[parallel]`.
//!
//! `cargo bench -p shim-benches --bench natural [-- [authors | unseen] [PART OF A NAME]]`

use shim_benches::measure::{compare, median};

#[path = "../../tests/schedules/natural/authors/mod.rs"]
mod authors;
#[path = "../../tests/schedules/natural/cases.rs"]
mod cases;
#[path = "../../tests/schedules/natural/kernels.rs"]
mod kernels;
#[path = "../../tests/schedules/natural/plain.rs"]
mod plain;
#[path = "../../tests/schedules/natural/unseen/mod.rs"]
mod unseen;

use cases::{By, Case, cases};

/// Interleaved pairs per row.
const PAIRS: usize = 31;

fn main() {
    if let Some(core) = core_affinity::get_core_ids().unwrap_or_default().last() {
        core_affinity::set_for_current(*core);
    }
    let words: Vec<String> =
        std::env::args().skip(1).filter(|argument| !argument.starts_with("--")).collect();
    let first = words.first().map_or("", String::as_str);
    let is_of_authors = first == "authors";
    let is_named = is_of_authors || first == "unseen";
    let wanted = words.get(usize::from(is_named)).map_or("", String::as_str);
    if first == "unseen" {
        table(unseen::cases::cases([602, 805]), wanted);
    } else if is_of_authors {
        one_thread().install(|| {
            let of_authors = [
                authors::cases::pictures([602, 805]),
                authors::cases::channels([56, 60], [32, 16]),
                authors::cases::matrices(320),
                authors::cases::sequences(3000),
            ];
            table(of_authors.into_iter().flatten(), wanted);
        });
    } else {
        table(cases(20), wanted);
        on_one_thread();
    }
}

fn one_thread() -> rayon::ThreadPool {
    rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("one thread")
}

/// A row for each case with `wanted` in its name.
fn table(cases: impl IntoIterator<Item = Case>, wanted: &str) {
    println!("{:20} {:>12} {:^20}", "", "microseconds", "over plain Rust");
    println!("{:20} {:>12} {:>6} {:>6} {:>6}", "program", "plain", "median", "10 %", "90 %");
    let mut ratios = Vec::new();
    for mut case in cases.into_iter().filter(|case| case.name.contains(wanted)) {
        let (time, ratio) = compare(
            PAIRS,
            &mut case.run,
            |run| drop(run(By::Plain, false)),
            |run| drop(run(By::Kernel, false)),
        );
        println!("{:20} {:12.2} {ratio}", case.name, time / 1e3);
        ratios.push(ratio.median);
    }
    if !ratios.is_empty() {
        println!("{:20} {:12} {:6.3}", "median", "", median(ratios));
    }
}

/// Kernels with and without a word.
macro_rules! kernels {
    ($module:ident: $(#[$word:meta])*) => {
        mod $module {
            use shim::prelude::*;

            #[shim::kernel(simd)]
            #[allow(clippy::too_many_arguments)]
            pub(super) fn to_rgb(
                #[shape(h, w)] luma: &[u8],
                #[shape(h / 2, w / 2)] blue: &[u8],
                #[shape(h / 2, w / 2)] red: &[u8],
                #[shape(h, w)] r: &mut [u8],
                #[shape(h, w)] g: &mut [u8],
                #[shape(h, w)] b: &mut [u8],
                [h, w]: [usize; 2],
            ) {
                $(#[$word])*
                for y in 0..h {
                    for x in 0..w {
                        let (cb, cr) = (blue[[y / 2, x / 2]] as i32 - 128, red[[y / 2, x / 2]] as i32 - 128);
                        let luma = luma[[y, x]] as i32;
                        r[[y, x]] = (luma + ((91881 * cr + 32768) >> 16)).clamp(0, 255) as u8;
                        g[[y, x]] = (luma - ((22554 * cb + 46802 * cr + 32768) >> 16)).clamp(0, 255) as u8;
                        b[[y, x]] = (luma + ((116130 * cb + 32768) >> 16)).clamp(0, 255) as u8;
                    }
                }
            }

            #[shim::kernel(simd)]
            pub(super) fn blur(#[shape(h, w)] from: &[f32], #[shape(h, w)] to: &mut [f32], [h, w]: [usize; 2]) {
                let near = from.boundary(Clamp);
                $(#[$word])*
                for [y, x] in to.indices() {
                    let across = near[[y, x - 1]] + near[[y, x + 1]];
                    let down = near[[y - 1, x]] + near[[y + 1, x]];
                    to[[y, x]] = 0.5 * from[[y, x]] + 0.125 * (across + down);
                }
            }

            #[shim::kernel(simd)]
            pub(super) fn bilateral(#[shape(h, w)] from: &[f32], #[shape(h, w)] to: &mut [f32], [h, w]: [usize; 2]) {
                let near = from.boundary(Clamp);
                $(#[$word])*
                for [y, x] in to.indices() {
                    let center = from[[y, x]];
                    let (mut sum, mut weights) = (0.0, 0.0);
                    for dy in -2..=2 {
                        for dx in -2..=2 {
                            let value = near[[y + dy, x + dx]];
                            let weight = 1.0 / (1.0 + 16.0 * (value - center) * (value - center));
                            sum += weight * value;
                            weights += weight;
                        }
                    }
                    to[[y, x]] = sum / weights;
                }
            }
        }
    };
}
kernels! { in_order: }
kernels! { in_tasks: #[parallel] }

/// Runs a kernel on bytes, or on floats: what it writes, luma and chroma, the floats, the size, and whether in tasks.
type Run = fn(&mut (Vec<u8>, Vec<f32>), [&[u8]; 2], &[f32], [usize; 2], bool);

/// Parallel kernels on one thread, beside the same without the word.
fn on_one_thread() {
    let pool = one_thread();
    let size @ [h, w] = [720, 1280];
    let luma: Vec<u8> = (0..h * w).map(|i| (i * 7 % 251) as u8).collect();
    let chroma: Vec<u8> = luma[..h / 2 * (w / 2)].to_vec();
    let light: Vec<f32> = luma.iter().map(|value| f32::from(*value) / 255.0).collect();
    let mut data = (vec![0; 3 * h * w], vec![0.0; h * w]);
    let mut row = |name: &str, by: Run| {
        let (time, ratio) = pool.install(|| {
            compare(
                PAIRS,
                &mut data,
                |data| by(data, [&luma, &chroma], &light, size, false),
                |data| by(data, [&luma, &chroma], &light, size, true),
            )
        });
        println!("{name:20} {:12.2} {ratio}", time / 1e3);
    };
    println!("one thread of tasks over the loop without `#[parallel]`");
    row("YUV to RGB", |(bytes, _), [luma, chroma], _, size, tasks| {
        let (r, rest) = bytes.split_at_mut(luma.len());
        let (g, b) = rest.split_at_mut(luma.len());
        let run = if tasks { in_tasks::to_rgb } else { in_order::to_rgb };
        run(luma, chroma, chroma, r, g, b, size);
    });
    row("blur", |(_, floats), _, light, size, tasks| {
        (if tasks { in_tasks::blur } else { in_order::blur })(light, floats, size);
    });
    row("bilateral", |(_, floats), _, light, size, tasks| {
        (if tasks { in_tasks::bilateral } else { in_order::bilateral })(light, floats, size);
    });
}
