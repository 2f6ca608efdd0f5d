//! `encode_jpeg` and `JpegEncoder`.

use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use pyo3::buffer::PyBuffer;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyString, PyTuple};
use shim_jpeg::{
    Compressor, Density, Encoder, Error, Image, Pixels, Predictor, Process, Restart, ScanSpec, Subsampling,
};

use crate::array::{Array, Rows, Sample, write};
use crate::errors::{self, Class};
use crate::interrupt::Interrupt;
use crate::settings::{Reduced, Setting};

/// Pixels above which signals are looked for during a call: some tens of milliseconds.
const LONG: usize = 1 << 22;

/// An encoder, and whether its chroma subsampling was set.
#[derive(Clone)]
struct Settings {
    encoder: Encoder,
    subsampled: bool,
}

impl Settings {
    fn of(settings: &[Setting<'_>]) -> PyResult<Self> {
        let (mut encoder, mut subsampled, mut point_transform) = (Encoder::new(), false, 0);
        let (mut lossless, mut progressive, mut scans) = (None, false, None);
        for setting in settings {
            encoder = match &*setting.name {
                "quality" => match setting.get()? {
                    quality @ 1..=100 => encoder.quality(quality),
                    quality => return Err(errors::jpeg(Error::Quality(quality))),
                },
                "subsampling" => {
                    if setting.value.is_none() {
                        encoder
                    } else {
                        subsampled = true;
                        encoder.subsampling(subsampling(&setting.text()?)?)
                    }
                }
                "sampling_factors" => match setting.optional::<Vec<[u8; 2]>>()? {
                    Some(factors) => {
                        subsampled = true;
                        encoder.sampling_factors(&factors)
                    }
                    None => encoder,
                },
                "optimize" => match setting.optional()? {
                    Some(optimize) => encoder.optimized(optimize),
                    None => encoder,
                },
                "arithmetic" => encoder.arithmetic(setting.get()?),
                "libjpeg_compatible" => encoder.libjpeg_compatible(setting.get()?),
                "baseline" => encoder.baseline(setting.get()?),
                "trellis" => encoder.trellis(setting.get()?),
                "progressive" => {
                    progressive = setting.get()?;
                    encoder
                }
                "scans" => {
                    scans = setting.optional::<Vec<(Vec<u8>, u8, u8, u8, u8)>>()?;
                    encoder
                }
                "lossless" => {
                    lossless = setting.optional::<u8>()?;
                    encoder
                }
                "point_transform" => {
                    point_transform = setting.get()?;
                    encoder
                }
                "restart_mcus" => match setting.optional()? {
                    Some(mcus) => encoder.restart(Restart::Mcus(mcus)),
                    None => encoder,
                },
                "restart_rows" => match setting.optional()? {
                    Some(rows) => encoder.restart(Restart::Rows(rows)),
                    None => encoder,
                },
                "color_space" => {
                    if setting.value.is_none() {
                        encoder
                    } else {
                        encoder.color_space(setting.text()?.parse().map_err(errors::jpeg)?)
                    }
                }
                "quantization_tables" => match setting.optional::<[Vec<u16>; 2]>()? {
                    Some([luminance, chrominance]) => {
                        encoder.quantization_tables(table(luminance)?, table(chrominance)?)
                    }
                    None => encoder,
                },
                "density" => match setting.optional::<(u16, u16, String)>()? {
                    Some(density) => encoder.density(self::density(density)?),
                    None => encoder,
                },
                "icc" => match setting.optional::<Vec<u8>>()? {
                    Some(profile) => encoder.icc_profile(&profile),
                    None => encoder,
                },
                "exif" => match setting.optional::<Vec<u8>>()? {
                    Some(exif) => encoder.exif(&exif),
                    None => encoder,
                },
                "xmp" => match setting.optional::<Vec<u8>>()? {
                    Some(packet) => encoder.xmp(&packet),
                    None => encoder,
                },
                "comments" => setting
                    .get::<Vec<Vec<u8>>>()?
                    .iter()
                    .fold(encoder, |encoder, comment| encoder.comment(comment)),
                "app_segments" => {
                    let segments = setting.get::<Vec<(u8, Vec<u8>)>>()?;
                    segments.iter().fold(encoder, |encoder, (n, data)| encoder.app_segment(*n, data))
                }
                "threads" => encoder.threads(setting.get()?),
                _ => return Err(setting.unknown("JpegEncoder")),
            };
        }
        let process = match (lossless, progressive, scans) {
            (None, false, None) => Process::Sequential,
            (None, true, None) => Process::Progressive,
            (None, _, Some(scans)) => Process::Scans(
                scans
                    .iter()
                    .map(|(components, ss, se, ah, al)| ScanSpec::new(components, [*ss, *se], [*ah, *al]))
                    .collect(),
            ),
            (Some(predictor), false, None) => Process::Lossless {
                predictor: Predictor::try_from(predictor).map_err(errors::jpeg)?,
                point_transform,
            },
            (Some(_), ..) => {
                return Err(Class::Setting.error("lossless files are neither progressive nor have scans"));
            }
        };
        Ok(Self { encoder: encoder.process(process), subsampled })
    }

    /// The bits of samples in 16-bit integers, unless told.
    fn bits(&self) -> u8 {
        if matches!(self.encoder.get_process(), Process::Lossless { .. }) { 16 } else { 12 }
    }
}

/// A subsampling by its name, `"4:2:0"` or `"420"`.
fn subsampling(name: &str) -> PyResult<Subsampling> {
    let plain = |known: &&Subsampling| known.to_string().replace(':', "") == name;
    match Subsampling::ALL.iter().find(plain) {
        Some(&known) => Ok(known),
        None => name.parse().map_err(errors::jpeg),
    }
}

fn table(elements: Vec<u16>) -> PyResult<[u16; 64]> {
    let count = elements.len();
    elements
        .try_into()
        .map_err(|_| Class::Setting.error(format!("a quantization table has 64 elements, got {count}")))
}

fn density((x, y, unit): (u16, u16, String)) -> PyResult<Density> {
    match &*unit {
        "aspect" => Ok(Density::Aspect(x, y)),
        "dpi" => Ok(Density::PerInch(x, y)),
        "dpcm" => Ok(Density::PerCentimeter(x, y)),
        _ => Err(Class::Setting.error(format!("unknown unit of density '{unit}': one of aspect dpi dpcm"))),
    }
}

/// What an array holds, unless its shape says.
#[derive(Clone, Debug, Default)]
struct Content {
    pixels: Option<Pixels>,
    bits: Option<u8>,
    planar: Option<bool>,
}

impl Content {
    fn new(pixels: Option<&str>, bits: Option<u8>, planar: Option<bool>) -> PyResult<Self> {
        Ok(Self { pixels: pixels.map(str::parse).transpose().map_err(errors::jpeg)?, bits, planar })
    }
}

/// The arrays of an image.
enum Source {
    Interleaved(Array, Pixels),
    Planar(Array, Pixels),
    /// Y, Cb and Cr of their own extents.
    Planes(Box<[Array; 3]>, Subsampling),
}

impl Source {
    fn of(object: &Bound<'_, PyAny>, content: &Content) -> PyResult<Self> {
        if let Ok(planes) = object.cast::<PyTuple>() {
            return Self::planes(planes, content);
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
                None | Some(Pixels::Gray) => Ok(Self::Interleaved(array, Pixels::Gray)),
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
                    (Some(pixels), _) => Ok(Self::Interleaved(array, pixels)),
                    (None, Some(pixels)) => Ok(Self::Planar(array, pixels)),
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

    /// Subsampling of the planes.
    fn subsampling(&self) -> Option<Subsampling> {
        if let Self::Planes(_, subsampling) = self { Some(*subsampling) } else { None }
    }

    /// Calls `encode` with the image.
    fn with<R>(&self, bits: u8, encode: impl FnOnce(&Image<'_>) -> Result<R, Error>) -> Result<R, Error> {
        match self {
            Self::Interleaved(array, pixels) => {
                let (width, height) = (array.shape()[1], array.shape()[0]);
                if array.bytes == 1 {
                    let Rows { samples, stride } = array.view::<u8>().rows();
                    encode(&Image::interleaved(&samples, *pixels, width, height, stride)?)
                } else {
                    let Rows { samples, stride } = array.view::<u16>().rows();
                    within(&samples, bits)?;
                    encode(&Image::interleaved16(&samples, bits, *pixels, width, height, stride)?)
                }
            }
            Self::Planar(array, pixels) => {
                let (width, height) = (array.shape()[2], array.shape()[1]);
                if array.bytes == 1 {
                    let (planes, stride) = planes::<u8>(array);
                    let planes: Vec<&[u8]> = planes.iter().map(|plane| &*plane.samples).collect();
                    encode(&Image::planar(&planes, *pixels, width, height, stride)?)
                } else {
                    let (planes, stride) = planes::<u16>(array);
                    let planes: Vec<&[u16]> = planes.iter().map(|plane| &*plane.samples).collect();
                    planes.iter().try_for_each(|plane| within(plane, bits))?;
                    encode(&Image::planar16(&planes, bits, *pixels, width, height, stride)?)
                }
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

    fn pixels(&self) -> usize {
        let shape = match self {
            Self::Interleaved(array, _) => &array.shape()[..2],
            Self::Planar(array, _) => &array.shape()[1..],
            Self::Planes(arrays, _) => arrays[0].shape(),
        };
        shape.iter().product()
    }
}

/// The planes along the first axis, which have one stride.
fn planes<T: Sample>(array: &Array) -> (Vec<Rows<'_, T>>, usize) {
    let view = array.view::<T>();
    let planes: Vec<_> = (0..array.shape()[0]).map(|plane| view.slice(plane).rows()).collect();
    let stride = planes.first().map_or(0, |plane| plane.stride);
    (planes, stride)
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

/// Checks that samples have no more bits.
fn within(samples: &[u16], bits: u8) -> Result<(), Error> {
    let most = samples.iter().fold(0, |most, &sample| most | sample);
    match samples.iter().find(|&&sample| u32::from(sample) >> bits != 0) {
        Some(&sample) if u32::from(most) >> bits != 0 => Err(Error::Sample { sample, bits }),
        _ => Ok(()),
    }
}

/// Encodes images with the same settings, and keeps its memory. Threads may share it; it pickles by its settings.
#[pyclass(frozen, module = "shim_codecs", name = "JpegEncoder")]
pub(crate) struct JpegEncoder {
    settings: Settings,
    /// As they were given.
    given: Py<PyDict>,
    /// Encoders with their memory, which no call is using.
    idle: Mutex<Vec<Compressor>>,
}

impl JpegEncoder {
    /// Calls `use_it` with an encoder that no other call is using.
    fn with<R>(&self, use_it: impl FnOnce(&mut Compressor) -> R) -> R {
        let idle = || self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let taken = idle().pop();
        let mut compressor = taken.unwrap_or_else(|| self.settings.encoder.compressor());
        let result = use_it(&mut compressor);
        idle().push(compressor);
        result
    }

    /// Encodes an image into `file`, without the GIL.
    fn file(&self, py: Python<'_>, image: &Bound<'_, PyAny>, content: &Content) -> PyResult<Vec<u8>> {
        let source = Source::of(image, content)?;
        let bits = content.bits.unwrap_or_else(|| self.settings.bits());
        if source.subsampling().is_some() || source.pixels() > LONG {
            return file_of(py, &self.settings, &source, bits);
        }
        py.detach(|| {
            self.with(|compressor| {
                let mut file = Vec::new();
                source.with(bits, |image| compressor.encode_into(image, &mut file)).map(|()| file)
            })
        })
        .map_err(errors::jpeg)
    }
}

/// Encodes an image without memory from before.
fn file_of(py: Python<'_>, settings: &Settings, source: &Source, bits: u8) -> PyResult<Vec<u8>> {
    let encoder = match source.subsampling() {
        Some(subsampling) if !settings.subsampled => &settings.encoder.clone().subsampling(subsampling),
        _ => &settings.encoder,
    };
    if source.pixels() <= LONG {
        return py.detach(|| source.with(bits, |image| encoder.encode(image))).map_err(errors::jpeg);
    }
    let (mut interrupt, mut file) = (Interrupt::new(), Vec::new());
    let encoded = py.detach(|| {
        source.with(bits, |image| encoder.encode_while(image, &mut file, |_, _| interrupt.proceed()))
    });
    match interrupt.into_error() {
        Some(error) => Err(error),
        None => encoded.map(|()| file).map_err(errors::jpeg),
    }
}

#[pymethods]
impl JpegEncoder {
    #[new]
    #[pyo3(signature = (quality = None, **settings))]
    fn new(
        py: Python<'_>,
        quality: Option<&Bound<'_, PyAny>>,
        settings: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        let given = settings.map_or_else(|| Ok(PyDict::new(py)), PyDictMethods::copy)?;
        if let Some(quality) = quality {
            given.set_item("quality", quality)?;
        }
        let settings = Settings::of(&Setting::all(Some(&given))?)?;
        Ok(Self { settings, given: given.unbind(), idle: Mutex::default() })
    }

    /// Encode an image, as :func:`encode_jpeg` does.
    #[pyo3(signature = (image, *, pixels = None, bits = None, planar = None))]
    fn encode<'py>(
        &self,
        py: Python<'py>,
        image: &Bound<'py, PyAny>,
        pixels: Option<&str>,
        bits: Option<u8>,
        planar: Option<bool>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let file = self.file(py, image, &Content::new(pixels, bits, planar)?)?;
        Ok(PyBytes::new(py, &file))
    }

    /// Encode an image into a writable buffer, and return the bytes of the file. A buffer that is too small is left as
    /// it was.
    #[pyo3(signature = (image, buffer, *, pixels = None, bits = None, planar = None))]
    fn encode_into(
        &self,
        py: Python<'_>,
        image: &Bound<'_, PyAny>,
        buffer: PyBuffer<u8>,
        pixels: Option<&str>,
        bits: Option<u8>,
        planar: Option<bool>,
    ) -> PyResult<usize> {
        let file = self.file(py, image, &Content::new(pixels, bits, planar)?)?;
        write(&buffer, &file)?;
        Ok(file.len())
    }

    /// Encode an image with the best quality whose file has at most so many bytes; returns the file and the quality.
    #[pyo3(signature = (image, max_bytes, *, pixels = None, bits = None, planar = None))]
    fn encode_within<'py>(
        &self,
        py: Python<'py>,
        image: &Bound<'py, PyAny>,
        max_bytes: usize,
        pixels: Option<&str>,
        bits: Option<u8>,
        planar: Option<bool>,
    ) -> PyResult<(Bound<'py, PyBytes>, u8)> {
        let content = Content::new(pixels, bits, planar)?;
        self.fitted(py, image, &content, |encoder, image| encoder.encode_within(image, max_bytes))
    }

    /// Encode an image with the lowest quality whose PSNR is at least so many dB; returns the file and the quality.
    #[pyo3(signature = (image, min_psnr, *, pixels = None, bits = None, planar = None))]
    fn encode_reaching<'py>(
        &self,
        py: Python<'py>,
        image: &Bound<'py, PyAny>,
        min_psnr: f64,
        pixels: Option<&str>,
        bits: Option<u8>,
        planar: Option<bool>,
    ) -> PyResult<(Bound<'py, PyBytes>, u8)> {
        let content = Content::new(pixels, bits, planar)?;
        self.fitted(py, image, &content, |encoder, image| encoder.encode_reaching(image, min_psnr))
    }

    /// The settings as they were given.
    #[getter]
    fn settings<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.given.bind(py).copy()
    }

    /// Seconds of a call of the encoder in Rust, for the benchmark.
    #[pyo3(signature = (image, times))]
    fn _seconds(&self, py: Python<'_>, image: &Bound<'_, PyAny>, times: u32) -> PyResult<f64> {
        let source = Source::of(image, &Content::default())?;
        let (bits, mut file, began) = (self.settings.bits(), Vec::new(), Instant::now());
        py.detach(|| {
            self.with(|compressor| {
                source
                    .with(bits, |image| (0..times).try_for_each(|_| compressor.encode_into(image, &mut file)))
            })
        })
        .map_err(errors::jpeg)?;
        Ok(began.elapsed().as_secs_f64() / f64::from(times))
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Reduced<'py>> {
        let rebuild = slf.py().import("shim_codecs._pickling")?.getattr("rebuild")?;
        Ok((rebuild, (slf.get_type().into_any(), slf.get().settings(slf.py())?)))
    }

    fn __eq__(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> PyResult<bool> {
        match other.cast::<Self>() {
            Ok(other) => self.given.bind(py).eq(other.get().given.bind(py)),
            Err(_) => Ok(false),
        }
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let mut settings = Vec::new();
        for (name, value) in self.given.bind(py).iter() {
            settings.push(format!("{}={}", name.cast::<PyString>()?, value.repr()?));
        }
        Ok(format!("JpegEncoder({})", settings.join(", ")))
    }
}

impl JpegEncoder {
    fn fitted<'py>(
        &self,
        py: Python<'py>,
        image: &Bound<'py, PyAny>,
        content: &Content,
        encode: impl FnOnce(&Encoder, &Image<'_>) -> Result<shim_jpeg::Fitted, Error> + Send,
    ) -> PyResult<(Bound<'py, PyBytes>, u8)> {
        let source = Source::of(image, content)?;
        let bits = content.bits.unwrap_or_else(|| self.settings.bits());
        let encoder = match source.subsampling() {
            Some(subsampling) if !self.settings.subsampled => {
                &self.settings.encoder.clone().subsampling(subsampling)
            }
            _ => &self.settings.encoder,
        };
        let fitted = py.detach(|| source.with(bits, |image| encode(encoder, image))).map_err(errors::jpeg)?;
        Ok((PyBytes::new(py, &fitted.file), fitted.quality))
    }
}

/// Encode an image as a JPEG file.
///
/// ``image`` is an array of ``uint8``, or of ``uint16`` with samples of ``bits`` bits (12 by default, 16 in lossless
/// files): ``[height, width]`` for gray, ``[height, width, samples]``, ``[samples, height, width]``, or a tuple of the
/// planes Y, Cb and Cr, whose extents say how chroma is subsampled. It is read where it is if the samples of a row are
/// next to one another, and copied otherwise. It must not change during the call, which releases the GIL.
///
/// >>> import numpy as np
/// >>> from shim_codecs import encode_jpeg
/// >>> len(encode_jpeg(np.full((16, 16), 128, np.uint8), 50)) < 400
/// True
///
/// Raises ``SettingError``, ``ArrayError`` (extents) or ``ArrayTypeError`` (element types).
#[pyfunction]
#[pyo3(signature = (image, quality = None, *, pixels = None, bits = None, planar = None, **settings))]
pub(crate) fn encode_jpeg<'py>(
    py: Python<'py>,
    image: &Bound<'py, PyAny>,
    quality: Option<Bound<'py, PyAny>>,
    pixels: Option<&str>,
    bits: Option<u8>,
    planar: Option<bool>,
    settings: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyBytes>> {
    let mut settings = Setting::all(settings)?;
    settings.extend(quality.map(|value| Setting { name: "quality".to_owned(), value }));
    let settings = Settings::of(&settings)?;
    let source = Source::of(image, &Content::new(pixels, bits, planar)?)?;
    let bits = bits.unwrap_or_else(|| settings.bits());
    let file = file_of(py, &settings, &source, bits)?;
    Ok(PyBytes::new(py, &file))
}

/// An encoder is shared by threads.
const _: () = {
    const fn is_sync<T: Sync + Send>() {}
    is_sync::<JpegEncoder>();
};
