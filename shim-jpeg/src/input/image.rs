//! Images in memory.

use crate::error::Error;
use crate::input::color::Subsampling;
use crate::input::pixels::Pixels;
use crate::input::raster::{Layout, Raster};

/// Maximum width and height of a JPEG frame (T.81 B.2.2: X and Y are 16-bit fields).
pub const MAX_DIMENSION: usize = 65_535;

/// An image borrowed from the caller: interleaved [`Pixels`], or one plane per sample of a pixel.
///
/// A value of this type is always valid: width and height are 1 to 65535, and every row lies within the samples.
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
    pixels: Pixels,
    samples: Samples<'a>,
    /// Subsampled planes of Cb and Cr, if any.
    chroma: Option<Chroma>,
}

/// Subsampled planes of Cb and Cr.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Chroma {
    pub(crate) subsampling: Subsampling,
    /// From one of their rows to the next.
    stride: usize,
}

/// Properties of an image without its samples.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shape {
    pub(crate) width: usize,
    pub(crate) height: usize,
    pub(crate) pixels: Pixels,
    pub(crate) bits: u8,
    /// Whether samples are `u8`, not `u16`.
    pub(crate) bytes: bool,
    /// Subsampling of the planes of Cb and Cr.
    pub(crate) subsampling: Option<Subsampling>,
}

/// Samples in memory.
#[derive(Clone, Copy, Debug)]
enum Samples<'a> {
    Bytes(Layout<'a, u8>),
    /// Samples of this precision in `u16`.
    Words(Layout<'a, u16>, u8),
}

/// Sample type of an image.
pub trait Raw: Sized {
    /// The samples of an image.
    ///
    /// # Panics
    ///
    /// When they have the other type.
    fn of<'a>(image: &Image<'a>) -> Layout<'a, Self>;
}

impl Raw for u8 {
    fn of<'a>(image: &Image<'a>) -> Layout<'a, Self> {
        let Samples::Bytes(layout) = image.samples else { panic!("words of {} bits as bytes", image.bits()) };
        layout
    }
}

impl Raw for u16 {
    fn of<'a>(image: &Image<'a>) -> Layout<'a, Self> {
        let Samples::Words(layout, _) = image.samples else { panic!("bytes as words") };
        layout
    }
}

impl<'a> Image<'a> {
    /// Interleaved 8-bit RGB: `height` rows of `width` pixels, without padding.
    ///
    /// # Errors
    ///
    /// [`Error::Dimensions`] and [`Error::TooFewSamples`]. Samples after the last row are ignored.
    pub fn rgb(samples: &'a [u8], width: usize, height: usize) -> Result<Self, Error> {
        Self::rgb_with_stride(samples, width, height, width.saturating_mul(3))
    }

    /// Interleaved 8-bit RGB with a stride in bytes.
    ///
    /// # Errors
    ///
    /// [`Error::Dimensions`], [`Error::Stride`] when `stride < 3 * width`, and [`Error::TooFewSamples`]. The last row
    /// needs no padding.
    pub fn rgb_with_stride(
        samples: &'a [u8],
        width: usize,
        height: usize,
        stride: usize,
    ) -> Result<Self, Error> {
        Self::interleaved(samples, Pixels::Rgb, width, height, stride)
    }

    /// Interleaved 8-bit pixels with a stride in bytes.
    ///
    /// ```
    /// use shim_jpeg::{Image, Pixels};
    ///
    /// // Two rows of three pixels in the format of many window systems, with a stride of 16 bytes.
    /// let screen = [0; 28];
    /// let image = Image::interleaved(&screen, Pixels::Bgra, 3, 2, 16)?;
    /// # Ok::<(), shim_jpeg::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`Image::rgb_with_stride`], with the number of samples per pixel in place of 3.
    pub fn interleaved(
        samples: &'a [u8],
        pixels: Pixels,
        width: usize,
        height: usize,
        stride: usize,
    ) -> Result<Self, Error> {
        let samples = Samples::Bytes(Layout::Interleaved(samples));
        Self { width, height, stride, pixels, samples, chroma: None }.validated()
    }

