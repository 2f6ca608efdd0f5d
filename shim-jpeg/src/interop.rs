//! Images of the [`image`](https://docs.rs/image) crate, with the feature `image`.

use alloc::vec::Vec;
use core::ops::Deref;
use std::io::Write;

use ::image::error::{
    EncodingError, ImageFormatHint, LimitError, LimitErrorKind, UnsupportedError, UnsupportedErrorKind,
};
use ::image::{
    DynamicImage, ExtendedColorType, ImageBuffer, ImageEncoder, ImageError, ImageFormat, ImageResult, Luma,
    LumaA, Rgb, Rgba,
};

use crate::{Encoder, Error, Image, Pixels};

impl<'a> TryFrom<&'a DynamicImage> for Image<'a> {
    type Error = Error;

    /// The samples stay where they are. Transparency is not looked at, and samples of 16 bits are for the lossless
    /// process.
    ///
    /// # Errors
    ///
    /// [`Error::Dimensions`], and [`Error::Samples`] for samples that are no integers.
    fn try_from(image: &'a DynamicImage) -> Result<Self, Error> {
        match image {
            DynamicImage::ImageLuma8(image) => image.try_into(),
            DynamicImage::ImageLumaA8(image) => image.try_into(),
            DynamicImage::ImageRgb8(image) => image.try_into(),
            DynamicImage::ImageRgba8(image) => image.try_into(),
            DynamicImage::ImageLuma16(image) => image.try_into(),
            DynamicImage::ImageLumaA16(image) => image.try_into(),
            DynamicImage::ImageRgb16(image) => image.try_into(),
            DynamicImage::ImageRgba16(image) => image.try_into(),
            _ => Err(Error::Samples),
        }
    }
}

/// A buffer of pixels as an image, whose samples stay where they are.
macro_rules! buffers {
    ($($pixel:ident, $sample:ty, $pixels:ident;)*) => {$(
        impl<'a, C: Deref<Target = [$sample]>> TryFrom<&'a ImageBuffer<$pixel<$sample>, C>> for Image<'a> {
            type Error = Error;

            /// The samples stay where they are. Transparency is not looked at, and samples of 16 bits are for the
            /// lossless process.
            ///
            /// # Errors
            ///
            /// [`Error::Dimensions`].
            fn try_from(image: &'a ImageBuffer<$pixel<$sample>, C>) -> Result<Self, Error> {
                let (width, height) = (image.width() as usize, image.height() as usize);
                <$sample>::image(image.as_raw(), Pixels::$pixels, width, height)
            }
        }
    )*};
}

buffers! {
    Luma, u8, Gray;
    LumaA, u8, GrayAlpha;
    Rgb, u8, Rgb;
    Rgba, u8, Rgba;
    Luma, u16, Gray;
    LumaA, u16, GrayAlpha;
    Rgb, u16, Rgb;
    Rgba, u16, Rgba;
}

/// A sample of the `image` crate that JPEG can code.
trait BufferSample: Sized {
    /// The image of pixels without gaps.
    fn image(samples: &[Self], pixels: Pixels, width: usize, height: usize) -> Result<Image<'_>, Error>;
}

impl BufferSample for u8 {
    fn image(samples: &[Self], pixels: Pixels, width: usize, height: usize) -> Result<Image<'_>, Error> {
        Image::interleaved(samples, pixels, width, height, width * pixels.samples())
    }
}

impl BufferSample for u16 {
    fn image(samples: &[Self], pixels: Pixels, width: usize, height: usize) -> Result<Image<'_>, Error> {
        Image::interleaved16(samples, 16, pixels, width, height, width * pixels.samples())
    }
}

/// An encoder with a writer, as the `image` crate wants it.
///
/// ```
/// use image::DynamicImage;
/// use shim_jpeg::{Encoder, ImageWriter};
///
/// let picture = DynamicImage::new_rgb8(40, 30);
/// let mut file = Vec::new();
/// picture.write_with_encoder(ImageWriter::new(Encoder::new().quality(80), &mut file))?;
/// # Ok::<(), image::ImageError>(())
/// ```
#[derive(Debug)]
pub struct ImageWriter<W> {
    encoder: Encoder,
    writer: W,
}

impl<W: Write> ImageWriter<W> {
    /// Files by `encoder`, to `writer`.
    pub const fn new(encoder: Encoder, writer: W) -> Self {
        Self { encoder, writer }
    }
}

