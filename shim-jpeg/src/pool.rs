//! Work that may be divided among threads, and is done in order where there is one.

use alloc::vec::Vec;
use core::ops::Range;

use crate::Error;

/// The most rows of MCUs that a thread takes at once.
const LONGEST_INTERVAL: usize = 8;

/// The threads of an encoder: the number to use, and those already started, which wait for the next image.
#[derive(Clone, Debug)]
pub(crate) struct Threads {
    count: usize,
    #[cfg(feature = "rayon")]
    started: Option<rayon::Started>,
}

impl PartialEq for Threads {
    fn eq(&self, other: &Self) -> bool {
        self.count == other.count
    }
}

impl Eq for Threads {}

impl Threads {
    /// The one that asks.
    pub(crate) const ONE: Self = Self {
        count: 1,
        #[cfg(feature = "rayon")]
        started: None,
    };

    /// Uses `threads` threads; 0 selects those of the pool that the caller runs in, by default one for each core.
    #[cfg(feature = "rayon")]
    pub(crate) fn new(count: usize) -> Self {
        Self { count, started: (count > 1).then(rayon::Started::default) }
    }

    /// The threads of an encoding. Without the feature `rayon` there is one.
    ///
    /// # Errors
    ///
    /// [`Error::Threads`] when the system does not give them.
    #[cfg(feature = "rayon")]
    pub(crate) fn pool(&self) -> Result<Pool, Error> {
        rayon::pool(self.count, self.started.as_ref())
    }

    #[cfg(not(feature = "rayon"))]
    #[expect(clippy::unnecessary_wraps, reason = "with the feature it can fail")]
    pub(crate) fn pool(&self) -> Result<Pool, Error> {
        debug_assert_eq!(self.count, 1, "nothing sets another");
        Ok(Pool::one())
    }
}

/// The threads of an encoding.
#[derive(Clone, Debug)]
pub(crate) struct Pool {
    #[cfg(feature = "rayon")]
    others: rayon::Others,
}

#[cfg_attr(not(feature = "rayon"), expect(clippy::unused_self, reason = "one thread has no state"))]
impl Pool {
    /// The caller's thread.
    pub(crate) fn one() -> Self {
        Self {
            #[cfg(feature = "rayon")]
            others: rayon::Others::None,
        }
    }

    /// Number of threads, including the caller's.
    pub(crate) fn threads(&self) -> usize {
        #[cfg(feature = "rayon")]
        return 1 + self.others.count();
        #[cfg(not(feature = "rayon"))]
        1
    }

    /// Divides MCU rows into the intervals that threads take: shorter towards the end, so that all end at about the same
    /// time.
    pub(crate) fn intervals(&self, rows: Range<usize>) -> Vec<Range<usize>> {
        let mut intervals = Vec::new();
        let mut start = rows.start;
        while start < rows.end {
            let length = ((rows.end - start) / (4 * self.threads())).clamp(1, LONGEST_INTERVAL);
            intervals.push(start..start + length);
            start += length;
        }
        intervals
    }

    /// Makes something of each item, and has it taken in their order by the thread that asks. Each thread has one of
    /// the `workers`; there are no more of them than threads.
    ///
    /// # Errors
    ///
    /// The first of `take`, after which no more is begun.
    pub(crate) fn in_order<W: Send, T: Sync, R: Send>(
        &self,
        workers: &mut [W],
        items: &[T],
        make: impl Fn(&mut W, &T) -> R + Sync,
        mut take: impl FnMut(R) -> Result<(), Error>,
    ) -> Result<(), Error> {
        #[cfg(feature = "rayon")]
        if workers.len() > 1 && items.len() > 1 {
            return self.others.in_order(workers, items, &make, &mut take);
        }
        let Some(worker) = workers.first_mut() else { return Ok(()) };
        items.iter().try_for_each(|item| take(make(worker, item)))
    }

    /// Maps the items, in order.
    pub(crate) fn map<T: Sync, R: Send>(&self, items: &[T], make: impl Fn(&T) -> R + Sync) -> Vec<R> {
        let mut made = Vec::with_capacity(items.len());
        let mut workers: Vec<()> = (0..self.threads()).map(|_| ()).collect();
        let result = self.in_order(
            &mut workers,
            items,
            |(), item| make(item),
            |result| {
                made.push(result);
                Ok(())
            },
        );
        debug_assert!(result.is_ok(), "taking does not fail");
        made
    }
}

