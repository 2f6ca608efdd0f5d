//! Files of timecodes, as mkvextract writes and x264 reads them.

use shim_mp4::{VARIABLE, frame_rate};

use crate::failure::Reason;

/// The times of frames, in ticks of [`VARIABLE`].
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Timecodes {
    /// The time of each frame (format v2).
    Times(Vec<u64>),
    /// The frame rate, and the one of ranges of frames (format v1).
    Rates {
        usual: f64,
        /// First frame, last frame and frames a second, in ascending order.
        ranges: Vec<(u64, u64, f64)>,
    },
}

impl Timecodes {
    /// Reads the text of a file.
    pub(crate) fn parse(text: &str) -> Result<Self, Reason> {
        let mut lines = (1..).zip(text.lines().map(str::trim)).filter(|(_, line)| !line.is_empty());
        let header = lines.next().map(|(_, line)| line.to_lowercase()).unwrap_or_default();
        let lines = lines.filter(|(_, line)| !line.starts_with('#'));
        match header.strip_prefix('#').map(str::trim) {
            Some("timecode format v1" | "timestamp format v1") => Self::rates(lines),
            Some("timecode format v2" | "timestamp format v2") => Self::times(lines),
            _ => Err(Reason::Syntax("no line `# timecode format v1` or `v2` at its beginning".to_owned())),
        }
    }

    fn times<'t>(lines: impl Iterator<Item = (usize, &'t str)>) -> Result<Self, Reason> {
        let mut times = Vec::new();
        for (number, line) in lines {
            let wrong = |text: &str| Reason::Syntax(format!("line {number}: {text}, found `{line}`"));
            let milliseconds: f64 = line.parse().map_err(|_| wrong("expected a time in milliseconds"))?;
            // Longer than any video.
            if !(0.0..=1e13).contains(&milliseconds) {
                return Err(wrong("expected a time in milliseconds"));
            }
            let time = (milliseconds * f64::from(VARIABLE) / 1000.0).round() as u64;
            if times.last().is_some_and(|&last| last >= time) {
                return Err(wrong("expected a time after the one before it"));
            }
            times.push(time);
        }
        if times.is_empty() { Err(Reason::Syntax("no times".to_owned())) } else { Ok(Self::Times(times)) }
    }

    fn rates<'t>(mut lines: impl Iterator<Item = (usize, &'t str)>) -> Result<Self, Reason> {
        let rate = |text: &str| text.trim().parse().ok().filter(|rate| (1e-3..=1e6).contains(rate));
        let usual = lines.next().and_then(|(_, line)| rate(line.to_lowercase().strip_prefix("assume")?));
        let usual = usual.ok_or_else(|| Reason::Syntax("no line such as `Assume 25`".to_owned()))?;
        let mut ranges: Vec<(u64, u64, f64)> = Vec::new();
        for (number, line) in lines {
            let range = || {
                let mut parts = line.split(',').map(str::trim);
                let range = (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?, rate(parts.next()?)?);
                let after = ranges.last().is_none_or(|&(_, last, _)| range.0 > last);
                (parts.next().is_none() && range.0 <= range.1 && after).then_some(range)
            };
            let range = range().ok_or_else(|| {
                let wanted = "expected the first and last frame of a range behind the others, and its rate";
                Reason::Syntax(format!("line {number}: {wanted}, found `{line}`"))
            })?;
            ranges.push(range);
        }
        Ok(Self::Rates { usual, ranges })
    }

    /// The time of a frame, if the file has it.
    #[expect(clippy::cast_precision_loss, reason = "videos have fewer than 2^52 frames")]
    pub(crate) fn time(&self, frame: u64) -> Option<u64> {
        match self {
            Self::Times(times) => times.get(usize::try_from(frame).ok()?).copied(),
            Self::Rates { usual, ranges } => {
                // Seconds of the frames before, those of each range at its rate.
                let (mut seconds, mut usually) = (0.0, frame);
                for &(first, last, rate) in ranges {
                    let within = (last + 1).min(frame).saturating_sub(first);
                    seconds += within as f64 / rate;
                    usually -= within;
                }
                seconds += usually as f64 / usual;
                Some((seconds * f64::from(VARIABLE)).round() as u64)
            }
        }
    }

    /// The average frame rate, for rate control.
    #[expect(clippy::cast_precision_loss, reason = "times and frames are far below 2^52")]
    pub(crate) fn frame_rate(&self) -> Option<(u32, u32)> {
        match self {
            Self::Times(times) => match times[..] {
                [first, .., last] => {
                    let frames = (times.len() - 1) as f64;
                    frame_rate::of(frames * f64::from(VARIABLE) / (last - first) as f64)
                }
                _ => None,
            },
            Self::Rates { usual, .. } => frame_rate::of(*usual),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_of_both_formats() {
        let times = Timecodes::parse("# timecode format v2\n0\n40.0\n\n# a comment\n100\r\n").unwrap();
        assert_eq!(times, Timecodes::Times(vec![0, 9600, 24_000]));
        assert_eq!((times.time(2), times.time(3), times.frame_rate()), (Some(24_000), None, Some((20, 1))));
        let rates = Timecodes::parse("# timecode format v1\nAssume 25\n2,3,10\n5,5,1\n").unwrap();
        let found: Vec<_> = (0..8).map(|frame| rates.time(frame).unwrap()).collect();
        assert_eq!(found, [0, 9600, 19_200, 43_200, 67_200, 76_800, 316_800, 326_400]);
        assert_eq!(rates.frame_rate(), Some((25, 1)));
    }

    #[test]
    fn what_is_no_file_of_timecodes() {
        for (text, message) in [
            ("", "no line `# timecode format"),
            ("0\n40\n", "no line `# timecode format"),
            ("# timecode format v3\n0", "no line `# timecode format"),
            ("# timecode format v2\n", "no times"),
            ("# timecode format v2\n0\nx", "line 3: expected a time in milliseconds, found `x`"),
            ("# timecode format v2\n0\n40\n40", "line 4: expected a time after the one before it"),
            ("# timecode format v2\nnan", "line 2: expected a time in milliseconds"),
            ("# timecode format v2\n-1", "line 2: expected a time in milliseconds"),
            ("# timecode format v1\n25", "no line such as `Assume 25`"),
            ("# timecode format v1\nAssume 0", "no line such as `Assume 25`"),
            ("# timecode format v1\nAssume 25\n3,2,10", "line 3: expected the first and last frame"),
            ("# timecode format v1\nAssume 25\n0,5,10\n5,6,10", "line 4: expected the first and last frame"),
            ("# timecode format v1\nAssume 25\n0,5", "line 3: expected the first and last frame"),
        ] {
            let refused = Timecodes::parse(text).unwrap_err().to_string();
            assert!(refused.starts_with(message), "{text}: {refused}");
        }
    }
}
