//! Arbitrary settings and frames through the H.264 encoder, and its stream through a decoder that others wrote.
#![no_main]

use arbitrary::Unstructured;
use libfuzzer_sys::fuzz_target;

#[path = "../../shim-h264/tests/common/mod.rs"]
mod common;

fuzz_target!(|data: &[u8]| {
    let _ = common::any::check(&mut Unstructured::new(data));
});