/// Threads by the crate of that name.
#[cfg(feature = "rayon")]
mod rayon {
    use alloc::collections::BTreeMap;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::{Arc, OnceLock, mpsc};

    use rayon::{Scope, ThreadPool, ThreadPoolBuilder};

    use super::Pool;
    use crate::Error;

    /// The threads that an encoder has started, shared with its copies.
    pub(super) type Started = Arc<OnceLock<Arc<ThreadPool>>>;

    /// The threads beside the one that asks.
    #[derive(Clone, Debug)]
    pub(super) enum Others {
        None,
        /// So many of the pool that it runs in.
        Around(usize),
        Own(Arc<ThreadPool>),
    }

    /// A pool of so many threads.
    pub(super) fn pool(count: usize, started: Option<&Started>) -> Result<Pool, Error> {
        let others = match (count, started) {
            (0, _) => match rayon::current_num_threads() {
                1 => Others::None,
                around => Others::Around(around - 1),
            },
            (_, Some(started)) => Others::Own(match started.get() {
                Some(pool) => Arc::clone(pool),
                None => {
                    let pool = ThreadPoolBuilder::new().num_threads(count - 1).build();
                    let pool = Arc::new(pool.map_err(|_| Error::Threads(count))?);
                    Arc::clone(started.get_or_init(|| pool))
                }
            }),
            _ => Others::None,
        };
        Ok(Pool { others })
    }

    /// What one thread made of item `index`; nothing if it panicked.
    type Made<R> = (usize, Option<R>);

    /// Tells of an item that it is made, also when making it panics: the one who waits for it would wait forever.
    struct Telling<'a, R> {
        index: usize,
        made: Option<R>,
        to: &'a mpsc::Sender<Made<R>>,
    }

    impl<R> Drop for Telling<'_, R> {
        fn drop(&mut self) {
            // Whoever is told may have given up.
            let _ = self.to.send((self.index, self.made.take()));
        }
    }

    impl Others {
        pub(super) fn count(&self) -> usize {
            match self {
                Self::None => 0,
                Self::Around(count) => *count,
                Self::Own(pool) => pool.current_num_threads(),
            }
        }

        fn scope<'scope, R>(&self, work: impl FnOnce(&Scope<'scope>) -> R) -> R {
            match self {
                Self::Own(pool) => pool.in_place_scope(work),
                Self::None | Self::Around(_) => rayon::in_place_scope(work),
            }
        }

        /// See [`Pool::in_order`]. Each thread takes the next item that none has taken. The one that asks does too, and
        /// between items it takes what is made; it never waits for a thread that has not begun, since in a pool that
        /// others use, it may never do.
        pub(super) fn in_order<W: Send, T: Sync, R: Send>(
            &self,
            workers: &mut [W],
            items: &[T],
            make: &(impl Fn(&mut W, &T) -> R + Sync),
            take: &mut impl FnMut(R) -> Result<(), Error>,
        ) -> Result<(), Error> {
            let next = AtomicUsize::new(0);
            let stop = || next.store(items.len(), Ordering::Relaxed);
            let next = || {
                next.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |n| {
                    (n < items.len()).then_some(n + 1)
                })
                .ok()
            };
            let next = &next;
            let (sender, receiver) = mpsc::channel::<Made<R>>();
            let Some((own, workers)) = workers.split_first_mut() else { return Ok(()) };
            self.scope(|scope| {
                for worker in workers {
                    let sender = sender.clone();
                    scope.spawn(move |_| {
                        while let Some(index) = next() {
                            let mut telling = Telling { index, made: None, to: &sender };
                            telling.made = Some(make(worker, &items[index]));
                        }
                    });
                }
                let mut waiting = BTreeMap::new();
                let mut taken = 0;
                loop {
                    waiting.extend(receiver.try_iter());
                    while let Some(made) = waiting.remove(&taken) {
                        // Nothing was made in a panic, which the scope hands on.
                        let Some(made) = made else { return Ok(()) };
                        take(made).inspect_err(|_| stop())?;
                        taken += 1;
                    }
                    if let Some(index) = next() {
                        waiting.insert(index, Some(make(own, &items[index])));
                    } else if taken < items.len() {
                        // Those who took the others have begun.
                        waiting.extend(receiver.recv());
                    } else {
                        return Ok(());
                    }
                }
            })
        }
    }
}
