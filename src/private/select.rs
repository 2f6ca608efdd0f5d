//! Elements picked by a table of places.

use super::Runtime;
#[cfg(all(target_arch = "x86_64", not(miri)))]
use super::has_v3;

/// Bytes in half a row: what a shuffle reaches.
#[cfg(any(
    all(target_arch = "x86_64", not(miri)),
    all(target_arch = "aarch64", target_feature = "neon", not(miri)),
    all(target_arch = "wasm32", target_feature = "simd128"),
))]
const CHUNK: usize = 16;
/// Bytes in a row of the output: two halves, each shuffled by itself.
#[cfg(any(
    all(target_arch = "x86_64", not(miri)),
    all(target_arch = "aarch64", target_feature = "neon", not(miri)),
    all(target_arch = "wasm32", target_feature = "simd128"),
))]
const ROW: usize = 2 * CHUNK;

/// Which bytes are selected. An expansion has all of it in constants.
#[derive(Clone, Copy, Debug)]
#[allow(dead_code, reason = "machines without shuffles select by the places alone")]
struct Selected<'s, const N: usize, const PARTS: usize> {
    /// The byte of the input that each byte of the output is.
    places: &'s [u8; N],
    /// The parts of 16 bytes of the input that lower halves of rows of 32 bytes come from, and upper ones.
    parts: [[u8; PARTS]; 2],
    /// For each of these parts the places of each byte in it, 128 where it comes from another one.
    masks: [&'s [u8; N]; PARTS],
}

impl Runtime {
    /// The elements at `places` behind `at`.
    ///
    /// # Panics
    /// When one lies outside the memory.
    #[inline(always)]
    pub fn select<T: Copy, const N: usize>(self, memory: &[T], at: isize, to: &mut [T], places: &[usize; N]) {
        let from = &memory[at as usize..];
        for (to, place) in to.iter_mut().zip(places) {
            *to = from[*place];
        }
    }

    /// The bytes at `places` behind `at`, all within `M` bytes. They are a few shuffles of vector registers for each 32
    /// bytes where kernels with `simd` run on x86-64-v3 or better, and on aarch64 and wasm with `simd128`, if the
    /// lengths are multiples of 16 and of 32.
    ///
    /// # Panics
    /// When the memory is shorter.
    #[inline(always)]
    pub fn select_bytes<const M: usize, const N: usize, const PARTS: usize>(
        self,
        memory: &[u8],
        at: isize,
        to: &mut [u8],
        places: &[u8; N],
        parts: [[u8; PARTS]; 2],
        masks: [&[u8; N]; PARTS],
    ) {
        let from: &[u8; M] = memory[at as usize..].first_chunk().expect("the block has so many bytes");
        let to: &mut [u8; N] = to.first_chunk_mut().expect("the block has so many elements");
        Selected { places, parts, masks }.select(from, to);
    }
}

