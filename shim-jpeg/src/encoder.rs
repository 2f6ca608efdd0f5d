//! The encoder and its settings.

use alloc::sync::Arc;
use alloc::vec::Vec;
#[cfg(feature = "std")]
use std::io::Write;

use crate::entropy::bits::Sink;
use crate::format::metadata::Density;
use crate::format::restart::Restart;
use crate::input::color::ColorSpace;
use crate::pipeline::driver::Progress;
use crate::pipeline::lossless;
use crate::pipeline::lossless::plan::LosslessPlan;
use crate::session::Session;
use crate::settings::{Process, Sampling, Settings};
#[cfg(feature = "rayon")]
use crate::threads::Threads;
use crate::{Error, Image, Subsampling};

/// A JPEG encoder: settings, and the methods that encode an image with them.
///
/// The default is a baseline JFIF file with the standard Huffman tables of T.81 K.3.
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
    pub(crate) settings: Settings,
}

impl Default for Encoder {
    fn default() -> Self {
        Self::new()
    }
}

impl Encoder {
    /// Default quality, 90.
    pub const DEFAULT_QUALITY: u8 = Settings::DEFAULT_QUALITY;

    /// An encoder with default settings: quality 90, 4:2:0, sequential.
    pub const fn new() -> Self {
        Self { settings: Settings::new() }
    }

    /// Sets the quality, 1 (smallest file) to 100 (best), on the scale of libjpeg. 90 by default.
    ///
    /// Encoding with another value returns [`Error::Quality`].
    pub const fn quality(mut self, quality: u8) -> Self {
        self.settings.quality = quality;
        self
    }

    /// Sets custom quantization tables in row-major order, in place of those of the quality: one for luminance (and all
    /// components of RGB and CMYK files), one for chrominance.
    ///
    /// Elements are 1 to 255; in [libjpeg-compatible](Self::libjpeg_compatible) files without
    /// [`baseline`](Self::baseline) they are up to 32767, and for 12-bit samples up to 65535.
    #[doc(alias = "quantisation_tables")]
    pub const fn quantization_tables(mut self, luminance: [u16; 64], chrominance: [u16; 64]) -> Self {
        self.settings.tables = Some([luminance, chrominance]);
        self
    }

    /// Sets the chroma subsampling. [`Subsampling::S420`] by default. Files without chrominance (gray, RGB, CMYK) are
    /// not subsampled.
    pub fn subsampling(mut self, subsampling: Subsampling) -> Self {
        self.settings.sampling = Sampling::Ratio(subsampling);
        self
    }

    /// Sets the sampling factors H and V of each component (T.81 A.1.1), for ratios that [`Subsampling`] does not have.
    ///
    /// Factors are 1 to 4 and divide the largest of all components; encoding with others returns [`Error::Sampling`]. A
    /// gray image has one component, whose factors do not matter.
    pub fn sampling_factors(mut self, factors: &[[u8; 2]]) -> Self {
        self.settings.sampling = Sampling::Factors(factors.to_vec());
        self
    }

    /// Sets the color space of the file: [`ColorSpace::of`] the pixels by default. Others encode color images as gray
    /// or without conversion, or convert CMYK.
    #[doc(alias = "colour_space")]
    pub const fn color_space(mut self, space: ColorSpace) -> Self {
        self.settings.space = Some(space);
        self
    }

    /// Whether to produce files bit-exact with libjpeg-turbo's `cjpeg`, for the same pixels and settings, with the
    /// accurate integer DCT. Off by default: qualities up to 96 then use a faster DCT, whose coefficients are off by
    /// one in places.
    ///
    /// As in `cjpeg`, qualities up to 23 have quantization tables with elements above 255, which baseline files (SOF0)
    /// cannot have: the file is extended (SOF1) unless [`baseline`](Self::baseline) is set. With
    /// [`trellis`](Self::trellis) the coefficients, and so the files, differ from those of `cjpeg`.
    pub const fn libjpeg_compatible(mut self, libjpeg_compatible: bool) -> Self {
        self.settings.libjpeg_compatible = libjpeg_compatible;
        self
    }

