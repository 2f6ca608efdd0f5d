//! Signals that arrive during a long call.

use std::time::{Duration, Instant};

use pyo3::prelude::*;

/// Time between looks at signals.
const PATIENCE: Duration = Duration::from_millis(100);

/// Looks for signals now and then, while the GIL is not held.
pub(crate) struct Interrupt {
    looked: Instant,
    error: Option<PyErr>,
}

impl Interrupt {
    pub(crate) fn new() -> Self {
        Self { looked: Instant::now(), error: None }
    }

    /// Whether to go on.
    pub(crate) fn proceed(&mut self) -> bool {
        if self.error.is_none() && self.looked.elapsed() > PATIENCE {
            #[expect(clippy::redundant_closure_for_method_calls, reason = "its lifetime is that of the call")]
            let looked = Python::attach(|py| py.check_signals());
            self.error = looked.err();
            self.looked = Instant::now();
        }
        self.error.is_none()
    }

    /// What a signal handler raised, such as `KeyboardInterrupt`.
    pub(crate) fn into_error(self) -> Option<PyErr> {
        self.error
    }
}
