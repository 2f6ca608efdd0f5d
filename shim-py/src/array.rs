//! Arrays of Python's buffer protocol as rows of samples.
//!
//! # Safety
//!
//! A buffer that is exported stays where it is until it is released, and holds every element that its shape and strides
//! reach (PEP 3118). An
//! [`Array`] keeps its export. Another thread may write to the elements in the meantime: the documentation says that a
//! caller must not let that happen, as in all libraries that read arrays without the GIL.
#![allow(unsafe_code, reason = "the memory of buffers is given by pointers")]

use std::borrow::Cow;
use std::ops::Range;
use std::{array, slice};

use pyo3::buffer::{ElementType, PyBuffer, PyUntypedBuffer};
use pyo3::prelude::*;

use crate::errors::Class;

/// The type of samples.
pub(crate) trait Sample: Copy + Send + Sync + 'static {
    const BYTES: usize;
    const ZERO: Self;
}

impl Sample for u8 {
    const BYTES: usize = 1;
    const ZERO: Self = 0;
}

impl Sample for u16 {
    const BYTES: usize = 2;
    const ZERO: Self = 0;
}

/// An array of `uint8` or `uint16`, of any strides.
pub(crate) struct Array {
    buffer: PyUntypedBuffer,
    /// Bytes of a sample, 1 or 2.
    pub(crate) bytes: usize,
}

/// Samples in rows: row `y` begins at `y * stride`. They are copied where the array has them in another order.
#[derive(Clone, Debug)]
pub(crate) struct Rows<'a, T: Clone> {
    pub(crate) samples: Cow<'a, [T]>,
    pub(crate) stride: usize,
}

impl Array {
    /// The array that an object is, or can be seen as: by the buffer protocol, by `DLPack`, or by numpy.
    pub(crate) fn of(object: &Bound<'_, PyAny>) -> PyResult<Self> {
        let buffer = match PyUntypedBuffer::get(object) {
            Ok(buffer) => buffer,
            Err(_) => {
                let array = object.py().import("shim_codecs._arrays")?.call_method1("as_array", (object,))?;
                PyUntypedBuffer::get(&array)
                    .map_err(|error| Class::Array.error(format!("not an image: {error}")))?
            }
        };
        let foreign: &[u8] = if cfg!(target_endian = "little") { b">!" } else { b"<" };
        let swapped = buffer.format().to_bytes().first().is_some_and(|order| foreign.contains(order));
        let bytes = match ElementType::from_format(buffer.format()) {
            ElementType::UnsignedInteger { bytes } if bytes == 1 || bytes == 2 && !swapped => bytes,
            _ => {
                let format = buffer.format().to_string_lossy();
                let message =
                    format!("samples must be uint8 or native uint16, got the buffer format '{format}'");
                return Err(Class::ArrayType.error(message));
            }
        };
        if buffer.suboffsets().is_some() {
            return Err(Class::ArrayType.error("arrays with suboffsets are not supported"));
        }
        let aligned = buffer.buf_ptr().addr().is_multiple_of(bytes)
            && buffer.strides().iter().all(|stride| stride.unsigned_abs().is_multiple_of(bytes));
        if !aligned {
            return Err(Class::ArrayType.error("uint16 samples must be aligned to two bytes"));
        }
        Ok(Self { buffer, bytes })
    }

    /// Extents of the axes.
    pub(crate) fn shape(&self) -> &[usize] {
        self.buffer.shape()
    }

    /// A view of all of it.
    pub(crate) fn view<T: Sample>(&self) -> View<'_, T> {
        assert_eq!(T::BYTES, self.bytes, "samples of another size");
        let strides = self.buffer.strides().iter().map(|&stride| stride / T::BYTES as isize).collect();
        View { array: self, first: self.buffer.buf_ptr().cast::<T>(), shape: self.shape().to_vec(), strides }
    }
}

/// Some axes of an array, in any order.
#[derive(Clone)]
pub(crate) struct View<'a, T> {
    array: &'a Array,
    /// The first element, which exists unless an extent is 0.
    first: *const T,
    shape: Vec<usize>,
    /// In elements.
    strides: Vec<isize>,
}

// SAFETY: elements are read alone, and the export of the array is not tied to a thread.
unsafe impl<T: Sample> Sync for View<'_, T> {}

impl<'a, T: Sample> View<'a, T> {
    /// The elements at an index of the first axis.
    pub(crate) fn slice(&self, index: usize) -> Self {
        assert!(index < self.shape[0], "index {index} of {}", self.shape[0]);
        let mut slice = self.moved(self.strides[0] * index as isize);
        slice.shape.remove(0);
        slice.strides.remove(0);
        slice
    }

    /// The same elements with the axes in another order.
    pub(crate) fn permuted(&self, axes: [usize; 3]) -> Self {
        let (shape, strides) = (axes.map(|axis| self.shape[axis]), axes.map(|axis| self.strides[axis]));
        Self { shape: shape.to_vec(), strides: strides.to_vec(), ..self.clone() }
    }

    /// The same elements with a last axis of extent 1.
    pub(crate) fn with_samples(mut self) -> Self {
        if self.shape.len() == 2 {
            self.shape.push(1);
            self.strides.push(1);
        }
        self
    }

    /// Extents of the axes.
    pub(crate) fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// The first elements along the last axis.
    pub(crate) fn first_samples(&self, count: usize) -> Self {
        let mut view = self.clone();
        if let Some(samples) = view.shape.last_mut() {
            *samples = count.min(*samples);
        }
        view
    }

