//! The stages of the encoder, each a kernel over plain memory.
//!
//! They are public so that each can be tested and measured by itself; [`Encoder`](crate::Encoder) is what a user
//! of the crate wants. No kernel allocates, and none knows of files: a stage reads slices and writes slices.
//! The order in which they run is
//!
//! 1. [`colour`]: a row of R, G, B to a row of Y, Cb, Cr;
//! 2. [`pad`]: the edge samples repeated up to whole blocks;
//! 3. [`downsample`]: chrominance at half the density (4:2:0 only);
//! 4. [`dct`], [`quantise`], [`zigzag`]: an 8x8 block of samples to 64 integers;
//! 5. [`huffman`]: those integers to bits, and the bits to the bytes of the scan.

pub mod colour;
pub mod dct;
pub mod downsample;
pub mod huffman;
pub mod pad;
pub mod quantise;
pub mod zigzag;
