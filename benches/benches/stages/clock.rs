//! The times of stages.

use std::time::{Duration, Instant};

/// The kind of file, and the stage.
pub(crate) type Stage = [&'static str; 2];

/// The times of each stage, in the order in which they came: one for each pass that was added.
#[derive(Debug, Default)]
pub(crate) struct Clock {
    kind: &'static str,
    stages: Vec<(Stage, Vec<Duration>)>,
}

impl Clock {
    /// Says what kind of file the stages after this are for.
    pub(crate) fn begin(&mut self, kind: &'static str) {
        self.kind = kind;
    }

    /// Does a part of the work of a stage.
    pub(crate) fn time<R>(&mut self, stage: &'static str, work: impl FnOnce() -> R) -> R {
        let start = Instant::now();
        let result = work();
        let taken = start.elapsed();
        self.of([self.kind, stage], |times| match times.last_mut() {
            Some(time) => *time += taken,
            None => times.push(taken),
        });
        result
    }

    /// Adds the times of a pass.
    pub(crate) fn add_pass(&mut self, pass: Self) {
        for (stage, mut times) in pass.stages {
            self.of(stage, |all| all.append(&mut times));
        }
    }

    /// The stages and their times.
    pub(crate) fn stages(&self) -> impl Iterator<Item = (Stage, &[Duration])> {
        self.stages.iter().map(|(stage, times)| (*stage, &times[..]))
    }

    fn of(&mut self, stage: Stage, change: impl FnOnce(&mut Vec<Duration>)) {
        let index = self.stages.iter().position(|&(name, _)| name == stage).unwrap_or_else(|| {
            self.stages.push((stage, Vec::new()));
            self.stages.len() - 1
        });
        change(&mut self.stages[index].1);
    }
}
