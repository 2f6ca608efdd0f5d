//! Bit-level writing and parsing: NAL units, Exp-Golomb codes, byte streams (7.2, 7.3.1, 9.1, Annex B), and
//! length-prefixed streams (ISO/IEC 14496-15).

pub mod annex_b;
pub mod avcc;
pub mod bits;
pub mod exp_golomb;
pub mod nal;

pub use bits::{BitReader, BitWriter, EndOfBits};
