//! `encode_jpeg` and `JpegEncoder`.

mod settings;
mod source;

use std::borrow::Cow;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use pyo3::buffer::PyBuffer;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyString};
use shim_jpeg::{Compressor, Encoder, Error, Fitted, Image};

use crate::array::write;
use crate::errors;
use crate::interrupt::Interrupt;
use crate::picture;
use crate::settings::{Reduced, Setting};
use settings::Settings;
use source::{Content, Reading, Source};

/// Pixels up to which an encoder keeps its memory, and signals are not looked for during a call.
const SMALL: usize = 1 << 20;

/// Encodes images with the same settings, and keeps its memory. Threads may share it; it pickles by its settings.
///
#[doc = include_str!("settings.txt")]
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

    /// Encodes an image, without the GIL.
    fn file(&self, py: Python<'_>, image: &Bound<'_, PyAny>, content: &Content) -> PyResult<Vec<u8>> {
        let source = Source::of(image, content, &self.settings)?;
        if !matches!(source, Source::Array { .. }) || source.pixels() > SMALL {
            return file_of(py, &self.settings, &source, content);
        }
        let reading = Reading::of(&source, content, &self.settings)?;
        py.detach(|| {
            self.with(|compressor| {
                let mut file = Vec::new();
                source.whole(&reading, |image| compressor.encode_into(image, &mut file)).map(|()| file)
            })
        })
        .map_err(errors::jpeg)
    }
}

/// Encodes an image without memory from before.
fn file_of(py: Python<'_>, settings: &Settings, source: &Source, content: &Content) -> PyResult<Vec<u8>> {
    let reading = Reading::of(source, content, settings)?;
    let encoder = encoder_of(py, settings, source)?;
    encoded(py, source, &reading, &encoder)
}

/// Encodes an image without the GIL, and looks for signals meanwhile.
fn encoded(py: Python<'_>, source: &Source, reading: &Reading, encoder: &Encoder) -> PyResult<Vec<u8>> {
    let mut interrupt = Interrupt::new();
    let encoded = py.detach(|| {
        if let Some(file) = source.by_strips(reading, encoder, || interrupt.proceed()) {
            return file;
        }
        source.whole(reading, |image| {
            let mut file = Vec::new();
            encoder.encode_while(image, &mut file, |_, _| interrupt.proceed()).map(|()| file)
        })
    });
    match interrupt.into_error() {
        Some(error) => Err(error),
        None => encoded.map_err(errors::jpeg),
    }
}

/// The encoder of an image. Warns of what the file of a picture loses.
fn encoder_of<'s>(py: Python<'_>, settings: &'s Settings, source: &Source) -> PyResult<Cow<'s, Encoder>> {
    match source {
        Source::Picture(picture) => {
            let (encoder, warnings) = settings.of_picture(picture)?;
            picture::warn(py, &warnings)?;
            Ok(Cow::Owned(encoder))
        }
        Source::Planes(_, subsampling) if !settings.subsampled => {
            Ok(Cow::Owned(settings.encoder.clone().subsampling(*subsampling)))
        }
        _ => Ok(Cow::Borrowed(&settings.encoder)),
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

    /// Re-encode an image file as ``shim jpeg`` does: turned as its Exif data says, over the background, and with the
    /// parts of its metadata that ``copy_metadata`` names.
    ///
    /// ``file`` is a path, or the bytes of a file: PNG, PNM, JPEG, BMP, GIF, TIFF or WebP.
    fn encode_file<'py>(&self, py: Python<'py>, file: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyBytes>> {
        let (file, warnings) = self.reencode(py, file)?;
        picture::warn(py, &warnings)?;
        Ok(file)
    }

    /// The file of ``encode_file``, and what it loses.
    #[pyo3(name = "_reencode")]
    fn reencode<'py>(
        &self,
        py: Python<'py>,
        file: &Bound<'py, PyAny>,
    ) -> PyResult<(Bound<'py, PyBytes>, Vec<String>)> {
        let picture = picture::of_file(file, self.settings.options())?;
        let (encoder, warnings) = self.settings.of_picture(&picture)?;
        let source = Source::Picture(Box::new(picture));
        let reading = Reading::of(&source, &Content::default(), &self.settings)?;
        let encoded = encoded(py, &source, &reading, &encoder)?;
        Ok((PyBytes::new(py, &encoded), warnings))
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
        self.fitted(py, image, &content, |encoder, image, interrupt| {
            encoder.encode_within_while(image, max_bytes, || interrupt.proceed())
        })
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
        self.fitted(py, image, &content, |encoder, image, interrupt| {
            encoder.encode_reaching_while(image, min_psnr, || interrupt.proceed())
        })
    }

    /// The settings as they were given.
    #[getter]
    fn settings<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.given.bind(py).copy()
    }

    /// Seconds of a call of the encoder in Rust, for the benchmark.
    #[pyo3(signature = (image, times))]
    fn _seconds(&self, py: Python<'_>, image: &Bound<'_, PyAny>, times: u32) -> PyResult<f64> {
        let content = Content::default();
        let source = Source::of(image, &content, &self.settings)?;
        let reading = Reading::of(&source, &content, &self.settings)?;
        let (mut file, began) = (Vec::new(), Instant::now());
        py.detach(|| {
            self.with(|compressor| {
                source.whole(&reading, |image| {
                    (0..times).try_for_each(|_| compressor.encode_into(image, &mut file))
                })
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
        encode: impl FnOnce(&Encoder, &Image<'_>, &mut Interrupt) -> Result<Fitted, Error> + Send,
    ) -> PyResult<(Bound<'py, PyBytes>, u8)> {
        let source = Source::of(image, content, &self.settings)?;
        let reading = Reading::of(&source, content, &self.settings)?;
        let encoder = encoder_of(py, &self.settings, &source)?;
        let mut interrupt = Interrupt::new();
        let fitted = py.detach(|| source.whole(&reading, |image| encode(&encoder, image, &mut interrupt)));
        if let Some(error) = interrupt.into_error() {
            return Err(error);
        }
        let fitted = fitted.map_err(errors::jpeg)?;
        Ok((PyBytes::new(py, &fitted.file), fitted.quality))
    }
}

/// Encode an image as a JPEG file.
///
/// ``image`` is an array of ``uint8``, or of ``uint16`` with samples of ``bits`` bits: ``[height, width]`` for gray,
/// ``[height, width, samples]``, ``[samples, height, width]``, or a tuple of the planes Y, Cb and Cr, whose extents say
/// how chroma is subsampled. It may have any strides. It must not change during the call, which releases the GIL.
///
/// An image of Pillow is turned as its Exif data says, laid over the background, and keeps the metadata that
/// ``copy_metadata`` names.
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
    let content = Content::new(pixels, bits, planar)?;
    let file = file_of(py, &settings, &Source::of(image, &content, &settings)?, &content)?;
    Ok(PyBytes::new(py, &file))
}

/// An encoder is shared by threads.
const _: () = {
    const fn is_sync<T: Sync + Send>() {}
    is_sync::<JpegEncoder>();
};
