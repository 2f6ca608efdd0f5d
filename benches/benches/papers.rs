//! Prints how long programs of the papers take under several layouts and orders.
//!
//! `cargo bench -p shim-benches --bench papers`

use shim_benches::case::Random;
use shim_benches::measure::compare;
use shim_benches::papers::{alignment, transpose};

/// Interleaved pairs per row.
const PAIRS: usize = 101;

fn main() {
    if let Some(core) = core_affinity::get_core_ids().and_then(|cores| cores.last().copied()) {
        core_affinity::set_for_current(core);
    }
    println!("{:44} {:>12} {:^20}", "", "microseconds", "times as fast");
    println!("{:44} {:>12} {:>6} {:>6} {:>6}", "version, and beside what", "", "median", "10 %", "90 %");

    let mut data = alignment::Alignment::new(&mut Random::new(1), alignment::SIDE);
    let mut row = |name: &str, version: alignment::Version, beside: alignment::Version| {
        let (time, ratio) = compare(PAIRS, &mut data, |data| data.run(version), |data| data.run(beside));
        println!("{name:44} {:12.2} {ratio}", time / 1e3);
    };
    println!("alignment of {0} and {0} symbols", alignment::SIDE);
    row("  antidiagonals, contiguous / rows", alignment::fronts, alignment::rows);
    row("  antidiagonals in row-major memory / rows", alignment::fronts_of_rows, alignment::rows);
    row("  antidiagonals of 16x16 tiles / rows", alignment::tiles, alignment::rows);
    row("  antidiagonals, contiguous / by hand", alignment::fronts, alignment::fronts_by_hand);

    let mut data = transpose::Transpose::new(&mut Random::new(1), [transpose::SIDE; 2]);
    let mut row = |name: &str, version: transpose::Version, beside: transpose::Version| {
        let (time, ratio) = compare(21, &mut data, |data| data.run(version), |data| data.run(beside));
        println!("{name:44} {:12.2} {ratio}", time / 1e3);
    };
    println!("transpose of {0}x{0} floats", transpose::SIDE);
    row("  tiles of 16x16 / rows", transpose::tiles, transpose::rows);
    row("  tiles of 16x16 / by hand", transpose::tiles, transpose::tiles_by_hand);
}
