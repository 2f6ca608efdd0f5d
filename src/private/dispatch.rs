//! The choice between instruction sets, made once, and the functions that are compiled for them.

use super::Runtime;

#[cfg(all(feature = "std", target_arch = "x86_64"))]
mod detected {
    use core::sync::atomic::{AtomicU8, Ordering};

    /// 0: not looked yet; then 1 for the baseline, 2 to 4 for the levels of x86-64.
    static LEVEL: AtomicU8 = AtomicU8::new(0);

    #[inline(always)]
    pub(super) fn level() -> u8 {
        match LEVEL.load(Ordering::Relaxed) {
            0 => detect(),
            level => level,
        }
    }

    /// Chooses the best level that the machine has and `most` allows.
    pub(super) fn limit(most: u8) -> u8 {
        let level = [4, 3, 2].into_iter().find(|level| *level <= most.min(best())).unwrap_or(1);
        LEVEL.store(level, Ordering::Relaxed);
        level
    }

    #[cold]
    #[inline(never)]
    fn detect() -> u8 {
        let level = best();
        // A limit that was set in the meantime stays.
        LEVEL
            .compare_exchange(0, level, Ordering::Relaxed, Ordering::Relaxed)
            .map_or_else(|set| set, |_| level)
    }

    fn best() -> u8 {
        let v2 = is_x86_feature_detected!("ssse3")
            && is_x86_feature_detected!("sse4.1")
            && is_x86_feature_detected!("sse4.2")
            && is_x86_feature_detected!("popcnt");
        let v3 = v2
            && is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("fma");
        let v4 = v3
            && is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512vl")
            && is_x86_feature_detected!("avx512dq")
            && is_x86_feature_detected!("avx512cd");
        if v4 {
            4
        } else if v3 {
            3
        } else if v2 {
            2
        } else {
            1
        }
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
        } else if cfg!(all(
            target_feature = "ssse3",
            target_feature = "sse4.1",
            target_feature = "sse4.2",
            target_feature = "popcnt"
        )) {
            2
        } else {
            1
        }
    }

    /// What was chosen when compiling stays.
    pub(super) fn limit(_: u8) -> u8 {
        level()
    }
}

/// Lets kernels choose no higher level than `most` from now on, in the whole process: 1 is the baseline. The level
/// that they choose. Tests and measurements compare the levels with it; it never goes above what the machine has.
pub fn limit_level(most: u8) -> u8 {
    detected::limit(most)
}

/// Whether kernels use the vector instructions of x86-64-v2.
#[inline(always)]
pub fn has_v2() -> bool {
    detected::level() >= 2
}

/// Whether kernels use the vector instructions of x86-64-v3.
#[inline(always)]
pub fn has_v3() -> bool {
    detected::level() >= 3
}

/// Whether kernels use the vector instructions of x86-64-v4.
#[inline(always)]
pub fn has_v4() -> bool {
    detected::level() >= 4
}

/// Defines a function that calls a closure with arguments, for the highest level of a list that the machine has. The
/// list begins with the highest one.
///
/// The closure is `#[inline(always)]`: LLVM inlines it into a function per level and compiles it for the instructions
/// of each, while rustc checks it once. Its arguments are passed on one by one, because LLVM knows that memory does not
/// overlap by the references among a function's parameters, not by those that a closure captures.
///
/// The functions are the caller's, so that each crate, and each codegen unit, compiles its own.
#[doc(hidden)]
#[macro_export]
macro_rules! __shim_versions {
    ($choose:ident $arguments:tt $($level:ident)*) => {
        $crate::__shim_versions! { @function $choose $arguments body { $($level)* } }
    };
    (@function $choose:ident ($($argument:ident),*) $body:ident $levels:tt) => {
        #[inline(always)]
        fn $choose<Output, Body: ::core::ops::FnOnce($($argument),*) -> Output, $($argument),*>(
            $body: Body,
            $($argument: $argument),*
        ) -> Output {
            $crate::__shim_versions! { @levels ($body, $($argument),*) ($($argument),*) $levels }
        }
    };
    (@levels $call:tt $arguments:tt { $level:ident $($lower:ident)* }) => {
        $crate::__shim_versions! { @level $level $call $arguments }
        $crate::__shim_versions! { @levels $call $arguments { $($lower)* } }
    };
    (@levels $call:tt ($($argument:ident),*) {}) => {
        // Out of the way of the choice, which other functions inline.
        #[cfg_attr(target_arch = "x86_64", inline(never))]
        fn baseline<Output, Body: ::core::ops::FnOnce($($argument),*) -> Output, $($argument),*>(
            body: Body,
            $($argument: $argument),*
        ) -> Output {
            body($($argument),*)
        }
        baseline $call
    };
    (@level v4 $call:tt $arguments:tt) => {
        $crate::__shim_versions! {
            @version v4 has_v4 "avx512f,avx512bw,avx512vl,avx512dq,avx512cd,avx2,bmi1,bmi2,lzcnt,popcnt,fma" $call $arguments
        }
    };
    (@level v3 $call:tt $arguments:tt) => {
        $crate::__shim_versions! { @version v3 has_v3 "avx2,bmi1,bmi2,lzcnt,popcnt,fma" $call $arguments }
    };
    (@level v2 $call:tt $arguments:tt) => {
        $crate::__shim_versions! { @version v2 has_v2 "ssse3,sse4.1,sse4.2,popcnt" $call $arguments }
    };
    (@version $level:ident $has:ident $features:literal $call:tt ($($argument:ident),*)) => {
        #[cfg(target_arch = "x86_64")]
        if $crate::__private::$has() {
            #[target_feature(enable = $features)]
            fn $level<Output, Body: ::core::ops::FnOnce($($argument),*) -> Output, $($argument),*>(
                body: Body,
                $($argument: $argument),*
            ) -> Output {
                body($($argument),*)
            }
            // SAFETY: the machine has these features.
            return unsafe { $level $call };
        }
    };
}

impl Runtime {
    /// Runs a task for the highest of some levels, the bits of `LEVELS`, that the machine has.
    ///
    /// Rayon calls tasks from functions of its own, which are compiled for the baseline.
    #[allow(unsafe_code, reason = "calls of the functions behind the test of their level")]
    #[inline(always)]
    pub fn task<const LEVELS: u32>(self, body: impl FnOnce()) {
        if LEVELS & (1 << 4) != 0 {
            crate::__shim_versions! { @level v4 (body) () }
        }
        if LEVELS & (1 << 3) != 0 {
            crate::__shim_versions! { @level v3 (body) () }
        }
        if LEVELS & (1 << 2) != 0 {
            crate::__shim_versions! { @level v2 (body) () }
        }
        body();
    }
}
