//! Work that may be divided among threads, and is done in order where there is one.

use alloc::vec;

#[cfg(feature = "rayon")]
use self::rayon::Threads;
use crate::Error;

/// The threads of an encoder, which start with it and wait for its pictures. Its copies share them.
#[derive(Clone, Debug)]
pub(crate) struct Pool {
    #[cfg(feature = "rayon")]
    threads: Threads,
}

#[cfg_attr(not(feature = "rayon"), expect(clippy::unused_self, reason = "one thread has no state"))]
impl Pool {
    /// So many threads; 0 are those of the pool that it runs in, and 1 is the one that asks. Without the feature
    /// `rayon` there is one.
    ///
    /// # Errors
    ///
    /// [`Error::Threads`] when the system does not give them.
    #[cfg(feature = "rayon")]
    pub(crate) fn new(threads: usize) -> Result<Self, Error> {
        Ok(Self { threads: Threads::new(threads)? })
    }

    #[cfg(not(feature = "rayon"))]
    #[expect(clippy::unnecessary_wraps, reason = "with the feature it can fail")]
    pub(crate) fn new(_: usize) -> Result<Self, Error> {
        Ok(Self {})
    }

    /// How many threads there are.
    pub(crate) fn threads(&self) -> usize {
        #[cfg(feature = "rayon")]
        return self.threads.count();
        #[cfg(not(feature = "rayon"))]
        1
    }

    /// Does something on one of the threads, where loops are divided among them.
    pub(crate) fn run<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
        #[cfg(feature = "rayon")]
        return self.threads.run(work);
        #[cfg(not(feature = "rayon"))]
        work()
    }

    /// Does two things, beside each other if there are threads, whose loops may be divided among them.
    pub(crate) fn join(&self, first: impl FnOnce() + Send, second: impl FnOnce() + Send) {
        #[cfg(feature = "rayon")]
        if self.threads() > 1 {
            return self.threads.join(first, second);
        }
        first();
        second();
    }

    /// Does something with each item. Each of the `workers`, of which there is at least one, may get a thread of its
    /// own; there are no more of them than threads.
    pub(crate) fn each<W: Send, T: Send>(
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

    /// Does something with each item that takes no memory.
    pub(crate) fn for_each<T: Send>(&self, items: impl Iterator<Item = T> + Send, work: impl Fn(T) + Sync) {
        self.each(&mut vec![(); self.threads()], items, |(), item| work(item));
    }

    /// Does all of some things.
    pub(crate) fn all<const N: usize>(&self, tasks: [&mut (dyn FnMut() + Send); N]) {
        self.for_each(tasks.into_iter(), |task| task());
    }
}

/// Threads by the crate of that name.
#[cfg(feature = "rayon")]
mod rayon {
    use std::sync::{Arc, Mutex, PoisonError};

    use rayon::{Scope, ThreadPool, ThreadPoolBuilder};

    use crate::Error;

    #[derive(Clone, Debug)]
    pub(super) enum Threads {
        /// The one that asks.
        One,
        /// Those of the pool that it runs in.
        Around,
        Own(Arc<ThreadPool>),
    }

    impl Threads {
        pub(super) fn new(threads: usize) -> Result<Self, Error> {
            Ok(match threads {
                0 => Self::Around,
                1 => Self::One,
                _ => {
                    let pool = ThreadPoolBuilder::new().num_threads(threads).build();
                    Self::Own(Arc::new(pool.map_err(|_| Error::Threads(threads))?))
                }
            })
        }

        pub(super) fn count(&self) -> usize {
            match self {
                Self::One => 1,
                Self::Around => rayon::current_num_threads(),
                Self::Own(pool) => pool.current_num_threads(),
            }
        }

        pub(super) fn run<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
            match self {
                Self::One => work(),
                Self::Around => rayon::scope(|_| work()),
                Self::Own(pool) => pool.install(work),
            }
        }

        pub(super) fn join(&self, first: impl FnOnce() + Send, second: impl FnOnce() + Send) {
            match self {
                Self::Own(pool) => pool.join(first, second),
                Self::One | Self::Around => rayon::join(first, second),
            };
        }

        fn scope<'scope>(&self, work: impl FnOnce(&Scope<'scope>)) {
            match self {
                Self::Own(pool) => pool.in_place_scope(work),
                Self::One | Self::Around => rayon::in_place_scope(work),
            }
        }

        /// See [`Pool::each`](super::Pool::each). Each thread takes the next item that none has taken, and the one that
        /// asks does too: what it asked for gets done also in a pool whose other threads are busy.
        pub(super) fn each<W: Send, T: Send>(
            &self,
            own: &mut W,
            others: &mut [W],
            items: impl Iterator<Item = T> + Send,
            work: &(impl Fn(&mut W, T) + Sync),
        ) {
            let items = Mutex::new(items);
            let until_none_is_left = |worker: &mut W| {
                // A panic is handed on in the end, whoever's it was.
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
    }
}
