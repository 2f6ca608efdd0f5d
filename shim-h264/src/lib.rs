//! An H.264/AVC encoder for the Constrained Baseline profile, in safe Rust.
//!
//! ```
//! use shim_h264::{Config, Encoder, Frame, RateControl};
//!
//! let (width, height) = (64, 48);
//! let mut config = Config::new(width, height);
//! config.frame_rate = (25, 1);
//! config.rate = RateControl::ConstantQuality(20.0);
//! let mut encoder = Encoder::new(config)?;
//! let mut stream = Vec::new();
//! for n in 0..5 {
//!     let samples = vec![40 * n; width * height * 3 / 2];
//!     if let Some(packet) = encoder.encode(&Frame::i420(width, height, &samples)?)? {
//!         stream.extend(packet.bytes);
//!     }
//! }
//! while let Some(packet) = encoder.flush()? {
//!     stream.extend(packet.bytes);
//! }
//! assert!(stream.starts_with(&[0, 0, 0, 1]));
//! # Ok::<(), shim_h264::Error>(())
//! ```
//!
//! A [`Config`] holds the settings, a [`Frame`] borrows the samples of one picture, and an [`Encoder`] returns a
//! [`Packet`] with the coded picture, its timestamp and its [`Statistics`]. Symbols and clause numbers in the
//! documentation are those of ITU-T H.264 (ISO/IEC 14496-10).
//!
//! | task | item |
//! |---|---|
//! | I420, NV12; any stride | [`Frame::i420`], [`Frame::nv12`], [`Frame::new`] |
//! | RGB, BGR, RGBA, BGRA, gray | [`Conversion`], [`Pixels`] |
//! | constant QP, constant quality (CRF), average bit rate (ABR) | [`Config::rate`], [`RateControl`] |
//! | look-ahead, latency; offsets of QP by macroblock | [`Config::lookahead`], [`Config::mb_tree`], [`Config::aq_strength`] |
//! | two passes | [`FirstPass`], [`Config::first_pass`] |
//! | VBV with HRD parameters | [`Config::vbv`], [`Vbv`] |
//! | speed against compression | [`Config::preset`], [`Preset`] |
//! | kinds of content and uses | [`Config::tune`], [`Tune`] |
//! | keyframe interval, scene cuts | [`Config::keyint`], [`Config::min_keyint`](field@Config::min_keyint), [`Config::scene_cut`] |
//! | reference frames | [`Config::references`](field@Config::references), [`Preset::references`] |
//! | slices, maximum slice size | [`Config::slices`], [`Config::max_slice_size`] |
//! | deblocking filter | [`Config::deblocking`] |
//! | changes between frames | [`Encoder::force_keyframe`], [`Encoder::set_rate_control`], [`Encoder::set_frame_rate`], [`Encoder::set_qp_offset`] |
//! | byte stream (Annex B) or length-prefixed NAL units (AVC) | [`Config::format`], [`Format`] |
//! | parameter sets, `avcC` record | [`Encoder::parameter_sets`], [`Encoder::configuration_record`] |
//! | color description, sample aspect ratio (SAR) | [`Config::color`], [`Config::primaries`], [`Config::transfer`], [`Config::sample_aspect_ratio`] |
//! | reconstructed frames | [`Encoder::reconstruction`] |
//! | threads | `Config::threads`, with the feature `rayon` |
//!
//! # Defaults
//!
//! 30 frames per second, constant quality (CRF) 23 without a VBV, preset `medium`, a keyframe at scene cuts and at
//! least every 250 frames, the reference frames of the preset, one slice per frame, the lowest level that fits, an Annex B byte
//! stream, one thread. The stream has no SAR, and no color description unless frames are converted from RGB: BT.709 from
//! 720 rows on and BT.601 below, in limited range.
//!
//! # Limits
//!
//! - Input is progressive 8-bit 4:2:0 video. RGB is converted to it.
//! - Width and height are at most 8688, and a frame has at most 36864 macroblocks: the limits of level 5.2. An odd
//!   width or height is padded to the next even number.
//! - Pictures have I and P slices, coded with CAVLC and the 4x4 transform. The encoder writes no B slices, CABAC, 8x8
//!   transform, weighted prediction, interlaced video, slice groups or redundant slices.
//!
//! # Features
//!
//! - `std` (default): the choice between instruction sets when the program runs. Without it the crate needs an
//!   allocator and no operating system, and uses the instruction set that the program is compiled for.
//! - `rayon`: `Config::threads`.
//!
//! # Speed
//!
//! On x86-64 the encoder has code for AVX2 and AVX-512 beside that for SSE2, and uses the best that the machine has.
//! `cargo bench -p shim-benches --bench h264` measures every preset. `docs/h264.md` explains the design and lists
//! measurements. Elsewhere it uses what the program is compiled for: NEON on aarch64, and on wasm32 SIMD with `-C
//! target-feature=+simd128`. Streams are the same on all of them.
//!
//! # Lower layers
//!
//! [`syntax`] and [`bitstream`] write, check, read and print the syntax elements of a stream, [`level`] has the limits
//! of Annex A, and [`decide`] is the interface for mode decision of one's own.

#![cfg_attr(not(any(test, feature = "std")), no_std)]
#![forbid(unsafe_code)]

extern crate alloc;

mod batch;
pub mod bitstream;
mod color;
mod config;
mod control;
mod conversion;
pub mod decide;
mod encoder;
mod entropy;
mod error;
mod frame;
mod gop;
mod headers;
#[doc(hidden)]
pub mod kernels;
pub mod level;
mod lookahead;
mod macroblock;
mod picture;
mod plan;
mod queue;
mod rate;
mod slot;
mod strip;
pub mod syntax;
mod tune;

pub use color::{Color, Matrix};
pub use config::{Config, Deblocking, Edges, Format};
pub use conversion::{Conversion, Pixels};
pub use decide::Preset;
pub use encoder::{Encoder, Packet};
pub use error::Error;
pub use frame::{Frame, Plane};
pub use gop::PictureKind;
pub use rate::{FirstPass, MissedBitRate, Occupancy, RateControl, Statistics, Vbv};
pub use tune::Tune;

/// The examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
