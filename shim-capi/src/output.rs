//! Encoding to memory and to a callback.

use std::cell::Cell;
use std::ffi::{c_int, c_void};
use std::io;
use std::ptr::{null, null_mut};

use shim_jpeg::{Encoder as Settings, Fitted, Image as Pixels};

use crate::encoder::Encoder;
use crate::handle::call;
use crate::image::{Description, Image};
use crate::memory::caught;
use crate::status::{Failure, Status};

/// A file in memory, owned by the library.
#[derive(Debug)]
pub struct Buffer {
    bytes: Vec<u8>,
}

/// Receives `size` bytes of a file at `data`, which are valid only during the call. A return value other than 0 stops
/// the encoder, which then returns `SHIM_ERROR_WRITE`. `user` is the argument of the encoding function.
pub type WriteFunction =
    Option<unsafe extern "C" fn(user: *mut c_void, data: *const u8, size: usize) -> c_int>;

/// Receives the number of pixel rows done, of all rows of the image. `user` is the argument of the encoding function.
pub type ProgressFunction = Option<unsafe extern "C" fn(user: *mut c_void, done: usize, all: usize)>;

/// The callback as Rust writes to it.
pub(crate) struct Callback {
    write: unsafe extern "C" fn(*mut c_void, *const u8, usize) -> c_int,
    user: *mut c_void,
}

impl Callback {
    /// The callback, unless it is null.
    pub(crate) fn new(write: WriteFunction, user: *mut c_void) -> Result<Self, Failure> {
        Ok(Self { write: write.ok_or_else(|| Failure::null("write"))?, user })
    }
}

impl io::Write for Callback {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // SAFETY: by the rules of the library the function may be called with these arguments, and returns. What it may
        // do to the object it came from is ruled out by its cells.
        match unsafe { (self.write)(self.user, bytes.as_ptr(), bytes.len()) } {
            0 => Ok(bytes.len()),
            code => Err(io::Error::other(format!("the callback returned {code}"))),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Encodes an image into memory, as a complete file. `*file` receives a new buffer, to be freed with
/// `shim_jpeg_buffer_free`, or null after an error.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn shim_jpeg_encode(
    encoder: *mut Encoder,
    image: *const Image,
    file: *mut *mut Buffer,
) -> Status {
    // SAFETY: what was handed over is as the rules of the library say.
    unsafe { to_buffer(encoder, image, file, |settings, image| Ok(settings.encode(image)?)) }
}

/// Encodes as `shim_jpeg_encode` does, with the highest quality whose file has at most `size` bytes. `*quality`
/// receives the quality, or 0 after an error; `quality` may be null. Encodes the image up to eight times. Returns
/// `SHIM_ERROR_TARGET` if the file is larger even at quality 1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn shim_jpeg_encode_within(
    encoder: *mut Encoder,
    image: *const Image,
    size: usize,
    quality: *mut c_int,
    file: *mut *mut Buffer,
) -> Status {
    let fit = |settings: &Settings, image: &Pixels<'_>| Ok(settings.encode_within(image, size)?);
    // SAFETY: what was handed over is as the rules of the library say.
    unsafe { fitted(encoder, image, quality, file, fit) }
}

/// Encodes as `shim_jpeg_encode` does, with the lowest quality whose components have a PSNR of at least `decibels` dB,
/// before a decoder rounds and converts them. `*quality` receives the quality, or 0 after an error; `quality` may be
/// null. Returns `SHIM_ERROR_TARGET` if quality 100 does not reach the PSNR, or it is not a positive number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn shim_jpeg_encode_reaching(
    encoder: *mut Encoder,
    image: *const Image,
    decibels: f64,
    quality: *mut c_int,
    file: *mut *mut Buffer,
) -> Status {
    let fit = |settings: &Settings, image: &Pixels<'_>| Ok(settings.encode_reaching(image, decibels)?);
    // SAFETY: what was handed over is as the rules of the library say.
    unsafe { fitted(encoder, image, quality, file, fit) }
}

