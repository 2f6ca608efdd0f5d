//! A bar on stderr for work that takes long enough to wonder about it.

use std::time::{Duration, Instant};

use indicatif::{HumanDuration, ProgressBar, ProgressDrawTarget, ProgressStyle};

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
    /// Whether it is the progress of one file among many, which is not shown.
    silent: bool,
}

impl Progress {
    /// The work begins.
    pub(crate) fn new() -> Self {
        Self { began: Instant::now(), bar: ProgressBar::hidden(), drawn: false, silent: false }
    }

    /// Work that is never shown.
    pub(crate) fn silent() -> Self {
        Self { began: Instant::now(), bar: ProgressBar::hidden(), drawn: false, silent: true }
    }

    /// A stage of `all` steps begins, whatever a step is.
    pub(crate) fn start(&mut self, stage: &'static str, all: usize) {
        self.bar.finish_and_clear();
        if self.silent {
            return;
        }
        let target = if self.drawn { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let style = ProgressStyle::with_template("{msg:>9} [{bar:40}] {percent:>3} %{prefix}")
            .expect("the template is correct")
            .progress_chars("=> ");
        self.bar =
            ProgressBar::with_draw_target(Some(all as u64), target).with_style(style).with_message(stage);
    }

    /// The stage has come to its step `done`.
    pub(crate) fn reach(&mut self, done: usize) {
        self.bar.set_position(done as u64);
        if !self.drawn && !self.silent && self.began.elapsed() >= PATIENCE {
            self.drawn = true;
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
    }

    /// How many steps a second, and the time that is left if the number of steps is known.
    pub(crate) fn rate(&self, steps: &str) -> String {
        let rate = self.bar.per_sec();
        let left = self.bar.length().filter(|&all| all > 0).map(|_| self.bar.eta());
        let left = left.map(|left| format!(", {} left", HumanDuration(left))).unwrap_or_default();
        format!("{rate:.1} {steps}/s{left}")
    }

    /// Something about the work so far, which stands behind the bar.
    pub(crate) fn note(&mut self, text: impl FnOnce() -> String) {
        if self.drawn {
            self.bar.set_prefix(text());
        }
    }

    /// The work is over: the bar goes away.
    pub(crate) fn finish(&mut self) {
        self.bar.finish_and_clear();
    }
}

impl shim_picture::Progress for Progress {
    fn start(&mut self, bytes: usize) {
        Self::start(self, "decoding", bytes);
    }

    fn reach(&mut self, bytes: usize) {
        Self::reach(self, bytes);
    }
}

impl Drop for Progress {
    /// Leaves the line clean for an error message.
    fn drop(&mut self) {
        self.finish();
    }
}

/// The progress of many files, which many threads are at.
#[derive(Debug)]
pub(crate) struct FilesProgress {
    bar: ProgressBar,
}

impl FilesProgress {
    /// Work on so many files begins.
    pub(crate) fn new(files: usize) -> Self {
        let style = ProgressStyle::with_template("{msg:>9} [{bar:40}] {pos}/{len}, {eta} left")
            .expect("the template is correct")
            .progress_chars("=> ");
        let bar = ProgressBar::new(files as u64).with_style(style).with_message("encoding");
        bar.tick();
        Self { bar }
    }

    /// One more is done or has failed.
    pub(crate) fn advance(&self) {
        self.bar.inc(1);
    }

    /// Prints to stderr with the bar out of the way.
    pub(crate) fn complain(&self, message: &str) {
        self.bar.suspend(|| eprintln!("{message}"));
    }
}

impl Drop for FilesProgress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
