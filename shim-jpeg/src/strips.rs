//! Encoding of an image from strips of rows.

use alloc::vec::Vec;
use std::io::Write;

use crate::encoder::Encoder;
use crate::entropy::bits::Sink;
use crate::input::image::{Image, Shape};
use crate::input::pixels::Pixels;
use crate::input::raster::Raster;
use crate::pipeline::lossless;
use crate::session::Session;
use crate::settings::Process;
use crate::{Error, MAX_DIMENSION};

/// An encoder that takes an image as strips of rows, from top to bottom, and writes the file along the way.
///
/// ```
/// use shim_jpeg::{Encoder, Image, Pixels};
///
/// let mut file = Vec::new();
/// let mut strips = Encoder::new().strips(Pixels::Rgb, 640, 480, &mut file)?;
/// for strip in 0..48 {
///     let rows = vec![5 * strip; 640 * 10 * 3];
///     strips.push(&Image::rgb(&rows, 640, 10)?)?;
/// }
/// strips.finish()?;
/// # Ok::<(), shim_jpeg::Error>(())
/// ```
///
/// The file is identical to that of [`Encoder::encode_to`]. Memory is proportional to one MCU row, or a few with
/// threads, except that optimized files (which lossless files are by default) and progressive files buffer the whole
/// image.
pub struct Strips<W> {
    session: Session,
    writer: W,
    lossless: bool,
    /// Rows that do not complete an MCU row yet.
    waiting: Waiting,
    /// Pixel rows received so far.
    pushed: usize,
}

impl Encoder {
    /// Starts a file of `width` by `height` pixels of 8-bit samples, to be [pushed](Strips::push) in strips.
    ///
    /// # Errors
    ///
    /// [`Error::Dimensions`] and the errors of invalid settings, before the first byte; [`Error::Io`].
    pub fn strips<W: Write>(
        &self,
        pixels: Pixels,
        width: usize,
        height: usize,
        writer: W,
    ) -> Result<Strips<W>, Error> {
        Strips::new(self, Shape { width, height, pixels, bits: 8, bytes: true, subsampling: None }, writer)
    }

    /// Starts a file as [`strips`](Self::strips) does, of samples of `bits` bits in `u16`.
    ///
    /// # Errors
    ///
    /// The errors of [`strips`](Self::strips), and [`Error::Bits`].
    pub fn strips16<W: Write>(
        &self,
        bits: u8,
        pixels: Pixels,
        width: usize,
        height: usize,
        writer: W,
    ) -> Result<Strips<W>, Error> {
        Strips::new(self, Shape { width, height, pixels, bits, bytes: false, subsampling: None }, writer)
    }
}

impl<W: Write> Strips<W> {
    fn new(encoder: &Encoder, shape: Shape, mut writer: W) -> Result<Self, Error> {
        let Shape { width, height, .. } = shape;
        if !(1..=MAX_DIMENSION).contains(&width) || !(1..=MAX_DIMENSION).contains(&height) {
            return Err(Error::Dimensions { width, height });
        }
        let sink: &mut Sink<'_> = &mut |bytes| Ok(writer.write_all(bytes)?);
        let session = Session::new(&encoder.settings, shape, sink)?;
        Ok(Self {
            session,
            writer,
            lossless: matches!(encoder.settings.process, Process::Lossless { .. }),
            waiting: Waiting::default(),
            pushed: 0,
        })
    }

    /// Number of rows still to be pushed.
    pub fn remaining(&self) -> usize {
        self.session.shape().height - self.pushed
    }

