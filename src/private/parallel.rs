//! Loops on threads.
//!
//! The iterations of a parallel loop are tasks. Those of one loop never reach an element that another one writes, as
//! the compiler has proven, but their elements lie among one another. While tasks run there is no reference to the
//! memory that they write: they reach its elements through [`Shared`](super::shared::Shared).

use core::ops::Range;

use super::Runtime;

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
    /// Runs a task for each number of a range: with the feature `parallel` on the threads of rayon's current pool, else
    /// one after the other. A panic of a task is one of the loop, after the others have ended.
    #[cfg(feature = "std")]
    #[inline(always)]
    pub fn parallel(self, range: Range<isize>, task: impl Fn(isize) + Sync) {
        #[cfg(feature = "parallel")]
        {
            use rayon::iter::{IndexedParallelIterator, IntoParallelIterator, ParallelIterator};
            // One thread gains nothing from several jobs.
            let is_alone = rayon::current_num_threads() == 1;
            let count = usize::try_from(range.end.saturating_sub(range.start)).unwrap_or(1);
            let least = if is_alone { count.max(1) } else { 1 };
            range.into_par_iter().with_min_len(least).for_each(&task);
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

    /// Runs a part of a task that reads `memory`. LLVM knows of a parameter, and not of a variable that a closure
    /// captures, that no store through another pointer reaches it.
    #[inline(always)]
    pub fn reading<T>(self, memory: &[T], part: impl FnOnce(&[T])) {
        part(memory);
    }

    /// A variable for tasks to reduce into, with its value before them.
    #[inline(always)]
    pub fn accumulator<T>(self, value: T) -> Total<T> {
        Total(Cell::new(value))
    }

    /// Its value so far, which a task of an idempotent reduction begins with.
    #[inline(always)]
    pub fn reduction_seed<T: Copy>(self, total: &Total<T>) -> T {
        total.with(|value| *value)
    }

    /// The value that a task of a sum begins with.
    #[inline(always)]
    pub fn reduction_identity<T: Default>(self, _: &Total<T>) -> T {
        T::default()
    }

    /// The value that a task of a product begins with.
    #[inline(always)]
    pub fn product_seed<T: core::iter::Product<T>>(self, _: &Total<T>) -> T {
        core::iter::empty::<T>().product()
    }

    /// Adds the part of a task.
    #[inline(always)]
    pub fn accumulate<T>(self, total: &Total<T>, add: impl FnOnce(&mut T)) {
        total.with(add);
    }

    /// The value after all tasks.
    #[inline(always)]
    pub fn finish<T: Copy>(self, total: Total<T>) -> T {
        total.with(|value| *value)
    }
}
