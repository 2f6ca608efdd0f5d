//! The choice between instruction sets, made once.

#[cfg(all(feature = "std", target_arch = "x86_64"))]
mod detected {
    use core::sync::atomic::{AtomicU8, Ordering};

    /// 0: not looked yet; then 1 for the baseline, 3 and 4 for the levels of x86-64.
    static LEVEL: AtomicU8 = AtomicU8::new(0);

    #[inline(always)]
    pub(super) fn level() -> u8 {
        match LEVEL.load(Ordering::Relaxed) {
            0 => detect(),
            level => level,
        }
    }

    #[cold]
    #[inline(never)]
    fn detect() -> u8 {
        let v3 = is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt")
            && is_x86_feature_detected!("fma");
        let v4 = v3
            && is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512vl")
            && is_x86_feature_detected!("avx512dq")
            && is_x86_feature_detected!("avx512cd");
        let level = if v4 {
            4
        } else if v3 {
            3
        } else {
            1
        };
        LEVEL.store(level, Ordering::Relaxed);
        level
    }
}

#[cfg(not(all(feature = "std", target_arch = "x86_64")))]
mod detected {
    /// Without `std` the choice is made when compiling.
    #[inline(always)]
    pub(super) fn level() -> u8 {
        if cfg!(all(
            target_feature = "avx512f",
            target_feature = "avx512bw",
            target_feature = "avx512vl",
            target_feature = "avx512dq",
            target_feature = "avx512cd"
        )) {
            4
        } else if cfg!(all(
            target_feature = "avx2",
            target_feature = "bmi1",
            target_feature = "bmi2",
            target_feature = "lzcnt",
            target_feature = "popcnt",
            target_feature = "fma"
        )) {
            3
        } else {
            1
        }
    }
}

/// Whether the machine has the vector instructions of x86-64-v3.
#[inline(always)]
pub fn has_v3() -> bool {
    detected::level() >= 3
}

/// Whether the machine has the vector instructions of x86-64-v4.
#[inline(always)]
pub fn has_v4() -> bool {
    detected::level() >= 4
}
