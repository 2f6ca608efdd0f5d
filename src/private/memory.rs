//! Memory of a kernel's own.

use core::mem::MaybeUninit;
use core::ops::{Deref, DerefMut};

use super::Runtime;
use super::shared::Shared;
use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;

/// Memory on the stack, which begins with a line of the cache: a vector of 64 bytes otherwise lies across two lines,
/// unless the caller happens to have the right number of variables.
#[derive(Debug, Clone, Copy)]
#[repr(align(64))]
pub struct Stack<T, const COUNT: usize>([T; COUNT]);

impl<T, const COUNT: usize> Deref for Stack<T, COUNT> {
    type Target = [T];

    #[inline(always)]
    fn deref(&self) -> &[T] {
        &self.0
    }
}

impl<T, const COUNT: usize> DerefMut for Stack<T, COUNT> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.0
    }
}

/// Memory on the stack whose elements are written before they are read.
#[derive(Debug)]
#[repr(align(64))]
pub struct Unset<T, const COUNT: usize>([MaybeUninit<T>; COUNT]);

impl Runtime {
    /// Memory on the stack that is not cleared.
    #[inline(always)]
    pub fn unset<T: Copy + Default, const COUNT: usize>(self) -> Unset<T, COUNT> {
        self.unset_of(T::default())
    }

    /// Memory on the stack for elements of the type of `zero`, that is not cleared.
    #[inline(always)]
    pub fn unset_of<T: Copy, const COUNT: usize>(self, _zero: T) -> Unset<T, COUNT> {
        Unset([const { MaybeUninit::uninit() }; COUNT])
    }

    /// Its elements, to be written and then read one by one.
    #[inline(always)]
    pub fn elements_of<T, const COUNT: usize>(self, memory: &mut Unset<T, COUNT>) -> Shared<'_, T> {
        Shared::unset(&mut memory.0)
    }

    /// A value, to be assigned to an element that may not have been written yet.
    #[inline(always)]
    pub fn set<T>(self, value: T) -> MaybeUninit<T> {
        MaybeUninit::new(value)
    }
}

impl Runtime {
    /// Zeroed memory on the heap, freed when it goes out of scope, also by a panic.
    #[inline]
    pub fn heap<T: Copy + Default>(self, count: usize) -> Box<[T]> {
        self.heap_of(T::default(), count)
    }

    /// Memory on the heap in which each element is `zero`: std has no default of a long array.
    #[inline]
    pub fn heap_of<T: Copy>(self, zero: T, count: usize) -> Box<[T]> {
        vec![zero; count].into_boxed_slice()
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

    /// The first elements of memory that grows where it has fewer.
    #[inline]
    pub fn grown<T: Copy + Default>(self, memory: &mut Vec<T>, count: usize) -> &mut [T] {
        if memory.len() < count {
            memory.resize(count, T::default());
        }
        &mut memory[..count]
    }

    /// Zeroed memory on the stack.
    #[inline(always)]
    pub fn stack<T: Copy + Default, const COUNT: usize>(self) -> Stack<T, COUNT> {
        self.stack_of(T::default())
    }

    /// Memory on the stack in which each element is `zero`.
    #[inline(always)]
    pub fn stack_of<T: Copy, const COUNT: usize>(self, zero: T) -> Stack<T, COUNT> {
        Stack([zero; COUNT])
    }

    /// The value of a cleared element, or of each element of a cleared array.
    #[inline(always)]
    pub fn zero<T: Copy + Default>(self) -> T {
        T::default()
    }

    /// The same, with the elements of another block; `element` is never called.
    #[inline(always)]
    pub fn stack_like<T: Copy + Default, const COUNT: usize>(
        self,
        _element: impl Fn(usize, usize) -> T,
    ) -> Stack<T, COUNT> {
        self.stack()
    }
}
