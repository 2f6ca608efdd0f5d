//! The coded picture buffer of the hypothetical reference decoder (C.1): bits come into it at a rate, and each picture
//! leaves it at once, at its time.

use super::settings::Vbv;
use crate::Error;
use crate::syntax::vui::{CodedPictureBuffer, HrdParameters};

/// Units of `initial_cpb_removal_delay` in a second (D.2.1).
const CLOCK: u64 = 90_000;

/// Units of `BitRate` and of `CpbSize` with a scale of 0 (E.2.2).
const RATE_UNIT: u64 = 64;
const SIZE_UNIT: u64 = 16;

/// The buffer of a stream, as its `hrd_parameters` describe it.
///
/// What is kept of it is what it would hold when the next picture is removed: `BitRate * (t_r,n(n) - t_ai(n))`, of
/// which at most so much has come as there is time before the removal (C.1.1). All is counted in parts of a bit, so
/// small that nothing is rounded.
#[derive(Clone, Debug)]
pub(crate) struct Buffer {
    /// `BitRate`.
    bit_rate: u64,
    /// `CpbSize`.
    cpb_size: u64,
    /// Parts of a bit that come in 1/90000 of a second.
    tick: i128,
    /// Parts of a bit.
    bit: i128,
    /// Bits that arrive from one removal to the next.
    fill: i128,
    /// `initial_cpb_removal_delay + initial_cpb_removal_delay_offset`, which is the same in the whole stream (D.2.1):
    /// no bit comes earlier before its removal.
    longest: u32,
    /// Maximum number of bits that can have arrived until the next removal.
    level: i128,
}

/// The scale of a number in units: with it, as few low binary digits are left out as leave sixteen.
const fn scale(number: u64, unit: u64) -> u8 {
    let digits = u64::BITS - (number / unit).leading_zeros();
    digits.saturating_sub(16) as u8
}

/// A number rounded down to what the syntax says of it.
const fn rounded(number: u64, unit: u64) -> u64 {
    let unit = unit << scale(number, unit);
    number / unit * unit
}

impl Buffer {
    /// A buffer before the first picture. The rate and the size are those that the syntax can say: multiples of 64 and
    /// of 16, of sixteen binary digits. More digits are allowed, but `OpenH264` reads no code of more than 32 bits and
    /// refuses the parameter sets.
    ///
    /// # Errors
    ///
    /// When it takes no time to fill, or more than the syntax can say.
    pub(crate) fn new(vbv: &Vbv, (frames, seconds): (u32, u32)) -> Result<Self, Error> {
        let (bit_rate, cpb_size) =
            (rounded(vbv.max_bits_per_second, RATE_UNIT), rounded(vbv.buffer_bits, SIZE_UNIT));
        let longest = u128::from(cpb_size) * u128::from(CLOCK) / u128::from(bit_rate.max(1));
        let longest = u32::try_from(longest).unwrap_or(u32::MAX);
        if bit_rate == 0 || longest == 0 || longest == u32::MAX {
            return Err(Error::BufferTime { rate: vbv.max_bits_per_second, bits: vbv.buffer_bits });
        }
        let tick = i128::from(bit_rate) * i128::from(frames);
        let first = (f64::from(vbv.initial_fullness) * f64::from(longest)) as u32;
        let first = first.clamp(1, longest);
        Ok(Self {
            bit_rate,
            cpb_size,
            tick,
            bit: i128::from(CLOCK) * i128::from(frames),
            fill: i128::from(bit_rate) * i128::from(seconds) * i128::from(CLOCK),
            longest,
            level: tick * i128::from(first),
        })
    }

    /// Bits that can have come for the next picture.
    pub(crate) const fn available(&self) -> u64 {
        (self.level / self.bit) as u64
    }

    /// The most bits of the next picture, if the one after it is followed by another in so many pictures that takes
    /// `last` bits, and each before that one takes `each`.
    pub(crate) fn available_before(&self, left: u32, each: u64, last: u64) -> u64 {
        let [each, last] = [each, last].map(|bits| i128::from(bits) * self.bit);
        let wanted = last - i128::from(left) * (self.fill - each);
        let wanted = if left == 0 { wanted } else { wanted.max(each) };
        ((self.level - (wanted - self.fill).max(0)).max(0) / self.bit) as u64
    }

    /// `BitRate`.
    pub(crate) const fn bit_rate(&self) -> u64 {
        self.bit_rate
    }

    /// Bits that there is room for.
    pub(crate) const fn size(&self) -> u64 {
        self.cpb_size
    }

