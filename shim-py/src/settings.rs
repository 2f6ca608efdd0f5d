//! Settings as keyword arguments.

use pyo3::exceptions::{PyOverflowError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

use crate::errors::Class;

/// What pickle keeps of an encoder: how to make it, of its class and its settings.
pub(crate) type Reduced<'py> = (Bound<'py, PyAny>, (Bound<'py, PyAny>, Bound<'py, PyDict>));

/// One keyword argument.
pub(crate) struct Setting<'py> {
    pub(crate) name: String,
    pub(crate) value: Bound<'py, PyAny>,
}

impl<'py> Setting<'py> {
    /// The keyword arguments of a call.
    pub(crate) fn all(settings: Option<&Bound<'py, PyDict>>) -> PyResult<Vec<Self>> {
        let Some(settings) = settings else { return Ok(Vec::new()) };
        settings.iter().map(|(name, value)| Ok(Self { name: name.extract()?, value })).collect()
    }

    /// The value, which is out of range where it has another sign or size.
    pub(crate) fn get<T>(&self) -> PyResult<T>
    where
        T: for<'a> FromPyObject<'a, 'py, Error = PyErr>,
    {
        self.value.extract::<T>().map_err(|error| self.named(error))
    }

    /// The same, or `None`.
    pub(crate) fn optional<T>(&self) -> PyResult<Option<T>>
    where
        T: for<'a> FromPyObject<'a, 'py, Error = PyErr>,
    {
        if self.value.is_none() { Ok(None) } else { self.get().map(Some) }
    }

    /// Text, of a string.
    pub(crate) fn text(&self) -> PyResult<String> {
        let text = self.value.cast::<PyString>().map_err(|error| self.named(error.into()))?;
        Ok(text.to_string())
    }

    /// An error with the name of the setting.
    fn named(&self, error: PyErr) -> PyErr {
        let (py, name) = (self.value.py(), &self.name);
        if error.is_instance_of::<PyOverflowError>(py) {
            return Class::Setting.error(format!("{name} {} is out of range", self.value));
        }
        if error.is_instance_of::<PyTypeError>(py) {
            return PyTypeError::new_err(format!("{name}: {}", error.value(py)));
        }
        error
    }

    /// The error of a name that no setting has.
    pub(crate) fn unknown(&self, of: &str) -> PyErr {
        PyTypeError::new_err(format!("{of} has no setting '{}'", self.name))
    }
}
