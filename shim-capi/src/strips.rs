//! Encoding of an image from strips of rows.

use std::cell::RefCell;
use std::ffi::{CStr, c_char, c_void};
use std::ptr::null_mut;

use shim_jpeg::Error;

use crate::encoder::Encoder;
use crate::handle::{Handle, Message, busy, call, free, message};
use crate::image::{Description, Image, Sample};
use crate::output::{Callback, WriteFunction};
use crate::status::{Failure, SHIM_ERROR_STRIPS, SHIM_ERROR_WRITE, Status};

/// A file under way, of an image of which some rows are there at a time.
///
/// One thread at a time may use it, and the text of its last error. It does not need the encoder that it came from.
pub struct Strips {
    /// None when nothing more can be written.
    file: RefCell<Option<shim_jpeg::Strips<Callback>>>,
    message: Message,
}

impl Handle for Strips {
    const NAME: &str = "strips";
    const NULL: &CStr = c"`strips` is null";

    fn message(&self) -> &Message {
        &self.message
    }
}

impl Strips {
    /// Hands the file to `action`, which returns it if it can go on. It cannot after a panic.
    fn step(
        &self,
        action: impl FnOnce(
            shim_jpeg::Strips<Callback>,
        ) -> (Option<shim_jpeg::Strips<Callback>>, Result<(), Failure>),
    ) -> Result<(), Failure> {
        let mut file = self.file.try_borrow_mut().map_err(|_| busy())?;
        let taken = file.take().ok_or_else(|| {
            Failure::new(SHIM_ERROR_STRIPS, "the file has been ended, or could not be written")
        })?;
        let (left, result) = action(taken);
        *file = left;
        result
    }

    fn is_busy(&self) -> bool {
        self.file.try_borrow_mut().is_err()
    }
}

/// Starts a file of an image to be pushed in strips. `whole` describes the image without its samples: number, contents
/// and stride of the planes are ignored. From this call until the end of the file, `write` receives the file. `*strips`
/// is to be freed with `shim_jpeg_strips_free`; it is null after an error, whose message the encoder has.
///
/// The file is identical to that of `shim_jpeg_encode_to`. The encoder may be changed and freed after this call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn shim_jpeg_strips_new(
    encoder: *mut Encoder,
    whole: *const Image,
    write: WriteFunction,
    user: *mut c_void,
    strips: *mut *mut Strips,
) -> Status {
    if !strips.is_null() {
        // SAFETY: a pointer to a pointer, by the rules of the library.
        unsafe { strips.write_unaligned(null_mut()) };
    }
    let action = |encoder: &Encoder| {
        if strips.is_null() {
            return Err(Failure::null("strips"));
        }
        let writer = Callback::new(write, user)?;
        // SAFETY: an image as it is described, or null, by the rules of the library.
        let (whole, pixels, subsampling) = unsafe { Image::read(whole) }?;
        if subsampling.is_some() {
            return Err(Failure::new(SHIM_ERROR_STRIPS, "subsampled planes do not come in strips"));
        }
        let sample = whole.sample()?;
        let [width, height] = [whole.width, whole.height].map(|side| side as usize);
        let file = encoder.with_settings(|settings| {
            Ok(match sample {
                Sample::Byte => settings.strips(pixels, width, height, writer)?,
                Sample::Word(bits) => settings.strips16(bits, pixels, width, height, writer)?,
            })
        })?;
        let begun = Strips { file: RefCell::new(Some(file)), message: Message::default() };
        // SAFETY: a pointer to a pointer, by the rules of the library; it is not null.
        unsafe { strips.write_unaligned(Box::into_raw(Box::new(begun))) };
        Ok(())
    };
    // SAFETY: an encoder that was not freed, or null, by the rules of the library.
    unsafe { call(encoder, action) }
}

/// Appends the rows of `strip`, one or more, below the previous ones. The strip must have the width, pixel format and
/// sample precision of the image, and be interleaved if the first strip was; otherwise it is rejected, and encoding can
/// continue. After `SHIM_ERROR_WRITE` it cannot.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn shim_jpeg_strips_push(strips: *mut Strips, strip: *const Image) -> Status {
    let action = |strips: &Strips| {
        // SAFETY: an image as it is described, or null, by the rules of the library.
        let strip = unsafe { Description::read(strip) }?;
        strips.step(|mut file| {
            let result = strip.with(|strip| Ok(file.push(strip)?));
            let broken = result.as_ref().is_err_and(|failure| failure.status == SHIM_ERROR_WRITE);
            ((!broken).then_some(file), result)
        })
    };
    // SAFETY: strips that were not freed, or null, by the rules of the library.
    unsafe { call(strips, action) }
}

/// Completes the file. Fails if rows are missing, which can still be pushed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn shim_jpeg_strips_finish(strips: *mut Strips) -> Status {
    let action = |strips: &Strips| {
        strips.step(|file| {
            if file.remaining() > 0 {
                return (Some(file), Err(Error::Strip.into()));
            }
            (None, file.finish().map(drop).map_err(Failure::from))
        })
    };
    // SAFETY: strips that were not freed, or null, by the rules of the library.
    unsafe { call(strips, action) }
}

/// Message, in English, of the last call with these strips that failed; empty if none did. Never null, and valid until
/// the next call with the strips.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn shim_jpeg_strips_error_message(strips: *const Strips) -> *const c_char {
    // SAFETY: strips that were not freed, or null, by the rules of the library.
    unsafe { message(strips) }
}

/// Frees strips; a file that is not finished remains incomplete. Does nothing if it is null, or in the callback.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn shim_jpeg_strips_free(strips: *mut Strips) {
    // SAFETY: `new` made them by `into_raw`, or they are null; the rest is so by the rules of the library. A callback
    // is called by a function that has borrowed the file.
    unsafe { free(strips, Strips::is_busy) }
}

#[cfg(test)]
mod tests;
