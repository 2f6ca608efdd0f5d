//! Work that may be divided among threads, and is done in order where there is one.

use alloc::vec;
use alloc::vec::Vec;
use core::sync::atomic::{AtomicUsize, Ordering};
#[cfg(feature = "rayon")]
use std::sync::PoisonError;

/// The system does not give this many threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("cannot start {0} threads")]
pub struct ThreadsError(pub usize);

/// The threads of an encoder, which start with it and wait for its pictures. Copies share them.
#[derive(Clone, Debug)]
pub struct Pool {
    #[cfg(feature = "rayon")]
    threads: rayon::Threads,
}

impl Pool {
    /// The caller's thread.
    #[must_use]
    pub const fn one() -> Self {
        Self {
            #[cfg(feature = "rayon")]
            threads: rayon::Threads::One,
        }
    }

    /// So many threads; 0 are those of the pool that the caller runs in, and 1 is the caller. Without the feature
    /// `rayon` there is one.
    ///
    /// # Errors
    ///
    /// When the system does not give them.
    #[cfg(feature = "rayon")]
    pub fn new(threads: usize) -> Result<Self, ThreadsError> {
        Ok(Self { threads: rayon::Threads::new(threads)? })
    }

    /// One thread, whatever is asked for.
    ///
    /// # Errors
    ///
    /// None without the feature `rayon`.
    #[cfg(not(feature = "rayon"))]
    pub fn new(_: usize) -> Result<Self, ThreadsError> {
        Ok(Self::one())
    }

    /// Number of threads.
    #[must_use]
    pub fn threads(&self) -> usize {
        #[cfg(feature = "rayon")]
        return self.threads.count();
        #[cfg(not(feature = "rayon"))]
        1
    }

    /// Runs `work` on one of the threads, where loops are divided among them.
    pub fn run<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
        #[cfg(feature = "rayon")]
        return self.threads.run(work);
        #[cfg(not(feature = "rayon"))]
        work()
    }

    /// Runs two functions, beside each other if there are threads, whose loops may be divided among them.
    pub fn join(&self, first: impl FnOnce() + Send, second: impl FnOnce() + Send) {
        #[cfg(feature = "rayon")]
        if self.threads() > 1 {
            return self.threads.join(first, second);
        }
        first();
        second();
    }

    /// Calls `work` for each item. Each of the `workers` may get a thread of its own; there are no more of them than
    /// threads.
    ///
    /// # Panics
    ///
    /// When there is no worker.
    pub fn each<W: Send, T: Send>(
        &self,
        workers: &mut [W],
        items: impl Iterator<Item = T> + Send,
        work: impl Fn(&mut W, T) + Sync,
    ) {
        let (own, others) = workers.split_first_mut().expect("there is a worker");
        #[cfg(feature = "rayon")]
        if !others.is_empty() {
            return self.threads.each(own, others, items, &work);
        }
        debug_assert!(others.is_empty(), "there is one thread");
        items.for_each(|item| work(own, item));
    }

    /// Calls `work` for each item.
    pub fn for_each<T: Send>(&self, items: impl Iterator<Item = T> + Send, work: impl Fn(T) + Sync) {
        self.each(&mut vec![(); self.threads()], items, |(), item| work(item));
    }

    /// Runs all tasks.
    pub fn all<const N: usize>(&self, tasks: [&mut (dyn FnMut() + Send); N]) {
        self.for_each(tasks.into_iter(), |task| task());
    }

    /// Makes something of each item, and has the caller take the results in order. Each thread has one of the
    /// `workers`; there are no more of them than threads.
    ///
    /// # Errors
    ///
    /// The first error of `take`, after which no other item is begun.
    pub fn in_order<W: Send, T: Sync, R: Send, E>(
        &self,
        workers: &mut [W],
        items: &[T],
        make: impl Fn(&mut W, &T) -> R + Sync,
        mut take: impl FnMut(R) -> Result<(), E>,
    ) -> Result<(), E> {
        #[cfg(feature = "rayon")]
        if workers.len() > 1 && items.len() > 1 {
            return self.threads.in_order(workers, items, &make, &mut take);
        }
        let Some(worker) = workers.first_mut() else { return Ok(()) };
        items.iter().try_for_each(|item| take(make(worker, item)))
    }

    /// Maps the items, in order.
    pub fn map<T: Sync, R: Send>(&self, items: &[T], make: impl Fn(&T) -> R + Sync) -> Vec<R> {
        let mut made = Vec::with_capacity(items.len());
        let mut workers = vec![(); self.threads()];
        let result = self.in_order(
            &mut workers,
            items,
            |(), item| make(item),
            |result| {
                made.push(result);
                Ok::<(), core::convert::Infallible>(())
            },
        );
        match result {
            Ok(()) => made,
        }
    }
}

