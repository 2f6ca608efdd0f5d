//! BMP, GIF, TIFF and WebP, each decoded by a maintained crate. Only the first frame of an animation is read.

#[cfg(feature = "formats")]
mod bmp;
#[cfg(feature = "formats")]
mod gif;
#[cfg(feature = "tiff")]
mod tiff;
#[cfg(feature = "formats")]
mod webp;

#[cfg(any(feature = "formats", feature = "tiff"))]
use std::io::ErrorKind;

#[cfg(any(feature = "formats", feature = "tiff"))]
use crate::bitmap::{Bitmap, Channels, Samples};
use crate::error::Error;
use crate::limits::Limits;
#[cfg(any(feature = "formats", feature = "tiff"))]
use crate::limits::check_size;
use crate::metadata::Metadata;
use crate::orientation::Orientation;

/// A bitmap, its metadata and its orientation.
pub(crate) type Decoded = (crate::bitmap::Bitmap, Metadata, Option<Orientation>);

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

    /// The feature with which it is read.
    #[cfg(not(all(feature = "formats", feature = "tiff")))]
    fn feature(self) -> &'static str {
        if self == Self::Tiff { "tiff" } else { "formats" }
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

/// Decodes a file.
#[cfg_attr(
    not(any(feature = "formats", feature = "tiff")),
    expect(unused_variables, reason = "nothing is decoded")
)]
pub(crate) fn decode(format: Other, file: &[u8], limits: Limits) -> Result<Decoded, Error> {
    match format {
        #[cfg(feature = "formats")]
        Other::Bmp => bmp::decode(file, limits),
        #[cfg(feature = "formats")]
        Other::Gif => gif::decode(file, limits),
        #[cfg(feature = "formats")]
        Other::WebP => webp::decode(file, limits),
        #[cfg(feature = "tiff")]
        Other::Tiff => tiff::decode(file, limits),
        #[cfg(not(all(feature = "formats", feature = "tiff")))]
        other => Err(Error::WithoutFormat { format: other.name(), feature: other.feature() }),
    }
}

#[cfg(any(feature = "formats", feature = "tiff"))]
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

#[cfg(any(feature = "formats", feature = "tiff"))]
fn check(width: usize, height: usize, limits: Limits) -> Result<(), Error> {
    let [width, height] = [width, height].map(|side| u32::try_from(side).unwrap_or(u32::MAX));
    check_size(width, height, limits.max_pixels)
}

#[cfg(any(feature = "formats", feature = "tiff"))]
fn unsupported(format: Other, detail: String) -> Error {
    Error::Unsupported { format: format.name(), detail }
}

/// The error of a decoder.
#[cfg(any(feature = "formats", feature = "tiff"))]
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
#[cfg(any(feature = "formats", feature = "tiff"))]
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

#[cfg(all(test, feature = "formats", feature = "tiff"))]
mod tests {
    use std::io::Cursor;

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
        Picture::decode(file, Options { bits: Some(8), background, limits, ..Options::default() }, &mut ())
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
