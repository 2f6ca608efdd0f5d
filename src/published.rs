//! Memory that one thread fills while others read what is there.

use alloc::boxed::Box;
use core::cell::UnsafeCell;
use core::fmt;
use core::slice;
use core::sync::atomic::{AtomicUsize, Ordering};

/// Memory that one thread fills from the front, while others read the elements that it has published.
///
/// A picture that is decoded row by row is read by the coder of the next picture long before its last row is there. Both
/// see one slice of it: what is published does not change until [`begin`](Self::begin) starts anew.
///
/// ```
/// use shim::Published;
///
/// let mut rows = Published::<u8>::new(12);
/// let (mut publisher, published) = rows.begin();
/// std::thread::scope(|scope| {
///     scope.spawn(move || {
///         for row in 0..3 {
///             let first = publisher.published().last().map_or(1, |last| last + row);
///             publisher.next(4).fill(first);
///             publisher.publish(4);
///         }
///     });
///     // Whatever is there is complete.
///     assert!(published.get().len() % 4 == 0 && published.get().iter().all(|&sample| sample > 0));
/// });
/// assert_eq!(rows.get(), [1, 1, 1, 1, 2, 2, 2, 2, 4, 4, 4, 4]);
/// ```
pub struct Published<T> {
    memory: Box<[UnsafeCell<T>]>,
    /// Number of elements that are published.
    count: AtomicUsize,
}

/// Fills the memory of a [`Published`].
#[derive(Debug)]
pub struct Publisher<'m, T>(&'m Published<T>);

// SAFETY: an element is written through a `Publisher` alone, and before it is published; it is read afterwards, which
// the release of the count orders.
#[allow(unsafe_code, reason = "readers and the publisher never reach one element at a time")]
unsafe impl<T: Send + Sync> Sync for Published<T> {}

impl<T: Copy + Default> Published<T> {
    /// Memory for so many elements, none of which is published.
    #[must_use]
    pub fn new(capacity: usize) -> Self {
        Self { memory: (0..capacity).map(|_| UnsafeCell::default()).collect(), count: AtomicUsize::new(0) }
    }
}

impl<T> Published<T> {
    /// Number of elements that there is memory for.
    #[must_use]
    pub const fn capacity(&self) -> usize {
        self.memory.len()
    }

    /// Takes back all that is published, and fills the memory anew.
    pub fn begin(&mut self) -> (Publisher<'_, T>, &Self) {
        *self.count.get_mut() = 0;
        // The only publisher: there is none of an earlier call, which would have borrowed `self` until now.
        (Publisher(self), self)
    }

    /// The elements that are published.
    #[must_use]
    #[inline]
    pub fn get(&self) -> &[T] {
        let count = self.count.load(Ordering::Acquire);
        // SAFETY: the first `count` elements are not written while `self` is borrowed: the publisher writes those behind
        // them, and `begin` borrows `self` mutably. `UnsafeCell<T>` has the layout of `T`.
        #[allow(unsafe_code, reason = "elements that are published do not change")]
        unsafe {
            slice::from_raw_parts(self.memory.as_ptr().cast(), count)
        }
    }
}

impl<'m, T> Publisher<'m, T> {
    /// The elements that are published.
    #[must_use]
    pub fn published(&self) -> &'m [T] {
        self.0.get()
    }

    /// The next elements, which hold what was there before.
    ///
    /// # Panics
    ///
    /// When there are not so many.
    #[must_use]
    pub fn next(&mut self, count: usize) -> &mut [T] {
        let next = &self.0.memory[self.published().len()..][..count];
        // SAFETY: there is one publisher, which is borrowed mutably. Nobody reads elements that are not published, and
        // `UnsafeCell` allows writing them behind a shared reference.
        #[allow(unsafe_code, reason = "nobody else reaches elements that are not published")]
        unsafe {
            slice::from_raw_parts_mut(UnsafeCell::raw_get(next.as_ptr()), count)
        }
    }

    /// Publishes the next elements.
    ///
    /// # Panics
    ///
    /// When there are not so many.
    pub fn publish(&mut self, count: usize) {
        let all = self.0.count.load(Ordering::Relaxed).checked_add(count);
        let all = all.filter(|&all| all <= self.0.capacity());
        self.0.count.store(all.expect("there is memory for what is published"), Ordering::Release);
    }
}

impl<T: Copy + Default> Clone for Published<T> {
    /// As much memory, where the same elements are published.
    fn clone(&self) -> Self {
        let mut copy = Self::new(self.capacity());
        let published = self.get();
        let (mut publisher, _) = copy.begin();
        publisher.next(published.len()).copy_from_slice(published);
        publisher.publish(published.len());
        copy
    }
}

impl<T> fmt::Debug for Published<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (published, capacity) = (self.get().len(), self.capacity());
        f.debug_struct("Published").field("published", &published).field("capacity", &capacity).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn readers_see_what_is_published() {
        let mut memory = Published::<u32>::new(60);
        for round in 1..4_u32 {
            let (mut publisher, published) = memory.begin();
            std::thread::scope(|scope| {
                for _ in 0..2 {
                    scope.spawn(move || {
                        let mut seen = 0;
                        while seen < 60 {
                            let there = published.get();
                            assert!(there.len() >= seen, "what is published stays");
                            seen = there.len();
                            assert!(there.iter().enumerate().all(|(i, &value)| value == round * i as u32));
                        }
                    });
                }
                scope.spawn(move || {
                    for first in (0..60).step_by(5) {
                        assert_eq!(publisher.published().len(), first);
                        for (i, value) in publisher.next(5).iter_mut().enumerate() {
                            *value = round * (first + i) as u32;
                        }
                        publisher.publish(5);
                    }
                });
            });
            assert_eq!(memory.clone().get(), memory.get());
        }
    }

    #[test]
    fn no_more_than_the_capacity() {
        let mut memory = Published::<u8>::new(3);
        let (mut publisher, published) = memory.begin();
        publisher.publish(2);
        assert!(published.get() == [0, 0] && publisher.next(1).len() == 1);
        for count in [2, usize::MAX] {
            let too_many = |work: &mut dyn FnMut()| {
                std::panic::catch_unwind(std::panic::AssertUnwindSafe(work)).is_err()
            };
            assert!(too_many(&mut || publisher.publish(count)));
            assert!(too_many(&mut || publisher.next(count).fill(0)));
        }
        let (_, published) = memory.begin();
        assert!(published.get().is_empty());
    }
}
