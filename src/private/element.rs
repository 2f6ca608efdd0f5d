//! Single elements of memory.
//!
//! The unchecked functions are what a kernel is fast by. Each has a checked one beside it, for the arguments of macros:
//! a macro of the user's sees the tokens it is given, and `unsafe` must not be among them.
//!
//! Loads add to the pointer: `get_unchecked` tells LLVM what it assumes of the index, and an index that something else
//! than addresses is made of is computed in vectors. Stores keep the assumption, which the video encoder is 1 % faster
//! with.

use super::Runtime;
use super::rows::{Row, RowMut};

#[allow(unsafe_code, reason = "the callers are expansions, which have shown that the element is inside")]
impl Runtime {
    /// Element `at` of `memory`.
    ///
    /// # Safety
    /// `at` is at least zero and below the length.
    #[inline(always)]
    pub unsafe fn load<T>(self, memory: &[T], at: isize) -> &T {
        debug_assert!((at as usize) < memory.len(), "element {at} of {}", memory.len());
        // SAFETY: the caller's.
        unsafe { &*memory.as_ptr().add(at as usize) }
    }

    /// The same, to be written.
    ///
    /// # Safety
    /// As for [`Runtime::load`].
    #[inline(always)]
    pub unsafe fn load_mut<T>(self, memory: &mut [T], at: isize) -> &mut T {
        // SAFETY: the caller's.
        unsafe { memory.get_unchecked_mut(at as usize) }
    }

    /// The element in a row and a column of `memory`.
    ///
    /// # Safety
    /// Both are at least zero, `row` is below the number of rows, and `column` below the length of that row.
    #[inline(always)]
    pub unsafe fn load_in_row<R: Row>(self, memory: &[R], row: isize, column: isize) -> &R::Element {
        // SAFETY: the caller's.
        unsafe { memory.get_unchecked(row as usize).row().get_unchecked(column as usize) }
    }

    /// The same, to be written.
    ///
    /// # Safety
    /// As for [`Runtime::load_in_row`].
    #[inline(always)]
    pub unsafe fn load_in_row_mut<R: RowMut>(
        self,
        memory: &mut [R],
        row: isize,
        column: isize,
    ) -> &mut R::Element {
        // SAFETY: the caller's.
        unsafe { memory.get_unchecked_mut(row as usize).row_mut().get_unchecked_mut(column as usize) }
    }

    /// The memory behind a pointer that the caller of an `unsafe` kernel answers for.
    ///
    /// # Safety
    /// As for [`core::slice::from_raw_parts`].
    #[inline(always)]
    pub unsafe fn slice<'m, T>(self, pointer: *const T, length: usize) -> &'m [T] {
        // SAFETY: the caller's.
        unsafe { core::slice::from_raw_parts(pointer, length) }
    }

    /// The same, to be written.
    ///
    /// # Safety
    /// As for [`core::slice::from_raw_parts_mut`].
    #[inline(always)]
    pub unsafe fn slice_mut<'m, T>(self, pointer: *mut T, length: usize) -> &'m mut [T] {
        // SAFETY: the caller's.
        unsafe { core::slice::from_raw_parts_mut(pointer, length) }
    }
}

impl Runtime {
    /// [`Runtime::load`], checked.
    #[inline(always)]
    pub fn get<T>(self, memory: &[T], at: isize) -> &T {
        &memory[at as usize]
    }

    /// [`Runtime::load_mut`], checked.
    #[inline(always)]
    pub fn get_mut<T>(self, memory: &mut [T], at: isize) -> &mut T {
        &mut memory[at as usize]
    }

    /// [`Runtime::load_in_row`], checked.
    #[inline(always)]
    pub fn get_in_row<R: Row>(self, memory: &[R], row: isize, column: isize) -> &R::Element {
        &memory[row as usize].row()[column as usize]
    }

    /// [`Runtime::load_in_row_mut`], checked.
    #[inline(always)]
    pub fn get_in_row_mut<R: RowMut>(self, memory: &mut [R], row: isize, column: isize) -> &mut R::Element {
        &mut memory[row as usize].row_mut()[column as usize]
    }

    /// The elements of a row.
    #[inline(always)]
    pub fn row<R: Row + ?Sized>(self, row: &R) -> &[R::Element] {
        row.row()
    }
}
