//! A bar on stderr for work that takes long enough to wonder about it.

use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Work shorter than this is done without a bar.
const PATIENCE: Duration = Duration::from_millis(400);

/// The progress of one stage of the work after another.
///
/// Nothing is drawn unless stderr is a terminal and [`PATIENCE`] has passed since the work began.
#[derive(Debug)]
pub(crate) struct Progress {
    began: Instant,
    bar: ProgressBar,
    drawn: bool,
}

impl Progress {
    /// The work begins.
    pub(crate) fn new() -> Self {
        Self { began: Instant::now(), bar: ProgressBar::hidden(), drawn: false }
    }

    /// A stage of `all` steps begins, whatever a step is.
    pub(crate) fn start(&mut self, stage: &'static str, all: usize) {
        self.bar.finish_and_clear();
        let target = if self.drawn { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let style = ProgressStyle::with_template("{msg:>9} [{bar:40}] {percent:>3} %")
            .expect("the template is correct")
            .progress_chars("=> ");
        self.bar =
            ProgressBar::with_draw_target(Some(all as u64), target).with_style(style).with_message(stage);
    }

    /// The stage has come to its step `done`.
    pub(crate) fn reach(&mut self, done: usize) {
        self.bar.set_position(done as u64);
        if !self.drawn && self.began.elapsed() >= PATIENCE {
            self.drawn = true;
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
    }

    /// The work is over: the bar goes away.
    pub(crate) fn finish(&mut self) {
        self.bar.finish_and_clear();
    }
}

impl Drop for Progress {
    /// Leaves the line clean for an error message.
    fn drop(&mut self) {
        self.finish();
    }
}
