//! The stages of the encoder, each a kernel.
