//! Prints the times of eighteen programs in their most natural form over those of plain Rust at the same level, and of tasks on one thread over those
//! of the loop without `#[parallel]`.
//!
//! `cargo bench -p shim-benches --bench natural [PART OF A NAME]`

use shim_benches::measure::{compare, median};

#[path = "../../tests/it/natural/cases.rs"]
mod cases;
#[path = "../../tests/it/natural/kernels.rs"]
mod kernels;
#[path = "../../tests/it/natural/plain.rs"]
mod plain;

use cases::{By, cases};

/// Interleaved pairs per row.
const PAIRS: usize = 31;

fn main() {
    if let Some(core) = core_affinity::get_core_ids().unwrap_or_default().last() {
        core_affinity::set_for_current(*core);
    }
    println!("{:20} {:>12} {:^20}", "", "microseconds", "over plain Rust");
    println!("{:20} {:>12} {:>6} {:>6} {:>6}", "program", "plain", "median", "10 %", "90 %");
    let mut ratios = Vec::new();
    let wanted = std::env::args().skip(1).find(|argument| !argument.starts_with("--")).unwrap_or_default();
    for mut case in cases(20).into_iter().filter(|case| case.name.contains(&wanted)) {
        let (time, ratio) = compare(
            PAIRS,
            &mut case.run,
            |run| drop(run(By::Plain, false)),
            |run| drop(run(By::Kernel, false)),
        );
        println!("{:20} {:12.2} {ratio}", case.name, time / 1e3);
        ratios.push(ratio.median);
    }
    println!("{:20} {:12} {:6.3}", "median", "", median(ratios));
}