    /// Appends the rows of `strip`, one or more, below the previous ones.
    ///
    /// # Errors
    ///
    /// [`Error::Strip`] if the width, pixel format or bit depth differs from that of the image, if there are more rows
    /// than [remaining](Self::remaining), or if interleaved and planar strips are mixed; [`Error::Sample`]. The strip
    /// is then rejected, and encoding can continue. After [`Error::Io`], the file cannot be completed.
    pub fn push(&mut self, strip: &Image<'_>) -> Result<(), Error> {
        let (whole, own) = (self.session.shape(), strip.shape());
        if (Shape { height: whole.height, ..own }) != whole || own.height > self.remaining() {
            return Err(Error::Strip);
        }
        if *self.waiting.planar.get_or_insert(strip.is_planar()) != strip.is_planar() {
            return Err(Error::Strip);
        }
        if self.lossless {
            lossless::check(strip)?;
        }
        let mcu_height = self.session.mcu_height();
        let mut taken = 0;
        while taken < own.height {
            let above = self.pushed;
            let left = own.height - taken;
            let ends = above + left == whole.height;
            // Whole MCU rows are encoded without a copy.
            let rows = if ends { left } else { left / mcu_height * mcu_height };
            if self.waiting.rows == 0 && rows > 0 {
                let strip = strip.rows(taken, rows);
                self.encode(&strip, above)?;
                taken += rows;
                self.pushed += rows;
            } else {
                let count = left.min(mcu_height - self.waiting.rows);
                self.waiting.push(&strip.rows(taken, count));
                taken += count;
                self.pushed += count;
                if self.waiting.rows == mcu_height || self.pushed == whole.height {
                    let waiting = core::mem::take(&mut self.waiting);
                    self.encode(&waiting.image(whole)?, self.pushed - waiting.rows)?;
                    self.waiting = waiting.emptied();
                }
            }
        }
        Ok(())
    }

    /// Encodes rows, the first of which is row `above` of the image.
    fn encode(&mut self, strip: &Image<'_>, above: usize) -> Result<(), Error> {
        let mcu_height = self.session.mcu_height();
        let indices = above / mcu_height..(above + strip.height()).div_ceil(mcu_height);
        let writer = &mut self.writer;
        let sink: &mut Sink<'_> = &mut |bytes| Ok(writer.write_all(bytes)?);
        self.session.rows(strip, above, indices, sink, &mut |_, _| Ok(()))
    }

    /// Completes the file, and returns the writer.
    ///
    /// # Errors
    ///
    /// [`Error::Strip`] when rows are missing, and [`Error::Io`].
    pub fn finish(mut self) -> Result<W, Error> {
        if self.remaining() > 0 {
            return Err(Error::Strip);
        }
        let writer = &mut self.writer;
        let sink: &mut Sink<'_> = &mut |bytes| Ok(writer.write_all(bytes)?);
        self.session.end(sink, &mut |_, _| Ok(()))?;
        self.writer.flush()?;
        Ok(self.writer)
    }
}

/// Buffered rows, without padding.
#[derive(Debug, Default)]
struct Waiting {
    rows: usize,
    /// Whether strips are planar, known from the first strip on.
    planar: Option<bool>,
    /// The planes, or all samples in the first.
    bytes: [Vec<u8>; 4],
    words: [Vec<u16>; 4],
}

impl Waiting {
    /// Adds the rows of a strip.
    fn push(&mut self, strip: &Image<'_>) {
        fn add<T: Copy>(planes: &mut [Vec<T>; 4], strip: Raster<'_, T>) {
            for y in 0..strip.height {
                for (plane, row) in planes.iter_mut().zip(strip.row(y)) {
                    plane.extend_from_slice(row);
                }
            }
        }
        if strip.shape().bytes {
            add(&mut self.bytes, strip.raster());
        } else {
            add(&mut self.words, strip.raster());
        }
        self.rows += strip.height();
    }

