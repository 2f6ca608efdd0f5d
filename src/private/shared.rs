//! Memory without a reference to it: elements that tasks share, or that are yet to be written.
//!
//! Each element is reached through a pointer. A reference to all of them would be one to those that another task
//! writes, or that hold no value.

use core::marker::PhantomData;
use core::mem::MaybeUninit;

use super::Runtime;

/// Memory whose elements are reached one by one.
#[derive(Debug)]
pub struct Shared<'m, T> {
    first: *mut T,
    length: usize,
    memory: PhantomData<&'m mut [T]>,
}

impl<T> Clone for Shared<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Shared<'_, T> {}

// SAFETY: it gives elements to unsafe code alone, which lets one task write an element and no other one reach it at the
// same time. A task may read or write an element on another thread than that of the borrow.
#[allow(unsafe_code, reason = "it is the borrow of a slice, and gives out its elements one by one")]
unsafe impl<T: Send + Sync> Send for Shared<'_, T> {}
// SAFETY: likewise.
#[allow(unsafe_code, reason = "it is the borrow of a slice, and gives out its elements one by one")]
unsafe impl<T: Send + Sync> Sync for Shared<'_, T> {}

#[allow(unsafe_code, reason = "the callers are expansions, which have shown that the element is inside")]
impl Runtime {
    /// An element.
    ///
    /// # Safety
    /// `at` is at least zero and below the length, the element was written if the memory was unset, and no other task
    /// writes it at the same time.
    #[inline(always)]
    pub unsafe fn load_shared<T>(self, memory: Shared<'_, T>, at: isize) -> &T {
        debug_assert!((at as usize) < memory.length, "element {at} of {}", memory.length);
        // SAFETY: the caller's.
        unsafe { &*memory.first.offset(at) }
    }

    /// An element, to be read and written.
    ///
    /// # Safety
    /// As for [`Runtime::load_shared`], and no other task reads the element at the same time.
    #[inline(always)]
    pub unsafe fn load_shared_mut<T>(self, memory: Shared<'_, T>, at: isize) -> &mut T {
        debug_assert!((at as usize) < memory.length, "element {at} of {}", memory.length);
        // SAFETY: the caller's.
        unsafe { &mut *memory.first.offset(at) }
    }

    /// An element to be assigned, whether or not it was written before.
    ///
    /// # Safety
    /// `at` is at least zero and below the length, no other task reads or writes the element, and what is assigned is a
    /// value.
    #[inline(always)]
    pub unsafe fn load_shared_unset<T>(self, memory: Shared<'_, T>, at: isize) -> &mut MaybeUninit<T> {
        debug_assert!((at as usize) < memory.length, "element {at} of {}", memory.length);
        // SAFETY: the caller's; `MaybeUninit<T>` is laid out as `T`.
        unsafe { &mut *memory.first.offset(at).cast::<MaybeUninit<T>>() }
    }
}

impl<'m, T> Shared<'m, T> {
    /// Where the first element is.
    #[inline(always)]
    pub(super) fn start(&self) -> *mut T {
        self.first
    }

    /// Memory whose elements are yet to be written.
    #[inline(always)]
    pub(super) fn unset(memory: &'m mut [MaybeUninit<T>]) -> Self {
        Shared { first: memory.as_mut_ptr().cast(), length: memory.len(), memory: PhantomData }
    }
}

impl Runtime {
    /// Memory for tasks.
    #[inline(always)]
    pub fn shared<T>(self, memory: &mut [T]) -> Shared<'_, T> {
        Shared { first: memory.as_mut_ptr(), length: memory.len(), memory: PhantomData }
    }
}
