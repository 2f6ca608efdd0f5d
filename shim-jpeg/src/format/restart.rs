//! Restart intervals (T.81 B.2.4.4 and E.1.4).

/// How often a decoder can start anew, after lost data or in parallel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Restart {
    /// Nowhere but at the beginning of a scan.
    #[default]
    Never,
    /// After so many MCUs. 0 is never. In the lossless process, where an MCU is a pixel, they must be whole rows.
    Mcus(u16),
    /// After so many rows of MCUs, if they are at most 65535 MCUs; otherwise after those, in the lossless process after as many
    /// whole rows as they hold. 0 is never.
    Rows(u16),
}

impl Restart {
    /// Ri: MCUs to an interval in a scan that has so many in a row; 0 if there are no intervals.
    pub(crate) fn interval(self, mcus_wide: usize) -> u16 {
        match self {
            Self::Never => 0,
            Self::Mcus(mcus) => mcus,
            Self::Rows(rows) => (usize::from(rows) * mcus_wide).min(usize::from(u16::MAX)) as u16,
        }
    }
}

/// The intervals of a scan as its MCUs are coded.
#[derive(Clone, Debug)]
pub(crate) struct Intervals {
    interval: usize,
    /// MCUs that are left of the interval.
    left: usize,
    /// m of the next marker `RSTm`.
    next: u8,
}

impl Intervals {
    pub(crate) fn new(interval: u16) -> Self {
        let interval = usize::from(interval);
        Self { interval, left: interval, next: 0 }
    }

    /// Goes to an MCU of the scan, counted from 0, without those before it.
    pub(crate) fn seek(&mut self, mcu: usize) {
        if let Some(gone) = mcu.checked_rem(self.interval) {
            // A marker is due before an MCU that begins an interval, but for the first.
            let due = gone == 0 && mcu > 0;
            self.left = if due { 0 } else { self.interval - gone };
            self.next = ((mcu / self.interval - usize::from(due)) & 7) as u8;
        }
    }

    /// Of MCUs that follow, how many to code next, and before them the marker of a restart.
    pub(crate) fn take(&mut self, mcus: usize) -> (usize, Option<[u8; 2]>) {
        if self.interval == 0 {
            return (mcus, None);
        }
        let mut marker = None;
        if self.left == 0 {
            marker = Some([0xff, 0xd0 | self.next]);
            self.next = (self.next + 1) & 7;
            self.left = self.interval;
        }
        let taken = mcus.min(self.left);
        self.left -= taken;
        (taken, marker)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_marker_stands_between_intervals_and_not_at_the_end() {
        let mut intervals = Intervals::new(3);
        let mut taken = Vec::new();
        for mut mcus in [2, 4, 3] {
            while mcus > 0 {
                let (count, marker) = intervals.take(mcus);
                taken.push((count, marker.map(|m| m[1])));
                mcus -= count;
            }
        }
        assert_eq!(taken, [(2, None), (1, None), (3, Some(0xd0)), (3, Some(0xd1))]);
    }

    #[test]
    fn intervals_can_be_entered_anywhere() {
        for interval in [0, 1, 3, 7] {
            let mut from_the_start = Intervals::new(interval);
            for mcu in 0..80 {
                let mut entered = Intervals::new(interval);
                entered.seek(mcu);
                assert_eq!(entered.take(1), from_the_start.take(1), "{interval} {mcu}");
            }
        }
    }

    #[test]
    fn rows_are_so_many_mcus_as_fit() {
        assert_eq!(Restart::Rows(2).interval(100), 200);
        assert_eq!(Restart::Rows(9).interval(8192), 65_535);
        assert_eq!(Restart::Never.interval(5), 0);
    }
}