impl<W: Write> ImageEncoder for ImageWriter<W> {
    fn write_image(
        self,
        samples: &[u8],
        width: u32,
        height: u32,
        color: ExtendedColorType,
    ) -> ImageResult<()> {
        let (pixels, wide) = match color {
            ExtendedColorType::L8 => (Pixels::Gray, false),
            ExtendedColorType::La8 => (Pixels::GrayAlpha, false),
            ExtendedColorType::Rgb8 => (Pixels::Rgb, false),
            ExtendedColorType::Rgba8 => (Pixels::Rgba, false),
            ExtendedColorType::Bgr8 => (Pixels::Bgr, false),
            ExtendedColorType::Bgra8 => (Pixels::Bgra, false),
            ExtendedColorType::Cmyk8 => (Pixels::Cmyk, false),
            ExtendedColorType::L16 => (Pixels::Gray, true),
            ExtendedColorType::La16 => (Pixels::GrayAlpha, true),
            ExtendedColorType::Rgb16 => (Pixels::Rgb, true),
            ExtendedColorType::Rgba16 => (Pixels::Rgba, true),
            other => {
                let kind = UnsupportedErrorKind::Color(other);
                return Err(ImageError::Unsupported(UnsupportedError::from_format_and_kind(jpeg(), kind)));
            }
        };
        let (width, height) = (width as usize, height as usize);
        let stride = width * pixels.samples();
        let words: Vec<u16>;
        let image = if wide {
            words = samples.as_chunks::<2>().0.iter().copied().map(u16::from_ne_bytes).collect();
            Image::interleaved16(&words, 16, pixels, width, height, stride)
        } else {
            Image::interleaved(samples, pixels, width, height, stride)
        };
        image.and_then(|image| self.encoder.encode_to(&image, self.writer)).map_err(|error| match error {
            Error::Io(error) => ImageError::IoError(error.into()),
            Error::Dimensions { .. } => {
                ImageError::Limits(LimitError::from_kind(LimitErrorKind::DimensionError))
            }
            error => ImageError::Encoding(EncodingError::new(jpeg(), error)),
        })
    }

    fn set_icc_profile(&mut self, profile: Vec<u8>) -> Result<(), UnsupportedError> {
        self.encoder = core::mem::take(&mut self.encoder).icc_profile(&profile);
        Ok(())
    }

    fn set_exif_metadata(&mut self, exif: Vec<u8>) -> Result<(), UnsupportedError> {
        self.encoder = core::mem::take(&mut self.encoder).exif(&exif);
        Ok(())
    }
}

fn jpeg() -> ImageFormatHint {
    ImageFormatHint::Exact(ImageFormat::Jpeg)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_image_is_taken_where_it_lies() {
        let rgb = DynamicImage::ImageRgb8(::image::RgbImage::from_fn(30, 20, |x, y| {
            ::image::Rgb([(8 * x) as u8, (12 * y) as u8, 77])
        }));
        for (picture, pixels, bits) in [
            (DynamicImage::from(rgb.to_luma8()), Pixels::Gray, 8),
            (rgb.to_luma_alpha8().into(), Pixels::GrayAlpha, 8),
            (rgb.to_rgb8().into(), Pixels::Rgb, 8),
            (rgb.to_rgba8().into(), Pixels::Rgba, 8),
            (rgb.to_luma16().into(), Pixels::Gray, 16),
            (rgb.to_luma_alpha16().into(), Pixels::GrayAlpha, 16),
            (rgb.to_rgb16().into(), Pixels::Rgb, 16),
            (rgb.to_rgba16().into(), Pixels::Rgba, 16),
        ] {
            let image = Image::try_from(&picture).unwrap();
            assert_eq!((image.pixels(), image.bits(), image.width()), (pixels, bits, 30));
            let mut file = Vec::new();
            let written = picture.write_with_encoder(ImageWriter::new(Encoder::new(), &mut file));
            if bits == 8 {
                written.unwrap();
                assert_eq!(file, Encoder::new().encode(&image).unwrap());
            } else {
                assert!(matches!(written, Err(ImageError::Encoding(_))), "{written:?}");
            }
        }
        assert!(matches!(Image::try_from(&DynamicImage::from(rgb.to_rgb32f())), Err(Error::Samples)));
    }
}