impl<const N: usize, const PARTS: usize> Selected<'_, N, PARTS> {
    #[inline(always)]
    fn select<const M: usize>(&self, from: &[u8; M], to: &mut [u8; N]) {
        #[cfg(all(target_arch = "x86_64", not(miri)))]
        if N > 0 && M.is_multiple_of(CHUNK) && N.is_multiple_of(ROW) && has_v3() {
            #[allow(unsafe_code, reason = "the instructions are there")]
            // SAFETY: `has_v3` says that the machine has the features.
            unsafe {
                self.shuffled(from, to);
            }
            return;
        }
        #[cfg(all(target_arch = "aarch64", target_feature = "neon", not(miri)))]
        if N > 0 && M.is_multiple_of(CHUNK) && N.is_multiple_of(ROW) {
            #[allow(unsafe_code, reason = "the instructions are there")]
            // SAFETY: the target has them.
            unsafe {
                self.shuffled(from, to);
            }
            return;
        }
        #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
        if N > 0 && M.is_multiple_of(CHUNK) && N.is_multiple_of(ROW) {
            return self.shuffled(from, to);
        }
        for (to, place) in to.iter_mut().zip(self.places) {
            *to = from[usize::from(*place)];
        }
    }

    #[cfg(all(target_arch = "x86_64", not(miri)))]
    #[target_feature(enable = "avx2")]
    #[inline]
    fn shuffled<const M: usize>(&self, from: &[u8; M], to: &mut [u8; N]) {
        use core::arch::x86_64::{
            __m256i, _mm_loadu_si128, _mm256_loadu_si256, _mm256_or_si256, _mm256_set_m128i,
            _mm256_setzero_si256, _mm256_shuffle_epi8, _mm256_storeu_si256,
        };
        let part = |part: u8| {
            let part: &[u8; CHUNK] = from[CHUNK * usize::from(part)..].first_chunk().expect("whole parts");
            #[allow(unsafe_code, reason = "loads take a pointer")]
            // SAFETY: the array has 16 bytes.
            unsafe {
                _mm_loadu_si128(part.as_ptr().cast())
            }
        };
        let [lower, upper] = &self.parts;
        let parts: [__m256i; PARTS] =
            core::array::from_fn(|i| _mm256_set_m128i(part(upper[i]), part(lower[i])));
        let (rows, _) = to.as_chunks_mut::<ROW>();
        for (row, to) in rows.iter_mut().enumerate() {
            let mut selected = _mm256_setzero_si256();
            for (part, masks) in parts.iter().zip(self.masks) {
                let mask = &masks.as_chunks::<ROW>().0[row];
                #[allow(unsafe_code, reason = "loads take a pointer")]
                // SAFETY: the array has 32 bytes.
                let mask = unsafe { _mm256_loadu_si256(mask.as_ptr().cast()) };
                selected = _mm256_or_si256(selected, _mm256_shuffle_epi8(*part, mask));
            }
            #[allow(unsafe_code, reason = "stores take a pointer")]
            // SAFETY: the array has 32 bytes.
            unsafe {
                _mm256_storeu_si256(to.as_mut_ptr().cast(), selected);
            }
        }
    }

    #[cfg(all(target_arch = "aarch64", target_feature = "neon", not(miri)))]
    #[target_feature(enable = "neon")]
    #[inline]
    fn shuffled<const M: usize>(&self, from: &[u8; M], to: &mut [u8; N]) {
        use core::arch::aarch64::{uint8x16_t, vdupq_n_u8, vld1q_u8, vorrq_u8, vqtbl1q_u8, vst1q_u8};
        let load = |bytes: &[u8; CHUNK]| {
            #[allow(unsafe_code, reason = "loads take a pointer")]
            // SAFETY: the array has 16 bytes.
            unsafe {
                vld1q_u8(bytes.as_ptr())
            }
        };
        let parts: [[uint8x16_t; PARTS]; 2] =
            self.parts.map(|parts| parts.map(|part| load(&from.as_chunks::<CHUNK>().0[usize::from(part)])));
        for (half, to) in to.as_chunks_mut::<CHUNK>().0.iter_mut().enumerate() {
            let mut selected = vdupq_n_u8(0);
            for (part, masks) in parts[half % 2].iter().zip(self.masks) {
                // A place that is not in the part gives 0.
                selected = vorrq_u8(selected, vqtbl1q_u8(*part, load(&masks.as_chunks::<CHUNK>().0[half])));
            }
            #[allow(unsafe_code, reason = "stores take a pointer")]
            // SAFETY: the array has 16 bytes.
            unsafe {
                vst1q_u8(to.as_mut_ptr(), selected);
            }
        }
    }

    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    #[inline]
    fn shuffled<const M: usize>(&self, from: &[u8; M], to: &mut [u8; N]) {
        use core::arch::wasm32::{i8x16_swizzle, u64x2, u64x2_extract_lane, v128, v128_or};
        let load = |bytes: &[u8; CHUNK]| {
            let (words, _) = bytes.as_chunks::<8>();
            u64x2(u64::from_le_bytes(words[0]), u64::from_le_bytes(words[1]))
        };
        let parts: [[v128; PARTS]; 2] =
            self.parts.map(|parts| parts.map(|part| load(&from.as_chunks::<CHUNK>().0[usize::from(part)])));
        for (half, to) in to.as_chunks_mut::<CHUNK>().0.iter_mut().enumerate() {
            let mut selected = u64x2(0, 0);
            for (part, masks) in parts[half % 2].iter().zip(self.masks) {
                // A place that is not in the part gives 0.
                selected = v128_or(selected, i8x16_swizzle(*part, load(&masks.as_chunks::<CHUNK>().0[half])));
            }
            let (words, _) = to.as_chunks_mut::<8>();
            words[0] = u64x2_extract_lane::<0>(selected).to_le_bytes();
            words[1] = u64x2_extract_lane::<1>(selected).to_le_bytes();
        }
    }
}

#[cfg(test)]
mod tests {
    extern crate std;

    use std::vec::Vec;

    use super::*;
    use crate::__private::limit_level;

    /// The next of reproducible numbers.
    fn next(state: &mut u64) -> usize {
        *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (*state >> 40) as usize
    }

    /// The parts and masks of places, as the compiler finds them.
    fn masks<const N: usize, const PARTS: usize>(places: &[u8; N]) -> ([[u8; PARTS]; 2], [[u8; N]; PARTS]) {
        let (mut parts, mut used, mut masks) = ([[0; PARTS]; 2], [0; 2], [[128; N]; PARTS]);
        for (i, place) in places.iter().enumerate() {
            let (half, chunk) = (i / 16 % 2, place / 16);
            let part = (0..used[half]).find(|part| parts[half][*part] == chunk).unwrap_or_else(|| {
                parts[half][used[half]] = chunk;
                used[half] += 1;
                used[half] - 1
            });
            masks[part][i] = place % 16;
        }
        (parts, masks)
    }

    /// Selections of any of the first `parts` parts, by vectors and without.
    fn same<const M: usize, const N: usize, const PARTS: usize>(seed: u64) {
        let mut state = seed;
        let from: [u8; M] = core::array::from_fn(|_| next(&mut state) as u8);
        let places = [0; N].map(|_: u8| (next(&mut state) % M.min(16 * PARTS)) as u8);
        let (parts, masks) = masks::<N, PARTS>(&places);
        let expected: Vec<u8> = places.iter().map(|&place| from[usize::from(place)]).collect();
        for level in [1, 3, 4] {
            limit_level(level);
            let mut to = [0; N];
            Selected { places: &places, parts, masks: masks.each_ref() }.select(&from, &mut to);
            assert_eq!(to[..], expected, "level {level}, {places:?}");
        }
    }

    #[test]
    fn what_is_selected_is_what_stands_at_the_places() {
        for seed in 0..50 {
            same::<16, 32, 1>(seed);
            same::<64, 96, 4>(seed);
            same::<96, 512, 6>(seed);
            same::<96, 64, 3>(seed);
            same::<256, 256, 16>(seed);
            // None of these is made of whole parts.
            same::<33, 64, 3>(seed);
            same::<16, 5, 1>(seed);
            same::<1, 0, 1>(seed);
        }
    }
}
