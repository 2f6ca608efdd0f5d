//! Arbitrary functions and mutated kernels through the compiler: it answers, whatever it is given.
#![no_main]

use arbitrary::Unstructured;
use libfuzzer_sys::fuzz_target;

#[path = "../../shim-stage/tests/common/mod.rs"]
mod common;

use common::{generate, mutate, survive};

fuzz_target!(|data: &[u8]| {
    let Some((kind, data)) = data.split_first() else { return };
    let mut u = Unstructured::new(data);
    let source = match kind % 8 {
        0 => String::from_utf8(data.to_vec()).map_err(|_| arbitrary::Error::IncorrectFormat),
        1 => mutate::text(&mut u),
        2 | 3 => mutate::fixture(&mut u),
        _ => generate::file(&mut u),
    };
    if let Ok(source) = source {
        survive::file(&source);
    }
});
