//! Images as the encoder takes them.

use std::mem;

use shim_jpeg::{ColorSpace, Density, Image, Pixels};

use crate::bitmap::{Background, Bitmap, Channels, scaled};
use crate::error::Error;
use crate::limits::{Limits, check_pixels};
use crate::metadata::Metadata;
use crate::orientation::Orientation;
use crate::others::Other;
use crate::progress::Progress;
use crate::resample::{Fit, resample};
use crate::rows::Rows;
use crate::{foreign, jpeg, others, png, pnm};

/// The format of an image file.
enum Format {
    Png,
    Pnm,
    Jpeg,
    Other(Other),
}

impl Format {
    /// Finds out by its first bytes what a file is.
    fn of(file: &[u8]) -> Result<Self, Error> {
        if file.is_empty() {
            return Err(Error::Empty);
        }
        let formats = [(png::SIGNATURE, png::FORMAT, Self::Png), (jpeg::SIGNATURE, jpeg::FORMAT, Self::Jpeg)];
        for (signature, name, format) in formats {
            if file.starts_with(signature) {
                return Ok(format);
            }
            if signature.starts_with(file) {
                return Err(Error::Truncated { format: name });
            }
        }
        match file {
            [b'P', b'1'..=b'7', space, ..] if space.is_ascii_whitespace() => return Ok(Self::Pnm),
            [b'P', b'1'..=b'7'] => return Err(Error::Truncated { format: pnm::FORMAT }),
            _ => {}
        }
        match Other::of(file) {
            Some(other) => Ok(Self::Other(other)),
            None => Err(Error::UnknownFormat(foreign::name_of(file))),
        }
    }
}

/// How an image is read.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// Bits of a sample, 2 to 16; by default 8 or 16 as they are in the file.
    pub bits: Option<u8>,
    /// The color behind transparent pixels.
    pub background: Background,
    /// The size that the picture may have.
    pub fit: Fit,
    /// Limits on the file.
    pub limits: Limits,
}

/// An image file that was read.
#[derive(Debug)]
pub struct Picture {
    /// Pixels in a row.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// The format of its samples.
    pub kind: Kind,
    /// The size of the file.
    pub file_bytes: usize,
    /// Its metadata.
    pub metadata: Metadata,
    samples: Scaled,
}

/// Samples, interleaved.
#[derive(Debug)]
pub enum Scaled {
    /// Samples of 8 bits.
    Bytes(Vec<u8>),
    /// Samples of so many bits.
    Words(Vec<u16>, u8),
}

/// The format of an image's samples, and of those in its file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kind {
    /// The pixels that the encoder is given.
    pub pixels: Pixels,
    /// The color over which transparent pixels were laid.
    pub flattened: Option<Background>,
}

impl Picture {
    /// The format of an image that is read row by row, and its metadata.
    pub fn without_samples(rows: &mut Rows, options: Options) -> Self {
        let bits = options.bits.unwrap_or(if rows.wide { 16 } else { 8 });
        Self {
            width: rows.width,
            height: rows.height,
            kind: Kind::of(rows.channels, options.background),
            file_bytes: 0,
            metadata: mem::take(&mut rows.metadata),
            samples: if bits == 8 { Scaled::Bytes(Vec::new()) } else { Scaled::Words(Vec::new(), bits) },
        }
    }

    /// The image as the encoder takes it.
    ///
    /// # Errors
    ///
    /// Those of the encoder for an image of these extents.
    pub fn image(&self) -> Result<Image<'_>, shim_jpeg::Error> {
        self.samples.image(self.kind.pixels, self.width, self.height)
    }

    /// Bits of a sample.
    pub fn bits(&self) -> u8 {
        match &self.samples {
            Scaled::Bytes(_) => 8,
            Scaled::Words(_, bits) => *bits,
        }
    }

    /// The samples, if they are bytes.
    pub fn bytes(&self) -> Option<&[u8]> {
        match &self.samples {
            Scaled::Bytes(samples) => Some(samples),
            Scaled::Words(..) => None,
        }
    }

    /// Decodes a file.
    ///
    /// A JPEG file is checked on another thread while it is decoded, if the call is made in a pool of rayon.
    ///
    /// # Errors
    ///
    /// The reason why the file is not read.
    pub fn decode(file: &[u8], options: Options, progress: &mut dyn Progress) -> Result<Self, Error> {
        let limits = options.limits;
        let (bitmap, metadata, orientation) = match Format::of(file)? {
            Format::Jpeg => {
                let [width, height] = jpeg::dimensions(file).unwrap_or_default();
                check_pixels(width, height, limits.max_pixels)?;
                let (bitmap, metadata) = jpeg::decode(file, limits)?;
                (bitmap, metadata, None)
            }
            Format::Png => {
                let (bitmap, metadata) = png::decode(file, limits, progress)?;
                (bitmap, metadata, None)
            }
            Format::Pnm => (pnm::decode(file, limits.max_pixels, progress)?, Metadata::default(), None),
            Format::Other(format) => others::decode(format, file, limits)?,
        };
        Ok(Self { file_bytes: file.len(), ..Self::of(bitmap, metadata, orientation, options) })
    }

    /// The picture of a bitmap, turned by an orientation or else by that in its Exif data.
    pub fn of(
        bitmap: Bitmap,
        mut metadata: Metadata,
        orientation: Option<Orientation>,
        options: Options,
    ) -> Self {
        let stored = metadata.exif.as_deref_mut().and_then(Orientation::take);
        let orientation = orientation.or(stored).unwrap_or_default();
        if orientation.transposes() {
            metadata.density = metadata.density.map(transposed);
        }
        let bitmap = bitmap.upright(orientation);
        let Bitmap { mut width, mut height, channels, .. } = bitmap;
        let mut samples = Scaled::of(bitmap, options);
        if let Some(size) = options.fit.size([width, height]) {
            let count = channels.over(options.background).count();
            samples = resample(&samples, count, [width, height], size, options.fit.filter);
            [width, height] = size;
        }
        let kind = Kind::of(channels, options.background);
        Self { width, height, kind, file_bytes: 0, metadata, samples }
    }

    /// The color space of the file that it becomes: the one that is asked for, but gray pictures remain gray.
    pub fn color_space(&self, asked: Option<ColorSpace>, lossless: bool) -> ColorSpace {
        match (self.kind.pixels, asked) {
            (Pixels::Gray, _) => ColorSpace::Gray,
            (_, Some(space)) => space,
            (Pixels::Rgb, None) if lossless => ColorSpace::Rgb,
            (Pixels::Cmyk, None) => ColorSpace::Cmyk,
            (_, None) => ColorSpace::YCbCr,
        }
    }
}

