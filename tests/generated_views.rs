//! Random chains of views, compiled, against the same chains in the runtime library: what is read and written at every
//! point, extents and origins, and whether there is a panic.
//!
//! `generated_views/kernels.rs` is written by `shim-stage/tests/it/generated_views.rs`, which says how.

mod common;

#[allow(unused, clippy::all, clippy::pedantic, reason = "nobody wrote it")]
#[path = "generated_views/kernels.rs"]
mod kernels;

use common::{noise, outcome_of};
use shim::Located;

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

type Kernel<R> = fn(&[i16], &[i16], &mut [i16], usize, usize, usize, isize, isize, &mut Vec<i64>) -> R;

/// One kernel.
struct Case {
    name: &'static str,
    kernel: Kernel<()>,
    /// The runtime library's version: whether it was worth its time, or why it does not go on.
    library: Kernel<Result<bool>>,
    /// How many elements the memories have.
    lengths: fn(usize, usize, usize) -> [usize; 3],
}

/// Whether a tensor has so many points that the library would take too long over them.
fn cells<const N: usize>(tensor: &impl Located<N>) -> bool {
    tensor
        .extents()
        .iter()
        .try_fold(1_usize, |points, extent| points.checked_mul(*extent))
        .is_none_or(|points| points > 3000)
}

/// `(h, w, d, r, c)`: extents down to nothing, places on both sides of the origin.
const INPUTS: &[(usize, usize, usize, isize, isize)] = &[
    (4, 5, 3, 0, 0),
    (4, 5, 3, 1, 2),
    (6, 4, 5, 2, -1),
    (3, 3, 3, -2, 1),
    (1, 1, 1, 0, 0),
    (1, 4, 2, 1, 0),
    (5, 1, 1, 0, 1),
    (0, 3, 2, 0, 0),
    (3, 0, 1, 1, 1),
    (2, 2, 0, 0, 0),
    (0, 0, 0, 0, 0),
    (7, 8, 6, 3, 4),
    (8, 9, 2, -3, -5),
    (12, 11, 9, 5, 2),
];

#[test]
fn kernels_do_what_the_library_does() {
    // How many agreed on values, how many on a panic.
    let (mut same, mut failed, mut long, mut differing) = (0, 0, 0, Vec::new());
    for case in kernels::CASES {
        for &(h, w, d, r, c) in INPUTS {
            let [a, b, m] = (case.lengths)(h, w, d);
            let (a, b, start): (Vec<i16>, Vec<i16>, Vec<i16>) =
                (noise(a, 30_011), noise(b, 29_989), noise(m, 1009));
            let (mut want, mut want_m) = (Vec::new(), start.clone());
            let library = (case.library)(&a, &b, &mut want_m, h, w, d, r, c, &mut want);
            if matches!(library, Ok(false)) {
                long += 1;
                continue;
            }
            let (mut found, mut found_m) = (Vec::new(), start.clone());
            let outcome = outcome_of(|| (case.kernel)(&a, &b, &mut found_m, h, w, d, r, c, &mut found));
            let at = format!("{} at {:?}", case.name, (h, w, d, r, c));
            match (library, outcome) {
                (Ok(_), Ok(())) if (&found, &found_m) == (&want, &want_m) => same += 1,
                (Err(_), Err(_)) => failed += 1,
                (Ok(_), Ok(())) => {
                    let first = found.iter().zip(&want).position(|(found, want)| found != want);
                    let written = found_m.iter().zip(&want_m).position(|(found, want)| found != want);
                    differing.push(format!(
                        "{at}: read {first:?} or written {written:?}, {} values for {}",
                        found.len(),
                        want.len()
                    ));
                }
                (Ok(_), Err(message)) => differing.push(format!("{at} panics alone: {message}")),
                (Err(error), Ok(())) => differing.push(format!("{at} alone does not panic: {error}")),
            }
        }
    }
    println!("{same} with the same values, {failed} with a panic, {long} too long");
    assert!(differing.is_empty(), "{} differ:\n{}", differing.len(), differing.join("\n"));
    assert!(same > 300 && failed > 30, "the inputs have lost their power: {same} and {failed}");
}
