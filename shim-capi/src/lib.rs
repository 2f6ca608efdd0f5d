//! The C interface of the JPEG encoder [`shim_jpeg`] and of the H.264 encoder [`shim_h264`].
//!
//! C and C++ programs include `include/shim.h`, which is made of this crate, and link `libshim_capi.a` or
//! `libshim_capi.so`; other languages call the same functions. `examples/encode.c` and `examples/encode_h264.c` are
//! whole programs.
//!
//! ```c
//! shim_jpeg_encoder *encoder = shim_jpeg_encoder_new();
//! shim_jpeg_image image = {0};
//! shim_jpeg_buffer *file = NULL;
//! image.struct_size = sizeof image;
//! image.width = 640;
//! image.height = 480;
//! image.pixels = SHIM_JPEG_PIXELS_RGB;
//! image.sample_bytes = 1;
//! image.bits = 8;
//! image.plane_count = 1;
//! image.planes[0] = pixels;
//! image.plane_sizes[0] = 640 * 480 * 3;
//! if (shim_jpeg_encode(encoder, &image, &file) != SHIM_OK)
//!     fprintf(stderr, "%s\n", shim_jpeg_error_message(encoder));
//! /* shim_jpeg_buffer_data(file), shim_jpeg_buffer_size(file) */
//! shim_jpeg_buffer_free(file);
//! shim_jpeg_encoder_free(encoder);
//! ```
//!
//! [`shim_jpeg_encode_to`] hands the file to a callback instead, and [`shim_jpeg_strips_new`] takes an image of which
//! some rows are there at a time. A compressor ([`shim_jpeg_compressor_new`]) keeps its memory from one image to the
//! next.
//!
//! Video goes frame by frame to an encoder of a stream:
//!
//! ```c
//! shim_h264_encoder *encoder = shim_h264_encoder_new(640, 480);
//! shim_h264_frame frame = {0};
//! shim_h264_packet packet = {0};
//! shim_h264_encoder_set_keyint(encoder, 250);
//! frame.struct_size = sizeof frame;
//! packet.struct_size = sizeof packet;
//! frame.width = 640;
//! frame.height = 480;
//! frame.pixels = SHIM_H264_PIXELS_RGB;
//! frame.planes[0] = pixels;
//! frame.plane_sizes[0] = 640 * 480 * 3;
//! if (shim_h264_encode(encoder, &frame, &packet) != SHIM_OK)
//!     fprintf(stderr, "%s\n", shim_h264_error_message(encoder));
//! /* packet.data, packet.size, until the next call */
//! shim_h264_encoder_free(encoder);
//! ```
//!
//! # Errors
//!
//! A function that can fail returns a [`Status`], which is [`SHIM_OK`] or says what was wrong; the encoder keeps a
//! sentence on it ([`shim_jpeg_error_message`]). A setter that fails changes nothing. What a setter cannot judge,
//! because it depends on other settings or on the image, is refused when an image is encoded, before the first byte is
//! written. Settings of video are final with its first frame.
//!
//! A panic, which would be a mistake in the library, ends as [`SHIM_ERROR_INTERNAL`], with a line on the standard error
//! output: none leaves a function. Memory that the system refuses ends the process, as everywhere in Rust.
//!
//! # Safety
//!
//! These rules hold for all functions. Null pointers, numbers and sizes that make no sense, and constants that do not
//! exist are errors; what no program can check is the caller's to keep:
//!
//! - A pointer that is not null points to what its type says, of the size that is given beside it, which does not
//!   change during the call.
//! - Encoders, compressors, strips and buffers are those that this library made, and are not used after they were
//!   freed.
//! - An encoder, a compressor or strips, with the text of the last error, is used by one thread at a time; different
//!   ones by any number. Nothing else is shared but the limit of [`shim_limit_simd`], which any thread may set.
//! - A callback returns; it neither throws nor jumps.
//!
//! # Versions
//!
//! Functions and constants are added and do not change; a structure that may grow has its size as its first field.
//! Settings that come later are more setters, and other ways to hand over pixels more functions over the same encoder.

#![allow(unsafe_code, reason = "the boundary to C; all other crates have safe code only")]
#![allow(
    clippy::missing_safety_doc,
    reason = "the rules are the same for all functions and stand above, once"
)]

mod handle;
mod memory;

// The header has their functions in this order.
mod status;

mod encoder;

mod settings;

mod image;

mod output;

mod compressor;

mod strips;

mod simd;

mod h264;

use std::ffi::c_char;

pub use compressor::*;
pub use encoder::*;
pub use h264::*;
pub use image::*;
pub use output::*;
pub use settings::*;
pub use simd::*;
pub use status::*;
pub use strips::*;

/// Version of this header: 1000000 times the major, plus 1000 times the minor, plus the patch number.
pub const SHIM_VERSION: u32 = 1_000;

/// Version of the linked library, encoded as `SHIM_VERSION`. A program built with the header of one version runs with
/// later libraries of the same major version.
#[unsafe(no_mangle)]
pub extern "C" fn shim_version() -> u32 {
    SHIM_VERSION
}

/// Version of the linked library as text, such as "0.1.0".
#[unsafe(no_mangle)]
pub extern "C" fn shim_version_string() -> *const c_char {
    const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), "\0");
    VERSION.as_ptr().cast()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ffi::CStr;

    #[test]
    fn the_version_is_the_one_of_the_package() {
        // SAFETY: the text is static and ends with a null.
        let text = unsafe { CStr::from_ptr(shim_version_string()) }.to_str().unwrap();
        let numbers: Vec<u32> = text.split('.').map(|number| number.parse().unwrap()).collect();
        assert_eq!(shim_version(), numbers[0] * 1_000_000 + numbers[1] * 1000 + numbers[2]);
    }
}
