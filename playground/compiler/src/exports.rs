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
    answered(&crate::expand(&String::from_utf8_lossy(&source)))
}

/// A request to run a kernel.
#[derive(serde::Deserialize)]
struct Request {
    source: String,
    kernel: String,
    schedule: usize,
    arguments: serde_json::Map<String, serde_json::Value>,
}

/// Runs a kernel as the source, a request in JSON, says; the length of the answer.
#[unsafe(no_mangle)]
pub extern "C" fn run() -> usize {
    let outcome = match serde_json::from_slice::<Request>(&SOURCE.take()) {
        Ok(own) => crate::run::run(&own.source, &own.kernel, own.schedule, &own.arguments),
        Err(error) => crate::run::Outcome { error: Some(error.to_string()), ..Default::default() },
    };
    answered(&outcome)
}

fn answered(answer: &impl serde::Serialize) -> usize {
    let json = serde_json::to_string(answer).unwrap_or_default();
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
