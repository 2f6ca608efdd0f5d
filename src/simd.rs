//! The instruction sets of kernels with `simd`.

use core::fmt;
use core::str::FromStr;

/// A level of the x86-64 architecture, for which kernels with [`simd`](crate::language::output) may have a version each.
///
/// ```
/// use shim::SimdLevel;
///
/// assert_eq!("v3".parse(), Ok(SimdLevel::V3));
/// assert!(SimdLevel::V3 < SimdLevel::V4);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum SimdLevel {
    /// What the program is compiled for: SSE2 on x86-64 if nothing else is said, NEON on aarch64.
    Baseline,
    /// x86-64-v2: SSSE3, SSE4.1, SSE4.2 and POPCNT.
    V2,
    /// x86-64-v3: AVX2, BMI1, BMI2, LZCNT, POPCNT and FMA.
    V3,
    /// x86-64-v4: the AVX-512 subsets F, BW, VL, DQ and CD as well.
    V4,
}

impl SimdLevel {
    /// All levels, lowest first.
    pub const ALL: &[Self] = &[Self::Baseline, Self::V2, Self::V3, Self::V4];

    const fn name(self) -> &'static str {
        match self {
            Self::Baseline => "baseline",
            Self::V2 => "v2",
            Self::V3 => "v3",
            Self::V4 => "v4",
        }
    }
}

impl fmt::Display for SimdLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A name that no [`SimdLevel`] has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseSimdLevelError(());

impl fmt::Display for ParseSimdLevelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("unknown instruction-set level: one of baseline, v2, v3, v4")
    }
}

impl core::error::Error for ParseSimdLevelError {}

impl FromStr for SimdLevel {
    type Err = ParseSimdLevelError;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let named = Self::ALL.iter().find(|level| name.eq_ignore_ascii_case(level.name()));
        named.copied().ok_or(ParseSimdLevelError(()))
    }
}

/// Lets kernels of the whole process use no higher level than `most` from now on, and returns the highest that they
/// use: never one that the machine lacks. A later call may raise it again. Results are the same at every level;
/// measurements and tests compare them.
///
/// Without the feature `std` the level is chosen when the program is compiled, and stays.
///
/// ```
/// use shim::{SimdLevel, limit_simd};
///
/// assert_eq!(limit_simd(SimdLevel::Baseline), SimdLevel::Baseline);
/// assert!(limit_simd(SimdLevel::V4) >= SimdLevel::Baseline);
/// ```
pub fn limit_simd(most: SimdLevel) -> SimdLevel {
    let most = match most {
        SimdLevel::Baseline => 1,
        SimdLevel::V2 => 2,
        SimdLevel::V3 => 3,
        SimdLevel::V4 => 4,
    };
    match crate::__private::limit_level(most) {
        4 => SimdLevel::V4,
        3 => SimdLevel::V3,
        2 => SimdLevel::V2,
        _ => SimdLevel::Baseline,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;

    #[test]
    fn levels_have_names() {
        for level in SimdLevel::ALL {
            assert_eq!(level.to_string().parse(), Ok(*level));
            assert_eq!(level.to_string().to_uppercase().parse(), Ok(*level));
        }
        for wrong in ["", "v1", "avx2", "v33"] {
            assert!(wrong.parse::<SimdLevel>().is_err());
        }
    }
}
