//! Exceptions: those of `shim_codecs._errors`, with the messages of the encoders.

use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;

/// The classes of `shim_codecs._errors`.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Class {
    /// A setting that is out of range, or that others contradict.
    Setting,
    /// An array whose extents do not fit.
    Array,
    /// An array of another type.
    ArrayType,
    /// A file that is not an image, or damaged.
    Image,
    /// The operating system refused.
    Resource,
}

impl Class {
    const fn name(self) -> &'static str {
        match self {
            Self::Setting => "SettingError",
            Self::Array => "ArrayError",
            Self::ArrayType => "ArrayTypeError",
            Self::Image => "ImageError",
            Self::Resource => "ResourceError",
        }
    }

    /// An exception of this class.
    pub(crate) fn error(self, message: impl ToString) -> PyErr {
        static MODULE: PyOnceLock<Py<PyModule>> = PyOnceLock::new();
        Python::attach(|py| {
            let class = || -> PyResult<Bound<'_, PyType>> {
                let import = || py.import("shim_codecs._errors").map(Bound::unbind);
                let module = MODULE.get_or_try_init(py, import)?.bind(py);
                Ok(module.getattr(self.name())?.cast_into::<PyType>()?)
            };
            match class() {
                Ok(class) => PyErr::from_type(class, message.to_string()),
                Err(error) => error,
            }
        })
    }
}

/// The exception of an error of `shim_jpeg`.
pub(crate) fn jpeg(error: shim_jpeg::Error) -> PyErr {
    use shim_jpeg::Error;
    let class = match &error {
        Error::Io(_) => {
            let Error::Io(error) = error else { unreachable!("matched above") };
            return std::io::Error::from(error).into();
        }
        Error::Dimensions { .. }
        | Error::Stride { .. }
        | Error::TooFewSamples { .. }
        | Error::Planes { .. }
        | Error::Sample { .. }
        | Error::Samples => Class::Array,
        Error::Threads(_) => Class::Resource,
        _ => Class::Setting,
    };
    class.error(error)
}

/// The exception of an error of `shim_h264`.
pub(crate) fn h264(error: shim_h264::Error) -> PyErr {
    use shim_h264::Error;
    let class = match &error {
        Error::FrameSize { .. } | Error::Plane { .. } => Class::Array,
        Error::Threads(_) => Class::Resource,
        _ => Class::Setting,
    };
    class.error(error)
}

/// The exception of an error of `shim_picture`.
pub(crate) fn picture(error: shim_picture::Error) -> PyErr {
    match error {
        shim_picture::Error::Read(error) => error.into(),
        shim_picture::Error::Profile { .. } => Class::Setting.error(error),
        error => Class::Image.error(error),
    }
}
