//! Restart intervals (T.81 B.2.4.4 and E.1.4).

/// Restart interval: the distance between points at which a decoder can resynchronize after data loss, or decode in
/// parallel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Restart {
    /// No restart markers.
    #[default]
    Never,
    /// Interval in MCUs; 0 is none. Lossless files, whose MCUs are pixels, need a multiple of whole rows.
    Mcus(u16),
    /// Interval in MCU rows; 0 is none. An interval above 65535 MCUs is reduced to 65535, or in lossless files to as
    /// many whole rows as fit.
    Rows(u16),
}

impl Restart {
    /// Ri: MCUs per interval of a scan with `mcus_wide` MCUs per row; 0 if there are no intervals.
    pub(crate) fn interval(self, mcus_wide: usize) -> u16 {
        match self {
            Self::Never => 0,
            Self::Mcus(mcus) => mcus,
            Self::Rows(rows) => (usize::from(rows) * mcus_wide).min(usize::from(u16::MAX)) as u16,
        }
    }
}

/// State of the restart intervals of a scan.
#[derive(Clone, Debug)]
pub(crate) struct Intervals {
    interval: usize,
    /// MCUs left in the interval.
    left: usize,
    /// m of the next marker `RSTm`.
    next: u8,
}

impl Intervals {
    pub(crate) fn new(interval: u16) -> Self {
        let interval = usize::from(interval);
        Self { interval, left: interval, next: 0 }
    }

    /// Seeks to an MCU of the scan, counted from 0.
    pub(crate) fn seek(&mut self, mcu: usize) {
        if let Some(gone) = mcu.checked_rem(self.interval) {
            // A marker is due before an MCU that begins an interval, but for the first.
            let due = gone == 0 && mcu > 0;
            self.left = if due { 0 } else { self.interval - gone };
            self.next = ((mcu / self.interval - usize::from(due)) & 7) as u8;
        }
    }

    /// Splits the next MCUs at a restart: the number to code next, and the restart marker before them.
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
