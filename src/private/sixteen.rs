//! Sixteen bytes in a register of SSE2 or NEON, or in an array.

/// Four or eight bytes as a number.
#[inline(always)]
pub(super) fn number(bytes: &[u8]) -> u64 {
    match (bytes.first_chunk(), bytes.first_chunk()) {
        (Some(bytes), _) => u64::from_le_bytes(*bytes),
        (None, Some(bytes)) => u64::from(u32::from_le_bytes(*bytes)),
        (None, None) => 0,
    }
}

#[cfg(all(any(target_arch = "x86_64", target_arch = "x86"), target_feature = "sse2"))]
#[allow(unsafe_code, reason = "the whole crate is compiled for SSE2")]
mod vectors {
    #[cfg(target_arch = "x86")]
    use core::arch::x86::{
        __m128i, _mm_add_epi64, _mm_cvtsi128_si32, _mm_sad_epu8, _mm_set_epi32, _mm_set_epi64x,
        _mm_setzero_si128, _mm_unpackhi_epi8, _mm_unpackhi_epi64, _mm_unpacklo_epi8,
    };
    #[cfg(target_arch = "x86_64")]
    use core::arch::x86_64::{
        __m128i, _mm_add_epi64, _mm_cvtsi128_si32, _mm_sad_epu8, _mm_set_epi32, _mm_set_epi64x,
        _mm_setzero_si128, _mm_unpackhi_epi8, _mm_unpackhi_epi64, _mm_unpacklo_epi8,
    };

    /// Sixteen bytes.
    #[derive(Clone, Copy)]
    pub(in super::super) struct Sixteen(__m128i);

    impl Sixteen {
        /// The bytes of two numbers, the lowest first.
        #[inline(always)]
        pub(in super::super) fn new([low, high]: [u64; 2]) -> Self {
            // SAFETY: the crate is compiled for SSE2.
            Self(unsafe { _mm_set_epi64x(high as i64, low as i64) })
        }

        /// The bytes of four numbers below `1 << 32`.
        #[inline(always)]
        pub(in super::super) fn fours(numbers: [u64; 4]) -> Self {
            let [a, b, c, d] = numbers.map(|number| number as i32);
            // SAFETY: the crate is compiled for SSE2.
            Self(unsafe { _mm_set_epi32(d, c, b, a) })
        }

        /// The two numbers.
        #[inline(always)]
        pub(in super::super) fn numbers(self) -> [u64; 2] {
            // SAFETY: any bits are two numbers.
            unsafe { core::mem::transmute(self.0) }
        }

        /// The bytes of both in turns.
        #[inline(always)]
        pub(in super::super) fn interleaved(self, other: Self) -> [Self; 2] {
            // SAFETY: the crate is compiled for SSE2.
            unsafe { [Self(_mm_unpacklo_epi8(self.0, other.0)), Self(_mm_unpackhi_epi8(self.0, other.0))] }
        }
    }

    /// The sums of the lower and of the upper halves.
    #[derive(Clone, Copy)]
    pub(in super::super) struct Sum(__m128i);

    impl Default for Sum {
        #[inline(always)]
        fn default() -> Self {
            // SAFETY: the crate is compiled for SSE2.
            Self(unsafe { _mm_setzero_si128() })
        }
    }

    impl Sum {
        /// Adds absolute differences.
        #[inline(always)]
        pub(in super::super) fn add(&mut self, a: Sixteen, b: Sixteen) {
            // SAFETY: the crate is compiled for SSE2.
            self.0 = unsafe { _mm_add_epi64(self.0, _mm_sad_epu8(a.0, b.0)) };
        }

        #[inline(always)]
        pub(in super::super) fn total(self) -> u32 {
            let Self(sum) = self;
            // SAFETY: the crate is compiled for SSE2.
            unsafe { _mm_cvtsi128_si32(_mm_add_epi64(sum, _mm_unpackhi_epi64(sum, sum))) }.cast_unsigned()
        }
    }
}

#[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
#[allow(unsafe_code, reason = "the whole crate is compiled for NEON")]
mod vectors {
    use core::arch::aarch64::{
        uint8x16_t, uint32x4_t, vabal_high_u8, vabal_u8, vaddvq_u32, vcombine_u8, vcreate_u8, vdupq_n_u16,
        vdupq_n_u32, vget_low_u8, vpadalq_u16, vzip1q_u8, vzip2q_u8,
    };

