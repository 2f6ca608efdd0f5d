//! An encoder that keeps its memory from one image to the next.

use std::cell::RefCell;
use std::ffi::{CStr, c_char};
use std::ptr::{null, null_mut};

use crate::encoder::Encoder;
use crate::handle::{Handle, Message, busy, call, free, message};
use crate::image::{Description, Image};
use crate::memory::{borrow, caught};
use crate::status::{Failure, Status};

/// An encoder that keeps its memory from one image to the next, for thumbnails, tiles and frames of video.
///
/// Sequential files without optimized Huffman tables, by one thread, are encoded without any allocation if the image
/// before had the same width, height and pixels, and a file as long. Everything else is encoded as well, as
/// `shim_jpeg_encode` does.
///
/// One thread at a time may use it, and the text of its last error. It does not need the encoder that it came from.
#[derive(Debug)]
pub struct Compressor {
    kept: RefCell<Kept>,
    message: Message,
}

#[derive(Debug)]
struct Kept {
    settings: shim_jpeg::Encoder,
    /// None at first, and after a panic, whose memory is not looked at again.
    compressor: Option<shim_jpeg::Compressor>,
    /// The last file.
    file: Vec<u8>,
}

impl Compressor {
    /// Encodes an image, and hands the file to `action`.
    fn encode(
        &self,
        image: &shim_jpeg::Image<'_>,
        action: impl FnOnce(&[u8]) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let mut kept = self.kept.try_borrow_mut().map_err(|_| busy())?;
        let Kept { settings, compressor, file } = &mut *kept;
        let mut own = compressor.take().unwrap_or_else(|| settings.compressor());
        let result = own.encode_into(image, file);
        *compressor = Some(own);
        result?;
        action(file)
    }
}

impl Handle for Compressor {
    const NAME: &str = "compressor";
    const NULL: &CStr = c"`compressor` is null";

    fn message(&self) -> &Message {
        &self.message
    }
}

/// A new compressor with the current settings of the encoder, which may be changed and freed afterwards; null if
/// `encoder` is null. Free it with `shim_jpeg_compressor_free`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn shim_jpeg_compressor_new(encoder: *const Encoder) -> *mut Compressor {
    let made = caught(|| {
        // SAFETY: an encoder that was not freed, or null, by the rules of the library.
        let encoder = unsafe { borrow(encoder, "encoder") }?;
        encoder.with_settings(|settings| {
            let kept = Kept { settings: settings.clone(), compressor: None, file: Vec::new() };
            let compressor = Compressor { kept: RefCell::new(kept), message: Message::default() };
            Ok(Box::into_raw(Box::new(compressor)))
        })
    });
    made.unwrap_or(null_mut())
}

/// Encodes an image into memory of the compressor, as a complete file, identical to that of `shim_jpeg_encode`. `*data`
/// and `*size` receive its first byte and its size, valid until the next call with the compressor; null and 0 after an
/// error, after which the next image can be encoded.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn shim_jpeg_compressor_encode(
    compressor: *mut Compressor,
    image: *const Image,
    data: *mut *const u8,
    size: *mut usize,
) -> Status {
    let tell = |start: *const u8, length: usize| {
        if !data.is_null() {
            // SAFETY: a pointer to a pointer, by the rules of the library; it is not null.
            unsafe { data.write_unaligned(start) };
        }
        if !size.is_null() {
            // SAFETY: a pointer to a size, by the rules of the library; it is not null.
            unsafe { size.write_unaligned(length) };
        }
    };
    tell(null(), 0);
    let action = |compressor: &Compressor| {
        for (pointer, name) in [(data.is_null(), "data"), (size.is_null(), "size")] {
            if pointer {
                return Err(Failure::null(name));
            }
        }
        // SAFETY: an image as it is described, or null, by the rules of the library.
        let image = unsafe { Description::read(image) }?;
        image.with(|image| {
            compressor.encode(image, |file| {
                tell(file.as_ptr(), file.len());
                Ok(())
            })
        })
    };
    // SAFETY: a compressor that was not freed, or null, by the rules of the library.
    unsafe { call(compressor, action) }
}

/// Message, in English, of the last call with this compressor that failed; empty if none did. Never null, and valid
/// until the next call with the compressor.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn shim_jpeg_compressor_error_message(compressor: *const Compressor) -> *const c_char {
    // SAFETY: a compressor that was not freed, or null, by the rules of the library.
    unsafe { message(compressor) }
}

/// Frees a compressor, with the file that it holds. Does nothing if it is null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn shim_jpeg_compressor_free(compressor: *mut Compressor) {
    // SAFETY: `new` made it by `into_raw`, or it is null; the rest is so by the rules of the library. It has no
    // callbacks, so that it never is in use here.
    unsafe { free(compressor, |_| false) }
}

#[cfg(test)]
mod tests;
