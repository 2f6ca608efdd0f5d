//! Times of frames.

use std::io;

/// Ticks of a second where the frame rate changes: whole numbers of them make the frames of the usual rates, those over
/// 1001 included.
pub const VARIABLE: u32 = 240_000;

/// The times of frames at a frame rate, which may change.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    timescale: u32,
    frame_rate: (u32, u32),
    /// The time of the first frame at this rate, and the frames since.
    start: u64,
    frames: u64,
}

impl Clock {
    /// A clock that counts the ticks of a constant frame rate.
    #[must_use]
    pub const fn constant(frame_rate: (u32, u32)) -> Self {
        Self::with_timescale(frame_rate.0, frame_rate)
    }

    /// A clock for frame rates that change.
    #[must_use]
    pub const fn variable(frame_rate: (u32, u32)) -> Self {
        Self::with_timescale(VARIABLE, frame_rate)
    }

    /// A clock of so many ticks a second.
    #[must_use]
    pub const fn with_timescale(timescale: u32, frame_rate: (u32, u32)) -> Self {
        Self { timescale, frame_rate, start: 0, frames: 0 }
    }

    /// Ticks of a second.
    #[must_use]
    pub const fn timescale(&self) -> u32 {
        self.timescale
    }

    /// The time of the next frame, in ticks, if nothing says otherwise.
    #[must_use]
    pub fn now(&self) -> u64 {
        let (frames, seconds) = self.frame_rate;
        let ticks = u128::from(self.frames) * u128::from(self.timescale) * u128::from(seconds);
        let frames = u128::from(frames.max(1));
        self.start + ((ticks + frames / 2) / frames) as u64
    }

    /// Goes past a frame, at the time that it is given or the one that is due, and returns its time.
    pub fn frame(&mut self, time: Option<u64>) -> u64 {
        if let Some(time) = time {
            (self.start, self.frames) = (time, 0);
        }
        let now = self.now();
        self.frames += 1;
        now
    }

    /// Changes the frame rate from the next frame on.
    pub fn set_frame_rate(&mut self, frame_rate: (u32, u32)) {
        (self.start, self.frames, self.frame_rate) = (self.now(), 0, frame_rate);
    }
}

/// The ticks between two frames.
///
/// # Errors
///
/// When the second does not follow the first, or is too far away.
pub(crate) fn duration(first: u64, second: u64) -> io::Result<u32> {
    let ticks = second.checked_sub(first).filter(|&ticks| ticks > 0);
    ticks.and_then(|ticks| u32::try_from(ticks).ok()).ok_or_else(|| {
        let message = format!("a frame at time {second} does not follow one at {first}");
        io::Error::new(io::ErrorKind::InvalidInput, message)
    })
}

/// The times of the frames of a file so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct Times {
    /// How long frames are shown, without the last: runs of frames, and the ticks of each.
    durations: Vec<(u32, u32)>,
    /// The time of the last frame.
    last: Option<u64>,
}

impl Times {
    /// Adds a frame.
    ///
    /// # Errors
    ///
    /// When it is not shown after the frame before it.
    pub(crate) fn push(&mut self, time: u64) -> io::Result<()> {
        if let Some(last) = self.last {
            push(&mut self.durations, duration(last, time)?);
        }
        self.last = Some(time);
        Ok(())
    }

    /// Runs of frames, and the ticks that each is shown for. The last frame is shown as long as the one before it, or
    /// else for `usual` ticks.
    pub(crate) fn runs(&self, usual: u32) -> Vec<(u32, u32)> {
        let mut runs = self.durations.clone();
        if self.last.is_some() {
            push(&mut runs, self.durations.last().map_or(usual, |&(_, ticks)| ticks));
        }
        runs
    }
}

fn push(runs: &mut Vec<(u32, u32)>, ticks: u32) {
    match runs.last_mut() {
        Some((frames, known)) if *known == ticks => *frames += 1,
        _ => runs.push((1, ticks)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_are_as_far_apart_as_the_rate_says() {
        let mut clock = Clock::constant((30_000, 1001));
        assert_eq!([(); 3].map(|()| clock.frame(None)), [0, 1001, 2002]);
        let mut clock = Clock::variable((30_000, 1001));
        assert_eq!([(); 3].map(|()| clock.frame(None)), [0, 8008, 16_016]);
        clock.set_frame_rate((12, 1));
        assert_eq!([(); 2].map(|()| clock.frame(None)), [24_024, 44_024]);
        // A time that is given is where the next ones follow.
        assert_eq!([clock.frame(Some(100_000)), clock.frame(None)], [100_000, 120_000]);
        // Errors of rounding do not add up.
        let mut clock = Clock::with_timescale(1000, (7, 1));
        let times: Vec<u64> = (0..8).map(|_| clock.frame(None)).collect();
        assert_eq!(times, [0, 143, 286, 429, 571, 714, 857, 1000]);
    }

    #[test]
    fn times_are_kept_as_durations() {
        let mut times = Times::default();
        assert_eq!(times.runs(4), []);
        for time in [10, 20, 30, 35] {
            times.push(time).unwrap();
        }
        assert_eq!(times.runs(4), [(2, 10), (2, 5)]);
        for wrong in [35, 34, 36 + u64::from(u32::MAX)] {
            assert!(times.push(wrong).is_err());
        }
        times.push(40).unwrap();
        assert_eq!(times.runs(4), [(2, 10), (3, 5)]);
        let mut one = Times::default();
        one.push(7).unwrap();
        assert_eq!(one.runs(4), [(1, 4)]);
    }
}
