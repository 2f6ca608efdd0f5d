//! The parts that shim's encoders share.
//!
//! - [`mod@bits`]: codewords to bits.
//! - [`pool`]: work that is divided among threads.
//! - [`random`]: reproducible numbers for tests.
//! - [`squares`]: pixels taken apart, and sums of two by two of them.

#![no_std]

extern crate alloc;
#[cfg(any(feature = "std", test))]
extern crate std;

pub mod bits;
pub mod pool;
pub mod random;
pub mod squares;
