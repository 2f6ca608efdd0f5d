//! A fast JPEG encoder: baseline, extended, progressive and lossless files, in safe Rust.
//!
//! ```
//! use shim_jpeg::{Encoder, Image};
//!
//! let (width, height) = (32, 16);
//! let pixels: Vec<u8> = (0..height).flat_map(|y| (0..width).flat_map(move |x| [x * 8, y * 16, 128])).collect();
//! let image = Image::rgb(&pixels, width.into(), height.into())?;
//! let file = Encoder::new().quality(85).encode(&image)?;
//! assert!(file.len() < pixels.len());
//! # Ok::<(), shim_jpeg::Error>(())
//! ```
//!
//! An [`Image`] borrows the samples, and an [`Encoder`] holds the settings and produces a complete file: as a `Vec`
//! ([`encode`](Encoder::encode)), to a writer ([`encode_to`](Encoder::encode_to)), or from strips of rows
//! ([`strips`](Encoder::strips)). A [`compressor`](Encoder::compressor) encodes many images without allocation.
//!
//! | task | item |
//! |---|---|
//! | RGB, BGR, RGBA, BGRA, gray, YCbCr, CMYK, YCCK; interleaved or planar, any stride; 8, 12 or (lossless) 2 to 16 bits | [`Image`], [`Pixels`] |
//! | 4:4:4, 4:2:2, 4:2:0, 4:4:0, 4:1:1, or sampling factors for each component | [`Encoder::subsampling`], [`Encoder::sampling_factors`] |
//! | sequential (SOF0, SOF1), progressive (SOF2), a scan script, lossless (SOF3) | [`Encoder::process`] |
//! | smaller files | [`Encoder::optimized`], [`Encoder::trellis`], [`Encoder::arithmetic`] |
//! | quality, quantization tables, target file size, target PSNR | [`Encoder::quality`], [`Encoder::quantization_tables`], [`Encoder::encode_within`], [`Encoder::encode_reaching`] |
//! | files bit-exact with libjpeg-turbo's `cjpeg` | [`Encoder::libjpeg_compatible`] |
//! | restart markers; density, ICC profile, Exif, XMP, comments, application segments | [`Encoder::restart`]; [`Encoder::density`], [`Encoder::icc_profile`], .. |
//! | images larger than memory | [`Encoder::strips`] |
//! | threads | `Encoder::threads`, with the feature `rayon` |
//! | images of the `image` crate | `Image::try_from`, `ImageWriter`, with the feature `image` |
//!
//! # Defaults
//!
//! Quality 90, 4:2:0, a sequential JFIF file with the standard Huffman tables of T.81 K.3 and without restart markers,
//! one thread. Lossless files have optimized Huffman tables.
//!
//! # Limits
//!
//! - Width and height are 1 to 65535 pixels. The encoder writes no hierarchical files or DNL segments.
//! - Samples have 8 or 12 bits, or 2 to 16 in lossless files.
//! - Sampling factors divide the largest factor of all components. T.81 also allows others (such as 2 and 3), but no
//!   decoder that we tested reads them.
//! - Memory is proportional to a few MCU rows, except that progressive and optimized files buffer the coefficients or
//!   symbols of the whole image.
//!
//! # Features
//!
//! - `std` (default): writers, strips, and the choice between instruction sets when the program runs. Without it the
//!   crate needs an allocator and no operating system, and uses the instruction set that the program is compiled for.
//! - `rayon`: `Encoder::threads`.
//! - `image`: the images of the [`image`](https://docs.rs/image) crate.
//!
//! # Speed
//!
//! On x86-64 the encoder has code for AVX2 and AVX-512 beside that for SSE2, and uses the best that the machine has;
//! [`limit_simd`] sets an upper limit. `cargo bench -p shim-benches --bench jpeg` compares it with libjpeg-turbo at
//! every level. Elsewhere it uses what the program is compiled for: NEON on aarch64, and on wasm32 SIMD with `-C
//! target-feature=+simd128`. Files are the same on all of them.
//!
//! # Compatibility with libjpeg
//!
//! T.81 leaves rounding, chroma downsampling and edge padding to the encoder. With [`Encoder::libjpeg_compatible`] they match
//! libjpeg with its accurate integer DCT, and files are identical, byte for byte. Otherwise the encoder uses a 16-bit
//! DCT: file sizes stay within 1 % of libjpeg's at the same quality, and PSNR within 0.1 dB.
//!
//! [`Process::Progressive`] and [`Encoder::trellis`] together write files that are no larger than mozjpeg's at the same
//! PSNR, in a third to a fifth of the time (`cargo bench -p shim-benches --bench trellis`).

#![cfg_attr(not(any(test, feature = "std")), no_std)]
#![forbid(unsafe_code)]

extern crate alloc;

mod compressor;
mod encoder;
mod entropy;
mod error;
mod format;
mod input;
#[cfg(feature = "image")]
mod interop;
#[doc(hidden)]
pub mod kernels;
mod names;
mod pipeline;
mod session;
mod settings;
#[cfg(feature = "std")]
mod strips;
mod syntax;
mod target;
mod threads;
mod transform;

pub use compressor::Compressor;
pub use encoder::Encoder;
pub use error::Error;
#[cfg(feature = "std")]
pub use error::WriteError;
pub use format::metadata::Density;
pub use format::restart::Restart;
pub use format::script::ScanSpec;
pub use input::color::{ColorSpace, Subsampling};
pub use input::image::{Image, MAX_DIMENSION};
pub use input::pixels::Pixels;
#[cfg(feature = "image")]
pub use interop::ImageWriter;
pub use settings::{Predictor, Process};
#[cfg(feature = "std")]
pub use strips::Strips;
pub use target::Fitted;

pub use shim::{ParseSimdLevelError, SimdLevel, limit_simd};

/// The examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
