//! The instruction sets.

use shim_jpeg::SimdLevel;

use crate::memory::caught;
use crate::status::{Failure, SHIM_OK, Status};

/// A level of the x86-64 architecture: one of `SHIM_SIMD_*`.
pub type Level = u32;

/// The baseline that the library is compiled for: SSE2 on x86-64 by default, NEON on aarch64.
pub const SHIM_SIMD_BASELINE: Level = 0;
/// x86-64-v2: SSSE3, SSE4.1, SSE4.2 and POPCNT.
pub const SHIM_SIMD_V2: Level = 2;
/// x86-64-v3: AVX2, BMI1, BMI2, LZCNT, POPCNT and FMA.
pub const SHIM_SIMD_V3: Level = 3;
/// x86-64-v4: the AVX-512 subsets F, BW, VL, DQ and CD as well.
pub const SHIM_SIMD_V4: Level = 4;

/// The level of the library as C has it.
const fn number(level: SimdLevel) -> Level {
    match level {
        SimdLevel::V4 => SHIM_SIMD_V4,
        SimdLevel::V3 => SHIM_SIMD_V3,
        SimdLevel::V2 => SHIM_SIMD_V2,
        _ => SHIM_SIMD_BASELINE,
    }
}

/// Lets the encoders of the whole process use no higher level than `most` from now on. `*level`, which may be null,
/// becomes the highest that they use: never one that the machine lacks. A later call may raise it again, and any thread
/// may call. Files and streams are the same at every level; measurements and tests compare them.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn shim_limit_simd(most: Level, level: *mut Level) -> Status {
    let limited = caught(|| {
        let used = shim_jpeg::limit_simd(match most {
            SHIM_SIMD_BASELINE => SimdLevel::Baseline,
            SHIM_SIMD_V2 => SimdLevel::V2,
            SHIM_SIMD_V3 => SimdLevel::V3,
            SHIM_SIMD_V4 => SimdLevel::V4,
            _ => return Err(Failure::unknown("most", most)),
        });
        Ok(number(used))
    });
    match limited {
        Ok(used) => {
            if !level.is_null() {
                // SAFETY: a pointer to a number, by the rules of the library; it is not null.
                unsafe { level.write_unaligned(used) };
            }
            SHIM_OK
        }
        Err(failure) => failure.status,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::status::SHIM_ERROR_VALUE;
    use std::ptr::null_mut;

    #[test]
    fn the_limit_is_that_of_the_library() {
        let limit = |most| {
            let mut level = 99;
            // SAFETY: a pointer to a number.
            let status = unsafe { shim_limit_simd(most, &raw mut level) };
            (status, level)
        };
        for wrong in [1, 5, u32::MAX] {
            assert_eq!(limit(wrong), (SHIM_ERROR_VALUE, 99));
        }
        assert_eq!(limit(SHIM_SIMD_BASELINE), (SHIM_OK, SHIM_SIMD_BASELINE));
        for &level in SimdLevel::ALL {
            let used = number(shim_jpeg::limit_simd(level));
            assert_eq!(limit(number(level)), (SHIM_OK, used));
        }
        // SAFETY: null is allowed.
        assert_eq!(unsafe { shim_limit_simd(SHIM_SIMD_V4, null_mut()) }, SHIM_OK);
    }
}
