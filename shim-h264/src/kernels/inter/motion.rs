//! The motion of a picture, for the search in the next one.

use crate::kernels::picture::{MotionBefore, Tables};

/// Collects the motion of some rows of macroblocks, from which the search in the next picture starts.
///
/// # Panics
///
/// When a table is too short, or there are no such rows.
#[shim::kernel]
pub fn motion_before(
    #[located] tables: &Tables,
    first: usize,
    count: usize,
    #[shape(count, tables.mbs_wide)] out: &mut [MotionBefore],
) {
    let (mv, ref_idx) = (tables.mv[[4 * first.., ..]], tables.reference[[2 * first.., ..]]);
    for [row, column] in out.indices() {
        out[[row, column]] = MotionBefore {
            mv: mv[[4 * row + 1, 4 * column + 1]],
            farther: ref_idx[[2 * row, 2 * column]] > 0,
        };
    }
}
