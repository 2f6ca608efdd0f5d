//! The threads of an encoder.

#[cfg(feature = "rayon")]
use alloc::sync::Arc;
#[cfg(feature = "rayon")]
use std::sync::OnceLock;

use shim_codec::pool::Pool;

use crate::Error;

/// The number of threads to use, and those already started, which wait for the next image. Copies share them.
#[derive(Clone, Debug)]
pub(crate) struct Threads {
    count: usize,
    #[cfg(feature = "rayon")]
    started: Option<Arc<OnceLock<Pool>>>,
}

impl PartialEq for Threads {
    fn eq(&self, other: &Self) -> bool {
        self.count == other.count
    }
}

impl Eq for Threads {}

impl Threads {
    /// The caller.
    pub(crate) const ONE: Self = Self {
        count: 1,
        #[cfg(feature = "rayon")]
        started: None,
    };

    /// Uses `count` threads; 0 selects those of the pool that the caller runs in, by default one for each core.
    #[cfg(feature = "rayon")]
    pub(crate) fn new(count: usize) -> Self {
        Self { count, started: (count > 1).then(Arc::default) }
    }

    /// The threads of an encoding.
    ///
    /// # Errors
    ///
    /// [`Error::Threads`] when the system does not give them.
    pub(crate) fn pool(&self) -> Result<Pool, Error> {
        #[cfg(feature = "rayon")]
        if let Some(pool) = self.started.as_ref().and_then(|started| started.get()) {
            return Ok(pool.clone());
        }
        let pool = Pool::new(self.count).map_err(|error| Error::Threads(error.0))?;
        #[cfg(feature = "rayon")]
        if let Some(started) = &self.started {
            return Ok(started.get_or_init(|| pool).clone());
        }
        Ok(pool)
    }
}