/// Encodes to memory, and says by which quality.
unsafe fn fitted(
    encoder: *mut Encoder,
    image: *const Image,
    quality: *mut c_int,
    file: *mut *mut Buffer,
    fit: impl FnOnce(&Settings, &Pixels<'_>) -> Result<Fitted, Failure>,
) -> Status {
    let found = Cell::new(0);
    let encode = |settings: &Settings, image: &Pixels<'_>| {
        let Fitted { quality, file, .. } = fit(settings, image)?;
        found.set(quality.into());
        Ok(file)
    };
    // SAFETY: what was handed over is as the rules of the library say.
    let status = unsafe { to_buffer(encoder, image, file, encode) };
    if !quality.is_null() {
        // SAFETY: a pointer to a number, by the rules of the library; it is not null.
        unsafe { quality.write_unaligned(found.get()) };
    }
    status
}

/// Makes a buffer of what `encode` returns.
unsafe fn to_buffer(
    encoder: *mut Encoder,
    image: *const Image,
    file: *mut *mut Buffer,
    encode: impl FnOnce(&Settings, &Pixels<'_>) -> Result<Vec<u8>, Failure>,
) -> Status {
    if !file.is_null() {
        // SAFETY: a pointer to a pointer, by the rules of the library.
        unsafe { file.write_unaligned(null_mut()) };
    }
    let action = |encoder: &Encoder| {
        if file.is_null() {
            return Err(Failure::null("file"));
        }
        // SAFETY: an image as it is described, or null, by the rules of the library.
        let image = unsafe { Description::read(image) }?;
        let bytes = encoder.with_settings(|settings| image.with(|image| encode(settings, image)))?;
        let buffer = Box::into_raw(Box::new(Buffer { bytes }));
        // SAFETY: a pointer to a pointer, by the rules of the library; it is not null.
        unsafe { file.write_unaligned(buffer) };
        Ok(())
    };
    // SAFETY: an encoder that was not freed, or null, by the rules of the library.
    unsafe { call(encoder, action) }
}

/// Encodes an image and passes the file to `write` in chunks of at least one MCU row. All errors except
/// `SHIM_ERROR_WRITE` are detected before the first chunk. The callback must not change the encoder, which returns
/// `SHIM_ERROR_BUSY`.
///
/// Memory grows with the width of the image but not with its height, except for progressive and optimized files.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn shim_jpeg_encode_to(
    encoder: *mut Encoder,
    image: *const Image,
    write: WriteFunction,
    user: *mut c_void,
) -> Status {
    // SAFETY: what was handed over is as the rules of the library say.
    unsafe { shim_jpeg_encode_with_progress(encoder, image, write, None, user) }
}

/// Encodes as `shim_jpeg_encode_to` does, and calls `progress`, if it is not null, along the way on the calling thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn shim_jpeg_encode_with_progress(
    encoder: *mut Encoder,
    image: *const Image,
    write: WriteFunction,
    progress: ProgressFunction,
    user: *mut c_void,
) -> Status {
    let action = |encoder: &Encoder| {
        let writer = Callback::new(write, user)?;
        let tell = |done, all| {
            if let Some(progress) = progress {
                // SAFETY: by the rules of the library the function may be called with these arguments, and returns.
                unsafe { progress(user, done, all) };
            }
        };
        // SAFETY: an image as it is described, or null, by the rules of the library.
        let image = unsafe { Description::read(image) }?;
        encoder.with_settings(|settings| {
            image.with(|image| Ok(settings.encode_with_progress(image, writer, tell)?))
        })
    };
    // SAFETY: an encoder that was not freed, or null, by the rules of the library.
    unsafe { call(encoder, action) }
}

/// First byte of a buffer, valid until the buffer is freed; null if `buffer` is null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn shim_jpeg_buffer_data(buffer: *const Buffer) -> *const u8 {
    // SAFETY: a buffer that was not freed, or null, by the rules of the library; it never changes.
    unsafe { buffer.as_ref() }.map_or(null(), |buffer| buffer.bytes.as_ptr())
}

/// Size of a buffer in bytes; 0 if it is null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn shim_jpeg_buffer_size(buffer: *const Buffer) -> usize {
    // SAFETY: a buffer that was not freed, or null, by the rules of the library; it never changes.
    unsafe { buffer.as_ref() }.map_or(0, |buffer| buffer.bytes.len())
}

/// Frees a buffer. Does nothing if it is null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn shim_jpeg_buffer_free(buffer: *mut Buffer) {
    let freed = caught(|| {
        if !buffer.is_null() {
            // SAFETY: `into_raw` of a box made the pointer, which by the rules of the library is not used again.
            drop(unsafe { Box::from_raw(buffer) });
        }
        Ok(())
    });
    // There is nobody to tell.
    let _ = freed;
}

#[cfg(test)]
mod tests;
