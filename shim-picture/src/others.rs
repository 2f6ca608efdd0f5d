//! BMP, GIF, TIFF and WebP, each by the crate that is best kept for it. Of animations, the first frame is read.

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

    use gif::{ColorOutput, DecodeOptions, MemoryLimit};
    use image_webp::WebPDecoder;
    use shim_jpeg::Density;
    use tiff::ColorType;
    use tiff::decoder::{Decoder as TiffDecoder, DecodingResult};
    use tiff::tags::Tag;
    use zune_bmp::zune_core::bytestream::ZCursor;
    use zune_bmp::zune_core::colorspace::ColorSpace;
    use zune_bmp::zune_core::options::DecoderOptions;
    use zune_bmp::{BmpDecoder, BmpDecoderErrors};

    use super::Other;
    use crate::bitmap::{Bitmap, Channels, MAX_MEMORY, Samples};
    use crate::error::Error;
    use crate::limits::{Limits, check_size};
    use crate::metadata::{Metadata, upright_xmp, without_identifier};
    use crate::orientation::Orientation;

    /// A bitmap, its metadata and its orientation.
    type Decoded = (Bitmap, Metadata, Option<Orientation>);

    /// Decodes a file.
    pub(crate) fn decode(format: Other, file: &[u8], limits: Limits) -> Result<Decoded, Error> {
        match format {
            Other::Bmp => bmp(file, limits),
            Other::Gif => gif(file, limits),
            Other::Tiff => tiff(file, limits),
            Other::WebP => webp(file, limits),
        }
    }

    fn bmp(file: &[u8], limits: Limits) -> Result<Decoded, Error> {
        let reason = |error| match error {
            BmpDecoderErrors::IoErrors(_) => Error::Truncated { format: Other::Bmp.name() },
            error => {
                Error::Damaged { format: Other::Bmp.name(), detail: format!("{error:?}").trim().to_owned() }
            }
        };
        let options = DecoderOptions::default()
            .set_strict_mode(true)
            .set_max_width(usize::MAX)
            .set_max_height(usize::MAX);
        let mut decoder = BmpDecoder::new_with_options(ZCursor::new(file), options);
        decoder.decode_headers().map_err(reason)?;
        let (width, height) = decoder.dimensions().unwrap_or_default();
        check(width, height, limits)?;
        let channels = match decoder.colorspace() {
            Some(ColorSpace::Luma) => Channels::Gray,
            Some(ColorSpace::RGBA) => Channels::Rgba,
            Some(ColorSpace::RGB) => Channels::Rgb,
            other => return Err(unsupported(Other::Bmp, format!("colors of {other:?}"))),
        };
        let samples = decoder.decode().map_err(reason)?;
        bitmap(Other::Bmp, [width, height], channels, samples.into())
    }

    fn gif(file: &[u8], limits: Limits) -> Result<Decoded, Error> {
        let reason = |error| reason(Other::Gif, &error);
        let mut options = DecodeOptions::new();
        options.set_color_output(ColorOutput::RGBA);
        options.set_memory_limit(MemoryLimit::Bytes(
            MAX_MEMORY.try_into().unwrap_or(std::num::NonZero::<u64>::MAX),
        ));
        let mut decoder = options.read_info(Cursor::new(file)).map_err(reason)?;
        let (width, height) = (usize::from(decoder.width()), usize::from(decoder.height()));
        check(width, height, limits)?;
        let frame = decoder.read_next_frame().map_err(reason)?;
        let frame = frame.ok_or(Error::Truncated { format: Other::Gif.name() })?;
        // The frame is a part of the screen, which is clear around it.
        let mut screen = vec![[0; 4]; width * height];
        let (left, wide) = (usize::from(frame.left).min(width), usize::from(frame.width));
        let rows = frame.buffer.as_chunks::<4>().0.chunks(wide.max(1));
        for (row, pixels) in screen.chunks_mut(width).skip(frame.top.into()).zip(rows) {
            let row = &mut row[left..];
            let shown = row.len().min(pixels.len());
            row[..shown].copy_from_slice(&pixels[..shown]);
        }
        // Without clear pixels it is opaque.
        if screen.iter().all(|pixel| pixel[3] == 255) {
            let samples: Vec<u8> = screen.iter().flat_map(|&[r, g, b, _]| [r, g, b]).collect();
            return bitmap(Other::Gif, [width, height], Channels::Rgb, samples.into());
        }
        bitmap(Other::Gif, [width, height], Channels::Rgba, screen.into_flattened().into())
    }

    fn tiff(file: &[u8], limits: Limits) -> Result<Decoded, Error> {
        let reason = |error| reason(Other::Tiff, &error);
        let mut decoder = TiffDecoder::new(Cursor::new(file)).map_err(reason)?;
        let (width, height) = decoder.dimensions().map_err(reason)?;
        let (width, height) = (width as usize, height as usize);
        check(width, height, limits)?;
        let mut most = tiff::decoder::Limits::default();
        most.decoding_buffer_size = usize::try_from(MAX_MEMORY).unwrap_or(usize::MAX);
        most.intermediate_buffer_size = most.decoding_buffer_size;
        decoder = decoder.with_limits(most);
        let color = decoder.colortype().map_err(reason)?;
        let channels = match color {
            ColorType::Gray(8 | 16) => Channels::Gray,
            ColorType::GrayA(8 | 16) => Channels::GrayAlpha,
            ColorType::RGB(8 | 16) => Channels::Rgb,
            ColorType::RGBA(8 | 16) => Channels::Rgba,
            other => return Err(unsupported(Other::Tiff, format!("samples of type {other:?}"))),
        };
        let orientation = decoder.find_tag_unsigned::<u8>(Tag::Orientation).ok().flatten();
        let density = density(&mut decoder);
        let icc = decoder.find_tag(Tag::IccProfile).ok().flatten().and_then(|value| value.into_u8_vec().ok());
        let samples = match decoder.read_image().map_err(reason)? {
            DecodingResult::U8(samples) => Samples::Bytes(samples),
            DecodingResult::U16(samples) => Samples::Words(samples),
            _ => return Err(unsupported(Other::Tiff, format!("samples of type {color:?}"))),
        };
        let (bitmap, metadata, _) = bitmap(Other::Tiff, [width, height], channels, samples)?;
        Ok((bitmap, Metadata { icc, density, ..metadata }, orientation.and_then(Orientation::new)))
    }

    /// The density of a TIFF file (TIFF 6.0, section 8: `XResolution`, `YResolution` and `ResolutionUnit`).
    fn density(decoder: &mut TiffDecoder<Cursor<&[u8]>>) -> Option<Density> {
        let mut along = |tag| {
            let value = decoder.find_tag(tag).ok().flatten()?.into_f64().ok()?;
            (0.5..65_535.5).contains(&value).then_some(value.round() as u16)
        };
        let (x, y) = (along(Tag::XResolution)?, along(Tag::YResolution)?);
        match decoder.find_tag_unsigned::<u16>(Tag::ResolutionUnit).ok().flatten() {
            Some(1) => Some(Density::Aspect(x, y)),
            None | Some(2) => Some(Density::PerInch(x, y)),
            Some(3) => Some(Density::PerCentimeter(x, y)),
            Some(_) => None,
        }
    }

    fn webp(file: &[u8], limits: Limits) -> Result<Decoded, Error> {
        let reason = |error| reason(Other::WebP, &error);
        let mut decoder = WebPDecoder::new(Cursor::new(file)).map_err(reason)?;
        let (width, height) = decoder.dimensions();
        let (width, height) = (width as usize, height as usize);
        check(width, height, limits)?;
        decoder.set_memory_limit(usize::try_from(MAX_MEMORY).unwrap_or(usize::MAX));
        let mut samples = vec![0; decoder.output_buffer_size().ok_or(Error::Memory)?];
        decoder.read_image(&mut samples).map_err(reason)?;
        let channels = if decoder.has_alpha() { Channels::Rgba } else { Channels::Rgb };
        // What is not there is no reason to refuse the image.
        let metadata = Metadata {
            icc: decoder.icc_profile().ok().flatten(),
            exif: decoder.exif_metadata().ok().flatten().map(without_identifier),
            xmp: decoder.xmp_metadata().ok().flatten().map(upright_xmp),
            ..Metadata::default()
        };
        let (bitmap, ..) = bitmap(Other::WebP, [width, height], channels, samples.into())?;
        Ok((bitmap, metadata, None))
    }

    fn bitmap(
        format: Other,
        [width, height]: [usize; 2],
        channels: Channels,
        samples: Samples,
    ) -> Result<Decoded, Error> {
        let bitmap = Bitmap::new(width, height, channels, samples);
        let bitmap = bitmap.ok_or_else(|| Error::too_few_samples(format.name()))?;
        Ok((bitmap, Metadata::default(), None))
    }

    fn check(width: usize, height: usize, limits: Limits) -> Result<(), Error> {
        let [width, height] = [width, height].map(|side| u32::try_from(side).unwrap_or(u32::MAX));
        check_size(width, height, limits.max_pixels)
    }

    fn unsupported(format: Other, detail: String) -> Error {
        Error::Unsupported { format: format.name(), detail }
    }

    /// The error of a decoder.
    fn reason(format: Other, error: &(dyn std::error::Error + 'static)) -> Error {
        let (format, detail) = (format.name(), error.to_string());
        let text = detail.to_lowercase();
        if ends_early(error) || text.contains("unexpected end") {
            return Error::Truncated { format };
        }
        if text.contains("unsupported") {
            return Error::Unsupported { format, detail };
        }
        Error::Damaged { format, detail }
    }

    /// Whether the end of the file is the reason of an error.
    fn ends_early(error: &(dyn std::error::Error + 'static)) -> bool {
        let mut cause = Some(error);
        while let Some(error) = cause {
            let of_system = error.downcast_ref::<std::io::Error>();
            if of_system.is_some_and(|error| error.kind() == ErrorKind::UnexpectedEof) {
                return true;
            }
            cause = error.source();
        }
        false
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
