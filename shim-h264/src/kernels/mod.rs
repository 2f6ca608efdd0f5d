//! The stages of the encoder, each a kernel.

pub mod bits;
pub mod cavlc;
pub mod codes;
pub mod escape;
pub mod pcm;
