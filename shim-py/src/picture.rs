//! Images of Pillow and image files, as `shim jpeg` reads them.

use std::path::PathBuf;
use std::{fs, io};

use pyo3::buffer::PyBuffer;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use shim_files::Target;
use shim_jpeg::Density;
use shim_picture::folder::{self, Found, WalkError};
use shim_picture::metadata::without_identifier;
use shim_picture::{Bitmap, Channels, Metadata, Options, Orientation, Picture, Samples};

use crate::errors::{self, Class};

/// Whether an object is an image of Pillow.
pub(crate) fn is_pillow(object: &Bound<'_, PyAny>) -> PyResult<bool> {
    let py = object.py();
    Ok(object.hasattr(pyo3::intern!(py, "getexif"))? && object.hasattr(pyo3::intern!(py, "tobytes"))?)
}

/// An image of Pillow, turned and over the background.
pub(crate) fn of_pillow(image: &Bound<'_, PyAny>, options: Options) -> PyResult<Picture> {
    type Parts<'py> = (String, usize, usize, Bound<'py, PyBytes>, Bound<'py, PyDict>);
    let py = image.py();
    let parts = py.import("shim_codecs._pillow")?.call_method1("take_apart", (image,))?;
    let (channels, width, height, data, metadata): Parts<'_> = parts.extract()?;
    let data = data.as_bytes();
    let (channels, samples) = match &*channels {
        "gray" => (Channels::Gray, Samples::Bytes(data.to_vec())),
        "gray16" => {
            let words = data.as_chunks().0.iter().map(|&pair| u16::from_ne_bytes(pair));
            (Channels::Gray, Samples::Words(words.collect()))
        }
        "grayalpha" => (Channels::GrayAlpha, Samples::Bytes(data.to_vec())),
        "rgba" => (Channels::Rgba, Samples::Bytes(data.to_vec())),
        "ycbcr" => (Channels::YCbCr, Samples::Bytes(data.to_vec())),
        "cmyk" => (Channels::Cmyk, Samples::Bytes(data.to_vec())),
        _ => (Channels::Rgb, Samples::Bytes(data.to_vec())),
    };
    let bitmap = Bitmap::new(width, height, channels, samples)
        .ok_or_else(|| Class::Array.error("the image has fewer samples than its size says"))?;
    let (metadata, orientation) = of_metadata(&metadata)?;
    py.detach(|| Ok(Picture::of(bitmap, metadata, orientation, options)))
}

/// Metadata by the names of `_pillow.take_apart`, and the orientation.
fn of_metadata(metadata: &Bound<'_, PyDict>) -> PyResult<(Metadata, Option<Orientation>)> {
    let get = |name| metadata.get_item(name).map(|value| value.filter(|value| !value.is_none()));
    let bytes = |name| -> PyResult<Option<Vec<u8>>> { Ok(get(name)?.and_then(|value| value.extract().ok())) };
    let density = get("dpi")?.and_then(|dpi| {
        let (x, y): (f64, f64) = dpi.extract().ok()?;
        let whole = |value: f64| (0.5..65535.5).contains(&value).then(|| value.round() as u16);
        Some(Density::PerInch(whole(x)?, whole(y)?))
    });
    let found = Metadata {
        icc: bytes("icc")?,
        exif: bytes("exif")?.map(without_identifier),
        xmp: bytes("xmp")?,
        comments: bytes("comment")?.into_iter().collect(),
        density,
        ..Metadata::default()
    };
    let orientation = get("orientation")?.and_then(|value| value.extract().ok());
    Ok((found, orientation.and_then(Orientation::new)))
}

/// An image file, by its path or its bytes.
pub(crate) fn of_file(file: &Bound<'_, PyAny>, options: Options) -> PyResult<Picture> {
    let py = file.py();
    if let Ok(bytes) = file.cast::<PyBytes>() {
        let bytes = bytes.as_bytes();
        return py.detach(|| Picture::decode(bytes, options, &mut ())).map_err(errors::picture);
    }
    let bytes = match file.extract::<PathBuf>() {
        Ok(path) => py.detach(|| fs::read(path))?,
        Err(_) => PyBuffer::<u8>::get(file)?.to_vec(py)?,
    };
    py.detach(|| Picture::decode(&bytes, options, &mut ())).map_err(errors::picture)
}

/// Issues warnings of what an image loses.
pub(crate) fn warn(py: Python<'_>, warnings: &[String]) -> PyResult<()> {
    let class = py.import("shim_codecs._errors")?.getattr("ImageWarning")?;
    for warning in warnings {
        py.import("warnings")?.call_method1("warn", (warning, &class, 2))?;
    }
    Ok(())
}

/// Write a file as a whole or not at all, with at most the permissions of its source, and create its folder.
#[pyfunction]
pub(crate) fn write_file(path: PathBuf, data: &[u8], source: PathBuf) -> PyResult<()> {
    Ok(Target { make_folder: true, source: Some(source), ..Target::replacing(path) }.write(data)?)
}

/// The images below a folder, by their paths from there, without those in the folder ``written``.
#[pyfunction]
pub(crate) fn images_below(folder: PathBuf, written: PathBuf) -> PyResult<Vec<PathBuf>> {
    let place = |found: Result<Found, WalkError>| found.map(|found| found.place).map_err(io::Error::from);
    Ok(folder::images(&folder, &written).map(place).collect::<Result<_, _>>()?)
}
