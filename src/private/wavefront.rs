//! Wavefronts on threads: rows of points, each of which runs after the points before it and those above it.
//!
//! A point in column `x` runs after those of the row above up to column `x + slope`, and so after all points of the rows above whose front, the
//! value of `slope * y + x`, comes before its own: fronts need no barrier. Each thread takes the first row that none has taken. The first of the
//! rows that are under way never waits, so that nothing deadlocks.

use core::ops::Range;

use super::Runtime;

/// A row that a thread has taken.
#[derive(Debug)]
pub struct Row<'f> {
    /// Its place among the rows of other threads, if there are any.
    #[cfg(feature = "parallel")]
    place: Option<threads::Place<'f>>,
    #[cfg(not(feature = "parallel"))]
    place: core::marker::PhantomData<&'f ()>,
}

#[cfg(feature = "parallel")]
impl Row<'_> {
    const ALONE: Self = Row { place: None };

    /// The columns, each as soon as its point may run.
    #[inline(always)]
    pub fn columns(&self, columns: Range<isize>) -> threads::Columns<'_> {
        threads::Columns::new(self.place.as_ref(), columns)
    }
}

#[cfg(not(feature = "parallel"))]
impl Row<'_> {
    const ALONE: Self = Row { place: core::marker::PhantomData };

    /// The columns.
    #[inline(always)]
    pub fn columns(&self, columns: Range<isize>) -> Range<isize> {
        columns
    }
}

impl Runtime {
    /// Runs a task for each row of a wavefront, with the feature `parallel` on the threads of rayon's current pool, else one after the other.
    /// A panic of a task is one of the loop, after the others have ended.
    #[cfg(feature = "std")]
    pub fn wavefront(
        self,
        rows: Range<isize>,
        columns: isize,
        slope: isize,
        task: impl Fn(isize, &Row<'_>) + Sync,
    ) {
        #[cfg(feature = "parallel")]
        if threads::run(rows.clone(), columns, slope, &task) {
            return;
        }
        #[cfg(not(feature = "parallel"))]
        let _ = (columns, slope);
        rows.for_each(|row| task(row, &Row::ALONE));
    }

    /// Runs a task for each row of a wavefront, one after the other.
    #[cfg(not(feature = "std"))]
    pub fn wavefront(self, rows: Range<isize>, _: isize, _: isize, task: impl Fn(isize, &Row<'_>)) {
        rows.for_each(|row| task(row, &Row::ALONE));
    }
}

#[cfg(feature = "parallel")]
mod threads {
    use core::ops::Range;
    use core::sync::atomic::{AtomicBool, AtomicIsize, AtomicUsize, Ordering};
    use std::cell::Cell;
    use std::sync::{Condvar, Mutex, PoisonError};
    use std::vec::Vec;

    use super::Row;

    /// How often the row above is looked at before the thread sleeps.
    const SPINS: usize = 256;

    std::thread_local! {
        /// Whether this thread runs rows of a wavefront.
        static BUSY: Cell<bool> = const { Cell::new(false) };
    }

    /// The rows that a thread runs. There are none while it runs those of another wavefront, in which it waits for a nested loop: those above may be its
    /// own.
    struct Busy;

    impl Busy {
        fn begin() -> Option<Self> {
            (!BUSY.replace(true)).then_some(Self)
        }
    }

    impl Drop for Busy {
        fn drop(&mut self) {
            BUSY.set(false);
        }
    }

    /// The number of points of a row that have run, in a cache line of its own.
    #[derive(Debug, Default)]
    #[repr(align(64))]
    struct Progress(AtomicIsize);

    #[derive(Debug)]
    struct Front {
        columns: isize,
        slope: isize,
        rows: Vec<Progress>,
        /// The first row that no thread has taken.
        next: AtomicUsize,
        /// Whether a task has panicked.
        broken: AtomicBool,
        sleeping: AtomicUsize,
        lock: Mutex<()>,
        progress: Condvar,
    }

    impl Front {
        /// Runs rows until none is left.
        fn work(&self, first: isize, task: &(impl Fn(isize, &Row<'_>) + Sync)) {
            let Some(_busy) = Busy::begin() else { return };
            let _wake = Wake(self);
            while !self.broken.load(Ordering::Relaxed) {
                let row = self.next.fetch_add(1, Ordering::Relaxed);
                let Some(own) = self.rows.get(row) else { return };
                let above = row.checked_sub(1).map(|above| &self.rows[above]);
                let place = above.map(|above| (above, Cell::new(0)));
                task(first + row as isize, &Row { place: Some(Place { front: self, own, above: place }) });
            }
        }

        fn wake(&self) {
            if self.sleeping.load(Ordering::SeqCst) > 0 {
                drop(self.lock.lock().unwrap_or_else(PoisonError::into_inner));
                self.progress.notify_all();
            }
        }

        /// Waits until so many points of a row have run, and says whether they have: not after a panic.
        #[cold]
        fn sleep(&self, row: &Progress, count: isize) -> bool {
            let done = || row.0.load(Ordering::SeqCst) >= count;
            let broken = || self.broken.load(Ordering::SeqCst);
            for _ in 0..SPINS {
                if done() {
                    return true;
                }
                core::hint::spin_loop();
            }
            self.sleeping.fetch_add(1, Ordering::SeqCst);
            let mut guard = self.lock.lock().unwrap_or_else(PoisonError::into_inner);
            while !done() && !broken() {
                guard = self.progress.wait(guard).unwrap_or_else(PoisonError::into_inner);
            }
            drop(guard);
            self.sleeping.fetch_sub(1, Ordering::SeqCst);
            done()
        }
    }

    /// Wakes the others when a task panics.
    struct Wake<'f>(&'f Front);

    impl Drop for Wake<'_> {
        fn drop(&mut self) {
            if std::thread::panicking() {
                self.0.broken.store(true, Ordering::SeqCst);
                self.0.wake();
            }
        }
    }

    /// A row among the others.
    #[derive(Debug)]
    pub(super) struct Place<'f> {
        front: &'f Front,
        own: &'f Progress,
        /// The row above, and how many of its points are known to have run.
        above: Option<(&'f Progress, Cell<isize>)>,
    }

    impl Place<'_> {
        /// Waits until the point in a column may run, and says whether it may: not after a panic.
        #[inline(always)]
        fn ready(&self, column: isize) -> bool {
            let Some((above, known)) = &self.above else { return true };
            let count = (column + self.front.slope + 1).min(self.front.columns);
            if known.get() < count {
                let now = above.0.load(Ordering::Acquire);
                if now < count && !self.front.sleep(above, count) {
                    return false;
                }
                known.set(now.max(count));
            }
            true
        }

        #[inline(always)]
        fn done(&self, count: isize) {
            self.own.0.store(count, Ordering::SeqCst);
            self.front.wake();
        }
    }

    /// See [`Row::columns`].
    #[derive(Debug)]
    pub struct Columns<'r> {
        place: Option<&'r Place<'r>>,
        next: isize,
        end: isize,
    }

