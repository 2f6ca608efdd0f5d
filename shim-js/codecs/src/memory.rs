//! Memory that the host reads and writes.

use std::cell::RefCell;
use std::fmt::Display;

thread_local! {
    static INPUT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static ANSWER: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Memory for a request of so many bytes. It is kept for the next one.
#[unsafe(no_mangle)]
pub extern "C" fn input(length: usize) -> *mut u8 {
    INPUT.with_borrow_mut(|input| {
        input.resize(length, 0);
        input.as_mut_ptr()
    })
}

/// The bytes of the last answer.
#[unsafe(no_mangle)]
pub extern "C" fn answer() -> *const u8 {
    ANSWER.with_borrow(|answer| answer.as_ptr())
}

/// How many there are.
#[unsafe(no_mangle)]
pub extern "C" fn answer_length() -> usize {
    ANSWER.with_borrow(Vec::len)
}

/// Answers the request, whose text has so many bytes: 0 with what it asks for, or 1 with the text of an error.
pub(crate) fn answered<E: Display>(
    length: usize,
    work: impl FnOnce(&str, &[u8]) -> Result<Vec<u8>, E>,
) -> u32 {
    let done = INPUT.with_borrow(|input| {
        let (text, bytes) = input.split_at_checked(length).unwrap_or_default();
        match std::str::from_utf8(text) {
            Ok(text) => work(text, bytes).map_err(|error| error.to_string()),
            Err(error) => Err(error.to_string()),
        }
    });
    let failed = u32::from(done.is_err());
    let bytes = done.unwrap_or_else(String::into_bytes);
    ANSWER.with_borrow_mut(|answer| *answer = bytes);
    failed
}