    /// The rows as an image.
    fn image(&self, Shape { width, pixels, bits, bytes, .. }: Shape) -> Result<Image<'_>, Error> {
        let rows = self.rows;
        let planes = pixels.samples();
        match (bytes, self.planar) {
            (true, Some(true)) => {
                let all = self.bytes.each_ref().map(Vec::as_slice);
                Image::planar(&all[..planes], pixels, width, rows, width)
            }
            (true, _) => Image::interleaved(&self.bytes[0], pixels, width, rows, width * planes),
            (false, Some(true)) => {
                let all = self.words.each_ref().map(Vec::as_slice);
                Image::planar16(&all[..planes], bits, pixels, width, rows, width)
            }
            (false, _) => Image::interleaved16(&self.words[0], bits, pixels, width, rows, width * planes),
        }
    }

    /// The memory for other rows.
    fn emptied(mut self) -> Self {
        self.rows = 0;
        self.bytes.iter_mut().for_each(Vec::clear);
        self.words.iter_mut().for_each(Vec::clear);
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Restart, Subsampling};

    fn samples(n: usize) -> Vec<u8> {
        (0..n).map(|i| (i * i / 7 % 251) as u8).collect()
    }

    /// Pushes strips of the heights given, over and over.
    fn in_strips(encoder: &Encoder, image: &Image<'_>, heights: &[usize]) -> Vec<u8> {
        let Shape { width, height, pixels, bits, bytes, .. } = image.shape();
        let mut strips = if bytes {
            encoder.strips(pixels, width, height, Vec::new()).unwrap()
        } else {
            encoder.strips16(bits, pixels, width, height, Vec::new()).unwrap()
        };
        let mut y = 0;
        for &rows in heights.iter().cycle() {
            let rows = rows.min(height - y);
            if rows == 0 {
                break;
            }
            strips.push(&image.rows(y, rows)).unwrap();
            y += rows;
            assert_eq!(strips.remaining(), height - y);
        }
        strips.finish().unwrap()
    }

    #[test]
    fn strips_of_any_height_make_the_same_file() {
        let (rgb, planes) = (samples(50 * 70 * 3), [samples(3500), samples(3600), samples(3700)]);
        let words: Vec<u16> = rgb.iter().map(|&s| 16 * u16::from(s)).collect();
        let images = [
            Image::rgb(&rgb, 50, 70).unwrap(),
            Image::interleaved(&rgb, Pixels::Bgr, 40, 70, 150).unwrap(),
            Image::gray(&rgb, 50, 70).unwrap(),
            Image::rgb_planes(planes.each_ref().map(Vec::as_slice), 50, 70).unwrap(),
            Image::interleaved16(&words, 12, Pixels::Rgb, 50, 70, 150).unwrap(),
        ];
        let encoders = [
            Encoder::new(),
            Encoder::new().subsampling(Subsampling::S444).restart(Restart::Mcus(5)),
            Encoder::new().optimized(true),
            Encoder::new().process(Process::Progressive).libjpeg_compatible(true),
            Encoder::new().process(Process::lossless(crate::Predictor::Average)),
            Encoder::new()
                .process(Process::Lossless { predictor: crate::Predictor::Plane, point_transform: 1 })
                .optimized(false)
                .restart(Restart::Rows(3)),
        ];
        for image in &images {
            for encoder in &encoders {
                let whole = encoder.encode(image).unwrap();
                for heights in [&[1][..], &[7], &[16], &[3, 40, 1], &[70], &[15, 2, 15]] {
                    assert_eq!(in_strips(encoder, image, heights), whole, "{heights:?}");
                }
            }
        }
    }

    #[test]
    fn strips_that_do_not_fit_are_refused() {
        let rgb = samples(50 * 70 * 3);
        let strip = |width, height| Image::rgb(&rgb, width, height).unwrap();
        let mut strips = Encoder::new().strips(Pixels::Rgb, 50, 20, Vec::new()).unwrap();
        assert!(matches!(strips.push(&strip(49, 10)), Err(Error::Strip)));
        assert!(matches!(strips.push(&strip(50, 21)), Err(Error::Strip)));
        assert!(matches!(strips.push(&Image::gray(&rgb, 50, 10).unwrap()), Err(Error::Strip)));
        strips.push(&strip(50, 10)).unwrap();
        let planes = Image::rgb_planes([&rgb[..]; 3], 50, 10).unwrap();
        assert!(matches!(strips.push(&planes), Err(Error::Strip)));
        assert_eq!(strips.remaining(), 10);
        assert!(matches!(strips.finish(), Err(Error::Strip)));
        for (width, height) in [(0, 1), (1, 65_536)] {
            let refused = Encoder::new().strips(Pixels::Rgb, width, height, Vec::new());
            assert!(matches!(refused.err(), Some(Error::Dimensions { .. })));
        }
    }
}
