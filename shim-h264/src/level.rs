//! Levels (A.3): limits on frame size, bit rate, buffers and motion vectors, and the lowest level that a stream fits.

use crate::Error;

/// A level of Table A-1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Level {
    /// Level times ten; 9 is level 1b, as in `level_idc` of the High profiles.
    number: u8,
    /// `MaxMBPS`: maximum macroblocks per second.
    pub max_mbps: u32,
    /// `MaxFS`: maximum macroblocks per frame.
    pub max_fs: u32,
    /// `MaxDpbMbs`: maximum macroblocks in the decoded picture buffer.
    pub max_dpb_mbs: u32,
    /// `MaxBR`: maximum bit rate, in units of 1000 bit/s (VCL) or 1200 bit/s (NAL).
    pub max_br: u32,
    /// `MaxCPB`: maximum size of the coded picture buffer, in units of 1000 bits (VCL) or 1200 bits (NAL).
    pub max_cpb: u32,
    /// `MaxVmvR`: vertical motion vector range, in luma samples: at least the negative value, and less than the
    /// positive one.
    pub max_vmv_r: i16,
    /// `MinCR`: minimum compression ratio of a picture.
    pub min_cr: u8,
    /// `SliceRate` of the Main profile (Table A-4), which bounds the slices per picture. Constrained Baseline streams
    /// declare conformance to Main, and so obey it. 0 where the table has no limit.
    pub slice_rate: u8,
    /// `MaxMvsPer2Mb`: maximum motion vectors of two consecutive macroblocks; 32, the most that are possible, where the
    /// table has no limit.
    pub max_mvs_per_2mb: u8,
}

/// Stream properties that levels limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Demands {
    /// `PicWidthInMbs`.
    pub mbs_wide: usize,
    /// `FrameHeightInMbs`.
    pub mbs_high: usize,
    /// Frames per second, as a fraction of numerator and denominator.
    pub frame_rate: (u32, u32),
    /// Bit rate in bit/s, if bounded.
    pub bit_rate: Option<u64>,
    /// Size of the coded picture buffer in bits, if specified.
    pub cpb_size: Option<u64>,
    /// `max_num_ref_frames`.
    pub references: u8,
}

impl Level {
    /// All levels that are supported, in ascending order. Levels 6 to 6.2 are not.
    pub const ALL: [Self; 17] = [
        Self::new(10, 1485, 99, 396, 64, 175, 64),
        Self::new(9, 1485, 99, 396, 128, 350, 64),
        Self::new(11, 3000, 396, 900, 192, 500, 128),
        Self::new(12, 6000, 396, 2376, 384, 1000, 128),
        Self::new(13, 11_880, 396, 2376, 768, 2000, 128),
        Self::new(20, 11_880, 396, 2376, 2000, 2000, 128),
        Self::new(21, 19_800, 792, 4752, 4000, 4000, 256),
        Self::new(22, 20_250, 1620, 8100, 4000, 4000, 256),
        Self::new(30, 40_500, 1620, 8100, 10_000, 10_000, 256),
        Self::new(31, 108_000, 3600, 18_000, 14_000, 14_000, 512),
        Self::new(32, 216_000, 5120, 20_480, 20_000, 20_000, 512),
        Self::new(40, 245_760, 8192, 32_768, 20_000, 25_000, 512),
        Self::new(41, 245_760, 8192, 32_768, 50_000, 62_500, 512),
        Self::new(42, 522_240, 8704, 34_816, 50_000, 62_500, 512),
        Self::new(50, 589_824, 22_080, 110_400, 135_000, 135_000, 512),
        Self::new(51, 983_040, 36_864, 184_320, 240_000, 240_000, 512),
        Self::new(52, 2_073_600, 36_864, 184_320, 240_000, 240_000, 512),
    ];

    /// A row of Table A-1.
    const fn new(
        number: u8,
        max_mbps: u32,
        max_fs: u32,
        max_dpb_mbs: u32,
        max_br: u32,
        max_cpb: u32,
        max_vmv_r: i16,
    ) -> Self {
        let min_cr = if number >= 31 && number <= 40 { 4 } else { 2 };
        // From level 3.1 on.
        let max_mvs_per_2mb = if number > 30 { 16 } else { 32 };
        let slice_rate = match number {
            ..30 => 0,
            30 => 22,
            31..=40 => 60,
            _ => 24,
        };
        Self {
            number,
            max_mbps,
            max_fs,
            max_dpb_mbs,
            max_br,
            max_cpb,
            max_vmv_r,
            min_cr,
            slice_rate,
            max_mvs_per_2mb,
        }
    }