/// The density of an image whose rows have become columns.
fn transposed(density: Density) -> Density {
    match density {
        Density::Aspect(x, y) => Density::Aspect(y, x),
        Density::PerInch(x, y) => Density::PerInch(y, x),
        Density::PerCentimeter(x, y) => Density::PerCentimeter(y, x),
        other => other,
    }
}

impl Kind {
    fn of(channels: Channels, background: Background) -> Self {
        Self {
            pixels: channels.over(background).pixels(),
            flattened: channels.has_alpha().then_some(background),
        }
    }

    /// Whether pixels have one sample.
    pub fn is_gray(self) -> bool {
        self.pixels == Pixels::Gray
    }
}

impl Scaled {
    /// The samples of a bitmap over a background, of so many bits each, or of 8 or 16 as they are.
    pub fn of(bitmap: Bitmap, options: Options) -> Self {
        let bits = options.bits.unwrap_or(bitmap.bits());
        if bits == 8 {
            return Self::Bytes(bitmap.into_bytes(options.background));
        }
        let mut words = bitmap.into_words(options.background);
        if bits < 16 {
            for sample in &mut words {
                *sample = scaled(*sample, bits);
            }
        }
        Self::Words(words, bits)
    }

    /// An image of these samples.
    ///
    /// # Errors
    ///
    /// Those of the encoder for an image of these extents.
    pub fn image(&self, pixels: Pixels, width: usize, height: usize) -> Result<Image<'_>, shim_jpeg::Error> {
        let stride = pixels.samples() * width;
        match self {
            Self::Bytes(samples) => Image::interleaved(samples, pixels, width, height, stride),
            Self::Words(samples, bits) => Image::interleaved16(samples, *bits, pixels, width, height, stride),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(bits: Option<u8>) -> Options {
        Options { bits, limits: Limits::NONE, ..Options::default() }
    }

    fn read(file: &[u8]) -> Result<Picture, String> {
        Picture::decode(file, options(Some(8)), &mut ()).map_err(|reason| reason.to_string())
    }

    fn samples(file: &[u8]) -> (usize, usize, bool, Vec<u8>) {
        let picture = read(file).unwrap();
        (picture.width, picture.height, picture.kind.is_gray(), picture.bytes().unwrap().to_vec())
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
        let unsupported =
            "unsupported file: not a PNG, PNM (PPM, PGM, PBM, PAM), JPEG, BMP, GIF, TIFF or WebP image";
        for file in [&b"hello"[..], b"P", b"P8\n1 1", b"Photo", &[0; 100]] {
            assert_eq!(read(file).unwrap_err(), unsupported);
        }
        let heif = read(b"\0\0\0\x18ftypheic\0\0\0\0").unwrap_err();
        assert_eq!(heif, "unsupported file: an HEIF image; convert it first (magick IN OUT.png)");
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
        let of =
            |file: &[u8], bits| match Picture::decode(file, options(Some(bits)), &mut ()).unwrap().samples {
                Scaled::Words(samples, of) if of == bits => samples,
                other => panic!("{other:?}"),
            };
        assert_eq!(of(b"P5 3 1 65535\n\0\0\x80\0\xff\xff", 12), [0, 2048, 4095]);
        assert_eq!(of(b"P5 3 1 4095\n\0\0\x08\0\x0f\xff", 12), [0, 2048, 4095]);
        assert_eq!(of(b"P5 3 1 1023\n\0\x01\x01\x55\x03\xff", 10), [1, 0x155, 1023]);
        let own = |file: &[u8]| Picture::decode(file, options(None), &mut ()).unwrap().bits();
        assert_eq!((own(b"P5 1 1 255\n\0"), own(b"P5 1 1 65535\n\0\0")), (8, 16));
        assert_eq!(of(b"P5 2 1 255\n\0\xff", 12), [0, 4095]);
        assert_eq!(of(b"P5 3 1 65535\n\0\0\x12\x34\xff\xff", 16), [0, 0x1234, 0xffff]);
    }
}
