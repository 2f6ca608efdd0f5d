//! Images as arguments: arrays, and pictures of Pillow.

use std::ops::Range;

use pyo3::prelude::*;
use pyo3::types::PyTuple;
use shim_jpeg::{Encoder, Error, Image, Pixels, Subsampling};
use shim_picture::{Background, Bitmap, Channels, Options, Picture, Samples, Scaled};

use crate::array::{Array, Rows, Sample, View};
use crate::errors::{self, Class};
use crate::jpeg::settings::Settings;
use crate::picture;

/// About how many bytes are copied at a time.
const STRIP: usize = 1 << 18;

/// Strips are multiples of the rows of the highest MCU.
const MCU_ROWS: usize = 32;

/// The contents of an array, as far as its shape does not tell.
#[derive(Clone, Debug, Default)]
pub(crate) struct Content {
    pixels: Option<Pixels>,
    pub(crate) bits: Option<u8>,
    planar: Option<bool>,
}

impl Content {
    pub(crate) fn new(pixels: Option<&str>, bits: Option<u8>, planar: Option<bool>) -> PyResult<Self> {
        Ok(Self { pixels: pixels.map(str::parse).transpose().map_err(errors::jpeg)?, bits, planar })
    }

    /// Refuses a description of an image that describes itself.
    fn must_be_empty(&self) -> PyResult<()> {
        match self {
            Self { pixels: None, bits: None, planar: None } => Ok(()),
            _ => {
                Err(Class::Setting.error("pixels, bits and planar describe arrays, and not images of Pillow"))
            }
        }
    }
}

/// An image.
pub(crate) enum Source {
    /// An image of Pillow, or an image file.
    Picture(Box<Picture>),
    /// Pixels by rows, or by planes if the first axis is the one of samples.
    Array { array: Array, pixels: Pixels, planar: bool },
    /// Y, Cb and Cr, each with its extents.
    Planes(Box<[Array; 3]>, Subsampling),
}

impl Source {
    pub(crate) fn of(object: &Bound<'_, PyAny>, content: &Content, settings: &Settings) -> PyResult<Self> {
        if let Ok(planes) = object.cast::<PyTuple>() {
            return Self::planes(planes, content);
        }
        if picture::is_pillow(object)? {
            content.must_be_empty()?;
            return Ok(Self::Picture(Box::new(picture::of_pillow(object, settings.options())?)));
        }
        let array = Array::of(object)?;
        let shape = array.shape().to_vec();
        let refused = |wanted: &str| {
            Err(Class::Array.error(format!("an array of shape {shape:?} is no image: {wanted}")))
        };
        let samples = |count: usize| match count {
            1 => Some(Pixels::Gray),
            2 => Some(Pixels::GrayAlpha),
            3 => Some(Pixels::Rgb),
            4 => Some(Pixels::Rgba),
            _ => None,
        };
        match shape[..] {
            [_, _] => match content.pixels {
                None | Some(Pixels::Gray) => Ok(Self::Array { array, pixels: Pixels::Gray, planar: false }),
                Some(pixels) => {
                    refused(&format!("{pixels} pixels need [height, width, {}]", pixels.samples()))
                }
            },
            [first, _, last] => {
                let fits = |count: usize| match content.pixels {
                    Some(pixels) => (pixels.samples() == count).then_some(pixels),
                    None => samples(count),
                };
                let interleaved = fits(last).filter(|_| content.planar != Some(true));
                let planar = fits(first).filter(|_| content.planar != Some(false));
                match (interleaved, planar) {
                    (Some(pixels), _) => Ok(Self::Array { array, pixels, planar: false }),
                    (None, Some(pixels)) => Ok(Self::Array { array, pixels, planar: true }),
                    (None, None) => {
                        refused("its first or last axis has to have as many elements as a pixel has samples")
                    }
                }
            }
            _ => {
                refused("it has to be [height, width], [height, width, samples] or [samples, height, width]")
            }
        }
    }

    fn planes(planes: &Bound<'_, PyTuple>, content: &Content) -> PyResult<Self> {
        if planes.len() != 3 {
            return Err(
                Class::Array.error(format!("a tuple is Y, Cb and Cr: 3 planes, got {}", planes.len()))
            );
        }
        let [y, cb, cr] = [0, 1, 2].map(|plane| Array::of(&planes.get_item(plane)?));
        let planes = [y?, cb?, cr?];
        let [&[high, wide], &[rows, columns], &[others, of]] =
            [planes[0].shape(), planes[1].shape(), planes[2].shape()]
        else {
            return Err(Class::Array.error("Y, Cb and Cr are arrays of two axes, [height, width]"));
        };
        if planes.iter().any(|plane| plane.bytes != 1) {
            return Err(Class::ArrayType.error("planes of Y, Cb and Cr are uint8"));
        }
        let pixels = content.pixels.is_none_or(|pixels| pixels == Pixels::YCbCr);
        let fits = |known: &&Subsampling| {
            let [h, v] = known.luminance().map(usize::from);
            [high.div_ceil(v), wide.div_ceil(h)] == [rows, columns]
        };
        match Subsampling::ALL.iter().find(fits) {
            Some(&subsampling) if pixels && [rows, columns] == [others, of] => {
                Ok(Self::Planes(Box::new(planes), subsampling))
            }
            _ => Err(Class::Array.error(format!(
                "planes of [{high}, {wide}], [{rows}, {columns}] and [{others}, {of}] have no subsampling of JPEG"
            ))),
        }
    }