    /// Interleaved pixels with samples of `bits` bits, 2 to 16, in `u16` with the higher bits 0. The stride is in
    /// samples, not bytes.
    ///
    /// # Errors
    ///
    /// As [`Image::interleaved`], and [`Error::Bits`].
    pub fn interleaved16(
        samples: &'a [u16],
        bits: u8,
        pixels: Pixels,
        width: usize,
        height: usize,
        stride: usize,
    ) -> Result<Self, Error> {
        let samples = Samples::Words(Layout::Interleaved(samples), bits);
        Self { width, height, stride, pixels, samples, chroma: None }.validated()
    }

    /// Planar 8-bit RGB: planes R, G and B, each of `height` rows of `width` bytes, without padding.
    ///
    /// # Errors
    ///
    /// As [`Image::rgb`], for each plane.
    pub fn rgb_planes(planes: [&'a [u8]; 3], width: usize, height: usize) -> Result<Self, Error> {
        Self::rgb_planes_with_stride(planes, width, height, width)
    }

    /// Planar 8-bit RGB with one stride in bytes for all planes.
    ///
    /// # Errors
    ///
    /// As [`Image::rgb_with_stride`], with [`Error::Stride`] when `stride < width`.
    pub fn rgb_planes_with_stride(
        planes: [&'a [u8]; 3],
        width: usize,
        height: usize,
        stride: usize,
    ) -> Result<Self, Error> {
        Self::planar(&planes, Pixels::Rgb, width, height, stride)
    }

    /// Planar 8-bit pixels, with one plane per sample of a pixel in the order of the format, and one stride in bytes
    /// for all planes.
    ///
    /// # Errors
    ///
    /// As [`Image::rgb_with_stride`], with [`Error::Stride`] when `stride < width`, and [`Error::Planes`].
    pub fn planar(
        planes: &[&'a [u8]],
        pixels: Pixels,
        width: usize,
        height: usize,
        stride: usize,
    ) -> Result<Self, Error> {
        let (pixels, planes) = ordered(pixels, planes)?;
        let samples = Samples::Bytes(Layout::Planar(planes));
        Self { width, height, stride, pixels, samples, chroma: None }.validated()
    }

    /// Planar pixels with samples of `bits` bits, 2 to 16, in `u16` with the higher bits 0. The stride is in samples,
    /// not bytes.
    ///
    /// # Errors
    ///
    /// As [`Image::planar`], and [`Error::Bits`].
    pub fn planar16(
        planes: &[&'a [u16]],
        bits: u8,
        pixels: Pixels,
        width: usize,
        height: usize,
        stride: usize,
    ) -> Result<Self, Error> {
        let (pixels, planes) = ordered(pixels, planes)?;
        let samples = Samples::Words(Layout::Planar(planes), bits);
        Self { width, height, stride, pixels, samples, chroma: None }.validated()
    }

    /// 8-bit grayscale: `height` rows of `width` bytes, without padding.
    ///
    /// # Errors
    ///
    /// As [`Image::rgb`].
    pub fn gray(samples: &'a [u8], width: usize, height: usize) -> Result<Self, Error> {
        Self::gray_with_stride(samples, width, height, width)
    }

    /// 8-bit grayscale with a stride in bytes.
    ///
    /// # Errors
    ///
    /// As [`Image::rgb_with_stride`], with [`Error::Stride`] when `stride < width`.
    pub fn gray_with_stride(
        samples: &'a [u8],
        width: usize,
        height: usize,
        stride: usize,
    ) -> Result<Self, Error> {
        Self::interleaved(samples, Pixels::Gray, width, height, stride)
    }

    /// Planar 8-bit YCbCr with Cb and Cr already subsampled, as from decoders and cameras. The chroma planes have
    /// `width` and `height` divided by the factors of `subsampling`, rounded up. `strides` are those of Y, and of Cb
    /// and Cr, in bytes.
    ///
    /// The encoder must have the same [`subsampling`](crate::Encoder::subsampling), and writes a sequential or
    /// progressive YCbCr file without converting or resampling the samples.
    ///
    /// ```
    /// use shim_jpeg::{Encoder, Image, Subsampling};
    ///
    /// // 4:2:0 of 5x3 pixels: Cb and Cr have 3x2 samples.
    /// let (y, cb, cr) = ([90; 15], [128; 6], [140; 6]);
    /// let image = Image::ycbcr_planes([&y, &cb, &cr], Subsampling::S420, 5, 3, [5, 3])?;
    /// let file = Encoder::new().subsampling(Subsampling::S420).encode(&image)?;
    /// # Ok::<(), shim_jpeg::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`Error::Dimensions`]; [`Error::Stride`] and [`Error::TooFewSamples`] for any plane.
    pub fn ycbcr_planes(
        planes: [&'a [u8]; 3],
        subsampling: Subsampling,
        width: usize,
        height: usize,
        strides: [usize; 2],
    ) -> Result<Self, Error> {
        let [y, cb, cr] = planes;
        let pixels = Pixels::YCbCr;
        // Y by itself, and Cb and Cr by themselves.
        Self::gray_with_stride(y, width, height, strides[0])?;
        let [h, v] = subsampling.luminance().map(usize::from);
        for plane in [cb, cr] {
            Self::gray_with_stride(plane, width.div_ceil(h), height.div_ceil(v), strides[1])?;
        }
        let samples = Samples::Bytes(Layout::Planar([y, cb, cr, &[]]));
        let chroma = Some(Chroma { subsampling, stride: strides[1] });
        Ok(Self { width, height, stride: strides[0], pixels, samples, chroma })
    }

    /// Plane `c` of an image with subsampled Cb and Cr, as a grayscale image.
    pub(crate) fn plane(&self, c: usize) -> Option<Self> {
        let Chroma { subsampling, stride } = self.chroma?;
        let Samples::Bytes(Layout::Planar(planes)) = self.samples else { return None };
        let [h, v] = if c == 0 { [1, 1] } else { subsampling.luminance().map(usize::from) };
        let samples = Samples::Bytes(Layout::Interleaved(planes[c]));
        let stride = if c == 0 { self.stride } else { stride };
        let (width, height) = (self.width.div_ceil(h), self.height.div_ceil(v));
        Some(Self { width, height, stride, pixels: Pixels::Gray, samples, chroma: None })
    }

    /// Width in pixels, 1 to 65535.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Height in pixels, 1 to 65535.
    pub fn height(&self) -> usize {
        self.height
    }

    /// Pixel format. Planar images of any RGB order are reported as `Rgb`.
    pub fn pixels(&self) -> Pixels {
        self.pixels
    }

    /// Sample precision in bits, 2 to 16.
    pub fn bits(&self) -> u8 {
        match self.samples {
            Samples::Bytes(_) => 8,
            Samples::Words(_, bits) => bits,
        }
    }

    /// Whether the image has one component.
    pub fn is_gray(&self) -> bool {
        matches!(self.pixels, Pixels::Gray | Pixels::GrayAlpha)
    }

    /// A range of the rows.
    ///
    /// # Panics
    ///
    /// When the range is empty or exceeds the image.
    #[cfg(feature = "std")]
    pub(crate) fn rows(&self, first: usize, rows: usize) -> Self {
        assert!(rows > 0 && first + rows <= self.height, "{rows} rows from {first} of {}", self.height);
        let start = first * self.stride;
        let samples = match self.samples {
            Samples::Bytes(layout) => Samples::Bytes(layout.from(start)),
            Samples::Words(layout, bits) => Samples::Words(layout.from(start), bits),
        };
        Self { height: rows, samples, ..*self }
    }

    /// Whether samples are planar.
    pub(crate) fn is_planar(&self) -> bool {
        match self.samples {
            Samples::Bytes(layout) => matches!(layout, Layout::Planar(_)),
            Samples::Words(layout, _) => matches!(layout, Layout::Planar(_)),
        }
    }

    /// The view of the image for kernels.
    ///
    /// # Panics
    ///
    /// When samples have the other type.
    #[doc(hidden)]
    pub fn raster<T: Raw>(&self) -> Raster<'a, T> {
        let Self { width, height, stride, pixels, .. } = *self;
        Raster { layout: T::of(self), pixels, bits: self.bits().into(), width, height, stride, left: 0 }
    }

    /// The image without its samples.
    pub(crate) fn shape(&self) -> Shape {
        let bytes = matches!(self.samples, Samples::Bytes(_));
        let subsampling = self.chroma.map(|chroma| chroma.subsampling);
        Shape {
            width: self.width,
            height: self.height,
            pixels: self.pixels,
            bits: self.bits(),
            bytes,
            subsampling,
        }
    }

    /// Samples per row of a plane.
    fn row_length(&self) -> usize {
        if self.is_planar() { self.width } else { self.pixels.samples() * self.width }
    }

    /// Validates the dimensions, the stride and the number of samples.
    fn validated(self) -> Result<Self, Error> {
        let Self { width, height, stride, pixels, samples, chroma: _ } = self;
        if !(1..=MAX_DIMENSION).contains(&width) || !(1..=MAX_DIMENSION).contains(&height) {
            return Err(Error::Dimensions { width, height });
        }
        let row = self.row_length();
        if stride < row {
            return Err(Error::Stride { stride, row });
        }
        let needed = (height - 1).saturating_mul(stride).saturating_add(row);
        let given = match samples {
            Samples::Bytes(layout) => layout.least(pixels.samples()),
            Samples::Words(_, bits) if !(2..=16).contains(&bits) => return Err(Error::Bits(bits)),
            Samples::Words(layout, _) => layout.least(pixels.samples()),
        };
        if given < needed { Err(Error::TooFewSamples { needed, given }) } else { Ok(self) }
    }
}

/// Planes in the order of [`Layout::Planar`], with the pixel format in that order.
fn ordered<'a, T>(pixels: Pixels, planes: &[&'a [T]]) -> Result<(Pixels, [&'a [T]; 4]), Error> {
    let (needed, given) = (pixels.samples(), planes.len());
    Ok(match (pixels, planes) {
        (Pixels::Rgba, &[r, g, b, _]) | (Pixels::Bgra, &[b, g, r, _]) | (Pixels::Bgr, &[b, g, r]) => {
            (Pixels::Rgb, [r, g, b, &[]])
        }
        (Pixels::GrayAlpha, &[a, _]) => (Pixels::Gray, [a, &[], &[], &[]]),
        (_, &[a]) if needed == 1 => (pixels, [a, &[], &[], &[]]),
        (_, &[a, b, c]) if needed == 3 => (pixels, [a, b, c, &[]]),
        (_, &[a, b, c, d]) if needed == 4 => (pixels, [a, b, c, d]),
        _ => return Err(Error::Planes { needed, given }),
    })
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
            assert!(matches!(Image::gray(&one, width, height), Err(Error::Dimensions { .. })));
        }
        let row = vec![0; 65_535];
        assert!(Image::gray(&row, 65_535, 1).is_ok());
        assert!(Image::gray(&row, 1, 65_535).is_ok());
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
        let refused = Image::gray_with_stride(&[0; 8], 2, 3, usize::MAX);
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
        let row = |image: Image<'_>, y: usize| image.raster().row(y).flatten().copied().collect::<Vec<u8>>();
        assert_eq!(row(image, 1), [10, 11, 12, 13, 14, 15]);
        let image = Image::interleaved(&samples, Pixels::Bgra, 2, 3, 10).unwrap();
        assert_eq!(row(image, 1), [10, 11, 12, 13, 14, 15, 16, 17]);
        assert!(Image::interleaved(&samples, Pixels::Rgba, 3, 3, 11).is_err());
        let image = Image::gray_with_stride(&samples, 2, 3, 10).unwrap();
        assert_eq!(row(image, 2), [20, 21]);
        let planes = [&samples[..], &samples[1..], &samples[2..]];
        let image = Image::rgb_planes_with_stride(planes, 2, 3, 10).unwrap();
        assert_eq!(row(image, 2), [20, 21, 21, 22, 22, 23]);
    }
}
