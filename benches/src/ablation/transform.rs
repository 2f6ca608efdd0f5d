//! The level shift (T.81 A.3.1) and the forward transform (A.3.3) of a block, by the accurate integer transform: that
//! of `shim_jpeg::kernels::dct`, where it is explained.

use shim_core::{Block, Located, LocationError, TensorOps, View, ViewMut};

/// Fractional bits of the constants.
const BITS: u32 = 13;
/// Fractional bits that the rows' results keep for the columns.
const KEPT: u32 = 2;

/// The coefficients 8 S of a block.
///
/// # Errors
///
/// None for blocks of 8x8.
pub fn fdct(samples: &View<'_, u8, 2>, coefficients: &mut Block<i32, 2>) -> Result<(), LocationError> {
    for [y, x] in coefficients.indices() {
        coefficients[[y, x]] = i32::from(samples[[y, x]]) - 128;
    }
    for (dimension, descale) in [(0, BITS - KEPT), (1, BITS + KEPT)] {
        for line in 0..8 {
            fdct_1d(&mut coefficients.view_mut().slice::<1>(dimension, line)?, descale);
        }
    }
    Ok(())
}

/// One one-dimensional transform in place, for rows and columns; so many fractional bits are rounded away.
fn fdct_1d(v: &mut ViewMut<'_, i32, 1>, descale: u32) {
    let s: [i32; 8] = std::array::from_fn(|k| v[[k as isize]]);
    let [a0, a1, a2, a3] = [s[0] + s[7], s[1] + s[6], s[2] + s[5], s[3] + s[4]];
    let [b0, b1, b2, b3] = [s[0] - s[7], s[1] - s[6], s[2] - s[5], s[3] - s[4]];

    let [e0, e1, e2, e3] = [a0 + a3, a1 + a2, a1 - a2, a0 - a3];
    let turn = (e2 + e3) * 4433;
    let z1 = -(b3 + b0) * 7373;
    let z2 = -(b2 + b1) * 20_995;
    let z5 = (b0 + b1 + b2 + b3) * 9633;
    let z3 = z5 - (b3 + b1) * 16_069;
    let z4 = z5 - (b2 + b0) * 3196;
    let sums = [
        (e0 + e1) << BITS,
        b0 * 12_299 + z1 + z4,
        turn + e3 * 6270,
        b1 * 25_172 + z2 + z3,
        (e0 - e1) << BITS,
        b2 * 16_819 + z2 + z4,
        turn - e2 * 15_137,
        b3 * 2446 + z1 + z3,
    ];
    for (k, sum) in (0..).zip(sums) {
        v[[k]] = (sum + (1 << (descale - 1))) >> descale;
    }
}
