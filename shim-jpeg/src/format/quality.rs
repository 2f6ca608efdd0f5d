//! Quantization tables of a quality.

use crate::Error;
use crate::kernels::tables::{CHROMINANCE_QUANTIZATION, EVEN_QUANTIZATION, LUMINANCE_QUANTIZATION};

/// Maximum element of an 8-bit table, which the baseline process requires (T.81 B.2.4.1).
pub(crate) const BASELINE: u16 = 255;

/// Maximum element that libjpeg derives from a quality.
pub(crate) const EXTENDED: u16 = 32_767;

/// Quality of 1 (smallest file) to 100 (best), on the scale of libjpeg.
///
/// The scale is a convention, not a part of T.81: quality 50 uses the example tables of Annex K; lower qualities
/// multiply them by `50 / quality`, higher ones by `2 - quality / 50`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Quality(u16);

/// The elements Q of one table, row by row (T.81 A.3.4), each 1 to 255 in baseline files.
pub(crate) type QuantizationTable = [u16; 64];

impl Quality {
    /// Accepts 1 to 100.
    pub(crate) fn new(quality: u8) -> Result<Self, Error> {
        if (1..=100).contains(&quality) { Ok(Self(u16::from(quality))) } else { Err(Error::Quality(quality)) }
    }

    /// The tables for luminance (destination 0) and chrominance (destination 1), of elements up to `most`.
    pub(crate) fn tables(self, most: u16) -> [QuantizationTable; 2] {
        [LUMINANCE_QUANTIZATION, CHROMINANCE_QUANTIZATION].map(|table| table.map(|q| self.scale(q, most)))
    }

    /// A flatter table, the same for all components: files are smaller at the same PSNR.
    ///
    /// Chrominance elements become smaller than the standard ones. With full-resolution chroma (`dense`), and at the
    /// highest qualities, that would make a file larger than with the standard tables, which are used instead.
    pub(crate) fn even_tables(self, dense: bool) -> [QuantizationTable; 2] {
        let most = if dense { 85 } else { 95 };
        if self.0 > most {
            self.tables(BASELINE)
        } else {
            [EVEN_QUANTIZATION.map(|q| self.scale(q, BASELINE)); 2]
        }
    }

    /// One element: a percentage of the example's, rounded to the nearest and held to `most`.
    fn scale(self, q: u16, most: u16) -> u16 {
        let Self(quality) = self;
        let percent = if quality < 50 { 5000 / quality } else { 200 - 2 * quality };
        let scaled = (u32::from(q) * u32::from(percent) + 50) / 100;
        scaled.clamp(1, u32::from(most)) as u16
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_1_to_100() {
        assert!(matches!(Quality::new(0), Err(Error::Quality(0))));
        assert!(matches!(Quality::new(101), Err(Error::Quality(101))));
        assert!(Quality::new(1).is_ok() && Quality::new(100).is_ok());
    }

    #[test]
    fn the_example_tables_stand_at_50() {
        let [luminance, chrominance] = Quality::new(50).unwrap().tables(BASELINE);
        assert_eq!(luminance, LUMINANCE_QUANTIZATION);
        assert_eq!(chrominance, CHROMINANCE_QUANTIZATION);
    }

    #[test]
    fn the_ends_of_the_scale() {
        assert_eq!(Quality::new(100).unwrap().tables(BASELINE), [[1; 64]; 2]);
        assert_eq!(Quality::new(1).unwrap().tables(BASELINE), [[255; 64]; 2]);
    }

    #[test]
    fn without_the_baseline_limit_tables_grow_on() {
        let [luminance, chrominance] = Quality::new(1).unwrap().tables(EXTENDED);
        assert_eq!((luminance[0], luminance[63], chrominance[63]), (800, 4950, 4950));
        let quality = Quality::new(24).unwrap();
        assert_eq!(quality.tables(EXTENDED), quality.tables(BASELINE), "from here on there is no difference");
        assert_ne!(Quality::new(23).unwrap().tables(EXTENDED), Quality::new(23).unwrap().tables(BASELINE));
    }

    #[test]
    fn a_higher_quality_never_quantizes_more() {
        let of = |quality| Quality::new(quality).unwrap();
        let finer = |coarse: [QuantizationTable; 2], fine: [QuantizationTable; 2]| {
            coarse.iter().flatten().zip(fine.iter().flatten()).all(|(c, f)| c >= f)
        };
        for quality in 2..=100 {
            assert!(finer(of(quality - 1).tables(BASELINE), of(quality).tables(BASELINE)), "{quality}");
            let even =
                quality == 96 || finer(of(quality - 1).even_tables(false), of(quality).even_tables(false));
            assert!(even, "{quality}");
        }
    }

    #[test]
    fn values_between_are_rounded() {
        // 16 at quality 75 is 50 %, 11 becomes 5.5 and so 6; at 90 it is 20 %, 11 becomes 2.2 and so 2.
        assert_eq!(Quality::new(75).unwrap().tables(BASELINE)[0][..2], [8, 6]);
        assert_eq!(Quality::new(90).unwrap().tables(BASELINE)[0][..2], [3, 2]);
    }
}
