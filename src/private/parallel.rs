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

#[cfg(feature = "std")]
mod tasks {
    use super::{Range, Runtime};
    use std::sync::{Mutex, PoisonError};

    /// A variable that tasks reduce into.
    #[derive(Debug)]
    pub struct Total<T>(Mutex<T>);

    impl Runtime {
        /// Runs a task for each number of a range: with the feature `parallel` on the threads of rayon's current pool, else one after the
        /// other. A panic of a task is one of the loop, after the others have ended.
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

        /// What tasks reduce into, which begins with a value.
        #[inline(always)]
        pub fn total<T>(self, value: T) -> Total<T> {
            Total(Mutex::new(value))
        }

        /// Its value so far, which a task of an idempotent reduction begins with.
        #[inline(always)]
        pub fn so_far<T: Copy>(self, total: &Total<T>) -> T {
            *total.0.lock().unwrap_or_else(PoisonError::into_inner)
        }

        /// The value that a task of a sum begins with.
        #[inline(always)]
        pub fn nothing<T: Default>(self, _: &Total<T>) -> T {
            T::default()
        }

        /// Adds the part of a task.
        #[inline(always)]
        pub fn join<T>(self, total: &Total<T>, add: impl FnOnce(&mut T)) {
            add(&mut total.0.lock().unwrap_or_else(PoisonError::into_inner));
        }

        /// The value after all tasks.
        #[inline(always)]
        pub fn joined<T>(self, total: Total<T>) -> T {
            total.0.into_inner().unwrap_or_else(PoisonError::into_inner)
        }
    }
}

/// Without threads.
#[cfg(not(feature = "std"))]
mod tasks {
    use super::{Range, Runtime};
    use core::cell::RefCell;

    /// A variable that iterations reduce into.
    #[derive(Debug)]
    pub struct Total<T>(RefCell<T>);

    impl Runtime {
        /// Runs an iteration for each number of a range.
        #[inline(always)]
        pub fn parallel(self, range: Range<isize>, task: impl Fn(isize)) {
            range.for_each(task);
        }

        /// What iterations reduce into, which begins with a value.
        #[inline(always)]
        pub fn total<T>(self, value: T) -> Total<T> {
            Total(RefCell::new(value))
        }

        /// Its value so far, which an iteration of an idempotent reduction begins with.
        #[inline(always)]
        pub fn so_far<T: Copy>(self, total: &Total<T>) -> T {
            *total.0.borrow()
        }

        /// The value that an iteration of a sum begins with.
        #[inline(always)]
        pub fn nothing<T: Default>(self, _: &Total<T>) -> T {
            T::default()
        }

        /// Adds the part of an iteration.
        #[inline(always)]
        pub fn join<T>(self, total: &Total<T>, add: impl FnOnce(&mut T)) {
            add(&mut total.0.borrow_mut());
        }

        /// The value after all iterations.
        #[inline(always)]
        pub fn joined<T>(self, total: Total<T>) -> T {
            total.0.into_inner()
        }
    }
}
