//! Detection of a stream that misses its average bit rate.

use core::fmt;

use super::settings::RateControl;
use crate::config::Config;
use crate::kernels::quantize::MAX_QP;

/// Smallest deviation that counts as a miss, in percent, and shortest duration, in seconds.
const PERCENT: f64 = 10.0;
const SECONDS: f64 = 2.0;

/// A deviation of 10 % or more from the average bit rate.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct MissedBitRate {
    /// Target bit rate, in bit/s.
    pub target: u64,
    /// Actual bit rate, in bit/s.
    pub actual: f64,
    /// Whether some picture has the maximum QP, if the actual rate is too high, or the minimum QP, if it is too low:
    /// the limit of what QP can do.
    pub at_qp_limit: bool,
}

impl MissedBitRate {
    /// Deviation from the target in percent; positive if the actual rate is higher.
    #[must_use]
    pub fn percent(&self) -> f64 {
        100.0 * (self.actual / self.target as f64 - 1.0)
    }
}

impl fmt::Display for MissedBitRate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (side, limit) = if self.percent() > 0.0 { ("above", "highest") } else { ("below", "lowest") };
        let (kilobits, percent) = (1e-3 * self.actual, self.percent().abs());
        write!(f, "{kilobits:.1} kbit/s is {percent:.0} % {side} the bit rate asked for")?;
        if self.at_qp_limit { write!(f, ", at the {limit} QP") } else { Ok(()) }
    }
}

/// Bits and QP limits of the pictures since the bit rate was set.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Taken {
    pictures: u64,
    bits: u64,
    /// Whether a picture had the minimum QP, and whether one had the maximum.
    limits: [bool; 2],
}

impl Taken {
    pub(super) const fn add(&mut self, qp: u8, bits: u64) {
        self.pictures += 1;
        self.bits += bits;
        self.limits = [self.limits[0] || qp == 0, self.limits[1] || qp == MAX_QP];
    }

    /// The deviation, if it is large enough and there are as many pictures as rate control needs to converge.
    pub(super) fn missed(&self, config: &Config) -> Option<MissedBitRate> {
        let RateControl::AverageBitRate(target) = config.rate else { return None };
        let rate = f64::from(config.frame_rate.0) / f64::from(config.frame_rate.1);
        let actual = self.bits as f64 * rate / self.pictures.max(1) as f64;
        let [lowest, highest] = self.limits;
        let missed = MissedBitRate {
            target,
            actual,
            at_qp_limit: if actual > target as f64 { highest } else { lowest },
        };
        let long = self.pictures as f64 >= SECONDS * rate;
        (long && missed.percent().abs() >= PERCENT).then_some(missed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bit_rate_is_missed_by_a_tenth_after_two_seconds() {
        let mut config = Config::new(16, 16);
        (config.frame_rate, config.rate) = ((10, 1), RateControl::AverageBitRate(10_000));
        let missed = |pictures, bits, qp| {
            let mut taken = Taken::default();
            (0..pictures).for_each(|_| taken.add(qp, bits));
            taken.missed(&config)
        };
        assert_eq!(missed(0, 0, 0), None);
        assert_eq!(missed(19, 2000, 51), None, "too short");
        assert_eq!((missed(20, 1090, 51), missed(20, 910, 0)), (None, None));
        let above = missed(20, 1200, 51).unwrap();
        assert!(above.at_qp_limit && (above.percent() - 20.0).abs() < 1e-9);
        assert_eq!(above.to_string(), "12.0 kbit/s is 20 % above the bit rate asked for, at the highest QP");
        let below = missed(30, 500, 30).unwrap();
        assert_eq!(below.to_string(), "5.0 kbit/s is 50 % below the bit rate asked for");
        config.rate = RateControl::ConstantQp(30);
        assert_eq!(Taken { pictures: 30, bits: 1, limits: [false; 2] }.missed(&config), None);
    }
}