    /// Whether to limit the quantization tables of libjpeg-compatible files to 255, as `cjpeg -baseline` does. Off by
    /// default. Other 8-bit files always have this limit.
    pub const fn baseline(mut self, baseline: bool) -> Self {
        self.settings.baseline = baseline;
        self
    }

    /// Whether to optimize the Huffman tables for the image, which makes files 2 to 10 % smaller. By default on for
    /// lossless files and off for sequential ones; progressive files and 12-bit samples always have optimized tables.
    ///
    /// The encoder buffers the symbols of the whole image. For lossless files it instead predicts the image twice,
    /// without a buffer: `false` makes them up to twice as fast to encode, and 2 to 4 % larger.
    #[doc(alias = "optimised")]
    pub const fn optimized(mut self, optimized: bool) -> Self {
        self.settings.optimized = Some(optimized);
        self
    }

    /// Whether to code sequential and progressive files arithmetically (SOF9 and SOF10) instead of by Huffman tables.
    /// Off by default. Photographs become 5 to 13 % smaller than with the standard tables, and 3 to 9 % smaller than with
    /// optimized ones. libjpeg reads such files, most other decoders do not.
    ///
    /// A sequential file is encoded by one thread. Lossless files with arithmetic coding are an error,
    /// [`Error::Arithmetic`].
    pub const fn arithmetic(mut self, arithmetic: bool) -> Self {
        self.settings.arithmetic = arithmetic;
        self
    }

    /// Whether to spend more time on smaller files. Off by default.
    ///
    /// - Coefficients minimize rate and distortion together (trellis quantization), after the accurate DCT.
    /// - Qualities up to 95 (85 without chroma subsampling) use a flatter quantization table than the standard ones,
    ///   unless [`quantization_tables`](Self::quantization_tables) are set.
    /// - The scan script of a [progressive](crate::Process::Progressive) file is the best of many for the image.
    ///
    /// At the same PSNR, progressive files are 8 to 20 % smaller than without. At the same quality, PSNR is 0.2 to 0.8
    /// dB lower, and files are 10 to 40 % smaller.
    pub const fn trellis(mut self, trellis: bool) -> Self {
        self.settings.trellis = trellis;
        self
    }

    /// Sets the coding process. [`Process::Sequential`] by default.
    pub fn process(mut self, process: Process) -> Self {
        self.settings.process = process;
        self
    }

    /// Sets the restart interval. [`Restart::Never`] by default.
    pub const fn restart(mut self, restart: Restart) -> Self {
        self.settings.restart = restart;
        self
    }

    /// Sets the pixel density or aspect ratio. Square pixels of unknown size by default. Written only in JFIF files,
    /// which are gray or YCbCr.
    pub const fn density(mut self, density: Density) -> Self {
        self.settings.metadata.density = density;
        self
    }

    /// Embeds an ICC profile, split into as many segments as needed, up to 16 MB.
    pub fn icc_profile(mut self, profile: &[u8]) -> Self {
        self.settings.metadata.icc = Some(profile.to_vec());
        self
    }

    /// Embeds Exif data, starting at its TIFF header, up to 65527 bytes. The encoder does not interpret or update it,
    /// such as image size and orientation.
    pub fn exif(mut self, exif: &[u8]) -> Self {
        self.settings.metadata.exif = Some(exif.to_vec());
        self
    }

    /// Embeds an XMP packet, up to 65504 bytes.
    pub fn xmp(mut self, packet: &[u8]) -> Self {
        self.settings.metadata.xmp = Some(packet.to_vec());
        self
    }

