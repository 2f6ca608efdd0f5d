//! The functions that the worker calls.

use std::cell::RefCell;

thread_local! {
    static SOURCE: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static ANSWER: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Memory for a source of so many bytes of UTF-8.
#[unsafe(no_mangle)]
pub extern "C" fn source(length: usize) -> *mut u8 {
    SOURCE.with_borrow_mut(|source| {
        source.clear();
        source.resize(length, b' ');
        source.as_mut_ptr()
    })
}

/// Expands the source; the length of the answer.
#[unsafe(no_mangle)]
pub extern "C" fn expand() -> usize {
    let source = SOURCE.take();
    let found = crate::expand(&String::from_utf8_lossy(&source));
    let json = serde_json::to_string(&found).unwrap_or_default();
    ANSWER.with_borrow_mut(|answer| {
        *answer = json;
        answer.len()
    })
}

/// The answer, in UTF-8.
#[unsafe(no_mangle)]
pub extern "C" fn answer() -> *const u8 {
    ANSWER.with_borrow(|answer| answer.as_ptr())
}
