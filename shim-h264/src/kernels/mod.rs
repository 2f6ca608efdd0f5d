//! The stages of the encoder, each a kernel.

pub mod deblock;
pub mod inter;
pub mod intra;
pub mod metrics;
pub mod quantise;
pub mod residual;
pub mod transform;

#[cfg(test)]
mod testing;
