//! The stages of the encoder, each a kernel.
//!
//! They are public so that each can be tested and measured by itself; [`Encoder`](crate::Encoder) is what a user
//! of the crate wants. No kernel knows of files, and those that append to a `Vec` only make it longer. They work on one
//! row of MCUs at a time, in the order
//!
//! 1. [`color`], [`color_420`], [`planes`]: rows of pixels to a plane for each component;
//! 2. [`downsample`]: subsampled components;
//! 3. [`transform`]: each 8x8 block of samples to 64 integers, thirty-two blocks at a time, by the templates of [`dct`]
//!    and [`quantize`] and in the order of [`zigzag`]; at the edges samples are repeated by a boundary rule; or, for
//!    smaller files, by [`spectra`] and [`trellis`];
//! 4. [`huffman`]: those integers to bits by the standard tables; or [`tokens`] and [`progressive`], where tables are
//!    made for the image; or [`decisions`] and [`arithmetic`], without tables;
//! 5. [`mod@bits`], [`partial`]: the bits to the bytes of the scan.
//!
//! [`lossless`] has those of the lossless process, which works on one row of pixels at a time.

pub mod arithmetic;
pub mod bits;
mod block;
pub mod codes;
pub mod color;
pub mod color_420;
pub mod dct;
pub mod decisions;
pub mod downsample;
pub mod element;
pub mod huffman;
pub mod lossless;
pub mod mcu;
pub mod partial;
pub mod planes;
pub mod progressive;
pub mod quantize;
pub mod spectra;
pub(crate) mod tables;
pub mod tile;
pub mod tokens;
pub mod transform;
pub mod trellis;
pub mod zigzag;
