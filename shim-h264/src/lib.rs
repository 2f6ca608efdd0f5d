//! An H.264 encoder whose every stage is a [`shim`] kernel.
//!
//! The standard is ITU-T H.264 (ISO/IEC 14496-10); its symbols and clause numbers stand beside what implements them.

#![cfg_attr(not(any(test, feature = "std")), no_std)]
#![forbid(unsafe_code)]

extern crate alloc;

pub mod bitstream;
pub mod kernels;
pub mod syntax;
