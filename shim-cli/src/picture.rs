//! Reading an image file to gray or RGB samples.
//!
//! PNG and the PNM family (PBM, PGM, PPM, PAM) are read by the `image` crate, which hands PNG to the `png` crate of the
//! same maintainers and, other than the smaller readers, knows all of PNM: text and binary, any depth up to 16 bits.
//! Only these two of its formats are compiled in. JPEG is read by [`jpeg_file`].

use std::io::{self, BufRead, Cursor, Read, Seek, SeekFrom};
use std::path::Path;

use image::error::LimitErrorKind;
use image::metadata::Orientation;
use image::{DynamicImage, ImageDecoder, ImageError, ImageFormat, ImageReader, Limits};
use shim_jpeg::{Image, MAX_DIMENSION, Pixels};

use crate::failure::{Failure, Reason};
use crate::jpeg_file;
use crate::pnm_rows::{Bytes, PnmRows, scaled};
use crate::progress::Progress;
use crate::source_metadata::{self, Metadata};
use crate::standard;

/// Bytes that the decoding of one image may take.
pub(crate) const MAX_MEMORY: u64 = 4 << 30;

/// The eight bytes with which every PNG file begins.
const PNG_SIGNATURE: &[u8] = b"\x89PNG\r\n\x1a\n";

/// An image file that was read.
#[derive(Debug)]
pub(crate) struct Picture {
    pub(crate) width: usize,
    pub(crate) height: usize,
    pub(crate) kind: Kind,
    /// The size of the file.
    pub(crate) file_bytes: usize,
    /// Its metadata.
    pub(crate) metadata: Metadata,
    samples: Samples,
}

/// Gray or RGB samples, interleaved.
#[derive(Debug)]
enum Samples {
    Bytes(Vec<u8>),
    /// Samples of so many bits.
    Words(Vec<u16>, u8),
}

/// The format of an image's samples, and of those in its file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Kind {
    pub(crate) gray: bool,
    /// Transparent pixels were laid over white.
    pub(crate) flattened: bool,
}

impl Picture {
    /// Reads the file at `path`, or stdin, to samples of so many bits, or of 8 or 16 as they are in the file.
    pub(crate) fn read(
        path: &Path,
        bits: Option<u8>,
        max_pixels: u64,
        progress: &mut Progress,
    ) -> Result<Self, Failure> {
        let file = standard::read(path)?;
        Self::decode(&file, bits, max_pixels, progress).map_err(|reason| Failure::input(path, reason))
    }

    /// As [`read`](Self::read), of a file that has been opened.
    pub(crate) fn read_from(
        mut bytes: Bytes,
        bits: Option<u8>,
        max_pixels: u64,
        progress: &mut Progress,
    ) -> Result<Self, Reason> {
        let mut file = Vec::new();
        bytes.read_to_end(&mut file).map_err(Reason::Read)?;
        Self::decode(&file, bits, max_pixels, progress)
    }

    /// The format of an image that is read row by row, with the given bit depth or that of the file.
    pub(crate) fn without_samples(rows: &PnmRows, bits: Option<u8>) -> Self {
        let bits = bits.unwrap_or(if rows.wide { 16 } else { 8 });
        Self {
            width: rows.width,
            height: rows.height,
            kind: Kind { gray: rows.pixels == Pixels::Gray, flattened: false },
            file_bytes: 0,
            metadata: Metadata::default(),
            samples: if bits == 8 { Samples::Bytes(Vec::new()) } else { Samples::Words(Vec::new(), bits) },
        }
    }

