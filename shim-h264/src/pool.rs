//! Work that may be divided among threads, and is done in order where there is one.

use alloc::vec;

#[cfg(feature = "rayon")]
use self::rayon::Others;
use crate::Error;

/// The threads of an encoder, which are started with it and wait for its pictures. Its copies share them.
#[derive(Clone, Debug)]
pub(crate) struct Pool {
    #[cfg(feature = "rayon")]
    others: Others,
}

#[cfg_attr(not(feature = "rayon"), expect(clippy::unused_self, reason = "one thread has no state"))]
impl Pool {
    /// So many threads, with the one that asks; 0 are those of the pool that it runs in. Without the feature `rayon` there is one.
    ///
    /// # Errors
    ///
    /// [`Error::Threads`] when the system does not give them.
    #[cfg(feature = "rayon")]
    pub(crate) fn new(threads: usize) -> Result<Self, Error> {
        Ok(Self { others: Others::new(threads)? })
    }

    #[cfg(not(feature = "rayon"))]
    #[expect(clippy::unnecessary_wraps, reason = "with the feature it can fail")]
    pub(crate) fn new(_: usize) -> Result<Self, Error> {
        Ok(Self {})
    }

    /// How many threads there are, with the one that asks.
    pub(crate) fn threads(&self) -> usize {
        #[cfg(feature = "rayon")]
        return 1 + self.others.count();
        #[cfg(not(feature = "rayon"))]
        1
    }

    /// Does something with each item. Each of the `workers`, of which there is at least one, may get a thread of its own; there are
    /// no more of them than threads.
    pub(crate) fn each<W: Send, T: Send>(
        &self,
        workers: &mut [W],
        items: impl Iterator<Item = T> + Send,
        work: impl Fn(&mut W, T) + Sync,
    ) {
        let (own, others) = workers.split_first_mut().expect("there is a worker");
        #[cfg(feature = "rayon")]
        if !others.is_empty() {
            return self.others.each(own, others, items, &work);
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

    /// The threads beside the one that asks.
    #[derive(Clone, Debug)]
    pub(super) enum Others {
        None,
        /// Those of the pool that it runs in.
        Around,
        Own(Arc<ThreadPool>),
    }

    impl Others {
        pub(super) fn new(threads: usize) -> Result<Self, Error> {
            Ok(match threads {
                0 => Self::Around,
                1 => Self::None,
                _ => {
                    let pool = ThreadPoolBuilder::new().num_threads(threads - 1).build();
                    Self::Own(Arc::new(pool.map_err(|_| Error::Threads(threads))?))
                }
            })
        }

        pub(super) fn count(&self) -> usize {
            match self {
                Self::None => 0,
                Self::Around => rayon::current_num_threads() - 1,
                Self::Own(pool) => pool.current_num_threads(),
            }
        }

        fn scope<'scope>(&self, work: impl FnOnce(&Scope<'scope>)) {
            match self {
                Self::Own(pool) => pool.in_place_scope(work),
                Self::None | Self::Around => rayon::in_place_scope(work),
            }
        }

        /// See [`Pool::each`](super::Pool::each). Each thread takes the next item that none has taken, and the one that asks does
        /// too: what it asked for gets done also in a pool whose other threads are busy.
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
