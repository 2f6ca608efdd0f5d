//! Bytes copied from the lines of one block to the columns of another, or to its lines.

use alloc::boxed::Box;

use super::Runtime;
use super::memory::Stack;
use super::shared::Shared;
use super::sixteen::{Sixteen, number};

/// Bytes to be read.
pub trait Bytes {
    /// Where they begin.
    fn first(&self) -> *const u8;
}

/// Bytes to be written.
pub trait BytesMut {
    /// Where they begin.
    fn first_mut(&mut self) -> *mut u8;
}

macro_rules! bytes {
    ($([$($generic:tt)*] $memory:ty;)*) => { $(
        impl<$($generic)*> Bytes for &$memory {
            #[inline(always)]
            fn first(&self) -> *const u8 {
                self.as_ptr()
            }
        }

        impl<$($generic)*> BytesMut for &mut $memory {
            #[inline(always)]
            fn first_mut(&mut self) -> *mut u8 {
                self.as_mut_ptr()
            }
        }
    )* };
}
bytes! {
    [] [u8];
    [] Box<[u8]>;
    [const COUNT: usize] Stack<u8, COUNT>;
}

impl Bytes for Shared<'_, u8> {
    #[inline(always)]
    fn first(&self) -> *const u8 {
        self.start()
    }
}

impl BytesMut for Shared<'_, u8> {
    #[inline(always)]
    fn first_mut(&mut self) -> *mut u8 {
        self.start()
    }
}

#[allow(unsafe_code, reason = "the callers are expansions, which have shown that all elements are inside")]
#[allow(clippy::needless_range_loop, reason = "lines, columns and words are numbered alike")]
impl Runtime {
    /// Copies byte `i` of each of `LINES` lines `j`, `LENGTH` bytes each, to byte `j` of line `i` of another block. The
    /// lines begin `step` bytes after one another, from offset `at` on.
    ///
    /// Four bytes of a line are read or written as a word; the words of all lines lie next to one another, where shifts
    /// take them apart or put them together in vectors.
    ///
    /// # Safety
    /// `from` holds the bytes `at + j * step + i`, and `to` the bytes `at + i * step + j`, for all `j` below `LINES`
    /// and all `i` below `LENGTH`, and no other task writes those or reads these.
    #[inline(always)]
    pub unsafe fn transpose<const LINES: usize, const LENGTH: usize>(
        self,
        from: impl Bytes,
        [at, step]: [isize; 2],
        mut to: impl BytesMut,
        [to_at, to_step]: [isize; 2],
    ) {
        let (from, to) = (from.first(), to.first_mut());
        // SAFETY: the caller's, for each line.
        let line = |j: usize| unsafe { &*from.offset(at + j as isize * step).cast::<[u8; LENGTH]>() };
        let column = |i: usize| unsafe {
            // SAFETY: the same.
            &mut *to.offset(to_at + i as isize * to_step).cast::<[u8; LINES]>()
        };
        if is_interleaved(LINES, LENGTH) {
            let mut vectors = [Sixteen::new([0; 2]); MOST_VECTORS];
            let count = LINES * LENGTH / 16;
            for (v, vector) in vectors.iter_mut().enumerate().take(count) {
                *vector = if LENGTH == 4 {
                    Sixteen::fours([0, 1, 2, 3].map(|j| number(line(4 * v + j))))
                } else {
                    Sixteen::new(
                        [2 * v, 2 * v + 1].map(|half| number(&line(8 * half / LENGTH)[8 * half % LENGTH..])),
                    )
                };
            }
            // Each time, the bits of all offsets rotate by one: those of lines go behind those of columns.
            for _ in 0..LINES.ilog2() {
                let own = vectors;
                for v in 0..count / 2 {
                    [vectors[2 * v], vectors[2 * v + 1]] = own[v].interleaved(own[v + count / 2]);
                }
            }
            for (v, vector) in vectors.iter().enumerate().take(count) {
                for (half, bytes) in vector.numbers().map(u64::to_le_bytes).into_iter().enumerate() {
                    let half = 2 * v + half;
                    if LINES == 4 {
                        column(2 * half).copy_from_slice(&bytes[..4]);
                        column(2 * half + 1).copy_from_slice(&bytes[4..]);
                    } else {
                        let at = 8 * half % LINES;
                        column(8 * half / LINES)[at..at + 8].copy_from_slice(&bytes);
                    }
                }
            }
        } else if LENGTH <= 8 && LINES <= 8 {
            let mut words = [0; 8];
            for j in 0..LINES {
                let mut word = [0; 8];
                word[..LENGTH].copy_from_slice(line(j));
                words[j] = u64::from_le_bytes(word);
            }
            transpose_words(&mut words);
            for i in 0..LENGTH {
                column(i).copy_from_slice(&words[i].to_le_bytes()[..LINES]);
            }
        } else if LENGTH.is_multiple_of(4) && LINES.is_multiple_of(8) {
            let mut words = [[0; LINES]; LENGTH];
            for j in 0..LINES {
                for (g, four) in line(j).as_chunks().0.iter().enumerate() {
                    words[g][j] = u32::from_le_bytes(*four);
                }
            }
            for i in 0..LENGTH {
                let column = column(i);
                for j in 0..LINES {
                    column[j] = (words[i / 4][j] >> (8 * (i % 4))) as u8;
                }
            }
        } else if LINES.is_multiple_of(4) && LENGTH.is_multiple_of(8) {
            let mut words = [[0; LENGTH]; LINES];
            for g in 0..LINES / 4 {
                let four: [_; 4] = core::array::from_fn(|k| line(4 * g + k));
                for i in 0..LENGTH {
                    words[g][i] = u32::from_le_bytes(four.map(|line| line[i]));
                }
            }
            for i in 0..LENGTH {
                for (g, four) in column(i).as_chunks_mut().0.iter_mut().enumerate() {
                    *four = words[g][i].to_le_bytes();
                }
            }
        } else {
            for j in 0..LINES {
                for i in 0..LENGTH {
                    column(i)[j] = line(j)[i];
                }
            }
        }
    }