    /// The image as the encoder takes it.
    pub(crate) fn image(&self) -> Result<Image<'_>, shim_jpeg::Error> {
        let pixels = if self.kind.gray { Pixels::Gray } else { Pixels::Rgb };
        let (width, height, stride) = (self.width, self.height, pixels.samples() * self.width);
        match &self.samples {
            Samples::Bytes(samples) => Image::interleaved(samples, pixels, width, height, stride),
            Samples::Words(samples, bits) => {
                Image::interleaved16(samples, *bits, pixels, width, height, stride)
            }
        }
    }

    /// Bits of a sample.
    pub(crate) fn bits(&self) -> u8 {
        match &self.samples {
            Samples::Bytes(_) => 8,
            Samples::Words(_, bits) => *bits,
        }
    }

    /// The samples, if they are bytes.
    pub(crate) fn bytes(&self) -> Option<&[u8]> {
        match &self.samples {
            Samples::Bytes(samples) => Some(samples),
            Samples::Words(..) => None,
        }
    }

    fn decode(
        file: &[u8],
        bits: Option<u8>,
        max_pixels: u64,
        progress: &mut Progress,
    ) -> Result<Self, Reason> {
        let (image, metadata) = match format_of(file)? {
            ImageFormat::Jpeg => {
                let [width, height] = jpeg_file::dimensions(file).unwrap_or_default();
                check_pixels(width, height, max_pixels)?;
                jpeg_file::decode(file)?
            }
            format => decode(file, format, max_pixels, progress)?,
        };
        let (width, height) = (image.width() as usize, image.height() as usize);
        let kind = Kind { gray: !image.color().has_color(), flattened: image.color().has_alpha() };
        let color = image.color();
        let bits = bits.unwrap_or(if color.bytes_per_pixel() > color.channel_count() { 16 } else { 8 });
        let samples = if bits == 8 {
            Samples::Bytes(bytes(image, kind))
        } else {
            Samples::Words(words(image, kind).into_iter().map(|sample| scaled(sample, bits)).collect(), bits)
        };
        Ok(Self { width, height, kind, file_bytes: file.len(), metadata, samples })
    }
}

/// Refuses images of so many pixels that decoding them may not be meant: a small file can hold them.
pub(crate) fn check_pixels(width: u32, height: u32, most: u64) -> Result<(), Reason> {
    if u64::from(width) * u64::from(height) > most {
        return Err(Reason::TooManyPixels { width, height, most });
    }
    Ok(())
}

/// Samples of 8 bits.
fn bytes(image: DynamicImage, kind: Kind) -> Vec<u8> {
    match (kind.gray, kind.flattened) {
        (true, false) => image.into_luma8().into_raw(),
        (false, false) => image.into_rgb8().into_raw(),
        (true, true) => over_white(image.into_luma_alpha8().as_raw().as_chunks::<2>().0),
        (false, true) => over_white(image.into_rgba8().as_raw().as_chunks::<4>().0),
    }
}

/// Samples of 16 bits.
fn words(image: DynamicImage, kind: Kind) -> Vec<u16> {
    match (kind.gray, kind.flattened) {
        (true, false) => image.into_luma16().into_raw(),
        (false, false) => image.into_rgb16().into_raw(),
        (true, true) => over_white(image.into_luma_alpha16().as_raw().as_chunks::<2>().0),
        (false, true) => over_white(image.into_rgba16().as_raw().as_chunks::<4>().0),
    }
}

/// Finds out by its first bytes what a file is.
fn format_of(file: &[u8]) -> Result<ImageFormat, Reason> {
    if file.is_empty() {
        return Err(Reason::Empty);
    }
    let formats =
        [(PNG_SIGNATURE, "PNG", ImageFormat::Png), (jpeg_file::SIGNATURE, "JPEG", ImageFormat::Jpeg)];
    for (signature, name, format) in formats {
        if file.starts_with(signature) {
            return Ok(format);
        }
        if signature.starts_with(file) {
            return Err(Reason::Truncated { format: name });
        }
    }
    match file {
        [b'P', b'1'..=b'7', space, ..] if space.is_ascii_whitespace() => Ok(ImageFormat::Pnm),
        [b'P', b'1'..=b'7'] => Err(Reason::Truncated { format: "PNM" }),
        _ => Err(Reason::UnknownFormat),
    }
}

