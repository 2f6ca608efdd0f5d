//! Formats that the crate `image` decodes: BMP, GIF, TIFF and WebP.

/// A format by the first bytes of its files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Other {
    Bmp,
    Gif,
    Tiff,
    WebP,
}

impl Other {
    /// The format of a file.
    pub(crate) fn of(file: &[u8]) -> Option<Self> {
        match file {
            [b'B', b'M', ..] => Some(Self::Bmp),
            [b'G', b'I', b'F', b'8', b'7' | b'9', b'a', ..] => Some(Self::Gif),
            [b'I', b'I', 42, 0, ..] | [b'M', b'M', 0, 42, ..] => Some(Self::Tiff),
            [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => Some(Self::WebP),
            _ => None,
        }
    }

    /// Its name in messages.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Bmp => "BMP",
            Self::Gif => "GIF",
            Self::Tiff => "TIFF",
            Self::WebP => "WebP",
        }
    }
}

#[cfg(feature = "formats")]
pub(crate) use decoding::decode;

#[cfg(feature = "formats")]
mod decoding {
    use std::io::{Cursor, ErrorKind};

    use image::codecs::{bmp::BmpDecoder, gif::GifDecoder, tiff::TiffDecoder, webp::WebPDecoder};
    use image::error::ImageResult;
    use image::{ColorType, ImageDecoder, ImageError};

    use super::Other;
    use crate::bitmap::{Bitmap, Channels, MAX_MEMORY, Samples};
    use crate::error::Error;
    use crate::limits::{Limits, check_size};
    use crate::metadata::{Metadata, upright_xmp, without_identifier};
    use crate::orientation::Orientation;

    /// Decodes a file, and hands over its metadata and its orientation.
    pub(crate) fn decode(
        format: Other,
        file: &[u8],
        limits: Limits,
    ) -> Result<(Bitmap, Metadata, Option<Orientation>), Error> {
        let (file, reason) = (Cursor::new(file), |error| reason(format, error));
        match format {
            Other::Bmp => decoded(format, BmpDecoder::new(file).map_err(reason)?, limits),
            Other::Gif => decoded(format, GifDecoder::new(file).map_err(reason)?, limits),
            Other::Tiff => decoded(format, TiffDecoder::new(file).map_err(reason)?, limits),
            Other::WebP => decoded(format, WebPDecoder::new(file).map_err(reason)?, limits),
        }
    }

    fn decoded(
        format: Other,
        mut decoder: impl ImageDecoder,
        limits: Limits,
    ) -> Result<(Bitmap, Metadata, Option<Orientation>), Error> {
        let (width, height) = decoder.dimensions();
        check_size(width, height, limits.max_pixels)?;
        let unsupported = |detail: String| Error::Unsupported { format: format.name(), detail };
        let (channels, wide) = match decoder.color_type() {
            ColorType::L8 => (Channels::Gray, false),
            ColorType::La8 => (Channels::GrayAlpha, false),
            ColorType::Rgb8 => (Channels::Rgb, false),
            ColorType::Rgba8 => (Channels::Rgba, false),
            ColorType::L16 => (Channels::Gray, true),
            ColorType::La16 => (Channels::GrayAlpha, true),
            ColorType::Rgb16 => (Channels::Rgb, true),
            ColorType::Rgba16 => (Channels::Rgba, true),
            other => return Err(unsupported(format!("samples of type {other:?}"))),
        };
        let bytes = decoder.total_bytes();
        if bytes > MAX_MEMORY {
            return Err(Error::Memory);
        }
        let reason = |error| reason(format, error);
        let mut allowed = image::Limits::no_limits();
        allowed.max_alloc = Some(MAX_MEMORY);
        decoder.set_limits(allowed).map_err(reason)?;
        // What is not there is no reason to refuse the image.
        let orientation = decoder.orientation().ok().and_then(|found| Orientation::new(found.to_exif()));
        let part = |part: ImageResult<Option<Vec<u8>>>| part.ok().flatten().filter(|part| !part.is_empty());
        let metadata = Metadata {
            icc: part(decoder.icc_profile()),
            exif: part(decoder.exif_metadata()).map(without_identifier),
            xmp: part(decoder.xmp_metadata()).map(upright_xmp),
            ..Metadata::default()
        };
        let mut samples = vec![0; bytes as usize];
        decoder.read_image(&mut samples).map_err(reason)?;
        let samples = if wide {
            Samples::Words(samples.as_chunks().0.iter().map(|&pair| u16::from_ne_bytes(pair)).collect())
        } else {
            Samples::Bytes(samples)
        };
        let bitmap = Bitmap::new(width as usize, height as usize, channels, samples);
        let bitmap = bitmap.ok_or_else(|| Error::too_few_samples(format.name()))?;
        Ok((bitmap, metadata, orientation))
    }