    /// Adds an application segment `APPn` (T.81 B.2.4.6), with `n` from 0 to 15 and up to 65533 bytes that begin with
    /// an identifier. Each call adds one, after the segments that the encoder writes itself (JFIF, Exif, XMP, ICC and
    /// Adobe).
    ///
    /// Encoding returns [`Error::ApplicationSegment`] for another `n`, and [`Error::Metadata`] for more bytes.
    pub fn app_segment(mut self, n: u8, data: &[u8]) -> Self {
        self.settings.metadata.application.push((n, data.to_vec()));
        self
    }

    /// Adds a comment segment, up to 65533 bytes. Each call adds one.
    pub fn comment(mut self, comment: &[u8]) -> Self {
        self.settings.metadata.comments.push(comment.to_vec());
        self
    }

    /// Sets the number of threads per image, including the calling thread; 0 uses as many as the current rayon pool
    /// has, or one per core outside a pool. 1 by default.
    ///
    /// The file does not depend on the number of threads. Lossless files encoded from [strips](Self::strips) use one.
    /// The encoder starts its threads with the first image, keeps them for later images, and shares them with its
    /// clones.
    #[cfg(feature = "rayon")]
    pub fn threads(mut self, threads: usize) -> Self {
        self.settings.threads = Threads::new(threads);
        self
    }

    /// Quality, 1 to 100.
    pub const fn get_quality(&self) -> u8 {
        self.settings.quality
    }

    /// Custom quantization tables of luminance and chrominance; `None` if they follow from the quality.
    pub const fn get_quantization_tables(&self) -> Option<&[[u16; 64]; 2]> {
        self.settings.tables.as_ref()
    }

    /// Chroma subsampling; `None` if sampling factors are set.
    pub const fn get_subsampling(&self) -> Option<Subsampling> {
        match &self.settings.sampling {
            Sampling::Ratio(subsampling) => Some(*subsampling),
            Sampling::Factors(_) => None,
        }
    }

    /// Sampling factors H and V of each component; `None` if a subsampling is set.
    pub fn get_sampling_factors(&self) -> Option<&[[u8; 2]]> {
        match &self.settings.sampling {
            Sampling::Ratio(_) => None,
            Sampling::Factors(factors) => Some(factors),
        }
    }

    /// Color space of the file; `None` if it follows from the pixels.
    pub const fn get_color_space(&self) -> Option<ColorSpace> {
        self.settings.space
    }

    /// Whether files are bit-exact with libjpeg-turbo.
    pub const fn is_libjpeg_compatible(&self) -> bool {
        self.settings.libjpeg_compatible
    }

    /// Whether quantization tables of libjpeg-compatible files are limited to 255.
    pub const fn is_baseline(&self) -> bool {
        self.settings.baseline
    }

    /// Whether Huffman tables are optimized; `None` if it follows from the process.
    pub const fn get_optimized(&self) -> Option<bool> {
        self.settings.optimized
    }

    /// Whether files are coded arithmetically.
    pub const fn is_arithmetic(&self) -> bool {
        self.settings.arithmetic
    }

    /// Whether trellis quantization is on.
    pub const fn is_trellis(&self) -> bool {
        self.settings.trellis
    }

    /// Coding process.
    pub const fn get_process(&self) -> &Process {
        &self.settings.process
    }

    /// Restart interval.
    pub const fn get_restart(&self) -> Restart {
        self.settings.restart
    }

    /// Pixel density or aspect ratio.
    pub const fn get_density(&self) -> Density {
        self.settings.metadata.density
    }

    /// Encodes an image into memory, as a complete file.
    ///
    /// # Errors
    ///
    /// Any except [`Error::Io`], when the image or the settings are invalid.
    pub fn encode(&self, image: &Image<'_>) -> Result<Vec<u8>, Error> {
        // About the size of a photograph at the default quality, with a limit so that smaller files do not waste much.
        let mut file = Vec::with_capacity((1024 + image.width() * image.height() / 4).min(1 << 16));
        self.encode_by(image, &mut append_to(&mut file), &mut |_, _| Ok(()))?;
        Ok(file)
    }