/// Decodes PNG and PNM.
fn decode(
    file: &[u8],
    format: ImageFormat,
    max_pixels: u64,
    progress: &mut Progress,
) -> Result<(DynamicImage, Metadata), Reason> {
    let name = if format == ImageFormat::Png { "PNG" } else { "PNM" };
    progress.start("decoding", file.len());
    let mut reader = ImageReader::with_format(Watched { inner: Cursor::new(file), progress }, format);
    let mut limits = Limits::default();
    limits.max_alloc = Some(MAX_MEMORY);
    reader.limits(limits);

    let mut decoder = reader.into_decoder().map_err(|error| reason(error, name))?;
    let (width, height) = decoder.dimensions();
    if width.max(height) as usize > MAX_DIMENSION {
        return Err(Reason::TooLarge { width, height });
    }
    check_pixels(width, height, max_pixels)?;
    // Metadata that cannot be read is none.
    let mut exif = decoder.exif_metadata().unwrap_or_default();
    let metadata = Metadata {
        icc: decoder.icc_profile().unwrap_or_default(),
        xmp: decoder.xmp_metadata().unwrap_or_default().map(source_metadata::upright_xmp),
        density: source_metadata::png_density(file).filter(|_| format == ImageFormat::Png),
        colors: source_metadata::png_colors(file).filter(|_| format == ImageFormat::Png),
        ..Metadata::default()
    };
    let orientation = exif.as_deref_mut().and_then(Orientation::remove_from_exif_chunk);
    let mut image = DynamicImage::from_decoder(decoder).map_err(|error| reason(error, name))?;
    image.apply_orientation(orientation.unwrap_or(Orientation::NoTransforms));
    Ok((image, Metadata { exif, ..metadata }))
}

/// The decoder's error in this command's words.
fn reason(error: ImageError, format: &'static str) -> Reason {
    match error {
        ImageError::IoError(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
            Reason::Truncated { format }
        }
        ImageError::IoError(error) => Reason::Read(error),
        ImageError::Limits(error) if matches!(error.kind(), LimitErrorKind::InsufficientMemory) => {
            Reason::Memory
        }
        ImageError::Unsupported(error) => Reason::Unsupported { format, detail: error.to_string() },
        error => Reason::Damaged { format, detail: error.to_string() },
    }
}

/// Lays pixels whose last sample is their opacity over white, rounding to the nearest.
fn over_white<T: Opacity, const N: usize>(pixels: &[[T; N]]) -> Vec<T> {
    let lay = |pixel: &[T; N], c: usize| pixel[c].over_white(pixel[N - 1]);
    pixels.iter().flat_map(|pixel| (0..N - 1).map(move |c| lay(pixel, c))).collect()
}

/// A sample that may be an opacity.
trait Opacity: Copy {
    /// This sample with an opacity over white.
    fn over_white(self, opacity: Self) -> Self;
}

impl Opacity for u8 {
    fn over_white(self, opacity: Self) -> Self {
        let (sample, opacity) = (u16::from(self), u16::from(opacity));
        ((sample * opacity + 255 * (255 - opacity) + 127) / 255) as Self
    }
}

impl Opacity for u16 {
    fn over_white(self, opacity: Self) -> Self {
        let (sample, opacity) = (u64::from(self), u64::from(opacity));
        ((sample * opacity + 0xffff * (0xffff - opacity) + 0x7fff) / 0xffff) as Self
    }
}

/// A file in memory that reports how far it has been read.
struct Watched<'a> {
    inner: Cursor<&'a [u8]>,
    progress: &'a mut Progress,
}

impl Read for Watched<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buffer)?;
        self.progress.reach(self.inner.position() as usize);
        Ok(read)
    }
}

impl BufRead for Watched<'_> {
    // In pieces, so that a decoder that takes all it is given comes back often enough.
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.progress.reach(self.inner.position() as usize);
        let rest = self.inner.fill_buf()?;
        Ok(&rest[..rest.len().min(1 << 16)])
    }

    fn consume(&mut self, amount: usize) {
        self.inner.consume(amount);
    }
}