/// How far one thread has come, for others that wait for it.
///
/// Whoever waits runs beside the one that it waits for: an item of [`Pool::each`] may wait for those before it, which
/// have begun.
#[derive(Debug, Default)]
pub struct Progress {
    reached: AtomicUsize,
    #[cfg(feature = "rayon")]
    changed: (std::sync::Mutex<()>, std::sync::Condvar),
}

/// Advances a [`Progress`]. Dropping it reaches everything, so that nobody waits for a thread that has panicked.
#[derive(Debug)]
pub struct Advance<'p>(&'p Progress);

impl Progress {
    /// Starts from 0.
    pub fn begin(&mut self) -> (Advance<'_>, &Self) {
        *self.reached.get_mut() = 0;
        (Advance(self), self)
    }

    /// Waits until so much is reached.
    #[inline]
    pub fn wait(&self, least: usize) {
        if self.reached.load(Ordering::Acquire) < least {
            self.block(least);
        }
    }

    #[cold]
    fn block(&self, least: usize) {
        #[cfg(feature = "rayon")]
        {
            let (lock, changed) = &self.changed;
            let held = lock.lock().unwrap_or_else(PoisonError::into_inner);
            let is_missing = |(): &mut ()| self.reached.load(Ordering::Acquire) < least;
            drop(changed.wait_while(held, is_missing).unwrap_or_else(PoisonError::into_inner));
        }
        #[cfg(not(feature = "rayon"))]
        panic!("one thread waits for itself to go from {} to {least}", self.reached.load(Ordering::Acquire));
    }
}

impl Clone for Progress {
    /// As far as this one is.
    fn clone(&self) -> Self {
        let copy = Self::default();
        copy.reached.store(self.reached.load(Ordering::Acquire), Ordering::Release);
        copy
    }
}

impl Advance<'_> {
    /// So much is reached.
    pub fn reach(&self, reached: usize) {
        #[cfg(feature = "rayon")]
        let held = self.0.changed.0.lock().unwrap_or_else(PoisonError::into_inner);
        self.0.reached.store(reached, Ordering::Release);
        #[cfg(feature = "rayon")]
        {
            drop(held);
            self.0.changed.1.notify_all();
        }
    }
}

impl Drop for Advance<'_> {
    fn drop(&mut self) {
        self.reach(usize::MAX);
    }
}

/// Threads by the crate of that name.
#[cfg(feature = "rayon")]
mod rayon {
    use alloc::collections::BTreeMap;
    use alloc::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::{Mutex, OnceLock, PoisonError, mpsc};
    use std::{mem, process};

    use rayon::{Scope, ThreadPool, ThreadPoolBuilder};

    use super::ThreadsError;

    #[derive(Clone, Debug)]
    pub(super) enum Threads {
        /// The caller.
        One,
        /// Those of the pool that the caller runs in.
        Around,
        Own(Arc<Owned>),
    }

    /// A pool of the process that uses it. A child that was forked has none of its parent's threads, and would wait for
    /// them forever: it gets a pool when it first needs one.
    #[derive(Debug)]
    pub(super) struct Owned {
        threads: usize,
        /// The process, and its pool.
        pool: Mutex<(u32, Arc<ThreadPool>)>,
    }

    impl Owned {
        fn new(threads: usize) -> Result<Self, ThreadsError> {
            Ok(Self { threads, pool: Mutex::new((process::id(), started(threads)?)) })
        }

        fn pool(&self) -> Arc<ThreadPool> {
            let mut pool = self.pool.lock().unwrap_or_else(PoisonError::into_inner);
            if pool.0 != process::id() {
                let own = started(self.threads).unwrap_or_else(|error| panic!("after a fork: {error}"));
                // Dropping the parent's would look for its threads.
                mem::forget(mem::replace(&mut pool.1, own));
                pool.0 = process::id();
            }
            Arc::clone(&pool.1)
        }
    }

    fn started(threads: usize) -> Result<Arc<ThreadPool>, ThreadsError> {
        let pool = ThreadPoolBuilder::new().num_threads(threads).build();
        pool.map(Arc::new).map_err(|_| ThreadsError(threads))
    }

    /// The pool of a caller that runs in none, if it is not rayon's: that one belongs to the process that used it first.
    fn forked() -> Option<Arc<ThreadPool>> {
        static FIRST: OnceLock<u32> = OnceLock::new();
        static POOL: OnceLock<Owned> = OnceLock::new();
        let elsewhere = *FIRST.get_or_init(process::id) != process::id();
        let outside = elsewhere && rayon::current_thread_index().is_none();
        outside.then(|| {
            let start = || Owned::new(0).unwrap_or_else(|error| panic!("after a fork: {error}"));
            POOL.get_or_init(start).pool()
        })
    }

    /// The result of item `index`; nothing if making it panicked.
    type Made<R> = (usize, Option<R>);