    impl<'r> Columns<'r> {
        pub(super) fn new(place: Option<&'r Place<'r>>, columns: Range<isize>) -> Self {
            Self { place, next: columns.start, end: columns.end }
        }
    }

    impl Iterator for Columns<'_> {
        type Item = isize;

        #[inline(always)]
        fn next(&mut self) -> Option<isize> {
            let column = self.next;
            if let Some(place) = self.place {
                if column > 0 {
                    place.done(column);
                }
                if column < self.end && !place.ready(column) {
                    return None;
                }
            }
            self.next = column + 1;
            (column < self.end).then_some(column)
        }
    }

    /// Runs the rows on several threads, if there are any: not where this one runs rows already.
    pub(super) fn run(
        rows: Range<isize>,
        columns: isize,
        slope: isize,
        task: &(impl Fn(isize, &Row<'_>) + Sync),
    ) -> bool {
        let count = usize::try_from(rows.end.saturating_sub(rows.start)).unwrap_or(0);
        if count < 2 || BUSY.get() {
            return false;
        }
        let threads = rayon::current_num_threads().min(count);
        if threads < 2 {
            return false;
        }
        let front = &Front {
            columns,
            slope,
            rows: (0..count).map(|_| Progress::default()).collect(),
            next: AtomicUsize::new(0),
            broken: AtomicBool::new(false),
            sleeping: AtomicUsize::new(0),
            lock: Mutex::new(()),
            progress: Condvar::new(),
        };
        rayon::scope(|scope| {
            for _ in 1..threads {
                scope.spawn(move |_| front.work(rows.start, task));
            }
            front.work(rows.start, task);
        });
        true
    }
}