impl Seek for Watched<'_> {
    fn seek(&mut self, position: SeekFrom) -> io::Result<u64> {
        self.inner.seek(position)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(file: &[u8]) -> Result<Picture, String> {
        Picture::decode(file, Some(8), u64::MAX, &mut Progress::new()).map_err(|reason| reason.to_string())
    }

    fn samples(file: &[u8]) -> (usize, usize, bool, Vec<u8>) {
        let picture = read(file).unwrap();
        (picture.width, picture.height, picture.kind.gray, picture.bytes().unwrap().to_vec())
    }

    #[test]
    fn all_of_pnm() {
        assert_eq!(samples(b"P1 2 1 1 0"), (2, 1, true, vec![0, 255]));
        assert_eq!(samples(b"P2\n# a comment\n2 1\n100\n0 100"), (2, 1, true, vec![0, 255]));
        assert_eq!(samples(b"P3 1 1 255 1 2 3"), (1, 1, false, vec![1, 2, 3]));
        assert_eq!(samples(b"P4 2 1\n\x80"), (2, 1, true, vec![0, 255]));
        assert_eq!(samples(b"P5 2 1 255\n\x07\x08"), (2, 1, true, vec![7, 8]));
        assert_eq!(samples(b"P6 1 1 255\n\x07\x08\x09"), (1, 1, false, vec![7, 8, 9]));
        let pam = b"P7\nWIDTH 1\nHEIGHT 1\nDEPTH 2\nMAXVAL 255\nTUPLTYPE GRAYSCALE_ALPHA\nENDHDR\n\x00\x00";
        assert_eq!(samples(pam), (1, 1, true, vec![255]));
        assert_eq!(samples(b"P5 1 1 65535\n\x80\x00"), (1, 1, true, vec![128]));
    }

    #[test]
    fn what_a_file_is_not() {
        assert_eq!(read(b"").unwrap_err(), "the file is empty");
        let unsupported = "unsupported file: not a PNG, PNM (PPM, PGM, PBM, PAM) or JPEG image";
        for file in [&b"GIF89a"[..], b"hello", b"P", b"P8\n1 1", b"Photo", &[0; 100]] {
            assert_eq!(read(file).unwrap_err(), unsupported);
        }
    }

    #[test]
    fn every_beginning_of_a_file_is_truncated() {
        for file in [&b"P6 2 2 255\n123456789abc"[..], b"P5\n3 2\n255\n123456"] {
            for length in 2..file.len() {
                let refused = read(&file[..length]);
                // In the middle of the header, a shorter number is a number too, but never of pixels that are there.
                assert!(refused.is_err(), "{length}");
            }
            let last = read(&file[..file.len() - 1]).unwrap_err();
            assert_eq!(last, "truncated PNM file: it ends before the image data does");
        }
    }

    #[test]
    fn samples_of_other_depths_keep_their_ends() {
        let of = |file: &[u8], bits| match Picture::decode(file, Some(bits), u64::MAX, &mut Progress::new())
            .unwrap()
            .samples
        {
            Samples::Words(samples, of) if of == bits => samples,
            other => panic!("{other:?}"),
        };
        assert_eq!(of(b"P5 3 1 65535\n\0\0\x80\0\xff\xff", 12), [0, 2048, 4095]);
        assert_eq!(of(b"P5 3 1 4095\n\0\0\x08\0\x0f\xff", 12), [0, 2048, 4095]);
        assert_eq!(of(b"P5 3 1 1023\n\0\x01\x01\x55\x03\xff", 10), [1, 0x155, 1023]);
        let own = |file: &[u8]| Picture::decode(file, None, u64::MAX, &mut Progress::new()).unwrap().bits();
        assert_eq!((own(b"P5 1 1 255\n\0"), own(b"P5 1 1 65535\n\0\0")), (8, 16));
        assert_eq!(of(b"P5 2 1 255\n\0\xff", 12), [0, 4095]);
        assert_eq!(of(b"P5 3 1 65535\n\0\0\x12\x34\xff\xff", 16), [0, 0x1234, 0xffff]);
    }

    #[test]
    fn transparency_shows_white() {
        assert_eq!(over_white(&[[0_u8, 10, 20, 255], [0, 10, 20, 0]]), [0, 10, 20, 255, 255, 255]);
        assert_eq!(over_white(&[[0_u8, 128], [255, 3], [100, 51]]), [127, 255, 224]);
        assert_eq!(over_white(&[[0_u16, 0x8000], [7, 0xffff]]), [0x7fff, 7]);
    }
}
