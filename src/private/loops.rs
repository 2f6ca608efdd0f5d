//! Ranges that loops run over, and numbers in the types that the user's code sees.
//!
//! As functions of [`Runtime`] these depend on no trait, method or type that is in scope where the kernel is written.

use core::iter::{Filter, Map, Rev, StepBy};

use super::Runtime;
use super::index::FromIndex;

impl Runtime {
    /// `range` backwards.
    #[inline(always)]
    pub fn rev<R: DoubleEndedIterator>(self, range: R) -> Rev<R> {
        range.rev()
    }

    /// Every `step`-th of `range`, the first included.
    #[inline(always)]
    pub fn step_by<R: Iterator>(self, range: R, step: usize) -> StepBy<R> {
        range.step_by(step)
    }

    /// That a range is reversed by std's `rev`. The closure is never called.
    #[inline(always)]
    pub fn reverses<R>(self, _: impl FnOnce() -> Rev<R>) {}

    /// The same for std's `step_by`.
    #[inline(always)]
    pub fn steps<R>(self, _: impl FnOnce() -> StepBy<R>) {}

    /// The same for std's `map`.
    #[inline(always)]
    pub fn maps<R, F>(self, _: impl FnOnce() -> Map<R, F>) {}

    /// The same for std's `filter`.
    #[inline(always)]
    pub fn filters<R, F>(self, _: impl FnOnce() -> Filter<R, F>) {}

    /// A loop variable as the user's code sees it.
    #[inline(always)]
    pub fn i32<T: FromIndex>(self, value: T) -> i32 {
        value.as_isize() as i32
    }

    /// A value of a range, as an item of that range.
    #[inline(always)]
    pub fn item_at<T: FromIndex>(self, value: isize, _: impl Iterator<Item = T>) -> T {
        T::from_index(value)
    }

    /// An index or an extent as the user's code sees it.
    #[inline(always)]
    pub fn usize<T: FromIndex>(self, value: T) -> usize {
        value.as_isize() as usize
    }

    /// The variable of a loop whose bounds fit `isize`.
    #[inline(always)]
    pub fn isize<T: FromIndex>(self, value: T) -> isize {
        value.as_isize()
    }

    /// The smaller coordinate.
    #[inline(always)]
    pub fn least(self, a: isize, b: isize) -> isize {
        if b < a { b } else { a }
    }

    /// The entry at an index of a table whose length is a power of two. Indices behind its end wrap: expansions ask
    /// about one only in a test that fails for another reason.
    #[inline(always)]
    pub fn entry<T: Copy + Into<isize>, const N: usize>(self, table: &[T; N], at: isize) -> isize {
        const { assert!(N.is_power_of_two()) };
        table[at.cast_unsigned() & (N - 1)].into()
    }

    /// The greater coordinate.
    #[inline(always)]
    pub fn greatest(self, a: isize, b: isize) -> isize {
        if b > a { b } else { a }
    }
}
