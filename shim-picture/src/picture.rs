//! Reading an image file to gray or RGB samples.

use std::io::Read;
use std::mem;

use shim_jpeg::{Image, Pixels};

use crate::bitmap::{Bitmap, Channels, scaled};
use crate::error::Error;
use crate::limits::{Limits, check_pixels};
use crate::metadata::Metadata;
use crate::progress::Progress;
use crate::rows::{Bytes, Rows};
use crate::{jpeg, png, pnm};

/// The format of an image file.
enum Format {
    Png,
    Pnm,
    Jpeg,
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

/// Gray or RGB samples, interleaved.
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
    /// One sample a pixel, or else red, green and blue.
    pub gray: bool,
    /// Transparent pixels were laid over white.
    pub flattened: bool,
}

impl Picture {
    /// As [`decode`](Self::decode), of a file that has been opened.
    ///
    /// # Errors
    ///
    /// Those of `decode`, and of the reader.
    pub fn read_from(
        mut bytes: Bytes,
        bits: Option<u8>,
        limits: Limits,
        progress: &mut dyn Progress,
    ) -> Result<Self, Error> {
        let mut file = Vec::new();
        bytes.read_to_end(&mut file).map_err(Error::Read)?;
        Self::decode(&file, bits, limits, progress)
    }

    /// The format of an image that is read row by row, with the given bit depth or that of the file, and its metadata.
    pub fn without_samples(rows: &mut Rows, bits: Option<u8>) -> Self {
        let bits = bits.unwrap_or(if rows.wide { 16 } else { 8 });
        Self {
            width: rows.width,
            height: rows.height,
            kind: Kind::of(rows.channels),
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
        self.samples.image(self.kind.pixels(), self.width, self.height)
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

    /// Decodes a file to samples of so many bits, or of 8 or 16 as they are in the file.
    ///
    /// A JPEG file is checked on another thread while it is decoded, if the call is made in a pool of rayon.
    ///
    /// # Errors
    ///
    /// The reason why the file is not read.
    pub fn decode(
        file: &[u8],
        bits: Option<u8>,
        limits: Limits,
        progress: &mut dyn Progress,
    ) -> Result<Self, Error> {
        let (bitmap, metadata) = match format_of(file)? {
            Format::Jpeg => {
                let [width, height] = jpeg::dimensions(file).unwrap_or_default();
                check_pixels(width, height, limits.max_pixels)?;
                jpeg::decode(file, limits)?
            }
            Format::Png => png::decode(file, limits, progress)?,
            Format::Pnm => (pnm::decode(file, limits.max_pixels, progress)?, Metadata::default()),
        };
        let Bitmap { width, height, channels, .. } = bitmap;
        let bits = bits.unwrap_or(bitmap.bits());
        let samples = scale(bitmap, bits);
        Ok(Self { width, height, kind: Kind::of(channels), file_bytes: file.len(), metadata, samples })
    }
}

impl Kind {
    fn of(channels: Channels) -> Self {
        Self { gray: channels.is_gray(), flattened: channels.has_alpha() }
    }

    /// The pixels that the encoder is given.
    pub fn pixels(self) -> Pixels {
        if self.gray { Pixels::Gray } else { Pixels::Rgb }
    }
}

impl Scaled {
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

/// The samples of an image over white, of so many bits each.
pub(crate) fn scale(bitmap: Bitmap, bits: u8) -> Scaled {
    if bits == 8 {
        return Scaled::Bytes(bitmap.into_bytes());
    }
    let mut words = bitmap.into_words();
    if bits < 16 {
        for sample in &mut words {
            *sample = scaled(*sample, bits);
        }
    }
    Scaled::Words(words, bits)
}

/// Finds out by its first bytes what a file is.
fn format_of(file: &[u8]) -> Result<Format, Error> {
    if file.is_empty() {
        return Err(Error::Empty);
    }
    let formats = [(png::SIGNATURE, png::FORMAT, Format::Png), (jpeg::SIGNATURE, jpeg::FORMAT, Format::Jpeg)];
    for (signature, name, format) in formats {
        if file.starts_with(signature) {
            return Ok(format);
        }
        if signature.starts_with(file) {
            return Err(Error::Truncated { format: name });
        }
    }
    match file {
        [b'P', b'1'..=b'7', space, ..] if space.is_ascii_whitespace() => Ok(Format::Pnm),
        [b'P', b'1'..=b'7'] => Err(Error::Truncated { format: pnm::FORMAT }),
        _ => Err(Error::UnknownFormat),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(file: &[u8]) -> Result<Picture, String> {
        Picture::decode(file, Some(8), Limits::NONE, &mut ()).map_err(|reason| reason.to_string())
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
        let of = |file: &[u8], bits| match Picture::decode(file, Some(bits), Limits::NONE, &mut ())
            .unwrap()
            .samples
        {
            Scaled::Words(samples, of) if of == bits => samples,
            other => panic!("{other:?}"),
        };
        assert_eq!(of(b"P5 3 1 65535\n\0\0\x80\0\xff\xff", 12), [0, 2048, 4095]);
        assert_eq!(of(b"P5 3 1 4095\n\0\0\x08\0\x0f\xff", 12), [0, 2048, 4095]);
        assert_eq!(of(b"P5 3 1 1023\n\0\x01\x01\x55\x03\xff", 10), [1, 0x155, 1023]);
        let own = |file: &[u8]| Picture::decode(file, None, Limits::NONE, &mut ()).unwrap().bits();
        assert_eq!((own(b"P5 1 1 255\n\0"), own(b"P5 1 1 65535\n\0\0")), (8, 16));
        assert_eq!(of(b"P5 2 1 255\n\0\xff", 12), [0, 4095]);
        assert_eq!(of(b"P5 3 1 65535\n\0\0\x12\x34\xff\xff", 16), [0, 0x1234, 0xffff]);
    }
}