    /// Bits that come from one picture to the next.
    pub(crate) fn fill(&self) -> f64 {
        self.fill as f64 / self.bit as f64
    }

    /// The next picture leaves with its bits.
    pub(crate) fn remove(&mut self, bits: u64) {
        let full = self.tick * i128::from(self.longest);
        self.level = (self.level - i128::from(bits) * self.bit + self.fill).min(full);
    }

    /// `initial_cpb_removal_delay` and `initial_cpb_removal_delay_offset`, if a buffering period begins with the next
    /// picture: as long as its bits have to come, rounded up as C.3 allows, so that nothing comes later than without
    /// one.
    pub(crate) fn delays(&self) -> (u32, u32) {
        let delay = self.level.div_euclid(self.tick) + i128::from(self.level.rem_euclid(self.tick) > 0);
        let delay = delay.clamp(1, i128::from(self.longest)) as u32;
        (delay, self.longest - delay)
    }

    /// `hrd_parameters` (E.1.2) of a stream with an IDR picture in so many pictures at least.
    pub(crate) fn hrd_parameters(&self, keyint: u32) -> HrdParameters {
        let length_minus1 = |most: u64| (most.max(1).ilog2() as u8).min(31);
        let (bit_rate_scale, cpb_size_scale) =
            (scale(self.bit_rate, RATE_UNIT), scale(self.cpb_size, SIZE_UNIT));
        HrdParameters {
            bit_rate_scale,
            cpb_size_scale,
            cpb: [CodedPictureBuffer {
                bit_rate_value_minus1: (self.bit_rate / (RATE_UNIT << bit_rate_scale) - 1) as u32,
                cpb_size_value_minus1: (self.cpb_size / (SIZE_UNIT << cpb_size_scale) - 1) as u32,
                cbr_flag: false,
            }]
            .into(),
            initial_cpb_removal_delay_length_minus1: length_minus1(self.longest.into()),
            // Two ticks for each picture.
            cpb_removal_delay_length_minus1: length_minus1(2 * u64::from(keyint)),
            dpb_output_delay_length_minus1: 0,
            time_offset_length: 0,
            ..HrdParameters::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fills_and_empties_as_time_goes() {
        // 1000 bits a picture and two in the buffer, nearly.
        let vbv = Vbv { initial_fullness: 0.5, ..Vbv::new(64_000, 2000) };
        let mut buffer = Buffer::new(&vbv, (64, 1)).unwrap();
        assert_eq!((buffer.available(), buffer.size(), buffer.delays()), (999, 2000, (1406, 1406)));
        // The next one can have 1100 bits if this one leaves 100 of what there is, and so on.
        assert_eq!([0, 1, 2, 100].map(|left| buffer.available_before(left, 10, 1100)), [899, 999, 999, 999]);
        assert_eq!([0, 1, 2, 100].map(|left| buffer.available_before(left, 900, 1900)), [99, 199, 299, 999]);
        buffer.remove(900);
        assert_eq!((buffer.available(), buffer.delays()), (1099, (1547, 1265)));
        buffer.remove(0);
        // Bits that come no earlier than 2812/90000 of a second.
        assert_eq!((buffer.available(), buffer.delays()), (1999, (2812, 0)));
        buffer.remove(1999);
        assert_eq!((buffer.available(), buffer.delays()), (1000, (1408, 1404)));
    }

    #[test]
    fn syntax_has_room_for_all_delays() {
        let buffer = Buffer::new(&Vbv::new(1_000_063, 500_031), (30_000, 1001)).unwrap();
        let hrd = buffer.hrd_parameters(250);
        assert_eq!((hrd.cpb[0].bit_rate_value_minus1, hrd.cpb[0].cpb_size_value_minus1), (15_624, 31_250));
        assert_eq!(hrd.cpb_removal_delay_length_minus1, 8);
        assert!(buffer.longest < 2 << hrd.initial_cpb_removal_delay_length_minus1);
        let slow = Buffer::new(&Vbv::new(64, 1 << 20), (1, 1)).unwrap().hrd_parameters(u32::MAX);
        assert_eq!(
            (slow.cpb_removal_delay_length_minus1, slow.initial_cpb_removal_delay_length_minus1),
            (31, 30)
        );
        for (rate, bits) in [(63, 1 << 20), (64, 1 << 40), (1 << 40, 16), (0, 0)] {
            assert_eq!(
                Buffer::new(&Vbv::new(rate, bits), (1, 1)).unwrap_err(),
                Error::BufferTime { rate, bits }
            );
        }
    }
}