    /// Pixels of the image.
    pub(crate) fn pixels(&self) -> usize {
        match self {
            Self::Picture(picture) => picture.width * picture.height,
            Self::Array { array, planar: false, .. } => array.shape()[..2].iter().product(),
            Self::Array { array, .. } => array.shape()[1..].iter().product(),
            Self::Planes(arrays, _) => arrays[0].shape().iter().product(),
        }
    }

    /// Calls `encode` with the whole image, which is copied unless it can be read where it is.
    pub(crate) fn whole<R>(
        &self,
        reading: &Reading,
        encode: impl FnOnce(&Image<'_>) -> Result<R, Error>,
    ) -> Result<R, Error> {
        match self {
            Self::Picture(picture) => encode(&picture.image()?),
            Self::Array { array, pixels, planar } if array.bytes == 1 => {
                Pixelwise::<u8>::new(array, *pixels, *planar).whole(reading, encode)
            }
            Self::Array { array, pixels, planar } => {
                Pixelwise::<u16>::new(array, *pixels, *planar).whole(reading, encode)
            }
            Self::Planes(arrays, subsampling) => {
                let (width, height) = (arrays[0].shape()[1], arrays[0].shape()[0]);
                let y = arrays[0].view::<u8>().rows();
                let [cb, cr] = chroma(&arrays[1], &arrays[2]);
                let samples: [&[u8]; 3] = [&y.samples, &cb.samples, &cr.samples];
                encode(&Image::ycbcr_planes(samples, *subsampling, width, height, [y.stride, cb.stride])?)
            }
        }
    }

    /// Encodes the image in strips, if it is large and cannot be read in place: only a strip at a time is copied.
    /// `proceed` is asked after each.
    pub(crate) fn by_strips(
        &self,
        reading: &Reading,
        encoder: &Encoder,
        proceed: impl FnMut() -> bool,
    ) -> Option<Result<Vec<u8>, Error>> {
        match self {
            Self::Array { array, pixels, planar } if array.bytes == 1 => {
                Pixelwise::<u8>::new(array, *pixels, *planar).by_strips(reading, encoder, proceed)
            }
            Self::Array { array, pixels, planar } => {
                Pixelwise::<u16>::new(array, *pixels, *planar).by_strips(reading, encoder, proceed)
            }
            Self::Picture(_) | Self::Planes(..) => None,
        }
    }
}

/// How the samples of an array are read.
pub(crate) struct Reading {
    /// Bits of the array's samples.
    bits: u8,
    /// How pictures are read, if samples are scaled or transparent pixels laid over a background.
    conversion: Option<Options>,
    /// Whether there is a background.
    over: bool,
}

impl Reading {
    pub(crate) fn of(source: &Source, content: &Content, settings: &Settings) -> PyResult<Self> {
        let Source::Array { array, pixels, .. } = source else {
            return Ok(Self { bits: 8, conversion: None, over: false });
        };
        let bits = match (array.bytes, content.bits) {
            (1, None | Some(8)) => 8,
            (1, Some(bits)) => {
                return Err(Class::Setting.error(format!("samples of uint8 have 8 bits, got bits={bits}")));
            }
            (_, Some(bits)) if (2..=16).contains(&bits) => bits,
            (_, Some(bits)) => return Err(errors::jpeg(Error::Bits(bits))),
            (_, None) if settings.is_lossless() || settings.precision.is_some() => 16,
            (_, None) => {
                return Err(Class::Setting.error(
                    "uint16 samples need precision=8, which scales 16 bits to 8, or bits=12, for a file of 12 bits \
                     that few programs open",
                ));
            }
        };
        let scaled = settings.precision.is_some_and(|precision| precision != bits);
        let has_alpha = matches!(pixels, Pixels::Rgba | Pixels::Bgra | Pixels::GrayAlpha);
        let over = has_alpha && settings.background.is_some();
        let options = Options { bits: Some(settings.precision.unwrap_or(bits)), ..settings.options() };
        Ok(Self { bits, conversion: (scaled || over).then_some(options), over })
    }
}

/// Samples of one type.
trait Element: Sample {
    /// Samples of so many bits, of a bitmap.
    fn samples(elements: Vec<Self>, bits: u8) -> Samples;

