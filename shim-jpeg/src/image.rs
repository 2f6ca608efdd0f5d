//! The description of an image that lies in the caller's memory.

use crate::Error;

/// The largest width and height of a JPEG frame (T.81 B.2.2: X and Y are 16-bit fields).
pub const MAX_DIMENSION: usize = 65_535;

/// An image of 8-bit samples in memory that someone else owns: RGB, interleaved in any [order](Pixels) or planar, or grey.
///
/// A value of this type is always valid: both sides are 1 to 65535 and every row lies inside the memory.
///
/// ```
/// use shim_jpeg::Image;
///
/// let pixels = vec![128; 20 * 10 * 3];
/// let image = Image::rgb(&pixels, 20, 10)?;
/// assert_eq!((image.width(), image.height()), (20, 10));
/// assert!(Image::rgb(&pixels, 21, 10).is_err());
/// # Ok::<(), shim_jpeg::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Image<'a> {
    width: usize,
    height: usize,
    stride: usize,
    samples: Samples<'a>,
}

/// The order of the samples of a pixel in memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Pixels {
    /// R, G, B.
    #[default]
    Rgb,
    /// B, G, R.
    Bgr,
    /// R, G, B, and a fourth byte that is not looked at: JPEG has no transparency.
    Rgba,
    /// B, G, R, and a fourth byte that is not looked at.
    Bgra,
}

impl Pixels {
    /// Bytes of a pixel.
    #[must_use]
    pub const fn bytes(self) -> usize {
        match self {
            Self::Rgb | Self::Bgr => 3,
            Self::Rgba | Self::Bgra => 4,
        }
    }
}

