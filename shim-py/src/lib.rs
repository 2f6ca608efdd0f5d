//! The extension module `shim_codecs._native`. The package in `python/` documents it.

mod array;
mod errors;
mod h264;
mod interrupt;
mod jpeg;
mod mp4;
mod picture;
mod settings;

use pyo3::prelude::*;

use crate::errors::Class;

/// Limits the instruction sets that the JPEG encoder uses, for the benchmark.
#[pyfunction]
fn _limit_simd(level: &str) -> PyResult<()> {
    shim_jpeg::limit_simd(level.parse().map_err(|error| Class::Setting.error(error))?);
    Ok(())
}

#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<jpeg::JpegEncoder>()?;
    module.add_class::<h264::H264Encoder>()?;
    module.add_class::<h264::PyPacket>()?;
    module.add_class::<mp4::Mp4Writer>()?;
    module.add_function(wrap_pyfunction!(jpeg::encode_jpeg, module)?)?;
    module.add_function(wrap_pyfunction!(picture::images_below, module)?)?;
    module.add_function(wrap_pyfunction!(picture::write_file, module)?)?;
    module.add_function(wrap_pyfunction!(_limit_simd, module)?)?;
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    Ok(())
}
