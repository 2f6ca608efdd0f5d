//! The encoder as its user sees it.

use alloc::sync::Arc;
use alloc::vec::Vec;
#[cfg(feature = "std")]
use std::io::Write;

use crate::entropy::bits::Sink;
use crate::format::metadata::Density;
use crate::format::restart::Restart;
use crate::input::color::ColorSpace;
use crate::pipeline::lossless;
use crate::pipeline::lossless::plan::LosslessPlan;
#[cfg(feature = "rayon")]
use crate::pool::Threads;
use crate::session::Session;
use crate::settings::{Process, Sampling, Settings};
use crate::{Error, Image, Subsampling};

/// The settings of an encoding: without others, a baseline file in JFIF, with the typical Huffman tables of T.81 Annex K.
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
    /// The quality of an encoder that was not told another.
    pub const DEFAULT_QUALITY: u8 = Settings::DEFAULT_QUALITY;

    /// Quality 90, 4:2:0.
    pub const fn new() -> Self {
        Self { settings: Settings::new() }
    }

    /// Sets the quality, 1 (smallest file) to 100 (nearest to the source), on the scale that libjpeg introduced and
    /// most encoders share. Other values are an error when an image is encoded.
    pub const fn quality(mut self, quality: u8) -> Self {
        self.settings.quality = quality;
        self
    }

    /// Sets the quantization tables of luminance (and of all components of RGB and CMYK files) and of chrominance, row by row,
    /// in the place of those that the quality gives. Elements are 1 to 255, to 32767 in [exact](Self::exact) files without
    /// [`baseline`](Self::baseline), and to 65535 for samples of 12 bits.
    #[doc(alias = "quantisation_tables")]
    pub const fn quantization_tables(mut self, luminance: [u16; 64], chrominance: [u16; 64]) -> Self {
        self.settings.tables = Some([luminance, chrominance]);
        self
    }

    /// Sets the density of chrominance. Where there is none, all components have full density.
    pub fn subsampling(mut self, subsampling: Subsampling) -> Self {
        self.settings.sampling = Sampling::Usual(subsampling);
        self
    }

    /// Sets the sampling factors H and V of each component (T.81 A.1.1), for densities that [`Subsampling`] has no name for.
    /// Factors are 1 to 4 and divide the greatest of all components; others are an error when an image is encoded.
    ///
    /// A gray image has one component, whose factors do not matter.
    pub fn sampling_factors(mut self, factors: &[[u8; 2]]) -> Self {
        self.settings.sampling = Sampling::Factors(factors.to_vec());
        self
    }

    /// Sets what the file holds, if not what [`ColorSpace::of`] says for the image: colors as gray or without conversion,
    /// or CMYK converted.
    #[doc(alias = "colour_space")]
    pub const fn color_space(mut self, space: ColorSpace) -> Self {
        self.settings.space = Some(space);
        self
    }

    /// Whether to transform by the accurate integer DCT: the file is then, byte for byte, the one that libjpeg-turbo's
    /// `cjpeg` writes for the same pixels and settings. Otherwise a faster one is used up to a quality of 96, whose
    /// coefficients may be off by one here and there.
    ///
    /// As in `cjpeg`, qualities up to 23 then have quantization tables with elements above 255, which baseline files (SOF0) cannot
    /// have: the file is an extended one (SOF1) unless [`baseline`](Self::baseline) is set. With [`trellis`](Self::trellis), whose
    /// coefficients are others, it is not `cjpeg`'s.
    pub const fn exact(mut self, exact: bool) -> Self {
        self.settings.exact = exact;
        self
    }

    /// Whether to keep the quantization tables of exact files within 255, as `cjpeg -baseline` does. Those of other files of 8
    /// bits always are.
    pub const fn baseline(mut self, baseline: bool) -> Self {
        self.settings.baseline = baseline;
        self
    }

    /// Whether to make Huffman tables that fit the image, for a file some 2 to 10 % smaller: symbols are found before the
    /// first is written, and take memory. Progressive files and samples of 12 bits always have such tables.
    ///
    /// Lossless files have them unless this is set to `false`, which makes encoding up to twice as fast and the file some 2 to
    /// 4 % greater: the image is predicted twice for them, which takes no memory.
    #[doc(alias = "optimised")]
    pub const fn optimized(mut self, optimized: bool) -> Self {
        self.settings.optimized = Some(optimized);
        self
    }

    /// Whether to write a smaller file by taking more time. Quantized coefficients are chosen for the least of bits and error
    /// together (trellis quantization), after the accurate transform; without
    /// [`quantization_tables`](Self::quantization_tables) of their own, qualities up to 95 (85 where chrominance has full
    /// density) take a table that is more even than the standard ones; and a [progressive](crate::Process::Progressive) file has
    /// those scans, of many that are tried, that fit the image best.
    ///
    /// At the same PSNR a progressive file is smaller by 8 to 20 % than without. At the same quality errors are greater, by
    /// 0.2 to 0.8 dB, and the file is smaller by 10 to 40 %.
    pub const fn trellis(mut self, trellis: bool) -> Self {
        self.settings.trellis = trellis;
        self
    }

    /// Sets the process: sequential if nothing is said.
    pub fn process(mut self, process: Process) -> Self {
        self.settings.process = process;
        self
    }

    /// Sets after how many MCUs a decoder can start anew.
    pub const fn restart(mut self, restart: Restart) -> Self {
        self.settings.restart = restart;
        self
    }

    /// Sets what pixels measure. Only files of gray or of luminance and chrominance say so.
    pub const fn density(mut self, density: Density) -> Self {
        self.settings.metadata.density = density;
        self
    }

    /// Adds an ICC profile, in as many segments as it needs, up to 16 MB.
    pub fn icc_profile(mut self, profile: &[u8]) -> Self {
        self.settings.metadata.icc = Some(profile.to_vec());
        self
    }

    /// Adds Exif data, from its TIFF header on, up to 65527 bytes. It is passed through: what it says of the image's size
    /// and orientation is the caller's to know.
    pub fn exif(mut self, exif: &[u8]) -> Self {
        self.settings.metadata.exif = Some(exif.to_vec());
        self
    }

    /// Adds an XMP packet, up to 65504 bytes.
    pub fn xmp(mut self, packet: &[u8]) -> Self {
        self.settings.metadata.xmp = Some(packet.to_vec());
        self
    }

    /// Adds the application segment `APPn` (T.81 B.2.4.6), `n` from 0 to 15, of up to 65533 bytes with the identifier that they begin
    /// with; each call adds one. Those that the encoder writes itself (JFIF, Exif, XMP, ICC and Adobe) stand before them.
    ///
    /// Another `n` is [`Error::ApplicationSegment`], and more bytes are [`Error::Metadata`], when an image is encoded.
    pub fn app_segment(mut self, n: u8, data: &[u8]) -> Self {
        self.settings.metadata.application.push((n, data.to_vec()));
        self
    }

    /// Adds a comment, up to 65533 bytes; each call adds one.
    pub fn comment(mut self, comment: &[u8]) -> Self {
        self.settings.metadata.comments.push(comment.to_vec());
        self
    }

    /// Sets how many threads work on an image: 1 if nothing is said, and with 0 as many as the pool that the caller runs in,
    /// which is one for each core if it runs in none. The file is the same for any number.
    /// Lossless files that come in [strips](Self::strips) are made by one.
    ///
    /// The thread that asks is one of them. The others are started for the first image and wait for the next ones: an encoder
    /// and its copies share them.
    #[cfg(feature = "rayon")]
    pub fn threads(mut self, threads: usize) -> Self {
        self.settings.threads = Threads::new(threads);
        self
    }

    /// The quality, 1 to 100.
    pub const fn get_quality(&self) -> u8 {
        self.settings.quality
    }

    /// The quantization tables of luminance and of chrominance, if they do not follow from the quality.
    pub const fn get_quantization_tables(&self) -> Option<&[[u16; 64]; 2]> {
        self.settings.tables.as_ref()
    }

    /// The subsampling; none if sampling factors were set.
    pub const fn get_subsampling(&self) -> Option<Subsampling> {
        match &self.settings.sampling {
            Sampling::Usual(subsampling) => Some(*subsampling),
            Sampling::Factors(_) => None,
        }
    }

    /// The sampling factors H and V of each component; none if a subsampling was set.
    pub fn get_sampling_factors(&self) -> Option<&[[u8; 2]]> {
        match &self.settings.sampling {
            Sampling::Usual(_) => None,
            Sampling::Factors(factors) => Some(factors),
        }
    }

    /// What files hold; none if it follows from the pixels.
    pub const fn get_color_space(&self) -> Option<ColorSpace> {
        self.settings.space
    }

    /// Whether files are bit-exact with libjpeg-turbo.
    pub const fn is_exact(&self) -> bool {
        self.settings.exact
    }

    /// Whether quantization tables are kept within 255.
    pub const fn is_baseline(&self) -> bool {
        self.settings.baseline
    }

    /// Whether Huffman tables fit the image; none if it follows from the process.
    pub const fn get_optimized(&self) -> Option<bool> {
        self.settings.optimized
    }

    /// Whether coefficients are chosen by a trellis.
    pub const fn is_trellis(&self) -> bool {
        self.settings.trellis
    }

    /// The process.
    pub const fn get_process(&self) -> &Process {
        &self.settings.process
    }

    /// After how many MCUs a decoder can start anew.
    pub const fn get_restart(&self) -> Restart {
        self.settings.restart
    }

    /// What pixels measure.
    pub const fn get_density(&self) -> Density {
        self.settings.metadata.density
    }

    /// Encodes an image to memory, as a whole file.
    ///
    /// # Errors
    ///
    /// All but [`Error::Io`]: what the settings and the image say against each other.
    pub fn encode(&self, image: &Image<'_>) -> Result<Vec<u8>, Error> {
        // About as much as a photograph takes at the default quality, but not much for one that takes less.
        let mut file = Vec::with_capacity((1024 + image.width() * image.height() / 4).min(1 << 16));
        let sink: &mut Sink<'_> = &mut |bytes| {
            file.extend_from_slice(bytes);
            Ok(())
        };
        self.encode_by(image, sink, &mut |_, _| ())?;
        Ok(file)
    }

    /// Encodes an image to a writer, in pieces of some kilobytes; a [`BufWriter`](std::io::BufWriter) is worth its while for small
    /// images and short restart intervals only.
    ///
    /// The memory used grows with the width of the image and not with its height, but for files that are progressive, or
    /// optimized and not lossless.
    ///
    /// # Errors
    ///
    /// Those of [`encode`](Self::encode) before the first byte, [`Error::Io`] when the writer fails, after which it holds
    /// the beginning of a file.
    #[cfg(feature = "std")]
    pub fn encode_to(&self, image: &Image<'_>, writer: impl Write) -> Result<(), Error> {
        self.encode_with_progress(image, writer, |_, _| ())
    }

    /// As [`encode_to`](Self::encode_to), and calls `progress(done, all)` as it goes on, with how much is done in rows of
    /// pixels, of the image's height.
    ///
    /// # Errors
    ///
    /// Those of [`encode_to`](Self::encode_to).
    #[cfg(feature = "std")]
    pub fn encode_with_progress(
        &self,
        image: &Image<'_>,
        mut writer: impl Write,
        mut progress: impl FnMut(usize, usize),
    ) -> Result<(), Error> {
        self.encode_by(image, &mut |bytes| Ok(writer.write_all(bytes)?), &mut progress)?;
        writer.flush()?;
        Ok(())
    }

    fn encode_by(
        &self,
        image: &Image<'_>,
        sink: &mut Sink<'_>,
        progress: &mut dyn FnMut(usize, usize),
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