#[derive(Clone, Copy, Debug)]
enum Samples<'a> {
    Grey(&'a [u8]),
    Interleaved(&'a [u8], Pixels),
    Planar([&'a [u8]; 3]),
}

/// One row of an image, without what the stride skips.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Row<'a> {
    /// `width` grey samples.
    Grey(&'a [u8]),
    /// `width` pixels.
    Interleaved(&'a [u8], Pixels),
    /// `width` samples of R, of G and of B.
    Planar([&'a [u8]; 3]),
}

impl<'a> Image<'a> {
    /// Interleaved RGB: `height` rows of `width` pixels of three bytes, without gaps.
    ///
    /// # Errors
    ///
    /// [`Error::Dimensions`] and [`Error::TooFewSamples`]; samples beyond the last row are ignored.
    pub fn rgb(samples: &'a [u8], width: usize, height: usize) -> Result<Self, Error> {
        Self::rgb_with_stride(samples, width, height, width.saturating_mul(3))
    }

    /// Interleaved RGB whose rows start `stride` bytes apart.
    ///
    /// # Errors
    ///
    /// [`Error::Dimensions`], [`Error::Stride`] when `stride < 3 * width`, and [`Error::TooFewSamples`]. The
    /// last row need not be followed by a gap.
    pub fn rgb_with_stride(
        samples: &'a [u8],
        width: usize,
        height: usize,
        stride: usize,
    ) -> Result<Self, Error> {
        Self::interleaved(samples, Pixels::Rgb, width, height, stride)
    }

    /// Interleaved pixels in the order given, whose rows start `stride` bytes apart.
    ///
    /// ```
    /// use shim_jpeg::{Image, Pixels};
    ///
    /// // Two rows of three pixels, as many windowing systems have them, sixteen bytes apart.
    /// let screen = [0; 28];
    /// let image = Image::interleaved(&screen, Pixels::Bgra, 3, 2, 16)?;
    /// # Ok::<(), shim_jpeg::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`Image::rgb_with_stride`], with the bytes of a pixel in the place of three.
    pub fn interleaved(
        samples: &'a [u8],
        pixels: Pixels,
        width: usize,
        height: usize,
        stride: usize,
    ) -> Result<Self, Error> {
        let image = Self { width, height, stride, samples: Samples::Interleaved(samples, pixels) };
        image.validated()
    }

    /// Planar RGB: three planes, R, G and B, each of `height` rows of `width` bytes, without gaps.
    ///
    /// # Errors
    ///
    /// As for [`Image::rgb`], with each plane by itself.
    pub fn rgb_planes(planes: [&'a [u8]; 3], width: usize, height: usize) -> Result<Self, Error> {
        Self::rgb_planes_with_stride(planes, width, height, width)
    }

    /// Planar RGB whose rows start `stride` bytes apart, in all three planes.
    ///
    /// # Errors
    ///
    /// As for [`Image::rgb_with_stride`], with `stride < width` as the bound.
    pub fn rgb_planes_with_stride(
        planes: [&'a [u8]; 3],
        width: usize,
        height: usize,
        stride: usize,
    ) -> Result<Self, Error> {
        let image = Self { width, height, stride, samples: Samples::Planar(planes) };
        image.validated()
    }

    /// Grey: `height` rows of `width` bytes, without gaps.
    ///
    /// # Errors
    ///
    /// As for [`Image::rgb`].
    pub fn grey(samples: &'a [u8], width: usize, height: usize) -> Result<Self, Error> {
        Self::grey_with_stride(samples, width, height, width)
    }

    /// Grey whose rows start `stride` bytes apart.
    ///
    /// # Errors
    ///
    /// As for [`Image::rgb_with_stride`], with `stride < width` as the bound.
    pub fn grey_with_stride(
        samples: &'a [u8],
        width: usize,
        height: usize,
        stride: usize,
    ) -> Result<Self, Error> {
        let image = Self { width, height, stride, samples: Samples::Grey(samples) };
        image.validated()
    }

    /// Pixels in a row, 1 to 65535.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Rows, 1 to 65535.
    pub fn height(&self) -> usize {
        self.height
    }

    /// Whether the image has one component instead of three.
    pub fn is_grey(&self) -> bool {
        matches!(self.samples, Samples::Grey(_))
    }

    /// The samples of row `y`.
    ///
    /// # Panics
    ///
    /// When `y` is not below the height.
    pub fn row(&self, y: usize) -> Row<'a> {
        assert!(y < self.height, "row {y} of an image of {} rows", self.height);
        let (start, length) = (y * self.stride, self.row_length());
        let cut = |samples: &'a [u8]| &samples[start..start + length];
        match self.samples {
            Samples::Grey(samples) => Row::Grey(cut(samples)),
            Samples::Interleaved(samples, pixels) => Row::Interleaved(cut(samples), pixels),
            Samples::Planar(planes) => Row::Planar(planes.map(cut)),
        }
    }

    /// Samples of one row of one plane.
    fn row_length(&self) -> usize {
        match self.samples {
            Samples::Interleaved(_, pixels) => pixels.bytes() * self.width,
            Samples::Grey(_) | Samples::Planar(_) => self.width,
        }
    }

    /// This description, if it is one of an image that JPEG can hold and the memory does hold.
    fn validated(self) -> Result<Self, Error> {
        let Self { width, height, stride, samples } = self;
        if !(1..=MAX_DIMENSION).contains(&width) || !(1..=MAX_DIMENSION).contains(&height) {
            return Err(Error::Dimensions { width, height });
        }
        let row = self.row_length();
        if stride < row {
            return Err(Error::Stride { stride, row });
        }
        let needed = (height - 1).saturating_mul(stride).saturating_add(row);
        let given = match samples {
            Samples::Grey(samples) | Samples::Interleaved(samples, _) => samples.len(),
            Samples::Planar([r, g, b]) => r.len().min(g.len()).min(b.len()),
        };
        if given < needed { Err(Error::TooFewSamples { needed, given }) } else { Ok(self) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_sides_are_1_to_65535() {
        let one = [0; 3];
        assert!(Image::rgb(&one, 1, 1).is_ok());
        for (width, height) in [(0, 1), (1, 0), (65_536, 1), (1, 65_536), (usize::MAX, usize::MAX)] {
            let refused = Image::rgb(&one, width, height);
            assert!(matches!(refused, Err(Error::Dimensions { .. })), "{width}x{height}: {refused:?}");
            assert!(matches!(Image::grey(&one, width, height), Err(Error::Dimensions { .. })));
        }
        let row = vec![0; 65_535];
        assert!(Image::grey(&row, 65_535, 1).is_ok());
        assert!(Image::grey(&row, 1, 65_535).is_ok());
    }

    #[test]
    fn the_memory_must_hold_every_row_but_no_gap_after_the_last() {
        let samples = [0; 3 * 4 * 10];
        assert!(Image::rgb_with_stride(&samples[..2 * 20 + 12], 4, 3, 20).is_ok());
        let short = Image::rgb_with_stride(&samples[..2 * 20 + 11], 4, 3, 20);
        assert!(matches!(short, Err(Error::TooFewSamples { needed: 52, given: 51 })));
        assert!(matches!(
            Image::rgb_with_stride(&samples, 4, 3, 11),
            Err(Error::Stride { stride: 11, row: 12 })
        ));
    }

    #[test]
    fn a_size_that_overflows_is_refused() {
        let refused = Image::grey_with_stride(&[0; 8], 2, 3, usize::MAX);
        assert!(matches!(refused, Err(Error::TooFewSamples { needed: usize::MAX, given: 8 })));
    }

    #[test]
    fn every_plane_must_hold_the_image() {
        let (long, short) = ([0; 6], [0; 5]);
        for planes in [[&long[..], &long, &short], [&long, &short, &long], [&short, &long, &long]] {
            assert!(Image::rgb_planes(planes, 2, 3).is_err());
        }
        assert!(Image::rgb_planes([&long; 3], 2, 3).is_ok());
    }

    #[test]
    fn rows_leave_out_what_the_stride_skips() {
        let samples: Vec<u8> = (0..40).collect();
        let image = Image::rgb_with_stride(&samples, 2, 3, 10).unwrap();
        assert_eq!(image.row(1), Row::Interleaved(&[10, 11, 12, 13, 14, 15], Pixels::Rgb));
        let image = Image::interleaved(&samples, Pixels::Bgra, 2, 3, 10).unwrap();
        assert_eq!(image.row(1), Row::Interleaved(&[10, 11, 12, 13, 14, 15, 16, 17], Pixels::Bgra));
        assert!(Image::interleaved(&samples, Pixels::Rgba, 3, 3, 11).is_err());
        let image = Image::grey_with_stride(&samples, 2, 3, 10).unwrap();
        assert_eq!(image.row(2), Row::Grey(&[20, 21]));
        let planes = [&samples[..], &samples[1..], &samples[2..]];
        let image = Image::rgb_planes_with_stride(planes, 2, 3, 10).unwrap();
        assert_eq!(image.row(2), Row::Planar([&[20, 21], &[21, 22], &[22, 23]]));
    }
}
