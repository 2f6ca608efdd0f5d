//! Prints how long programs of the papers take under several layouts and orders.
//!
//! `cargo bench -p shim-benches --bench papers`

use shim_benches::case::Random;
use shim_benches::measure::compare;
use shim_benches::papers::{alignment, product, transpose};

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

    let side = product::SIDE;
    let mut data = product::Product::new(&mut Random::new(1), [side; 3]);
    let mut row = |name: &str, version: product::Version, beside: product::Version| {
        let (time, ratio) = compare(7, &mut data, |data| data.run(version), |data| data.run(beside));
        println!("{name:44} {:12.2} {ratio}", time / 1e3);
    };
    println!("product of {side}x{side} floats");
    row("  rows / formula", product::rows, product::formula);
    row("  panels / rows", product::panels, product::rows);
    row("  panels / by hand", product::panels, product::panels_by_hand);
    row("  panels / matrixmultiply", product::panels, by_matrixmultiply);
    row("  panels / gemm", product::panels, by_gemm);
}

/// `matrixmultiply`.
#[allow(unsafe_code, reason = "its functions take pointers")]
fn by_matrixmultiply(a: &[f32], b: &[f32], c: &mut [f32], [h, n, w]: [usize; 3]) {
    let (row, column) = (|extent: usize| extent as isize, 1);
    // SAFETY: the matrices are contiguous, of these extents.
    unsafe {
        matrixmultiply::sgemm(
            h,
            n,
            w,
            1.0,
            a.as_ptr(),
            row(n),
            column,
            b.as_ptr(),
            row(w),
            column,
            1.0,
            c.as_mut_ptr(),
            row(w),
            column,
        );
    }
}

/// `gemm`, which `faer` calls.
#[allow(unsafe_code, reason = "its functions take pointers")]
fn by_gemm(a: &[f32], b: &[f32], c: &mut [f32], [h, n, w]: [usize; 3]) {
    let serial = gemm::Parallelism::None;
    // SAFETY: the matrices are contiguous, of these extents.
    unsafe {
        gemm::gemm(
            h,
            w,
            n,
            c.as_mut_ptr(),
            1,
            w as isize,
            true,
            a.as_ptr(),
            1,
            n as isize,
            b.as_ptr(),
            1,
            w as isize,
            1.0,
            1.0,
            false,
            false,
            false,
            serial,
        );
    }
}