    fn reason(format: Other, error: ImageError) -> Error {
        let format = format.name();
        match error {
            error if ends_early(&error) => Error::Truncated { format },
            ImageError::IoError(error) => Error::Damaged { format, detail: error.to_string() },
            ImageError::Unsupported(error) => Error::Unsupported { format, detail: error.to_string() },
            ImageError::Limits(_) => Error::Memory,
            error => Error::Damaged { format, detail: error.to_string() },
        }
    }

    /// Whether the end of the file is the reason of an error, which some decoders tell in words alone.
    fn ends_early(error: &ImageError) -> bool {
        let mut cause: Option<&dyn std::error::Error> = Some(error);
        while let Some(error) = cause {
            let of_system = error.downcast_ref::<std::io::Error>();
            if of_system.is_some_and(|error| error.kind() == ErrorKind::UnexpectedEof) {
                return true;
            }
            cause = error.source();
        }
        error.to_string().to_lowercase().contains("unexpected end")
    }

    #[cfg(test)]
    mod tests {
        use image::{DynamicImage, ImageFormat, RgbImage, RgbaImage};

        use super::*;
        use crate::{Background, Options, Picture};

        fn files(image: &DynamicImage) -> Vec<(ImageFormat, Vec<u8>)> {
            let formats = [ImageFormat::Bmp, ImageFormat::Tiff, ImageFormat::WebP, ImageFormat::Gif];
            let file = |format| {
                let mut file = Cursor::new(Vec::new());
                image.write_to(&mut file, format).unwrap();
                (format, file.into_inner())
            };
            formats.map(file).to_vec()
        }

        fn read(file: &[u8]) -> Result<Picture, Error> {
            let (background, limits) = (Background([1, 2, 3]), Limits::default());
            Picture::decode(
                file,
                Options { bits: Some(8), background, limits, ..Options::default() },
                &mut (),
            )
        }

        #[test]
        fn every_format_is_read() {
            let image = RgbImage::from_fn(7, 5, |x, y| image::Rgb([x as u8 * 9, y as u8 * 40, 77]));
            for (format, file) in files(&image.clone().into()) {
                let picture = read(&file).unwrap();
                assert_eq!((picture.width, picture.height), (7, 5), "{format:?}");
                assert_eq!(picture.bytes().unwrap(), image.as_raw(), "{format:?}");
                assert!(picture.metadata.damage.is_empty());
            }
            let clear = RgbaImage::from_pixel(2, 2, image::Rgba([9, 9, 9, 0]));
            for (format, file) in files(&clear.into()) {
                let picture = read(&file).unwrap();
                assert_eq!(picture.bytes().unwrap()[..3], [1, 2, 3], "{format:?}");
            }
        }

        #[test]
        fn no_beginning_of_a_file_is_taken_for_the_whole() {
            let image = RgbImage::from_fn(40, 30, |x, y| image::Rgb([(x * y) as u8, y as u8 * 8, x as u8]));
            for (format, file) in files(&image.into()) {
                // The last bytes of some formats say nothing of the image.
                for length in 1..file.len() - 8 {
                    assert!(read(&file[..length]).is_err(), "{format:?}: {length} of {}", file.len());
                }
            }
        }
    }
}