    fn check(elements: &[Self], bits: u8) -> Result<(), Error>;

    fn interleaved(
        samples: &[Self],
        bits: u8,
        pixels: Pixels,
        size: [usize; 2],
        stride: usize,
    ) -> Result<Image<'_>, Error>;

    fn planar<'a>(
        planes: &[&'a [Self]],
        bits: u8,
        pixels: Pixels,
        size: [usize; 2],
        stride: usize,
    ) -> Result<Image<'a>, Error>;
}

impl Element for u8 {
    fn samples(elements: Vec<Self>, _bits: u8) -> Samples {
        elements.into()
    }

    fn check(_elements: &[Self], _bits: u8) -> Result<(), Error> {
        Ok(())
    }

    fn interleaved(
        samples: &[Self],
        _bits: u8,
        pixels: Pixels,
        [width, height]: [usize; 2],
        stride: usize,
    ) -> Result<Image<'_>, Error> {
        Image::interleaved(samples, pixels, width, height, stride)
    }

    fn planar<'a>(
        planes: &[&'a [Self]],
        _bits: u8,
        pixels: Pixels,
        [width, height]: [usize; 2],
        stride: usize,
    ) -> Result<Image<'a>, Error> {
        Image::planar(planes, pixels, width, height, stride)
    }
}

impl Element for u16 {
    fn samples(elements: Vec<Self>, bits: u8) -> Samples {
        Samples::of_bits(elements, bits)
    }

    fn check(elements: &[Self], bits: u8) -> Result<(), Error> {
        let all = elements.iter().fold(0, |all, &sample| all | sample);
        match elements.iter().find(|&&sample| u32::from(sample) >> bits != 0) {
            Some(&sample) if u32::from(all) >> bits != 0 => Err(Error::Sample { sample, bits }),
            _ => Ok(()),
        }
    }

    fn interleaved(
        samples: &[Self],
        bits: u8,
        pixels: Pixels,
        [width, height]: [usize; 2],
        stride: usize,
    ) -> Result<Image<'_>, Error> {
        Image::interleaved16(samples, bits, pixels, width, height, stride)
    }

    fn planar<'a>(
        planes: &[&'a [Self]],
        bits: u8,
        pixels: Pixels,
        [width, height]: [usize; 2],
        stride: usize,
    ) -> Result<Image<'a>, Error> {
        Image::planar16(planes, bits, pixels, width, height, stride)
    }
}

/// The pixels of an array: rows, columns and samples.
struct Pixelwise<'a, T> {
    view: View<'a, T>,
    pixels: Pixels,
}

