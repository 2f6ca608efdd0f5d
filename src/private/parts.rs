//! Tensors of the runtime library at a kernel's entry.

use super::Runtime;
use shim_core::{Block, Parts, PartsError, PartsMut, View, ViewMut};

/// A runtime tensor that a kernel reads.
pub trait Readable<T, const N: usize> {
    /// Its memory, base, extents and strides.
    fn read_parts(&self) -> Result<Parts<'_, T, N>, PartsError>;
}

/// A runtime tensor that a kernel writes.
pub trait Writable<T, const N: usize> {
    /// Its memory, base, extents and strides.
    fn write_parts(&mut self) -> Result<PartsMut<'_, T, N>, PartsError>;
}

impl<T, const N: usize> Readable<T, N> for Block<T, N> {
    fn read_parts(&self) -> Result<Parts<'_, T, N>, PartsError> {
        self.__parts()
    }
}

impl<T, const N: usize> Readable<T, N> for View<'_, T, N> {
    fn read_parts(&self) -> Result<Parts<'_, T, N>, PartsError> {
        self.__parts()
    }
}

impl<T, const N: usize> Writable<T, N> for Block<T, N> {
    fn write_parts(&mut self) -> Result<PartsMut<'_, T, N>, PartsError> {
        self.__parts_mut()
    }
}

impl<T, const N: usize> Writable<T, N> for ViewMut<'_, T, N> {
    fn write_parts(&mut self) -> Result<PartsMut<'_, T, N>, PartsError> {
        self.__parts_mut()
    }
}

impl Runtime {
    /// A tensor taken apart to be read.
    ///
    /// # Panics
    /// If a factor of it is not one, or it reaches outside its memory.
    #[inline]
    pub fn parts<'t, T: 't, const N: usize>(
        self,
        kernel: &str,
        tensor: &str,
        value: &'t impl Readable<T, N>,
    ) -> (&'t [T], isize, [isize; N], [isize; N]) {
        match value.read_parts() {
            Ok(parts) => {
                (parts.memory, parts.base, parts.extents.map(|extent| extent as isize), parts.strides)
            }
            Err(error) => refuse(kernel, tensor, &error),
        }
    }

    /// A tensor taken apart to be written.
    ///
    /// # Panics
    /// If a factor of it is not one, or it reaches outside its memory.
    #[inline]
    pub fn parts_mut<'t, T: 't, const N: usize>(
        self,
        kernel: &str,
        tensor: &str,
        value: &'t mut impl Writable<T, N>,
    ) -> (&'t mut [T], isize, [isize; N], [isize; N]) {
        match value.write_parts() {
            Ok(parts) => {
                (parts.memory, parts.base, parts.extents.map(|extent| extent as isize), parts.strides)
            }
            Err(error) => refuse(kernel, tensor, &error),
        }
    }
}

#[cold]
#[track_caller]
#[inline(never)]
fn refuse(kernel: &str, tensor: &str, error: &PartsError) -> ! {
    panic!("shim: `{kernel}` cannot take `{tensor}`: {error}")
}