    /// Copies `LINES` lines of `LENGTH` bytes to those of another block. The lines begin `step` bytes after one
    /// another, from offset `at` on.
    ///
    /// # Safety
    /// Both hold the bytes `at + j * step + i` for all `j` below `LINES` and all `i` below `LENGTH`, and no other task
    /// writes those or reads these.
    #[inline(always)]
    pub unsafe fn copy_lines<const LINES: usize, const LENGTH: usize>(
        self,
        from: impl Bytes,
        [at, step]: [isize; 2],
        mut to: impl BytesMut,
        [to_at, to_step]: [isize; 2],
    ) {
        let (from, to) = (from.first(), to.first_mut());
        for j in 0..LINES as isize {
            // SAFETY: the caller's.
            unsafe {
                *to.offset(to_at + j * to_step).cast::<[u8; LENGTH]>() =
                    *from.offset(at + j * step).cast::<[u8; LENGTH]>();
            }
        }
    }
}

/// The most vectors of sixteen bytes that are interleaved.
const MOST_VECTORS: usize = 16;

/// Whether lines of a length are transposed by interleaving vectors, the first half of all with the second.
const fn is_interleaved(lines: usize, length: usize) -> bool {
    let sizes = lines.is_power_of_two() && length.is_power_of_two() && lines >= 4 && length >= 4;
    let count = lines * length;
    sizes && count >= 32 && count <= 16 * MOST_VECTORS
}

/// Transposes eight words of eight bytes: the halves of the words across from one another, then the quarters, then the
/// bytes.
#[inline(always)]
fn transpose_words(words: &mut [u64; 8]) {
    const STEPS: [(usize, u64); 3] =
        [(4, 0x0000_0000_ffff_ffff), (2, 0x0000_ffff_0000_ffff), (1, 0x00ff_00ff_00ff_00ff)];
    for (distance, lower) in STEPS {
        for k in (0..8).filter(|k| k & distance == 0) {
            let swapped = (words[k] >> (8 * distance) ^ words[k + distance]) & lower;
            words[k] ^= swapped << (8 * distance);
            words[k + distance] ^= swapped;
        }
    }
}

#[cfg(test)]
mod tests {
    extern crate std;

    use std::vec;
    use std::vec::Vec;

    use super::*;

    fn check<const LINES: usize, const LENGTH: usize>() {
        #[allow(unsafe_code, reason = "as an expansion does")]
        // SAFETY: what is called of it below is shown to be inside.
        let runtime = unsafe { Runtime::new([]) };
        let (step, widest) = (LENGTH + 3, LINES.max(LENGTH) + 5);
        let from: Vec<u8> = (0..2 + LINES * step).map(|i| (i * 37 % 251) as u8).collect();
        let (mut turned, mut same) = (vec![0; 7 + LENGTH * widest], vec![0; 7 + LINES * widest]);
        let (place, to) = ([2, step as isize], [7, widest as isize]);
        #[allow(unsafe_code, reason = "all lines are inside")]
        // SAFETY: the lines are `step` and `widest` bytes apart and shorter, from an offset below the bytes that are
        // left.
        unsafe {
            runtime.transpose::<LINES, LENGTH>(&from[..], place, &mut turned[..], to);
            let shared = runtime.shared(&mut same);
            runtime.copy_lines::<LINES, LENGTH>(&from[..], place, shared, to);
        }
        let index = |at: usize| at.checked_sub(7).map(|at| (at / widest, at % widest));
        for (at, byte) in turned.iter().enumerate() {
            let wanted = index(at).filter(|(_, j)| *j < LINES);
            assert_eq!(*byte, wanted.map_or(0, |(i, j)| from[2 + j * step + i]), "{at} of {LINES}x{LENGTH}");
        }
        for (at, byte) in same.iter().enumerate() {
            let wanted = index(at).filter(|(_, i)| *i < LENGTH);
            assert_eq!(*byte, wanted.map_or(0, |(j, i)| from[2 + j * step + i]), "{at} of {LINES}x{LENGTH}");
        }
    }

    #[test]
    fn lines_become_columns_or_lines() {
        check::<16, 20>();
        check::<20, 16>();
        check::<16, 16>();
        check::<8, 4>();
        check::<4, 8>();
        check::<8, 8>();
        check::<4, 4>();
        check::<5, 7>();
        check::<1, 1>();
    }
}
