//! Memory of a kernel's own.

use alloc::boxed::Box;
use alloc::vec;

/// Zeroed memory on the heap, freed when it goes out of scope, also by a panic.
#[inline]
pub fn heap<T: Copy + Default>(count: usize) -> Box<[T]> {
    vec![T::default(); count].into_boxed_slice()
}

/// The same, with the elements of another block; `element` is never called.
#[inline]
pub fn heap_like<T: Copy + Default>(_element: impl Fn(usize, usize) -> T, count: usize) -> Box<[T]> {
    heap(count)
}

/// Zeroed memory on the stack.
#[inline(always)]
pub fn stack<T: Copy + Default, const COUNT: usize>() -> [T; COUNT] {
    [T::default(); COUNT]
}

/// The same, with the elements of another block; `element` is never called.
#[inline(always)]
pub fn stack_like<T: Copy + Default, const COUNT: usize>(_element: impl Fn(usize, usize) -> T) -> [T; COUNT] {
    stack()
}
