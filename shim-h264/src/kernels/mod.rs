//! The stages of the encoder, each a kernel.

pub mod bits;
pub mod blocks;
pub mod cavlc;
pub mod codes;
pub mod color;
pub mod deblock;
pub mod escape;
pub mod frame;
pub mod half;
pub mod inter;
pub mod intra;
pub mod metrics;
pub mod pcm;
pub mod quantize;
pub mod residual;
pub(crate) mod scan;
pub mod transform;

#[cfg(test)]
pub(crate) mod testing;
