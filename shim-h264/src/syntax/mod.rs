//! The syntax tables of H.264 (7.3, D.1, E.1), with a writer, a validator, a parser and a printer derived from one
//! description.
//!
//! The description of a table yields a structure and a walk over its elements. A [`Coder`] processes each element of a
//! walk: a
//! [`BitWriter`](crate::bitstream::BitWriter) writes it, a [`Checker`] validates its range and presence, a [`Trace`]
//! prints it, and a [`Reader`] parses it.
//!
//! ```
//! use shim_h264::bitstream::BitWriter;
//! use shim_h264::syntax::{Checker, SyntaxError, pps::PicParameterSet};
//!
//! let mut pps = PicParameterSet { pic_init_qp_minus26: -2, ..Default::default() };
//! pps.walk(&mut Checker)?;
//! let mut bits = BitWriter::default();
//! let Ok(()) = pps.walk(&mut bits);
//! bits.trailing_bits();
//! assert_eq!(bits.bytes(), [0xce, 0x0b, 0x88]);
//!
//! pps.chroma_qp_index_offset = 13;
//! assert_eq!(
//!     pps.walk(&mut Checker).unwrap_err().to_string(),
//!     "chroma_qp_index_offset is 13, out of range -12 to 12"
//! );
//! # Ok::<(), SyntaxError>(())
//! ```

#[macro_use]
mod describe;

mod check;
mod coder;
mod count;
pub mod macroblock;
pub mod nal;
pub mod pps;
mod read;
pub mod residual;
pub mod sei;
pub mod slice;
pub mod sps;
pub mod stream;
#[cfg(test)]
mod tests;
mod trace;
pub mod vui;
mod write;

pub use check::{Checker, SyntaxError};
pub use coder::{Both, Coder, Codeword, Descriptor, Element, List, Value, wide};
pub(crate) use count::BitCounter;
pub use read::Reader;
pub use trace::Trace;
