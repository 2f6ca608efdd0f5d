//! Loops on threads.
//!
//! The iterations of a parallel loop are tasks. Those of one loop never reach an element that another one writes, as the compiler has proven, but
//! their elements lie among one another. While tasks run there is no reference to the memory that they write: each element is
//! reached through a pointer.

use core::marker::PhantomData;
use core::ops::Range;

use super::Runtime;

/// Memory whose elements tasks write.
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

// SAFETY: it gives elements to unsafe code alone, which lets one task write an element and no other one reach it. A task may read or write
// an element on another thread than that of the borrow.
#[allow(unsafe_code, reason = "it stands for the borrow of a slice, whose elements it gives out one by one")]
unsafe impl<T: Send + Sync> Send for Shared<'_, T> {}
// SAFETY: likewise.
#[allow(unsafe_code, reason = "it stands for the borrow of a slice, whose elements it gives out one by one")]
unsafe impl<T: Send + Sync> Sync for Shared<'_, T> {}

#[allow(unsafe_code, reason = "the callers are expansions, which have shown that the element is inside")]
impl Runtime {
    /// An element of shared memory.
    ///
    /// # Safety
    /// `at` is at least zero and below the length, and no other task writes the element.
    #[inline(always)]
    pub unsafe fn load_shared<T>(self, memory: Shared<'_, T>, at: isize) -> &T {
        debug_assert!((at as usize) < memory.length, "element {at} of {}", memory.length);
        // SAFETY: the caller's.
        unsafe { &*memory.first.offset(at) }
    }

    /// The same, to be written.
    ///
    /// # Safety
    /// As for [`Runtime::load_shared`], and no other task reads the element.
    #[inline(always)]
    pub unsafe fn load_shared_mut<T>(self, memory: Shared<'_, T>, at: isize) -> &mut T {
        debug_assert!((at as usize) < memory.length, "element {at} of {}", memory.length);
        // SAFETY: the caller's.
        unsafe { &mut *memory.first.offset(at) }
    }
}

impl Runtime {
    /// Memory for tasks.
    #[inline(always)]
    pub fn shared<T>(self, memory: &mut [T]) -> Shared<'_, T> {
        Shared { first: memory.as_mut_ptr(), length: memory.len(), memory: PhantomData }
    }
}

/// A variable that tasks reduce into.
#[derive(Debug)]
pub struct Total<T>(Cell<T>);

#[cfg(feature = "std")]
type Cell<T> = std::sync::Mutex<T>;

/// Without threads.
#[cfg(not(feature = "std"))]
type Cell<T> = core::cell::RefCell<T>;

impl<T> Total<T> {
    #[inline(always)]
    fn with<R>(&self, use_it: impl FnOnce(&mut T) -> R) -> R {
        #[cfg(feature = "std")]
        return use_it(&mut self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner));
        #[cfg(not(feature = "std"))]
        return use_it(&mut self.0.borrow_mut());
    }
}

impl Runtime {
    /// Runs a task for each number of a range: with the feature `parallel` on the threads of rayon's current pool, else one after the
    /// other. A panic of a task is one of the loop, after the others have ended.
    #[cfg(feature = "std")]
    #[inline(always)]
    pub fn parallel(self, range: Range<isize>, task: impl Fn(isize) + Sync) {
        #[cfg(feature = "parallel")]
        {
            use rayon::iter::{IntoParallelIterator, ParallelIterator};
            range.into_par_iter().for_each(&task);
        }
        #[cfg(not(feature = "parallel"))]
        range.for_each(task);
    }

    /// Runs a task for each number of a range, one after the other.
    #[cfg(not(feature = "std"))]
    #[inline(always)]
    pub fn parallel(self, range: Range<isize>, task: impl Fn(isize)) {
        range.for_each(task);
    }

    /// A variable for tasks to reduce into, with its value before them.
    #[inline(always)]
    pub fn total<T>(self, value: T) -> Total<T> {
        Total(Cell::new(value))
    }

    /// Its value so far, which a task of an idempotent reduction begins with.
    #[inline(always)]
    pub fn so_far<T: Copy>(self, total: &Total<T>) -> T {
        total.with(|value| *value)
    }

    /// The value that a task of a sum begins with.
    #[inline(always)]
    pub fn nothing<T: Default>(self, _: &Total<T>) -> T {
        T::default()
    }

    /// Adds the part of a task.
    #[inline(always)]
    pub fn join<T>(self, total: &Total<T>, add: impl FnOnce(&mut T)) {
        total.with(add);
    }

    /// The value after all tasks.
    #[inline(always)]
    pub fn joined<T: Copy>(self, total: Total<T>) -> T {
        total.with(|value| *value)
    }
}