    /// Encodes an image to a writer, in chunks of some kilobytes. A [`BufWriter`](std::io::BufWriter) helps only with
    /// small images and short restart intervals.
    ///
    /// Memory grows with the width of the image but not with its height, except for progressive files and optimized
    /// files that are not lossless.
    ///
    /// # Errors
    ///
    /// The errors of [`encode`](Self::encode) before the first byte, and [`Error::Io`] when the writer fails, which
    /// leaves it with a partial file.
    #[cfg(feature = "std")]
    pub fn encode_to(&self, image: &Image<'_>, writer: impl Write) -> Result<(), Error> {
        self.encode_with_progress(image, writer, |_, _| ())
    }

    /// Encodes as [`encode_to`](Self::encode_to) does, and calls `progress(done, all)` along the way, with `done` of
    /// `all` pixel rows, the height of the image.
    ///
    /// # Errors
    ///
    /// The errors of [`encode_to`](Self::encode_to).
    #[cfg(feature = "std")]
    pub fn encode_with_progress(
        &self,
        image: &Image<'_>,
        writer: impl Write,
        mut progress: impl FnMut(usize, usize),
    ) -> Result<(), Error> {
        self.encode_while(image, writer, |done, all| {
            progress(done, all);
            true
        })
    }

    /// Encodes as [`encode_with_progress`](Self::encode_with_progress) does, as long as `proceed(done, all)` returns
    /// `true`.
    ///
    /// # Errors
    ///
    /// The errors of [`encode_to`](Self::encode_to), and [`Error::Stopped`], which leaves the writer with a partial
    /// file.
    #[cfg(feature = "std")]
    pub fn encode_while(
        &self,
        image: &Image<'_>,
        mut writer: impl Write,
        mut proceed: impl FnMut(usize, usize) -> bool,
    ) -> Result<(), Error> {
        self.encode_by(image, &mut |bytes| Ok(writer.write_all(bytes)?), &mut |done, all| {
            if proceed(done, all) { Ok(()) } else { Err(Error::Stopped) }
        })?;
        writer.flush()?;
        Ok(())
    }

    pub(crate) fn encode_by(
        &self,
        image: &Image<'_>,
        sink: &mut Sink<'_>,
        progress: &mut Progress<'_>,
    ) -> Result<(), Error> {
        if let Process::Lossless { predictor, point_transform } = self.settings.process {
            lossless::check(image)?;
            let plan = LosslessPlan::new(&self.settings, predictor, point_transform, image.shape())?;
            return Arc::new(plan).encode(image, sink, progress);
        }
        let mut session = Session::new(&self.settings, image.shape(), sink)?;
        session.rows(image, 0, session.all(), sink, progress)?;
        session.end(sink, progress)
    }
}

/// A [`Sink`] that appends to a file in memory.
pub(crate) fn append_to(file: &mut Vec<u8>) -> impl FnMut(&[u8]) -> Result<(), Error> {
    |bytes| {
        file.extend_from_slice(bytes);
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
    fn encoding_stops_where_the_caller_wants() {
        let pixels = vec![90; 20 * 40 * 3];
        let encoders = [
            Encoder::new(),
            Encoder::new().optimized(true),
            Encoder::new().process(Process::Progressive),
            Encoder::new().process(Process::lossless(crate::Predictor::Left)),
        ];
        for encoder in encoders {
            for most in 0..3 {
                let mut calls = 0;
                let stopped = encoder.encode_while(&image(&pixels), io::sink(), |_, _| {
                    calls += 1;
                    calls <= most
                });
                assert!(calls <= most + 1);
                assert_eq!(stopped.is_err(), calls > most);
                assert!(stopped.is_ok() || stopped == Err(Error::Stopped));
            }
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
