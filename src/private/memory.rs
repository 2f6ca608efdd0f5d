//! Memory of a kernel's own.

use super::Runtime;
use alloc::boxed::Box;
use alloc::vec;

impl Runtime {
    /// Zeroed memory on the heap, freed when it goes out of scope, also by a panic.
    #[inline]
    pub fn heap<T: Copy + Default>(self, count: usize) -> Box<[T]> {
        vec![T::default(); count].into_boxed_slice()
    }

    /// The same, with the elements of another block; `element` is never called.
    #[inline]
    pub fn heap_like<T: Copy + Default>(
        self,
        _element: impl Fn(usize, usize) -> T,
        count: usize,
    ) -> Box<[T]> {
        self.heap(count)
    }

    /// Zeroed memory on the stack.
    #[inline(always)]
    pub fn stack<T: Copy + Default, const COUNT: usize>(self) -> [T; COUNT] {
        [T::default(); COUNT]
    }

    /// The same, with the elements of another block; `element` is never called.
    #[inline(always)]
    pub fn stack_like<T: Copy + Default, const COUNT: usize>(
        self,
        _element: impl Fn(usize, usize) -> T,
    ) -> [T; COUNT] {
        self.stack()
    }
}
