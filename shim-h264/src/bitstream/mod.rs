//! From bits to files: clauses 7.2, 7.3.1, 9.1 and Annex B, and the length-prefixed units of ISO/IEC 14496-15.

pub mod annex_b;
pub mod avcc;
pub mod bits;
pub mod exp_golomb;
pub mod nal;

pub use bits::{BitReader, BitWriter, EndOfBits};
