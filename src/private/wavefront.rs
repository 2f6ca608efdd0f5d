//! Wavefronts on threads: rows of points, each of which runs after the points before it and those above it.
//!
//! A point in column `x` runs after those of the row above up to column `x + slope`, and so after all points of the
//! rows above whose front, the value of `slope * y + x`, comes before its own: fronts need no barrier. A row is a task,
//! which the one above starts. Where it catches up it ends, and the row above starts it again later: nothing ever waits
//! for another thread, whatever tasks do besides.

use core::ops::Range;

use super::Runtime;

/// A row, which a task runs.
#[derive(Debug)]
pub struct Row<'f> {
    /// Its place among the others, if there are threads.
    #[cfg(feature = "parallel")]
    place: Option<threads::Place<'f>>,
    #[cfg(not(feature = "parallel"))]
    place: core::marker::PhantomData<&'f ()>,
}

#[cfg(feature = "parallel")]
impl Row<'_> {
    const ALONE: Self = Row { place: None };
}

#[cfg(not(feature = "parallel"))]
impl Row<'_> {
    const ALONE: Self = Row { place: core::marker::PhantomData };
}

impl Runtime {
    /// The columns of a row that are left, until one may not run yet.
    #[cfg(feature = "parallel")]
    #[inline(always)]
    pub fn columns<'r>(self, row: &'r Row<'_>, columns: Range<isize>) -> threads::Columns<'r> {
        threads::Columns::new(row.place.as_ref(), columns)
    }

    /// The columns of a row.
    #[cfg(not(feature = "parallel"))]
    #[inline(always)]
    pub fn columns(self, _: &Row<'_>, columns: Range<isize>) -> Range<isize> {
        columns
    }

    /// Runs a task for each row of a wavefront, with the feature `parallel` on the threads of rayon's current pool,
    /// else one after the other. A panic of a task is one of the loop, after the others have ended.
    #[cfg(feature = "std")]
    pub fn wavefront(
        self,
        rows: Range<isize>,
        columns: isize,
        slope: isize,
        task: impl Fn(isize, &Row<'_>) + Sync,
    ) {
        #[cfg(feature = "parallel")]
        if rayon::current_num_threads() > 1 {
            return threads::run(rows, columns, slope, &task);
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
    use core::sync::atomic::{AtomicBool, AtomicIsize, Ordering};
    use std::vec::Vec;

    use rayon::Scope;

    use super::Row;

    /// How often the row above is looked at before a row ends.
    const SPINS: usize = 512;

    /// How many points more than it needs have run when a row is started again.
    const AHEAD: isize = 3;

    /// How far a row is, in a cache line of its own.
    #[derive(Debug)]
    #[repr(align(64))]
    struct Progress {
        /// The number of its points that have run.
        done: AtomicIsize,
        /// Whether it waits for points of the row above.
        waits: AtomicBool,
        /// For how many.
        wanted: AtomicIsize,
    }

    type Task<'t> = &'t (dyn Fn(isize, &Row<'_>) + Sync);

    struct Front<'t> {
        first: isize,
        columns: isize,
        slope: isize,
        rows: Vec<Progress>,
        task: Task<'t>,
    }

    impl Front<'_> {
        /// Runs a row as far as it may.
        fn run<'scope>(&'scope self, row: usize, scope: &Scope<'scope>) {
            let start = |row| scope.spawn(move |scope| self.run(row, scope));
            let place = Place {
                own: &self.rows[row],
                above: row.checked_sub(1).map(|above| &self.rows[above].done),
                below: self.rows.get(row + 1).map(|below| (row + 1, below)),
                start: &start,
                columns: self.columns,
                slope: self.slope,
            };
            (self.task)(self.first + row as isize, &Row { place: Some(place) });
        }
    }

    /// A row among the others.
    pub(super) struct Place<'f> {
        own: &'f Progress,
        /// The number of points of the row above that have run.
        above: Option<&'f AtomicIsize>,
        /// The row below, and its number.
        below: Option<(usize, &'f Progress)>,
        start: &'f dyn Fn(usize),
        columns: isize,
        slope: isize,
    }

    impl core::fmt::Debug for Place<'_> {
        fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
            f.debug_struct("Place").field("own", self.own).finish_non_exhaustive()
        }
    }

    impl Place<'_> {
        /// How many points of the row above are known to have run, if the point in a column may run: at least `known`.
        /// Otherwise the row above starts this one again, whose task ends.
        #[inline(always)]
        fn ready(&self, column: isize, known: isize) -> Option<isize> {
            // At the ends of `isize` this must not wrap: a row that does not wait is a data race.
            let needed = column.saturating_add(self.slope).saturating_add(1).min(self.columns);
            if known >= needed {
                return Some(known);
            }
            let Some(above) = self.above else { return Some(self.columns) };
            let done = above.load(Ordering::Acquire);
            if done >= needed { Some(done) } else { self.wait(above, needed) }
        }

        #[cold]
        fn wait(&self, above: &AtomicIsize, needed: isize) -> Option<isize> {
            for _ in 0..SPINS {
                let done = above.load(Ordering::Acquire);
                if done >= needed {
                    return Some(done);
                }
                core::hint::spin_loop();
            }
            let wanted = needed.saturating_add(AHEAD).min(self.columns);
            self.own.wanted.store(wanted, Ordering::Relaxed);
            self.own.waits.store(true, Ordering::SeqCst);
            // The row above may have got there without having seen that. Whoever takes the row back goes on with it.
            let done = above.load(Ordering::SeqCst);
            (done >= wanted && self.own.waits.swap(false, Ordering::SeqCst)).then_some(done)
        }

        #[inline(always)]
        fn done(&self, count: isize) {
            self.own.done.store(count, Ordering::SeqCst);
            if let Some((row, below)) = self.below
                && below.waits.load(Ordering::SeqCst)
                && count >= below.wanted.load(Ordering::Relaxed)
                && below.waits.swap(false, Ordering::SeqCst)
            {
                (self.start)(row);
            }
        }
    }

    /// See [`super::Runtime::columns`].
    #[derive(Debug)]
    pub struct Columns<'r> {
        place: Option<&'r Place<'r>>,
        next: isize,
        end: isize,
        /// How many points of the row above are known to have run.
        above: isize,
    }

    impl<'r> Columns<'r> {
        pub(super) fn new(place: Option<&'r Place<'r>>, columns: Range<isize>) -> Self {
            // Those before have run.
            let next = place.map_or(columns.start, |place| place.own.done.load(Ordering::Relaxed));
            Self { place, next, end: columns.end, above: 0 }
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
                if column < self.end {
                    self.above = place.ready(column, self.above)?;
                }
            }
            self.next = column + 1;
            (column < self.end).then_some(column)
        }
    }

    /// Runs the rows.
    pub(super) fn run(rows: Range<isize>, columns: isize, slope: isize, task: Task<'_>) {
        let count = usize::try_from(rows.end.saturating_sub(rows.start)).unwrap_or(0);
        if count == 0 || columns <= 0 {
            return;
        }
        let wanted = slope.saturating_add(1 + AHEAD).min(columns);
        let waiting = |row| Progress {
            done: AtomicIsize::new(0),
            waits: AtomicBool::new(row > 0),
            wanted: AtomicIsize::new(wanted),
        };
        let rows_of = (0..count).map(waiting).collect();
        let front = &Front { first: rows.start, columns, slope, rows: rows_of, task };
        rayon::scope(|scope| front.run(0, scope));
    }
}
