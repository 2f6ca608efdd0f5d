//! About how many bits levels take, from their magnitudes alone.

use shim::prelude::*;

use super::Residual;

/// About how many bits the luma levels of an `Intra_16x16` macroblock take: for each list that is coded one, for each
/// level three and one for each unit of its magnitude, as in [`ModeResults`](super::candidates::ModeResults).
#[shim::kernel(simd, checks = "hoisted")]
pub fn rate_16x16(residual: &Residual) -> u32 {
    let levels = Block::external(&residual.luma, [16, 16]);
    let nonzero = Block::external(&residual.luma_nonzero, [16]);
    let dc = Block::external(&residual.luma_dc, [16]);
    let rate = Block::stack::<u16>([16]);
    let mut any = 0_u16;
    for l in 0..16 {
        let mut sum = 0_u16;
        #[unroll]
        for k in 1..16 {
            let one = levels[[k, l]];
            sum += one.unsigned_abs() + if one != 0 { 3 } else { 0 };
        }
        let one = dc[[l]];
        rate[[l]] = sum + one.unsigned_abs() + if one != 0 { 3 } else { 0 };
        any |= nonzero[[l]];
    }
    let sum = rate.indices().map(|[l]| u32::from(rate[[l]])).sum::<u32>();
    sum + if any == 0 { 1 } else { 17 }
}
