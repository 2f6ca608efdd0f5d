//! Entropy-coded data: bits, tokens that become bits, and Huffman tables made for them.

pub(crate) mod bits;
pub(crate) mod optimal;
pub(crate) mod tokens;
