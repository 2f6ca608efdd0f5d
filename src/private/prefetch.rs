//! Memory that will be wanted soon.

use super::Runtime;
use super::rows::Row;

impl Runtime {
    /// Brings the memory of element `at` nearer. Any `at` will do: nothing is read.
    #[inline(always)]
    pub fn prefetch<T>(self, memory: &[T], at: isize) {
        line(memory.as_ptr().wrapping_add(at as usize));
    }

    /// The same of the element in row `at[0]` and column `at[1]`; of a row that is not there, nothing.
    #[inline(always)]
    pub fn prefetch_in_rows<R: Row>(self, memory: &[R], at: [isize; 2]) {
        if let Some(row) = memory.get(at[0] as usize) {
            self.prefetch(row.row(), at[1]);
        }
    }
}

/// To the second of the caches: the first is for what is being computed meanwhile.
#[cfg(all(target_arch = "x86_64", not(miri)))]
#[inline(always)]
fn line<T>(place: *const T) {
    use core::arch::x86_64::{_MM_HINT_T1, _mm_prefetch};
    #[allow(unsafe_code, reason = "it is a hint: any address is allowed, and none is read")]
    // SAFETY: the instruction is part of every x86-64, and has no effect that a program could see.
    unsafe {
        _mm_prefetch::<_MM_HINT_T1>(place.cast());
    }
}

#[cfg(not(all(target_arch = "x86_64", not(miri))))]
#[inline(always)]
fn line<T>(_: *const T) {}