    /// The level with this number times ten, if it exists; 9 is level 1b.
    #[must_use]
    pub fn of(number: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|level| level.number == number)
    }

    /// Level times ten; 9 is level 1b.
    #[must_use]
    pub const fn number(&self) -> u8 {
        self.number
    }

    /// `level_idc` and `constraint_set3_flag` for the Baseline and Main profiles, where the flag distinguishes level 1b
    /// from 1.1 (7.4.2.1.1).
    #[must_use]
    pub const fn idc(&self) -> (u8, bool) {
        if self.number == 9 { (11, true) } else { (self.number, false) }
    }

    /// `MaxDpbFrames` for frames of `mbs` macroblocks (A.3.1).
    #[must_use]
    pub const fn max_dpb_frames(&self, mbs: usize) -> u8 {
        let frames = self.max_dpb_mbs as usize / mbs;
        if frames > 16 { 16 } else { frames as u8 }
    }

    /// Maximum bytes of the first picture of a stream and of the others, for frames of `mbs` macroblocks at a frame
    /// rate (A.3.1), if each picture is removed from the buffer at its nominal time.
    #[must_use]
    pub const fn max_picture_bytes(&self, mbs: usize, (frames, seconds): (u32, u32)) -> [u64; 2] {
        // fR is 1/172 for frames.
        let (most, second) = (self.max_mbps as u64, self.max_mbps as u64 / 172);
        let first = if mbs as u64 > second { mbs as u64 } else { second };
        let min_cr = self.min_cr as u64;
        let other = 384 * most as u128 * seconds as u128 / (frames as u128 * min_cr as u128);
        [384 * first / min_cr, if other > u64::MAX as u128 { u64::MAX } else { other as u64 }]
    }

    /// Maximum slices of the first picture of a stream and of the others, for frames of `mbs` macroblocks at a frame
    /// rate (A.3.3), if each picture is removed from the buffer at its nominal time.
    #[must_use]
    pub const fn max_picture_slices(&self, mbs: usize, (frames, seconds): (u32, u32)) -> [u64; 2] {
        let (most, slice_rate) = (self.max_mbps as u64, self.slice_rate as u64);
        if slice_rate == 0 {
            return [u64::MAX; 2];
        }
        // fR is 1/172 for frames.
        let first = if mbs as u64 > most / 172 { mbs as u64 } else { most / 172 };
        [first / slice_rate, most * seconds as u64 / (frames as u64 * slice_rate)]
    }

    /// The first limit that the demands exceed (A.3.1).
    fn broken(&self, demands: &Demands) -> Option<&'static str> {
        let Demands { mbs_wide, mbs_high, frame_rate: (frames, seconds), bit_rate, cpb_size, references } =
            *demands;
        let mbs = mbs_wide.saturating_mul(mbs_high);
        let side = 8 * self.max_fs as usize;
        if mbs > self.max_fs as usize {
            return Some("frame size (MaxFS)");
        }
        if mbs_wide * mbs_wide > side || mbs_high * mbs_high > side {
            return Some("frame width or height (MaxFS)");
        }
        if mbs as u64 * u64::from(frames) > u64::from(self.max_mbps) * u64::from(seconds) {
            return Some("macroblock rate (MaxMBPS)");
        }
        if bit_rate.is_some_and(|rate| rate > 1200 * u64::from(self.max_br)) {
            return Some("bit rate (MaxBR)");
        }
        if cpb_size.is_some_and(|size| size > 1200 * u64::from(self.max_cpb)) {
            return Some("CPB size (MaxCPB)");
        }
        (references > self.max_dpb_frames(mbs)).then_some("DPB size (MaxDpbFrames)")
    }

    /// Checks the demands against the limits of the level.
    ///
    /// # Errors
    ///
    /// [`Error::Level`] with the first limit that they exceed.
    pub fn check(&self, demands: &Demands) -> Result<(), Error> {
        self.broken(demands).map_or(Ok(()), |limit| Err(Error::Level { level: self.number, limit }))
    }

    /// The lowest level whose limits the demands satisfy.
    ///
    /// # Errors
    ///
    /// [`Error::Level`] when they exceed the limits of every level.
    pub fn lowest(demands: &Demands) -> Result<Self, Error> {
        let fits = Self::ALL.into_iter().find(|level| level.broken(demands).is_none());
        let [.., highest] = Self::ALL;
        fits.map_or_else(|| highest.check(demands).map(|()| highest), Ok)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn level(width: usize, height: usize, rate: u32, references: u8) -> Option<u8> {
        let demands = Demands {
            mbs_wide: width.div_ceil(16),
            mbs_high: height.div_ceil(16),
            frame_rate: (rate, 1),
            bit_rate: None,
            cpb_size: None,
            references,
        };
        Level::lowest(&demands).ok().map(|level| level.number())
    }

    #[test]
    fn well_known_formats_have_well_known_levels() {
        assert_eq!(level(176, 144, 15, 1), Some(10));
        assert_eq!(level(176, 144, 30, 1), Some(11));
        assert_eq!(level(352, 288, 30, 1), Some(13));
        assert_eq!(level(720, 576, 25, 1), Some(30));
        assert_eq!(level(1280, 720, 30, 1), Some(31));
        assert_eq!(level(1280, 720, 60, 1), Some(32));
        assert_eq!(level(1920, 1080, 30, 4), Some(40));
        assert_eq!(level(1920, 1080, 30, 5), Some(50));
        assert_eq!(level(1920, 1080, 60, 4), Some(42));
        assert_eq!(level(3840, 2160, 30, 1), Some(51));
        assert_eq!(level(3840, 2160, 60, 1), Some(52));
        assert_eq!(level(3840, 2160, 120, 1), None);
        assert_eq!(level(16_384, 16, 1, 1), None, "a side of more than 543 macroblocks");
        assert_eq!(level(8688, 16, 1, 1), Some(51));
    }

    #[test]
    fn bits_ask_for_a_level_too() {
        let demands = Demands {
            mbs_wide: 11,
            mbs_high: 9,
            frame_rate: (15, 1),
            bit_rate: Some(150_000),
            cpb_size: None,
            references: 1,
        };
        let buffered = Demands { cpb_size: Some(450_000), ..demands };
        assert_eq!(Level::lowest(&buffered).unwrap().number(), 11);
        let level = Level::lowest(&demands).unwrap();
        assert_eq!((level.number(), level.idc()), (9, (11, true)));
        let error = Level::ALL[0].check(&demands).unwrap_err().to_string();
        assert_eq!(error, "bit rate (MaxBR) exceeds the limit of level 1.0");
    }

    #[test]
    fn slices_are_as_many_as_table_a_4_allows() {
        let slices = |number, mbs, rate| Level::of(number).unwrap().max_picture_slices(mbs, rate);
        assert_eq!(slices(22, 1620, (10, 1)), [u64::MAX; 2]);
        assert_eq!(slices(30, 1620, (25, 1)), [73, 73]);
        assert_eq!(slices(31, 3600, (30_000, 1001)), [60, 60]);
        assert_eq!(slices(41, 8160, (30, 1)), [340, 341]);
        assert_eq!(slices(52, 1, (u32::MAX, 1)), [502, 0]);
    }

    #[test]
    fn pictures_are_smaller_than_their_samples() {
        let bytes = |number, mbs, rate| Level::of(number).unwrap().max_picture_bytes(mbs, rate);
        // Half of 99 macroblocks, and what 1485 a second have in a fifteenth of one.
        assert_eq!(bytes(10, 99, (15, 1)), [19_008, 19_008]);
        // A quarter of 3600.
        assert_eq!(bytes(31, 3600, (30_000, 1001)), [345_600, 345_945]);
        assert_eq!(bytes(51, 1, (30, 1)), [1_097_280, 6_291_456]);
        assert_eq!(bytes(52, 1, (1, u32::MAX))[1], 384 * 2_073_600 * u64::from(u32::MAX) / 2);
    }
}
