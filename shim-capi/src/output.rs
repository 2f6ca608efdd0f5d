//! Encoding, to memory and to a callback.

use std::ffi::{c_int, c_void};
use std::io;
use std::ptr::{null, null_mut};

use crate::encoder::Encoder;
use crate::handle::call;
use crate::image::{Description, Image};
use crate::memory::caught;
use crate::status::{Failure, Status};

/// A file in memory that the library owns.
#[derive(Debug)]
pub struct Buffer {
    bytes: Vec<u8>,
}

/// Takes `size` bytes of a file, which are at `data` during the call only. What is not 0 stops the encoder, which then returns
/// `SHIM_ERROR_WRITE`. `user` is what the encoder was called with.
pub type WriteFunction =
    Option<unsafe extern "C" fn(user: *mut c_void, data: *const u8, size: usize) -> c_int>;

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
        // SAFETY: by the rules of the library the function may be called with these arguments, and returns. What it may do to
        // the object it came from is ruled out by its cells.
        match unsafe { (self.write)(self.user, bytes.as_ptr(), bytes.len()) } {
            0 => Ok(bytes.len()),
            code => Err(io::Error::other(format!("the callback returned {code}"))),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Encodes an image to memory, as a whole file. `*file` is a new buffer, to be freed by `shim_jpeg_buffer_free`; null if
/// there was an error.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn shim_jpeg_encode(
    encoder: *mut Encoder,
    image: *const Image,
    file: *mut *mut Buffer,
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
        let bytes = encoder.with_settings(|settings| image.with(|image| Ok(settings.encode(image)?)))?;
        let buffer = Box::into_raw(Box::new(Buffer { bytes }));
        // SAFETY: a pointer to a pointer, by the rules of the library; it is not null.
        unsafe { file.write_unaligned(buffer) };
        Ok(())
    };
    // SAFETY: an encoder that was not freed, or null, by the rules of the library.
    unsafe { call(encoder, action) }
}

/// Encodes an image and hands the file to `write`, in pieces of at least a row of MCUs, as they come. All errors but
/// `SHIM_ERROR_WRITE` are found before the first piece. The callback may not change the encoder, which is
/// `SHIM_ERROR_BUSY`.
///
/// The memory used grows with the width of the image and not with its height, but for files that are progressive or
/// optimised.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn shim_jpeg_encode_to(
    encoder: *mut Encoder,
    image: *const Image,
    write: WriteFunction,
    user: *mut c_void,
) -> Status {
    let action = |encoder: &Encoder| {
        let writer = Callback::new(write, user)?;
        // SAFETY: an image as it is described, or null, by the rules of the library.
        let image = unsafe { Description::read(image) }?;
        encoder.with_settings(|settings| image.with(|image| Ok(settings.encode_to(image, writer)?)))
    };
    // SAFETY: an encoder that was not freed, or null, by the rules of the library.
    unsafe { call(encoder, action) }
}

/// The first byte of a buffer; null if `buffer` is. It stays until the buffer is freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn shim_jpeg_buffer_data(buffer: *const Buffer) -> *const u8 {
    // SAFETY: a buffer that was not freed, or null, by the rules of the library; it never changes.
    unsafe { buffer.as_ref() }.map_or(null(), |buffer| buffer.bytes.as_ptr())
}

/// The bytes of a buffer; 0 if it is null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn shim_jpeg_buffer_size(buffer: *const Buffer) -> usize {
    // SAFETY: a buffer that was not freed, or null, by the rules of the library; it never changes.
    unsafe { buffer.as_ref() }.map_or(0, |buffer| buffer.bytes.len())
}

/// Frees a buffer. Null is allowed, and nothing happens.
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
