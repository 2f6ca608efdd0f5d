//! Work that may be divided among threads, and is done in order where there is one.

use alloc::vec::Vec;

use crate::Error;

/// The threads of an encoding.
#[derive(Debug)]
pub(crate) struct Pool {
    #[cfg(feature = "rayon")]
    pool: Option<rayon::ThreadPool>,
}

#[cfg_attr(not(feature = "rayon"), expect(clippy::unused_self, reason = "one thread has no state"))]
impl Pool {
    /// So many threads; 0 are those of the pool that the caller runs in, one for each core if nothing else was said. Without
    /// the feature `rayon` there is one.
    ///
    /// # Errors
    ///
    /// [`Error::Threads`] when the system does not give them.
    #[cfg(feature = "rayon")]
    pub(crate) fn new(threads: usize) -> Result<Self, Error> {
        let build = |threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let pool = match threads {
            0 => rayon::current_num_threads(),
            threads => threads,
        };
        let pool = (pool > 1).then(|| build(pool)).transpose().map_err(|_| Error::Threads(threads))?;
        Ok(Self { pool })
    }

    #[cfg(not(feature = "rayon"))]
    #[expect(clippy::unnecessary_wraps, reason = "with the feature it can fail")]
    pub(crate) fn new(_threads: usize) -> Result<Self, Error> {
        Ok(Self {})
    }

    /// How many threads there are.
    pub(crate) fn threads(&self) -> usize {
        #[cfg(feature = "rayon")]
        if let Some(pool) = &self.pool {
            return pool.current_num_threads();
        }
        1
    }

    /// Of so many rows of MCUs, how many are worked on at once: some for each thread, so that they seldom wait for each other,
    /// and few, since each takes memory that has to be cleared.
    pub(crate) fn rows(&self, all: usize) -> usize {
        match self.threads() {
            1 => 1,
            threads => (3 * threads).min(all),
        }
    }

    /// Does work of which parts are divided, on one of the threads: from outside, each part would wait for a thread to wake.
    pub(crate) fn within<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
        #[cfg(feature = "rayon")]
        if let Some(pool) = &self.pool {
            return pool.install(work);
        }
        work()
    }

    /// Does something with each item, which is told its index.
    pub(crate) fn each<T: Send>(&self, items: &mut [T], work: impl Fn(usize, &mut T) + Sync) {
        #[cfg(feature = "rayon")]
        if let Some(pool) = &self.pool {
            use rayon::prelude::*;
            pool.install(|| items.par_iter_mut().enumerate().for_each(|(index, item)| work(index, item)));
            return;
        }
        for (index, item) in items.iter_mut().enumerate() {
            work(index, item);
        }
    }

    /// What is made of each item, in their order.
    pub(crate) fn map<T: Sync, R: Send>(&self, items: &[T], make: impl Fn(usize, &T) -> R + Sync) -> Vec<R> {
        #[cfg(feature = "rayon")]
        if let Some(pool) = &self.pool {
            use rayon::prelude::*;
            return pool
                .install(|| items.par_iter().enumerate().map(|(index, item)| make(index, item)).collect());
        }
        items.iter().enumerate().map(|(index, item)| make(index, item)).collect()
    }
}