/// How pixels lie in memory.
enum Lie<'a, T: Clone> {
    /// The samples of a row side by side.
    Rows(Rows<'a, T>),
    /// The samples of each plane in rows.
    Planes(Vec<Rows<'a, T>>),
    Scattered,
}

impl<'a, T: Element> Pixelwise<'a, T> {
    fn new(array: &'a Array, pixels: Pixels, planar: bool) -> Self {
        let view = array.view::<T>().with_samples();
        let view = if planar { view.permuted([1, 2, 0]) } else { view };
        // Red, green and blue in reverse are a pixel format.
        let reversed = match pixels {
            Pixels::Rgb => Some(Pixels::Bgr),
            Pixels::Bgr => Some(Pixels::Rgb),
            _ => None,
        };
        match (reversed, view.unreversed()) {
            (Some(pixels), Some(view)) => Self { view, pixels },
            _ => Self { view, pixels },
        }
    }

    fn size(&self) -> [usize; 2] {
        [self.view.shape()[1], self.view.shape()[0]]
    }

    fn lie(&self) -> Lie<'a, T> {
        if self.view.has_rows() {
            return Lie::Rows(self.view.rows());
        }
        let planes = self.view.permuted([2, 0, 1]);
        let planes: Vec<_> = (0..planes.shape()[0]).map(|plane| planes.slice(plane)).collect();
        if planes.iter().all(View::has_rows) {
            return Lie::Planes(planes.iter().map(View::rows).collect());
        }
        Lie::Scattered
    }

    fn whole<R>(
        &self,
        reading: &Reading,
        encode: impl FnOnce(&Image<'_>) -> Result<R, Error>,
    ) -> Result<R, Error> {
        let (size, bits) = (self.size(), reading.bits);
        if size.contains(&0) {
            return Err(Error::Dimensions { width: size[0], height: size[1] });
        }
        match self.lie() {
            Lie::Rows(Rows { samples, stride }) if reading.conversion.is_none() => {
                T::check(&samples, bits)?;
                encode(&T::interleaved(&samples, bits, self.pixels, size, stride)?)
            }
            Lie::Planes(planes) if reading.conversion.is_none() => {
                let stride = planes.first().map_or(0, |plane| plane.stride);
                let planes: Vec<&[T]> = planes.iter().map(|plane| &*plane.samples).collect();
                planes.iter().try_for_each(|plane| T::check(plane, bits))?;
                encode(&T::planar(&planes, bits, self.pixels, size, stride)?)
            }
            _ => self.strip(reading, 0..size[1], encode),
        }
    }

    fn by_strips(
        &self,
        reading: &Reading,
        encoder: &Encoder,
        mut proceed: impl FnMut() -> bool,
    ) -> Option<Result<Vec<u8>, Error>> {
        let ([width, height], samples) = (self.size(), self.view.shape()[2]);
        let row = width * samples * size_of::<T>();
        let scattered = || matches!(self.lie(), Lie::Scattered);
        if row * height <= STRIP || reading.conversion.is_none() && !scattered() {
            return None;
        }
        let rows = (STRIP / row / MCU_ROWS).max(1) * MCU_ROWS;
        let mut file = Vec::new();
        let mut encode = || {
            let (pixels, bits) = self.coded(reading);
            let mut strips = match bits {
                8 => encoder.strips(pixels, width, height, &mut file)?,
                _ => encoder.strips16(bits, pixels, width, height, &mut file)?,
            };
            for first in (0..height).step_by(rows) {
                self.strip(reading, first..height.min(first + rows), |strip| strips.push(strip))?;
                if !proceed() {
                    return Err(Error::Stopped);
                }
            }
            strips.finish().map(drop)
        };
        Some(encode().map(|()| file))
    }

    /// Pixels and bits of the samples that the encoder is given.
    fn coded(&self, reading: &Reading) -> (Pixels, u8) {
        let Some(options) = reading.conversion else { return (self.pixels, reading.bits) };
        let (channels, options) = self.converted(reading.over, options);
        let pixels = match (channels.over(options.background).pixels(), self.pixels) {
            (Pixels::Rgb, Pixels::Bgr | Pixels::Bgra) => Pixels::Bgr,
            (Pixels::Cmyk, Pixels::Ycck) => Pixels::Ycck,
            (pixels, _) => pixels,
        };
        (pixels, options.bits.unwrap_or(reading.bits))
    }

    /// The channels that are converted, without a fourth sample that is ignored, and how.
    fn converted(&self, over: bool, options: Options) -> (Channels, Options) {
        let channels = match self.pixels {
            Pixels::GrayAlpha if over => Channels::GrayAlpha,
            Pixels::Gray | Pixels::GrayAlpha => Channels::Gray,
            Pixels::Rgba | Pixels::Bgra if over => Channels::Rgba,
            Pixels::Cmyk | Pixels::Ycck => Channels::Cmyk,
            Pixels::YCbCr => Channels::YCbCr,
            _ => Channels::Rgb,
        };
        let Background(mut color) = options.background;
        if matches!(self.pixels, Pixels::Bgr | Pixels::Bgra) {
            color.reverse();
        }
        (channels, Options { background: Background(color), ..options })
    }

    /// Calls `with` with a copy of some rows.
    fn strip<R>(
        &self,
        reading: &Reading,
        rows: Range<usize>,
        with: impl FnOnce(&Image<'_>) -> Result<R, Error>,
    ) -> Result<R, Error> {
        let size @ [width, height] = [self.view.shape()[1], rows.len()];
        let Some(options) = reading.conversion else {
            let samples = self.view.gathered(rows);
            T::check(&samples, reading.bits)?;
            let stride = width * self.view.shape()[2];
            return with(&T::interleaved(&samples, reading.bits, self.pixels, size, stride)?);
        };
        let (channels, options) = self.converted(reading.over, options);
        let samples = self.view.first_samples(channels.count()).gathered(rows);
        T::check(&samples, reading.bits)?;
        let samples = T::samples(samples, reading.bits);
        let bitmap = Bitmap::new(width, height, channels, samples).expect("it has as many samples");
        let (pixels, _) = self.coded(reading);
        with(&Scaled::of(bitmap, options).image(pixels, width, height)?)
    }
}

/// Cb and Cr with one stride: that of Cb, if both have it.
fn chroma<'a>(cb: &'a Array, cr: &'a Array) -> [Rows<'a, u8>; 2] {
    let planes = [cb.view::<u8>().rows(), cr.view::<u8>().rows()];
    if planes[0].stride == planes[1].stride {
        planes
    } else {
        planes.map(|plane| plane.packed(cb.shape()[1]))
    }
}