    /// Reports that an item is made, also when making it panics: the one who waits for it would wait forever.
    struct Report<'a, R> {
        index: usize,
        made: Option<R>,
        to: &'a mpsc::Sender<Made<R>>,
    }

    impl<R> Drop for Report<'_, R> {
        fn drop(&mut self) {
            // The receiver may have given up.
            let _ = self.to.send((self.index, self.made.take()));
        }
    }

    impl Threads {
        pub(super) fn new(threads: usize) -> Result<Self, ThreadsError> {
            Ok(match threads {
                0 => Self::Around,
                1 => Self::One,
                _ => Self::Own(Arc::new(Owned::new(threads)?)),
            })
        }

        /// The pool, if it is neither the caller nor rayon's own.
        fn pool(&self) -> Option<Arc<ThreadPool>> {
            match self {
                Self::One => None,
                Self::Around => forked(),
                Self::Own(owned) => Some(owned.pool()),
            }
        }

        pub(super) fn count(&self) -> usize {
            match (self, self.pool()) {
                (Self::One, _) => 1,
                (_, Some(pool)) => pool.current_num_threads(),
                (_, None) => rayon::current_num_threads(),
            }
        }

        pub(super) fn run<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
            match (self, self.pool()) {
                (Self::One, _) => work(),
                (_, Some(pool)) => pool.install(work),
                (_, None) => rayon::scope(|_| work()),
            }
        }

        pub(super) fn join(&self, first: impl FnOnce() + Send, second: impl FnOnce() + Send) {
            match self.pool() {
                Some(pool) => pool.join(first, second),
                None => rayon::join(first, second),
            };
        }

        fn scope<'scope, R>(&self, work: impl FnOnce(&Scope<'scope>) -> R) -> R {
            match self.pool() {
                Some(pool) => pool.in_place_scope(work),
                None => rayon::in_place_scope(work),
            }
        }

        /// See [`Pool::each`](super::Pool::each). Each thread takes the next item that none has taken, and so does the
        /// caller: its work gets done also in a pool whose other threads are busy.
        pub(super) fn each<W: Send, T: Send>(
            &self,
            own: &mut W,
            others: &mut [W],
            items: impl Iterator<Item = T> + Send,
            work: &(impl Fn(&mut W, T) + Sync),
        ) {
            let items = Mutex::new(items);
            let until_none_is_left = |worker: &mut W| {
                // The scope resumes a panic of any thread in the end.
                let next = || items.lock().unwrap_or_else(PoisonError::into_inner).next();
                while let Some(item) = next() {
                    work(worker, item);
                }
            };
            let until_none_is_left = &until_none_is_left;
            self.scope(|scope| {
                for worker in others {
                    scope.spawn(move |_| until_none_is_left(worker));
                }
                until_none_is_left(own);
            });
        }

        /// See [`Pool::in_order`](super::Pool::in_order). Each thread takes the next item that none has taken, and so
        /// does the caller, which takes results between items. It never waits for a thread that has not begun: in a
        /// pool that others use, that thread may never begin.
        pub(super) fn in_order<W: Send, T: Sync, R: Send, E>(
            &self,
            workers: &mut [W],
            items: &[T],
            make: &(impl Fn(&mut W, &T) -> R + Sync),
            take: &mut impl FnMut(R) -> Result<(), E>,
        ) -> Result<(), E> {
            let next = AtomicUsize::new(0);
            let stop = || next.store(items.len(), Ordering::Relaxed);
            let next = || {
                let more = |n| (n < items.len()).then_some(n + 1);
                next.fetch_update(Ordering::Relaxed, Ordering::Relaxed, more).ok()
            };
            let next = &next;
            let (sender, receiver) = mpsc::channel::<Made<R>>();
            let Some((own, workers)) = workers.split_first_mut() else { return Ok(()) };
            self.scope(|scope| {
                for worker in workers {
                    let sender = sender.clone();
                    scope.spawn(move |_| {
                        while let Some(index) = next() {
                            let mut report = Report { index, made: None, to: &sender };
                            report.made = Some(make(worker, &items[index]));
                        }
                    });
                }
                let mut waiting = BTreeMap::new();
                let mut taken = 0;
                loop {
                    waiting.extend(receiver.try_iter());
                    while let Some(made) = waiting.remove(&taken) {
                        // Nothing was made in a panic, which the scope resumes.
                        let Some(made) = made else { return Ok(()) };
                        take(made).inspect_err(|_| stop())?;
                        taken += 1;
                    }
                    if let Some(index) = next() {
                        waiting.insert(index, Some(make(own, &items[index])));
                    } else if taken < items.len() {
                        // The threads that took the others have begun.
                        waiting.extend(receiver.recv());
                    } else {
                        return Ok(());
                    }
                }
            })
        }
    }
}
