//! An H.264 encoder whose every stage is a [`shim`] kernel.
//!
//! The standard is ITU-T H.264 (ISO/IEC 14496-10); its symbols and clause numbers stand beside what implements them.
//!
//! [`Encoder`] takes frames and gives packets; [`syntax`] is the standard's tables as a description, [`kernels`] everything that
//! touches a sample.

#![cfg_attr(not(any(test, feature = "std")), no_std)]
#![forbid(unsafe_code)]

extern crate alloc;

pub mod bitstream;
mod color;
mod config;
mod control;
pub mod decide;
mod encoder;
mod error;
mod frame;
mod gop;
mod headers;
pub mod kernels;
pub mod level;
mod lookahead;
mod macroblock;
mod picture;
mod pool;
mod rate;
mod strip;
pub mod syntax;

pub use color::{Color, Conversion, Matrix, Pixels};
pub use config::{Config, Deblocking, Edges, Format};
pub use decide::Preset;
pub use encoder::{Encoder, Packet};
pub use error::Error;
pub use frame::{Frame, Plane};
pub use gop::PictureKind;
pub use rate::{MissedBitRate, Occupancy, RateControl, Statistics, Vbv};
