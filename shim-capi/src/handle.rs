//! What all handles have: the text of their last error.

use std::cell::RefCell;
use std::ffi::{CStr, CString, c_char};

use crate::memory::{borrow, caught};
use crate::status::{Failure, SHIM_ERROR_BUSY, SHIM_OK, Status};

/// An object that C has a pointer to. It is changed through cells, and never by `&mut`: a callback may come back with
/// the handle that called it.
pub(crate) trait Handle {
    /// What the functions call the pointer.
    const NAME: &str;
    /// What is said of null.
    const NULL: &CStr;

    /// The text of the last error.
    fn message(&self) -> &Message;
}

/// The text of the last error.
#[derive(Debug, Default)]
pub(crate) struct Message(RefCell<CString>);

impl Message {
    fn keep(&self, message: String) {
        let mut message = message.into_bytes();
        message.retain(|&byte| byte != 0);
        self.0.replace(CString::new(message).unwrap_or_default());
    }
}

/// That a handle cannot be changed, because it is in use further up.
pub(crate) fn busy() -> Failure {
    Failure::new(SHIM_ERROR_BUSY, "a callback called a function for what it was called by")
}

/// Calls `action` with what a handle is, and keeps the message of a failure in it.
///
/// # Safety
///
/// If `handle` is not null, it is one that was not freed, and no other thread uses it.
pub(crate) unsafe fn call<H: Handle>(
    handle: *const H,
    action: impl FnOnce(&H) -> Result<(), Failure>,
) -> Status {
    let failed = caught(|| {
        // SAFETY: the caller's promise. The object is changed through its cells only, and is not freed while `action`
        // has something that only they give.
        let handle = unsafe { borrow(handle, H::NAME) }?;
        Ok(match caught(|| action(handle)) {
            Ok(()) => SHIM_OK,
            Err(failure) => {
                handle.message().keep(failure.message);
                failure.status
            }
        })
    });
    failed.unwrap_or_else(|failure| failure.status)
}

/// The text of the last error of a handle, which stays until the next one.
///
/// # Safety
///
/// If `handle` is not null, it is one that was not freed, and no other thread uses it.
pub(crate) unsafe fn message<H: Handle>(handle: *const H) -> *const c_char {
    let message = caught(|| {
        // SAFETY: the caller's promise.
        let handle = unsafe { borrow(handle, H::NAME) }?;
        Ok(handle.message().0.borrow().as_ptr())
    });
    message.unwrap_or(H::NULL.as_ptr())
}

/// Frees a handle, unless it is null or in use.
///
/// # Safety
///
/// If `handle` is not null, `Box::into_raw` made it; it was not freed, no other thread uses it, and nobody uses it
/// again. No reference to it lives, unless `in_use` says so.
pub(crate) unsafe fn free<H: Handle>(handle: *mut H, in_use: impl FnOnce(&H) -> bool) {
    let freed = caught(|| {
        // SAFETY: the caller's promise.
        if in_use(unsafe { borrow(handle, H::NAME) }?) {
            return Err(busy());
        }
        // SAFETY: the caller's promise; it is not null, and not in use.
        drop(unsafe { Box::from_raw(handle) });
        Ok(())
    });
    // There is nobody to tell.
    let _ = freed;
}
