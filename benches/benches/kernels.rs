//! Prints how long the staged kernels take beside the hand-written ones and the runtime library.
//!
//! `cargo bench -p shim-benches --bench kernels [-- [--check] [PART OF A NAME]]`; with `--check` it fails when a limit
//! is not kept.

use std::process::ExitCode;

use shim_benches::case::{Case, Random};
use shim_benches::for_each_case;
use shim_benches::kernels::stencil::{Filter, Mean, Smooth, Stencil};
use shim_benches::measure::{Ratio, Row, compare, median, row};

/// Interleaved pairs per row.
const PAIRS: usize = 101;
/// The median over the suite of staged to hand-written.
const LIMIT_OF_MEDIAN: f64 = 1.05;
/// Staged to hand-written, of each row.
const LIMIT_OF_ROW: f64 = 1.15;
/// Clamping per tap to staged.
const LEAST_SPEEDUP: f64 = 5.0;

/// Times clamping per tap, and its ratio to the staged kernel.
fn stencil<F: Filter>() -> (f64, Ratio) {
    let mut case = Stencil::<F>::measured(&mut Random::new(1));
    let (nanoseconds, _) = compare(31, &mut case, Stencil::per_tap, Case::staged);
    let (_, ratio) = compare(31, &mut case, Case::staged, Stencil::per_tap);
    (nanoseconds, ratio)
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let check = arguments.iter().any(|argument| argument == "--check");
    let part = arguments.iter().find(|argument| !argument.starts_with("--")).map_or("", String::as_str);
    if let Some(core) = core_affinity::get_core_ids().and_then(|cores| cores.last().copied()) {
        core_affinity::set_for_current(core);
    }

    println!("{:38} {:>12} {:^20} {:>10}", "", "hand", "staged / hand", "library");
    println!("{:38} {:>12} {:>6} {:>6} {:>6} {:>10}", "kernel", "ns", "median", "10 %", "90 %", "/ hand");
    let mut rows: Vec<Row> = Vec::new();
    macro_rules! measure {
        ($($case:ty,)*) => {$(
            if <$case as Case>::NAME.contains(part) {
                let row = row::<$case>(PAIRS);
                println!("{:38} {:12.1} {} {:10.1}", row.name, row.hand, row.staged, row.library);
                rows.push(row);
            }
        )*};
    }
    for_each_case!(measure);
    if rows.is_empty() {
        println!("no kernel of that name");
        return ExitCode::FAILURE;
    }
    let over: Vec<_> =
        rows.iter().filter(|row| row.staged.median > LIMIT_OF_ROW).map(|row| row.name).collect();
    let suite = median(rows.iter().map(|row| row.staged.median).collect());
    println!("median over the suite: {suite:.3} (limit {LIMIT_OF_MEDIAN}); above {LIMIT_OF_ROW}: {over:?}");

    let mut slow = false;
    for (name, per_tap) in [(Smooth::NAME, stencil::<Smooth> as fn() -> _), (Mean::NAME, stencil::<Mean>)] {
        if name.contains(part) {
            let (nanoseconds, ratio) = per_tap();
            let ratio = ratio.median;
            println!(
                "{name}: clamping each tap takes {nanoseconds:.0} ns, {ratio:.1} times the staged kernel"
            );
            slow |= ratio < LEAST_SPEEDUP;
        }
    }
    if check && (suite > LIMIT_OF_MEDIAN || !over.is_empty() || slow) {
        ExitCode::FAILURE
    } else {
        ExitCode::SUCCESS
    }
}
