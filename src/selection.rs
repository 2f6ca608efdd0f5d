//! Bytes picked by a table of places.

#[cfg(all(target_arch = "x86_64", not(miri)))]
use crate::__private::has_v3;

/// Bytes in half a row: what a shuffle reaches.
const CHUNK: usize = 16;
/// Bytes in a row of the output: two halves, each shuffled by itself.
#[cfg(all(any(target_arch = "x86_64", all(target_arch = "aarch64", target_feature = "neon")), not(miri)))]
const ROW: usize = 2 * CHUNK;

/// A permutation, or any other choice of bytes, known when the program is compiled: byte `i` of what comes out is byte
/// `places[i]` of what goes in.
///
/// Made as a constant, it is a few shuffles of vector registers for each 32 bytes where [kernels with
/// `simd`](crate::language::output) choose x86-64-v3 or better, and on aarch64, if the lengths are multiples of 16 and of 32; byte by byte
/// otherwise. `PARTS` is how many shuffles: from how many parts of 16 bytes of the input the lower halves of these 32 bytes come, or the
/// upper ones if that is more. [`new`](Self::new) says if it is too small, when the program is compiled.
///
/// ```
/// use shim::Selection;
///
/// /// The transpose of a 4x4 block.
/// const TRANSPOSE: Selection<16, 1> = Selection::new([0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15]);
///
/// let block = *b"abcdefghijklmnop";
/// let mut out = [0; 16];
/// TRANSPOSE.select(&block, &mut out);
/// assert_eq!(&out, b"aeimbfjncgkodhlp");
/// ```
#[derive(Clone, Debug)]
pub struct Selection<const N: usize, const PARTS: usize> {
    places: [u8; N],
    /// The parts of the input that lower halves of rows come from, and upper ones.
    parts: [[u8; PARTS]; 2],
    /// For each of these parts the places of each byte in it, 128 where it comes from another one.
    masks: [[u8; N]; PARTS],
    /// How long the input has to be.
    least: usize,
}

impl<const N: usize, const PARTS: usize> Selection<N, PARTS> {
    /// The selection by these places.
    ///
    /// # Panics
    ///
    /// When a place is above 255, or `PARTS` is too small. In a constant that is an error of compilation.
    #[must_use]
    pub const fn new(places: [usize; N]) -> Self {
        let mut new = Self { places: [0; N], parts: [[0; PARTS]; 2], masks: [[128; N]; PARTS], least: 0 };
        let mut used = [0; 2];
        let mut i = 0;
        while i < N {
            assert!(places[i] < 256, "a place is above 255");
            let (place, half) = (places[i] as u8, i / CHUNK % 2);
            let mut part = 0;
            while part < used[half] && new.parts[half][part] != place / CHUNK as u8 {
                part += 1;
            }
            if part == used[half] {
                assert!(part < PARTS, "bytes come from more parts of the input than `PARTS`");
                new.parts[half][part] = place / CHUNK as u8;
                used[half] += 1;
            }
            new.places[i] = place;
            new.masks[part][i] = place % CHUNK as u8;
            if new.least <= places[i] {
                new.least = places[i] + 1;
            }
            i += 1;
        }
        new
    }

    /// Writes what is selected of `from`.
    ///
    /// # Panics
    ///
    /// When a place is beyond the end of `from`.
    #[inline(always)]
    #[allow(clippy::inline_always, reason = "the places are constants where this is used")]
    pub fn select<const M: usize>(&self, from: &[u8; M], to: &mut [u8; N]) {
        assert!(self.least <= M, "byte {} of {M} is selected", self.least - 1);
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
        for (to, place) in to.iter_mut().zip(&self.places) {
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
            for (part, masks) in parts.iter().zip(&self.masks) {
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
            for (part, masks) in parts[half % 2].iter().zip(&self.masks) {
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

    /// Selections of any of the first `parts` parts, by vectors and without.
    fn same<const M: usize, const N: usize, const PARTS: usize>(seed: u64) {
        let mut state = seed;
        let from: [u8; M] = core::array::from_fn(|_| next(&mut state) as u8);
        let places = [0; N].map(|_| next(&mut state) % M.min(CHUNK * PARTS));
        let selection: Selection<N, PARTS> = Selection::new(places);
        let expected: Vec<u8> = places.iter().map(|&place| from[place]).collect();
        for level in [1, 3, 4] {
            limit_level(level);
            let mut to = [0; N];
            selection.select(&from, &mut to);
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
            same::<0, 0, 1>(seed);
        }
    }

    #[test]
    fn halves_of_rows_have_parts_of_their_own() {
        // 32 bytes of which the lower half comes from part 0 and the upper from part 1 are one shuffle.
        let places: [usize; 32] = core::array::from_fn(|i| i ^ 5);
        let (from, mut to) = (core::array::from_fn::<u8, 32, _>(|i| i as u8), [0; 32]);
        Selection::<32, 1>::new(places).select(&from, &mut to);
        assert_eq!(to, places.map(|place| place as u8));
    }

    #[test]
    #[should_panic(expected = "more parts of the input than `PARTS`")]
    fn parts_are_counted() {
        let _ = Selection::<16, 1>::new(core::array::from_fn(|i| 2 * i));
    }

    #[test]
    #[should_panic(expected = "a place is above 255")]
    fn places_are_bytes() {
        let _ = Selection::<1, 1>::new([256]);
    }

    #[test]
    #[should_panic(expected = "byte 7 of 7 is selected")]
    fn the_input_is_long_enough() {
        Selection::<1, 1>::new([7]).select(&[0; 7], &mut [0]);
    }
}
