//! The handle of an encoder.

use std::cell::RefCell;
use std::ffi::{CStr, c_char};
use std::ptr::null_mut;

use crate::handle::{Handle, Message, busy, call, free, message};
use crate::memory::{borrow, caught};
use crate::status::{Failure, Status};

/// A JPEG encoder: settings, and the message of the last error. It encodes any number of images.
///
/// One thread at a time may use an encoder and its error message.
#[derive(Debug)]
pub struct Encoder {
    settings: RefCell<shim_jpeg::Encoder>,
    message: Message,
}

impl Encoder {
    fn new(settings: shim_jpeg::Encoder) -> Self {
        Self { settings: RefCell::new(settings), message: Message::default() }
    }

    /// Replaces the settings by what `change` makes of them.
    pub(crate) fn change(
        &self,
        change: impl FnOnce(shim_jpeg::Encoder) -> shim_jpeg::Encoder,
    ) -> Result<(), Failure> {
        let mut settings = self.settings.try_borrow_mut().map_err(|_| busy())?;
        *settings = change(std::mem::take(&mut *settings));
        Ok(())
    }

    /// Hands the settings to `action`, during which they cannot change.
    pub(crate) fn with_settings<T>(
        &self,
        action: impl FnOnce(&shim_jpeg::Encoder) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        action(&*self.settings.try_borrow().map_err(|_| busy())?)
    }

    fn is_busy(&self) -> bool {
        self.settings.try_borrow_mut().is_err()
    }
}

impl Handle for Encoder {
    const NAME: &str = "encoder";
    const NULL: &CStr = c"`encoder` is null";

    fn message(&self) -> &Message {
        &self.message
    }
}

/// A new encoder with quality 90, 4:2:0, and sequential files with standard Huffman tables. Free it with
/// `shim_jpeg_encoder_free`. Null indicates a bug in the library.
#[unsafe(no_mangle)]
pub extern "C" fn shim_jpeg_encoder_new() -> *mut Encoder {
    caught(|| Ok(Box::into_raw(Box::new(Encoder::new(shim_jpeg::Encoder::new()))))).unwrap_or(null_mut())
}

/// A new encoder with the settings of another, such as for another thread; null if `encoder` is null. Free it with
/// `shim_jpeg_encoder_free`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn shim_jpeg_encoder_clone(encoder: *const Encoder) -> *mut Encoder {
    let copy = caught(|| {
        // SAFETY: an encoder that was not freed, or null, by the rules of the library.
        let encoder = unsafe { borrow(encoder, "encoder") }?;
        encoder.with_settings(|settings| Ok(Box::into_raw(Box::new(Encoder::new(settings.clone())))))
    });
    copy.unwrap_or(null_mut())
}

/// Frees an encoder. Does nothing if it is null, or in a callback of the same encoder.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn shim_jpeg_encoder_free(encoder: *mut Encoder) {
    // SAFETY: `new` or `clone` made it by `into_raw`, or it is null; the rest is so by the rules of the library. A
    // callback has no other way to be called than by a function that has borrowed the settings.
    unsafe { free(encoder, Encoder::is_busy) }
}

/// Resets all settings to those of a new encoder.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn shim_jpeg_encoder_reset(encoder: *mut Encoder) -> Status {
    // SAFETY: an encoder that was not freed, or null, by the rules of the library.
    unsafe { call(encoder, |encoder| encoder.change(|_| shim_jpeg::Encoder::new())) }
}

/// Message, in English, of the last call with this encoder that failed; empty if none did. Never null, and valid until
/// the next call with the encoder.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn shim_jpeg_error_message(encoder: *const Encoder) -> *const c_char {
    // SAFETY: an encoder that was not freed, or null, by the rules of the library.
    unsafe { message(encoder) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::status::{SHIM_ERROR_BUSY, SHIM_ERROR_INTERNAL, SHIM_ERROR_NULL, SHIM_OK};
    use std::ptr::null;

    fn message(encoder: *const Encoder) -> String {
        // SAFETY: the encoder of a test, or null; the text is read at once.
        unsafe { CStr::from_ptr(shim_jpeg_error_message(encoder)) }.to_str().unwrap().to_owned()
    }

    #[test]
    fn null_is_an_error_or_nothing() {
        // SAFETY: null is always allowed.
        unsafe {
            shim_jpeg_encoder_free(null_mut());
            assert!(shim_jpeg_encoder_clone(null()).is_null());
            assert_eq!(shim_jpeg_encoder_reset(null_mut()), SHIM_ERROR_NULL);
        }
        assert_eq!(message(null()), "`encoder` is null");
    }

    #[test]
    fn the_message_of_the_last_failure_is_kept() {
        let encoder = shim_jpeg_encoder_new();
        assert_eq!(message(encoder), "");
        let fail = |text: &str| {
            // SAFETY: a live encoder, used by one thread.
            unsafe { call(encoder, |_| Err(Failure::new(SHIM_ERROR_INTERNAL, text))) }
        };
        assert_eq!(fail("one"), SHIM_ERROR_INTERNAL);
        fail("another\0with a null");
        // SAFETY: as above.
        assert_eq!(unsafe { shim_jpeg_encoder_reset(encoder) }, SHIM_OK);
        assert_eq!(message(encoder), "anotherwith a null");
        // SAFETY: as above; it is not used again.
        unsafe { shim_jpeg_encoder_free(encoder) };
    }

    #[test]
    fn a_panic_is_a_status_and_the_encoder_goes_on() {
        let encoder = shim_jpeg_encoder_new();
        // SAFETY: a live encoder, used by one thread, and freed last.
        unsafe {
            let action = |encoder: &Encoder| encoder.with_settings(|_| panic!("a test"));
            assert_eq!(call(encoder, action), SHIM_ERROR_INTERNAL);
            assert_eq!(message(encoder), "a mistake in the library: a test");
            assert_eq!(shim_jpeg_encoder_reset(encoder), SHIM_OK);
            shim_jpeg_encoder_free(encoder);
        }
    }

    #[test]
    fn an_encoder_in_use_is_neither_changed_nor_freed() {
        let encoder = shim_jpeg_encoder_new();
        // SAFETY: a live encoder, used by one thread; the first attempt to free it is refused, the last is not.
        unsafe {
            let status = call(encoder, |inner| {
                inner.with_settings(|_| {
                    shim_jpeg_encoder_free(encoder);
                    assert_eq!(shim_jpeg_encoder_reset(encoder), SHIM_ERROR_BUSY);
                    assert!(message(encoder).contains("callback"));
                    shim_jpeg_encoder_free(shim_jpeg_encoder_clone(encoder));
                    Ok(())
                })
            });
            assert_eq!(status, SHIM_OK);
            shim_jpeg_encoder_free(encoder);
        }
    }
}