    /// Sixteen bytes.
    #[derive(Clone, Copy)]
    pub(in super::super) struct Sixteen(uint8x16_t);

    impl Sixteen {
        /// The bytes of two numbers, the lowest first.
        #[inline(always)]
        pub(in super::super) fn new([low, high]: [u64; 2]) -> Self {
            // SAFETY: the crate is compiled for NEON.
            Self(unsafe { vcombine_u8(vcreate_u8(low), vcreate_u8(high)) })
        }

        /// The bytes of four numbers below `1 << 32`.
        #[inline(always)]
        pub(in super::super) fn fours([a, b, c, d]: [u64; 4]) -> Self {
            Self::new([a | b << 32, c | d << 32])
        }

        /// The two numbers.
        #[inline(always)]
        pub(in super::super) fn numbers(self) -> [u64; 2] {
            // SAFETY: any bits are two numbers.
            unsafe { core::mem::transmute(self.0) }
        }

        /// The bytes of both in turns.
        #[inline(always)]
        pub(in super::super) fn interleaved(self, other: Self) -> [Self; 2] {
            // SAFETY: the crate is compiled for NEON.
            unsafe { [Self(vzip1q_u8(self.0, other.0)), Self(vzip2q_u8(self.0, other.0))] }
        }
    }

    /// Four sums.
    #[derive(Clone, Copy)]
    pub(in super::super) struct Sum(uint32x4_t);

    impl Default for Sum {
        #[inline(always)]
        fn default() -> Self {
            // SAFETY: the crate is compiled for NEON.
            Self(unsafe { vdupq_n_u32(0) })
        }
    }

    impl Sum {
        /// Adds absolute differences.
        #[inline(always)]
        pub(in super::super) fn add(&mut self, Sixteen(a): Sixteen, Sixteen(b): Sixteen) {
            // SAFETY: the crate is compiled for NEON.
            unsafe {
                let pairs = vabal_high_u8(vabal_u8(vdupq_n_u16(0), vget_low_u8(a), vget_low_u8(b)), a, b);
                self.0 = vpadalq_u16(self.0, pairs);
            }
        }

        #[inline(always)]
        pub(in super::super) fn total(self) -> u32 {
            // SAFETY: the crate is compiled for NEON.
            unsafe { vaddvq_u32(self.0) }
        }
    }
}

#[cfg(not(any(
    all(any(target_arch = "x86_64", target_arch = "x86"), target_feature = "sse2"),
    all(target_arch = "aarch64", target_feature = "neon")
)))]
mod vectors {
    /// Sixteen bytes.
    #[derive(Clone, Copy)]
    pub(in super::super) struct Sixteen([u8; 16]);

    impl Sixteen {
        /// The bytes of two numbers, the lowest first.
        #[inline(always)]
        pub(in super::super) fn new([low, high]: [u64; 2]) -> Self {
            Self((u128::from(low) | u128::from(high) << 64).to_le_bytes())
        }

        /// The bytes of four numbers below `1 << 32`.
        #[inline(always)]
        pub(in super::super) fn fours([a, b, c, d]: [u64; 4]) -> Self {
            Self::new([a | b << 32, c | d << 32])
        }

        /// The two numbers.
        #[inline(always)]
        pub(in super::super) fn numbers(self) -> [u64; 2] {
            let both = u128::from_le_bytes(self.0);
            [both as u64, (both >> 64) as u64]
        }

        /// The bytes of both in turns.
        #[inline(always)]
        pub(in super::super) fn interleaved(self, other: Self) -> [Self; 2] {
            let half = |from: usize| {
                Self(core::array::from_fn(|i| {
                    if i % 2 == 0 { self.0[from + i / 2] } else { other.0[from + i / 2] }
                }))
            };
            [half(0), half(8)]
        }
    }

    /// The sum.
    #[derive(Clone, Copy, Default)]
    pub(in super::super) struct Sum(u32);

    impl Sum {
        /// Adds absolute differences.
        #[inline(always)]
        pub(in super::super) fn add(&mut self, a: Sixteen, b: Sixteen) {
            self.0 += a.0.iter().zip(b.0).map(|(a, b)| u32::from(a.abs_diff(b))).sum::<u32>();
        }

        #[inline(always)]
        pub(in super::super) fn total(self) -> u32 {
            self.0
        }
    }
}

pub(super) use vectors::{Sixteen, Sum};
