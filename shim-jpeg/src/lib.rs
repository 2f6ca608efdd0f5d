//! A baseline JPEG encoder whose every stage is a [`shim`] kernel.
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
//! Input is RGB, interleaved or planar, or grey, of 8 bits and any size JPEG can hold ([`Image`]). Output is a JFIF
//! file of one interleaved scan, 4:4:4 or 4:2:0, with the typical Huffman tables ([`Encoder`]).
//!
//! # The stages and the standard
//!
//! The standard is ITU-T T.81 (ISO/IEC 10918-1), its file format T.871 (JFIF).
//!
//! | kernel | clause |
//! |---|---|
//! | [`colour::interleaved_to_ycbcr`], [`colour::planar_to_ycbcr`] | T.871, conversion from RGB to YCbCr |
//! | [`pad::pad`] | A.2.4, completion of partial MCU |
//! | [`downsample::downsample_2x2`] | A.1.1, dimensions and sampling factors |
//! | [`dct::fdct`] | A.3.1 level shift, A.3.3 FDCT |
//! | [`quantise::quantise`] | A.3.4 DCT coefficient quantisation |
//! | [`zigzag::zigzag`] | A.3.6 and Figure A.6, zigzag sequence |
//! | [`huffman::encode_block`] | F.1.2.1 DC and F.1.2.2 AC coefficients, with C.2 and Tables K.3 to K.6 |
//! | [`huffman::finish`], [`huffman::stuff`] | F.1.2.3 and B.1.1.5, byte stuffing and padding |
//!
//! [`colour::interleaved_to_ycbcr`]: kernels::colour::interleaved_to_ycbcr
//! [`colour::planar_to_ycbcr`]: kernels::colour::planar_to_ycbcr
//! [`pad::pad`]: kernels::pad::pad
//! [`downsample::downsample_2x2`]: kernels::downsample::downsample_2x2
//! [`dct::fdct`]: kernels::dct::fdct
//! [`quantise::quantise`]: kernels::quantise::quantise
//! [`zigzag::zigzag`]: kernels::zigzag::zigzag
//! [`huffman::encode_block`]: kernels::huffman::encode_block
//! [`huffman::finish`]: kernels::huffman::finish
//! [`huffman::stuff`]: kernels::huffman::stuff
//!
//! Rounding, the filter of the chrominance and the completion at the edges, which the standards leave open, are
//! those of libjpeg with its accurate integer transform: at the same quality the files are of the same size.

#![forbid(unsafe_code)]

mod band;
mod encoder;
mod error;
mod frame;
mod image;
pub mod kernels;
mod marker;
mod quality;
mod scan;
mod tables;

pub use encoder::Encoder;
pub use error::Error;
pub use frame::Subsampling;
pub use image::{Image, MAX_DIMENSION, Row};
