//! What the tests of the language share.
#![allow(dead_code, unreachable_pub)]

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Once;

thread_local! {
    /// Whether a panic of this thread is awaited, and its report would only be noise.
    static QUIET: Cell<bool> = const { Cell::new(false) };
}

static HOOK: Once = Once::new();

/// The message that `f` panics with.
#[track_caller]
pub fn panic_of<T>(f: impl FnOnce() -> T) -> String {
    match outcome_of(f) {
        Ok(_) => panic!("it does not panic"),
        Err(message) => message,
    }
}

/// What `f` returns, or the message that it panics with.
#[track_caller]
pub fn outcome_of<T>(f: impl FnOnce() -> T) -> Result<T, String> {
    HOOK.call_once(|| {
        let report = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            if !QUIET.get() {
                report(info);
            }
        }));
    });
    QUIET.set(true);
    let result = catch_unwind(AssertUnwindSafe(f));
    QUIET.set(false);
    result.map_err(|payload| match (payload.downcast_ref::<String>(), payload.downcast_ref::<&str>()) {
        (Some(text), _) => text.clone(),
        (None, Some(text)) => (*text).to_owned(),
        (None, None) => panic!("it panics with something else than text"),
    })
}

/// That `f` panics with a message that holds each of `parts`.
#[track_caller]
pub fn panics_with<T>(f: impl FnOnce() -> T, parts: &[&str]) {
    let message = panic_of(f);
    for part in parts {
        assert!(message.contains(part), "`{part}` is not in: {message}");
    }
}

/// `0..count` as anything, scrambled so that no two neighbors are alike.
pub fn noise<T: TryFrom<u64>>(count: usize, modulo: u64) -> Vec<T>
where
    T::Error: std::fmt::Debug,
{
    (0..count as u64)
        .map(|i| T::try_from((i * 2_654_435_761 + 12_345) / 7 % modulo).expect("small"))
        .collect()
}

/// Extents to run every kernel of rank two over.
pub const SHAPES: &[(usize, usize)] = &[
    (0, 0),
    (0, 3),
    (3, 0),
    (1, 1),
    (1, 2),
    (2, 1),
    (1, 7),
    (5, 1),
    (3, 3),
    (4, 6),
    (5, 7),
    (8, 16),
    (17, 9),
];
