//! The stages of the encoder, each a kernel.

pub mod intra;
pub mod metrics;

#[cfg(test)]
mod testing;
