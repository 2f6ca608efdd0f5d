//! The encoder as its user sees it.

use std::io::Write;

use crate::band::Band;
use crate::frame::Frame;
use crate::quality::Quality;
use crate::scan::Scan;
use crate::{Error, Image, Subsampling, marker};

/// The settings of an encoding: a baseline JPEG file in JFIF, with the typical Huffman tables of T.81 Annex K.
///
/// ```
/// use shim_jpeg::{Encoder, Image, Subsampling};
///
/// let pixels = vec![200; 64 * 48 * 3];
/// let image = Image::rgb(&pixels, 64, 48)?;
/// let file = Encoder::new().quality(90).subsampling(Subsampling::S444).encode(&image)?;
/// assert_eq!(file[..2], [0xff, 0xd8]);
/// # Ok::<(), shim_jpeg::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use]
pub struct Encoder {
    quality: u8,
    subsampling: Subsampling,
    exact: bool,
}

impl Default for Encoder {
    fn default() -> Self {
        Self::new()
    }
}

impl Encoder {
    /// The quality of an encoder that was not told another.
    pub const DEFAULT_QUALITY: u8 = 90;

    /// Quality 90, 4:2:0.
    pub const fn new() -> Self {
        Self { quality: Self::DEFAULT_QUALITY, subsampling: Subsampling::S420, exact: false }
    }

    /// Sets the quality, 1 (smallest file) to 100 (nearest to the source), on the scale that libjpeg introduced and
    /// most encoders share. Other values are an error when an image is encoded.
    pub const fn quality(mut self, quality: u8) -> Self {
        self.quality = quality;
        self
    }

    /// Sets the density of chrominance. A grey image has none, and ignores it.
    pub const fn subsampling(mut self, subsampling: Subsampling) -> Self {
        self.subsampling = subsampling;
        self
    }

    /// Whether to transform by the accurate integer DCT: the file is then, byte for byte, the one that libjpeg-turbo's
    /// `cjpeg` writes for the same pixels and settings. Otherwise a faster one is used up to a quality of 96, whose
    /// coefficients may be off by one here and there.
    pub const fn exact(mut self, exact: bool) -> Self {
        self.exact = exact;
        self
    }

    /// Encodes an image to memory, as a whole file.
    ///
    /// # Errors
    ///
    /// [`Error::Quality`].
    pub fn encode(&self, image: &Image<'_>) -> Result<Vec<u8>, Error> {
        let mut file = Vec::new();
        self.encode_to(image, &mut file)?;
        Ok(file)
    }

    /// Encodes an image to a writer, in as many pieces as the image has rows of MCUs (8 or 16 rows of pixels); a
    /// [`BufWriter`](std::io::BufWriter) is worth its while for small images only.
    ///
    /// The memory used grows with the width of the image and not with its height.
    ///
    /// # Errors
    ///
    /// [`Error::Quality`] before the first byte, [`Error::Io`] when the writer fails, after which it holds the
    /// beginning of a file.
    pub fn encode_to(&self, image: &Image<'_>, writer: impl Write) -> Result<(), Error> {
        self.encode_with_progress(image, writer, |_, _| ())
    }

    /// As [`encode_to`](Self::encode_to), and calls `progress(done, all)` after every row of MCUs, with the number of
    /// rows of pixels that are coded and the image's height.
    ///
    /// # Errors
    ///
    /// Those of [`encode_to`](Self::encode_to).
    pub fn encode_with_progress(
        &self,
        image: &Image<'_>,
        mut writer: impl Write,
        mut progress: impl FnMut(usize, usize),
    ) -> Result<(), Error> {
        let tables = Quality::new(self.quality)?.tables();
        let frame = Frame::new(image.width(), image.height(), image.is_grey(), self.subsampling);
        let mut scan = Scan::new(&frame, &tables, self.exact);
        let mut band = Band::new(&frame, !scan.is_fast());

        writer.write_all(&marker::headers(&frame, &tables))?;
        for index in 0..frame.mcus_high() {
            band.fill(image, index);
            writer.write_all(scan.row(&band, index))?;
            progress(frame.height.min((index + 1) * frame.mcu_side()), frame.height);
        }
        writer.write_all(scan.end())?;
        writer.write_all(&marker::end_of_image())?;
        writer.flush()?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io;

    fn image(pixels: &[u8]) -> Image<'_> {
        Image::rgb(pixels, 20, 40).unwrap()
    }

    #[test]
    fn a_quality_outside_the_scale_is_refused_before_anything_is_written() {
        let pixels = vec![0; 20 * 40 * 3];
        for quality in [0, 101, 255] {
            let mut written = Vec::new();
            let refused = Encoder::new().quality(quality).encode_to(&image(&pixels), &mut written);
            assert!(matches!(refused, Err(Error::Quality(q)) if q == quality));
            assert!(written.is_empty());
        }
    }

    #[test]
    fn progress_counts_rows_of_pixels_up_to_the_height() {
        let pixels = vec![0; 20 * 40 * 3];
        for (subsampling, wanted) in [
            (Subsampling::S420, vec![(16, 40), (32, 40), (40, 40)]),
            (Subsampling::S444, vec![(8, 40), (16, 40), (24, 40), (32, 40), (40, 40)]),
        ] {
            let mut seen = Vec::new();
            Encoder::new()
                .subsampling(subsampling)
                .encode_with_progress(&image(&pixels), io::sink(), |done, all| seen.push((done, all)))
                .unwrap();
            assert_eq!(seen, wanted);
        }
    }

    #[test]
    fn a_writer_that_fails_is_an_error() {
        struct Full;
        impl Write for Full {
            fn write(&mut self, _: &[u8]) -> io::Result<usize> {
                Err(io::ErrorKind::StorageFull.into())
            }
            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        let pixels = vec![0; 20 * 40 * 3];
        let refused = Encoder::new().encode_to(&image(&pixels), Full);
        assert!(matches!(refused, Err(Error::Io(error)) if error.kind() == io::ErrorKind::StorageFull));
    }

    #[test]
    fn an_encoder_may_be_used_again() {
        let pixels: Vec<u8> = (0..20 * 40 * 3).map(|i| (i * 7 % 256) as u8).collect();
        let encoder = Encoder::new();
        assert_eq!(encoder.encode(&image(&pixels)).unwrap(), encoder.encode(&image(&pixels)).unwrap());
    }
}
