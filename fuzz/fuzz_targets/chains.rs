//! Random chains of views through the runtime library and through the compiler, compared point by point.
#![no_main]

use arbitrary::Unstructured;
use libfuzzer_sys::fuzz_target;

#[path = "../../shim-stage/tests/common/mod.rs"]
mod common;

fuzz_target!(|data: &[u8]| {
    let _ = common::chains::compare(&mut Unstructured::new(data));
});
