//! A JPEG encoder whose every stage is a [`shim`] kernel: baseline, extended, progressive and lossless files.
//!
//! ```
//! use shim_jpeg::{Encoder, Image};
//!
//! let (width, height) = (32, 16);
//! let pixels: Vec<u8> = (0..height).flat_map(|y| (0..width).flat_map(move |x| [x * 8, y * 16, 128])).collect();
//! let image = Image::rgb(&pixels, width.into(), height.into())?;
//! let file = Encoder::new().quality(90).encode(&image)?;
//! assert!(file.len() < pixels.len());
//! # Ok::<(), shim_jpeg::Error>(())
//! ```
//!
//! | wanted | by |
//! |---|---|
//! | RGB, BGR, RGBA, BGRA, grey, YCbCr, CMYK, YCCK; interleaved or planar, any stride; 8, 12 or (lossless) 2 to 16 bits | [`Image`], [`Pixels`] |
//! | 4:4:4, 4:2:2, 4:2:0, 4:4:0, 4:1:1, or the factors of each component | [`Encoder::subsampling`], [`Encoder::sampling_factors`] |
//! | baseline (SOF0), extended (SOF1), progressive (SOF2), lossless (SOF3) | samples of 8 bits, of 12; [`Encoder::progressive`], [`Encoder::scans`]; [`Encoder::lossless`] |
//! | smaller files | [`Encoder::optimised`], [`Encoder::trellis`] |
//! | a quality, tables, a size, a fidelity | [`Encoder::quality`], [`Encoder::quantisation_tables`], [`Encoder::encode_within`], [`Encoder::encode_reaching`] |
//! | the very bytes of libjpeg-turbo's `cjpeg` | [`Encoder::exact`] |
//! | restart markers; density, ICC profile, Exif, XMP, comments | [`Encoder::restart`]; [`Encoder::density`], [`Encoder::icc_profile`], .. |
//! | images larger than memory | `Encoder::strips` |
//! | threads | `Encoder::threads`, with the feature `rayon` |
//! | images of the `image` crate | `Image::try_from`, `ImageWriter`, with the feature `image` |
//! | no operating system | `default-features = false`: an allocator is enough; without writers and strips, and with the instructions that the program is compiled for |
//!
//! Sampling factors divide the greatest of all components: T.81 would allow others (2 beside 3), which no decoder at hand
//! reads.
//!
//! # The stages and the standard
//!
//! The standard is ITU-T T.81 (ISO/IEC 10918-1), its file format T.871 (JFIF).
//!
//! | kernel | clause |
//! |---|---|
//! | [`colour::to_ycbcr`], [`colour::to_ycbcr_420`], [`planes::to_ycbcr16`] | T.871, conversion from RGB to YCbCr; A.1.1 |
//! | [`planes::separate`], [`planes::separate16`] | A.1.1, a component for each sample of a pixel |
//! | [`downsample::downsample`], [`downsample::downsample16`] | A.1.1, dimensions and sampling factors |
//! | [`transform::transform`], [`transform::transform_fast`], [`transform::transform_wide`] | A.2.4 completion of partial MCU, by a boundary rule; A.3.1 level shift; and the templates |
//! | templates `fdct_1d`, `fdct_1d_fast` | A.3.3 FDCT: the one-dimensional transform of the rows and of the columns |
//! | templates `quantise`, `quantise_fast`, `quantise_wide` | A.3.4 DCT coefficient quantisation |
//! | [`trellis::spectra`], [`trellis::spectra_wide`] | A.2.4, A.3.1, A.3.3 and the division of A.3.4, without its rounding |
//! | [`trellis::trellis`] | A.3.4 for the least of errors and of the bits of F.1.2.2, by dynamic programming |
//! | [`trellis::distortion`] | what the rounding of A.3.4 takes away |
//! | template `order`, [`zigzag::zigzag_table`] | A.3.6 and Figure A.6, zigzag sequence |
//! | [`huffman::encode_mcus`] | A.2.3 order of the data units, and the templates |
//! | template `words_of_block` | F.1.2.1 DC and F.1.2.2 AC coefficients, with C.2 and Tables K.3 to K.6 |
//! | [`bits::put_words`] | the bit writer |
//! | [`symbols::symbols_of_mcus`] | F.1.2.1 and F.1.2.2 before there are codes: values of tables with their additional bits |
//! | [`progressive::dc_first`], [`progressive::dc_refine`] | G.1.2.1, DC of progressive scans |
//! | [`progressive::ac_first`], [`progressive::ac_refine`] | G.1.2.2 and G.1.2.3, AC of progressive scans, with `EOBn` and correction bits |
//! | [`symbols::count`], [`symbols::put_symbols`] | K.2, how often values occur; C.2 and the bits of symbols |
//! | [`pieces::append`], [`pieces::last_dc`], [`pieces::copy_tile`] | bits that several threads coded, put together; PRED where a row begins (F.1.1.5.1) |
//! | [`ahead`](kernels::ahead) | pixels that are wanted soon |
//! | [`bits::finish`], [`bits::stuff`] | F.1.2.3 and B.1.1.5, padding and byte stuffing |
//! | [`lossless::differences`] | H.1.2.1 and Table H.1, prediction; A.4, point transform |
//! | [`lossless::count`], [`lossless::put_differences`] | H.1.2.2 and Table H.2, categories and bits of differences |
//!
//! A template is staged into the kernels that call it, with the places of the tensors that they give it.
//!
//! [`colour::to_ycbcr`]: kernels::colour::to_ycbcr
//! [`colour::to_ycbcr_420`]: kernels::colour::to_ycbcr_420
//! [`downsample::downsample`]: kernels::downsample::downsample
//! [`transform::transform`]: kernels::transform::transform
//! [`transform::transform_fast`]: kernels::transform::transform_fast
//! [`trellis::spectra`]: kernels::trellis::spectra
//! [`trellis::spectra_wide`]: kernels::trellis::spectra_wide
//! [`trellis::trellis`]: kernels::trellis::trellis
//! [`zigzag::zigzag_table`]: kernels::zigzag::zigzag_table
//! [`huffman::encode_mcus`]: kernels::huffman::encode_mcus
//! [`bits::put_words`]: kernels::bits::put_words
//! [`bits::finish`]: kernels::bits::finish
//! [`bits::stuff`]: kernels::bits::stuff
//! [`planes::to_ycbcr16`]: kernels::planes::to_ycbcr16
//! [`planes::separate`]: kernels::planes::separate
//! [`planes::separate16`]: kernels::planes::separate16
//! [`downsample::downsample16`]: kernels::downsample::downsample16
//! [`transform::transform_wide`]: kernels::transform::transform_wide
//! [`trellis::distortion`]: kernels::trellis::distortion
//! [`symbols::symbols_of_mcus`]: kernels::symbols::symbols_of_mcus
//! [`symbols::count`]: kernels::symbols::count
//! [`symbols::put_symbols`]: kernels::symbols::put_symbols
//! [`progressive::dc_first`]: kernels::progressive::dc_first
//! [`progressive::dc_refine`]: kernels::progressive::dc_refine
//! [`progressive::ac_first`]: kernels::progressive::ac_first
//! [`progressive::ac_refine`]: kernels::progressive::ac_refine
//! [`pieces::append`]: kernels::pieces::append
//! [`pieces::last_dc`]: kernels::pieces::last_dc
//! [`pieces::copy_tile`]: kernels::pieces::copy_tile
//! [`lossless::differences`]: kernels::lossless::differences
//! [`lossless::count`]: kernels::lossless::count
//! [`lossless::put_differences`]: kernels::lossless::put_differences
//!
//! Rounding, the filter of the chrominance and the completion at the edges, which the standards leave open, are those of
//! libjpeg with its accurate integer transform if the encoder is told to be [exact](Encoder::exact): then files are the
//! same, byte for byte. Otherwise a transform in 16 bits is used; sizes stay within 1 % of libjpeg's at the same quality, and
//! PSNR within 0.1 dB.
//!
//! [`Encoder::lossless`] writes files of another process, without a transform: what comes back is the image itself, of 2 to 16
//! bits.
//!
//! # Small files
//!
//! [`Encoder::progressive`] and [`Encoder::trellis`] together write files that are no larger than mozjpeg's at the same PSNR, in
//! a third to a fifth of the time (`cargo bench -p shim-benches --bench trellis`).
//!
//! # Thirty-two blocks at a time
//!
//! Blocks are transformed in tiles of thirty-two that stand beside one another, whose coefficients lie lane by lane. A transform
//! of rows and one of columns are the same instructions then, no block is transposed, and the zigzag order is the order in
//! which rows of lanes are written. What the entropy coder would ask of each coefficient is asked of all of them at once
//! as well: which of them are zero, and whether a block needs more than the table of usual codes.

#![cfg_attr(not(any(test, feature = "std")), no_std)]
#![forbid(unsafe_code)]

extern crate alloc;

mod band;
mod bits;
mod compressor;
mod direct;
mod encoder;
mod error;
mod fold;
mod frame;
mod image;
#[cfg(feature = "image")]
mod interop;
pub mod kernels;
mod lossless;
mod marker;
mod metadata;
mod optimal;
mod optimised;
mod plan;
mod pool;
mod process;
mod quality;
mod restart;
mod runs;
mod sample;
mod script;
mod search;
mod segment;
mod session;
mod stored;
#[cfg(feature = "std")]
mod strips;
mod symbolic;
mod tables;
mod target;
mod trellis;

pub use compressor::Compressor;
pub use encoder::Encoder;
pub use error::Error;
pub use frame::{ColourSpace, Subsampling};
pub use image::{Image, MAX_DIMENSION, Pixels};
#[cfg(feature = "image")]
pub use interop::ImageWriter;
pub use lossless::Predictor;
pub use metadata::Density;
pub use restart::Restart;
pub use script::ScanSpec;
#[cfg(feature = "std")]
pub use strips::Strips;
pub use target::Fitted;