    /// The same elements with the last axis in reverse, if that is how they lie in memory.
    pub(crate) fn unreversed(&self) -> Option<Self> {
        let &[.., extent] = &self.shape[..] else { return None };
        let &[.., -1] = &self.strides[..] else { return None };
        if self.shape.contains(&0) {
            return None;
        }
        let mut view = self.moved(1 - extent as isize);
        *view.strides.last_mut()? = 1;
        Some(view)
    }

    fn moved(&self, elements: isize) -> Self {
        // An index inside the shape has an element in the block of memory. With an empty axis nothing of it is read.
        Self { first: self.first.wrapping_offset(elements), ..self.clone() }
    }

    /// Whether rows can be read where they are.
    pub(crate) fn has_rows(&self) -> bool {
        let mut packed = 1;
        for (&extent, &stride) in self.shape.iter().zip(&self.strides).skip(1).rev() {
            if extent != 1 && stride != packed {
                return false;
            }
            packed *= extent as isize;
        }
        self.shape[0] == 1 || self.strides[0] >= packed
    }

    /// The rows of a plane of one or several samples a pixel: where they are, or in a copy.
    pub(crate) fn rows(&self) -> Rows<'a, T> {
        let row: usize = self.shape[1..].iter().product();
        let empty = self.shape.contains(&0);
        if empty || !self.has_rows() {
            let samples = self.clone().with_samples().gathered(0..self.shape[0]);
            return Rows { samples: Cow::Owned(samples), stride: row };
        }
        let high = self.shape[0];
        let stride = if high == 1 { row } else { self.strides[0] as usize };
        // SAFETY: the elements of the first row to those of the last are in one block of memory, which the export
        // keeps.
        let samples = unsafe { slice::from_raw_parts(self.first, (high - 1) * stride + row) };
        let _ = self.array;
        Rows { samples: Cow::Borrowed(samples), stride }
    }

    /// The elements of some rows of three axes, in the order of their indices.
    pub(crate) fn gathered(&self, rows: Range<usize>) -> Vec<T> {
        assert!(rows.end <= self.shape[0], "rows {rows:?} of {}", self.shape[0]);
        match self.shape[2] {
            1 => self.gather::<1>(rows),
            2 => self.gather::<2>(rows),
            3 => self.gather::<3>(rows),
            4 => self.gather::<4>(rows),
            samples => unreachable!("{samples} samples a pixel"),
        }
    }

    fn gather<const N: usize>(&self, rows: Range<usize>) -> Vec<T> {
        let (&[_, wide, _], &[down, right, next]) = (&self.shape[..], &self.strides[..]) else {
            unreachable!("an image has rows, pixels and samples");
        };
        // SAFETY: `at` is called for indices inside the shape, whose elements are in the memory of the buffer, aligned as
        // `Array::of` checked.
        let whole = |pixel: *const T| unsafe { *pixel.cast::<[T; N]>() };
        // SAFETY: as above.
        let apart =
            |pixel: *const T| array::from_fn(|c| unsafe { *pixel.wrapping_offset(c as isize * next) });
        let at = |y: usize, x: usize| self.first.wrapping_offset(y as isize * down + x as isize * right);
        let mut pixels: Vec<[T; N]> = Vec::with_capacity(rows.len() * wide);
        if right.abs() > down.abs() && rows.len() > 1 {
            // Down the columns, along which the elements are near one another.
            pixels.resize(rows.len() * wide, [T::ZERO; N]);
            for x in 0..wide {
                for (row, y) in pixels.chunks_exact_mut(wide).zip(rows.clone()) {
                    row[x] = if next == 1 { whole(at(y, x)) } else { apart(at(y, x)) };
                }
            }
            return pixels.into_flattened();
        }
        for y in rows {
            if wide > 0 && next == 1 && right == N as isize {
                // SAFETY: the elements of a row lie side by side, in the memory of the buffer.
                pixels.extend_from_slice(unsafe { slice::from_raw_parts(at(y, 0).cast::<[T; N]>(), wide) });
            } else if next == 1 {
                pixels.extend((0..wide).map(|x| whole(at(y, x))));
            } else {
                pixels.extend((0..wide).map(|x| apart(at(y, x))));
            }
        }
        pixels.into_flattened()
    }
}

impl<T: Sample> Rows<'_, T> {
    /// The same without gaps, of rows of so many samples.
    pub(crate) fn packed(self, row: usize) -> Self {
        if self.stride == row {
            return self;
        }
        let rows = self.samples.chunks(self.stride.max(1));
        let samples: Vec<T> = rows.flat_map(|samples| samples[..row].iter().copied()).collect();
        Self { samples: Cow::Owned(samples), stride: row }
    }
}

/// Writes a file to the beginning of a buffer.
pub(crate) fn write(buffer: &PyBuffer<u8>, file: &[u8]) -> PyResult<()> {
    let Some(room) = buffer.as_slice_ptr().filter(|_| !buffer.readonly()) else {
        return Err(Class::ArrayType.error("the buffer must be writable and contiguous"));
    };
    if room.len() < file.len() {
        let message = format!("the file has {} bytes, and the buffer {}", file.len(), room.len());
        return Err(Class::Array.error(message));
    }
    // SAFETY: the buffer is writable and has as many bytes; the file is memory of its own.
    unsafe { std::ptr::copy_nonoverlapping(file.as_ptr(), room.as_ptr().cast::<u8>(), file.len()) };
    Ok(())
}
