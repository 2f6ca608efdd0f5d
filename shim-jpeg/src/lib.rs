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
//! An [`Image`] describes samples that lie in the caller's memory, an [`Encoder`] holds the settings, and what comes out is a whole
//! file: as a `Vec` ([`encode`](Encoder::encode)), to a writer ([`encode_to`](Encoder::encode_to)), from rows that come a few at a
//! time ([`strips`](Encoder::strips)), or many of them without allocation ([`compressor`](Encoder::compressor)).
//!
//! | wanted | by |
//! |---|---|
//! | RGB, BGR, RGBA, BGRA, gray, YCbCr, CMYK, YCCK; interleaved or planar, any stride; 8, 12 or (lossless) 2 to 16 bits | [`Image`], [`Pixels`] |
//! | 4:4:4, 4:2:2, 4:2:0, 4:4:0, 4:1:1, or the factors of each component | [`Encoder::subsampling`], [`Encoder::sampling_factors`] |
//! | sequential (SOF0, SOF1), progressive (SOF2), a scan script, lossless (SOF3) | [`Encoder::process`] |
//! | smaller files | [`Encoder::optimized`], [`Encoder::trellis`] |
//! | a quality, tables, a size, a fidelity | [`Encoder::quality`], [`Encoder::quantization_tables`], [`Encoder::encode_within`], [`Encoder::encode_reaching`] |
//! | the very bytes of libjpeg-turbo's `cjpeg` | [`Encoder::exact`] |
//! | restart markers; density, ICC profile, Exif, XMP, comments, application segments | [`Encoder::restart`]; [`Encoder::density`], [`Encoder::icc_profile`], .. |
//! | images larger than memory | [`Encoder::strips`] |
//! | threads | `Encoder::threads`, with the feature `rayon` |
//! | images of the `image` crate | `Image::try_from`, `ImageWriter`, with the feature `image` |
//!
//! # Defaults
//!
//! Quality 90, 4:2:0, a sequential file in JFIF with the standard Huffman tables of T.81 K.3 and without restart markers, by one
//! thread. Lossless files have Huffman tables made for the image.
//!
//! # Limits
//!
//! - Both sides of an image are 1 to 65535 pixels; arithmetic coding, hierarchical files and DNL are not written.
//! - Samples have 8 or 12 bits, in the lossless process 2 to 16.
//! - Sampling factors divide the greatest of all components. T.81 would allow others (2 beside 3), which no decoder at hand reads.
//! - Memory is that of a few rows of MCUs, but progressive and optimized files keep the image as coefficients or symbols.
//!
//! # Features
//!
//! - `std` (default): writers, strips, and the choice between instruction sets when the program runs. Without it the crate needs an
//!   allocator and no operating system, and takes the instruction set that the program is compiled for.
//! - `rayon`: `Encoder::threads`.
//! - `image`: the images of the [`image`](https://docs.rs/image) crate.
//!
//! # Speed
//!
//! On x86-64 the encoder has code for AVX2 and AVX-512 beside that for SSE2, and takes the best that the machine has;
//! [`limit_simd`] lowers it. `cargo bench -p shim-benches --bench jpeg` compares it with libjpeg-turbo at every level.
//!
//! # What is close to libjpeg, and what is the same
//!
//! T.81 leaves rounding, the filter of the chroma and the padding at the edges to the encoder. With [`Encoder::exact`] they are
//! those of libjpeg with its accurate integer transform, and files are the same, byte for byte. Otherwise a transform in 16 bits is
//! used: sizes stay within 1 % of libjpeg's at the same quality, and PSNR within 0.1 dB.
//!
//! [`Process::Progressive`] and [`Encoder::trellis`] together write files that are no larger than mozjpeg's at the same PSNR, in
//! a third to a fifth of the time (`cargo bench -p shim-benches --bench trellis`).

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
mod pool;
mod session;
mod settings;
#[cfg(feature = "std")]
mod strips;
mod syntax;
mod target;
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
