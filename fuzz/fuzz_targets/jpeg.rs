//! Arbitrary settings and images through the JPEG encoder, and what it writes through a decoder that others wrote.
#![no_main]

use arbitrary::Unstructured;
use libfuzzer_sys::fuzz_target;

#[path = "../../shim-jpeg/tests/common/any.rs"]
mod any;

fuzz_target!(|data: &[u8]| {
    let _ = any::check(&mut Unstructured::new(data));
});
