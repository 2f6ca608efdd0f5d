//! CPU time of a thread: what an expansion takes, however busy the machine is.

use std::time::Duration;

/// A reading of the calling thread's clock.
#[derive(Clone, Copy)]
pub(crate) struct ThreadTime(Duration);

impl ThreadTime {
    pub(crate) fn now() -> Self {
        #[cfg(unix)]
        {
            let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
            Self(Duration::try_from(time).expect("a clock does not run backwards"))
        }
        #[cfg(not(unix))]
        {
            use std::sync::LazyLock;
            use std::time::Instant;
            static START: LazyLock<Instant> = LazyLock::new(Instant::now);
            Self(START.elapsed())
        }
    }

    /// CPU time of the calling thread, which took this reading, since then.
    pub(crate) fn elapsed(self) -> Duration {
        Self::now().0.saturating_sub(self.0)
    }
}
